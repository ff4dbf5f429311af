/*
 * Cases of bad: wrong messages, handlers and atomic sections, and programs
 * that use up time or memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "bad.h"
#include "section.h"

/* Describes two words of a message. */
#define DESCRIBE(word0, word1) \
    do { \
        UDM_STORE_(FUGU_U_OUT, word0); \
        UDM_STORE_(FUGU_U_OUT + 4, word1); \
    } while (0)

static void nothing(void)
{
    glaze_exit(0);
}

/* ---- Sending ------------------------------------------------------------- */

static void kernel_message(void)
{
    DESCRIBE(FUGU_HDR_KERNEL | other_node(), 0);
    NI_LAUNCH(2, 0); /* ends: kernel-message */
}

static void no_such_node(void)
{
    DESCRIBE(udm_nodes(), (uintptr_t)good_handler);
    NI_LAUNCH(2, 0); /* ends: no-such-node */
}

static void too_long(void)
{
    DESCRIBE(other_node(), (uintptr_t)good_handler);
    NI_LAUNCH(3, 0); /* ends: too-long */
}

static void of_no_words(void)
{
    DESCRIBE(other_node(), (uintptr_t)good_handler);
    NI_LAUNCH(0, 0); /* ends: no-words */
}

static void odd_body(void)
{
    static char body[8];

    udm_inject_body(other_node(), good_handler, /* ends: odd-body */
                    body + 1, 4);
}

static void long_body(void)
{
    udm_inject_body(other_node(), good_handler, /* ends: long-body */
                    0x10000000, FUGU_BODY_MAX + 4);
}

/* Ends with half a message described. */
static void half_described(void)
{
    DESCRIBE(other_node(), 0x5ec2e700);
    UDM_STORE_(FUGU_U_OUT + 60, 0x5ec2e701);
    glaze_exit(0);
}

static void telling_handler(void)
{
    uint32_t header = udm_peek(0);

    udm_dispose();
    printf("bad: header 0x%08lx\n", (unsigned long)header);
    glaze_exit(0);
}

/* Sends a message with another node and job in its header: the hardware
 * replaces both. */
static void forged(void)
{
    if (udm_node() == udm_nodes() - 1) {
        DESCRIBE(FUGU_HDR_OWN_GID | 9 << FUGU_HDR_GID_SHIFT |
                 3u << FUGU_HDR_TYPE_SHIFT, (uintptr_t)telling_handler);
        NI_LAUNCH(2, 0);
        glaze_exit(0);
    }
    for (;;) {
        glaze_wait();
    }
}

/* ---- Extracting ---------------------------------------------------------- */

static void dispose_nothing(void)
{
    udm_dispose(); /* ends: dispose-nothing */
}

static void dispose_nothing_buffered(void)
{
    udm_beginatom();
    glaze_divert();
    udm_dispose(); /* ends: dispose-nothing-buffered */
}

/* Makes this node's handler run, from the buffer if argument 0 is not 0. */
static void upcall(udm_handler_t handler)
{
    if (argument(0)) {
        glaze_divert();
    }
    udm_inject(udm_node(), handler);
    pause_for_message();
}

static void extracts_never(void)
{
}

static void handler_never(void)
{
    upcall(extracts_never);
}

static void enables_first(void)
{
    udm_endatom(); /* ends: handler-enables */
    udm_dispose();
}

static void handler_enables(void)
{
    upcall(enables_first);
}

static void extracts_twice(void)
{
    udm_dispose();
    udm_dispose(); /* ends: handler-twice */
}

static void handler_twice(void)
{
    upcall(extracts_twice);
}

static void faults(void)
{
    *(volatile uint32_t *)0 = 0; /* ends: handler-faults */
    udm_dispose();
}

static void handler_faults(void)
{
    upcall(faults);
}

#pragma GCC diagnostic ignored "-Winfinite-recursion"

static __attribute__((noinline)) uint32_t recurse(uint32_t depth)
{
    volatile uint32_t frame[100];

    frame[99] = depth; /* ends: recursion */
    return recurse(depth + 1) + frame[99];
}

static void overflows(void)
{
    recurse(0);
}

static void handler_overflows(void)
{
    upcall(overflows);
}

static void main_overflows(void)
{
    recurse(0);
}

/* ---- Programs that never end --------------------------------------------- */

static volatile bool forever = true;

static void loops(void)
{
    while (forever) {
    }
    udm_dispose();
}

static void handler_loops(void)
{
    upcall(loops);
}

/* On node 0: sends a hundred messages to the last node, and ends. */
static void send_hundred(void)
{
    if (udm_node() == 0) {
        for (unsigned i = 0; i < 100; i++) {
            udm_inject(other_node(), good_handler, i, i, i, i, i, i, i, i);
        }
        glaze_exit(0);
    }
}

static void extract_nothing(void)
{
    udm_beginatom();
    while (forever) {
    }
}

/* Never extracts node 0's messages. */
static void deaf(void)
{
    send_hundred();
    extract_nothing();
}

/* Like deaf(), but makes system calls all the time. */
static void deaf_caller(void)
{
    struct glaze_count count;

    send_hundred();
    udm_beginatom();
    while (forever) {
        glaze_count(&count);
    }
}

/* Sends a message now and then: WAIT cycles lie between two. */
#define WAIT    6000

static void send_slowly(void)
{
    static uint32_t last;

    if (udm_cycles32() - last >= WAIT) {
        last = udm_cycles32();
        udm_injectc(other_node(), good_handler);
    }
}

/* Says that it is in a section by the word of its upcall page, for ever. */
static void word_stays(void)
{
    while (forever) {
        quick_section_open();
        send_slowly();
    }
}

/* Writes that word, opens and closes sections and extracts messages at random. */
static void word_at_will(void)
{
    volatile uint32_t *entry = (volatile uint32_t *)(GLAZE_UPCALL +
                                                     GLAZE_U_MESSAGE + 4);

    for (uint32_t x = udm_node() + 1; forever; x = x * 1664525 + 1013904223) {
        switch (x >> 28) {
        case 0 ... 3:
            *entry |= 1 + (x >> 20) % 3;
            break;
        case 4 ... 5:
            *entry &= ~GLAZE_U_SECTION;
            break;
        case 6 ... 7:
            quick_section_close();
            break;
        case 8:
            asm volatile ("ta %0" : : "i" (GLAZE_TRAP_CLOSE) : "memory");
            break;
        case 9:
            udm_beginatom();
            break;
        case 10 ... 11:
            udm_endatom();
            break;
        case 12:
            if (udm_atomic() && udm_available()) {
                udm_dispose();
            }
            break;
        case 13:
            if ((x >> 20 & 0xf) == 0) {
                glaze_divert();
            }
            break;
        default:
            send_slowly();
            break;
        }
    }
}

static void loop(void)
{
    while (forever) {
    }
}

/* Makes long system calls again and again. */
static void map_all(void)
{
    for (;;) {
        glaze_map(GLAZE_PROGRAM, GLAZE_PROGRAM_END - GLAZE_PROGRAM);
        glaze_unmap(GLAZE_PROGRAM, GLAZE_PROGRAM_END - GLAZE_PROGRAM);
    }
}

/* ---- Programs that use up memory ----------------------------------------- */

/* Sends until the other node, which extracts nothing, has no memory left. */
static void flood(void)
{
    if (udm_node() == 0) {
        for (;;) {
            udm_inject(other_node(), good_handler, 1, 2, 3, 4, 5, 6, 7, 8);
        }
    }
    extract_nothing();
}

static void flood_bodies(void)
{
    if (udm_node() == 0) {
        for (;;) {
            udm_inject_body(other_node(), good_handler, GLAZE_PROGRAM, 4096);
        }
    }
    extract_nothing();
}

static void touch_all(void)
{
    glaze_map(0x20000000, 0x10000000);
    for (uint32_t a = 0x20000000; a < 0x30000000; a += GLAZE_PAGE) {
        *(volatile uint32_t *)a = a; /* ends: touch-all */
    }
}

/* Takes all memory except the last frame, then does nothing more. */
static void hoard(void)
{
    struct glaze_count count;
    uint32_t a = 0x20000000;

    glaze_map(a, 0x10000000);
    do {
        *(volatile uint32_t *)a = a;
        a += GLAZE_PAGE;
        glaze_count(&count);
    } while (count.frames_free);
    while (forever) {
    }
}

static void stacks(void)
{
    for (uint32_t a = GLAZE_STACKS_END - GLAZE_PAGE; a > GLAZE_STACKS;
         a -= GLAZE_PAGE) {
        if (a & (GLAZE_STACK_SIZE - 1)) {
            *(volatile uint32_t *)a = a; /* ends: stacks */
        }
    }
}

/* ---- Programs that end with messages ------------------------------------- */

/* Sends to a process that is about to end, has just ended, and ended long
 * ago. */
static void send_to_ended(void)
{
    struct glaze_count count;

    if (udm_node() == 0) {
        glaze_exit(0);
    }
    for (unsigned i = 0; i < 200; i++) {
        udm_inject(0, good_handler, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
    }
    glaze_count(&count);
    glaze_exit(0);
}

static void end_with_messages(void)
{
    static uint32_t body[1024];

    udm_beginatom();
    glaze_divert();
    for (unsigned i = 0; i < 200; i++) {
        udm_inject(udm_node(), good_handler, i);
    }
    udm_inject_body(udm_node(), good_handler, body, sizeof(body));
    while (glaze_info(GLAZE_I_INSERTED) < 201) {
    }
    glaze_exit(0);
}

/* Every node waits for a message that no node sends. */
static void wait_for_nobody(void)
{
    for (;;) {
        glaze_wait();
    }
}

const struct bad_case message_cases[] = {
    { "nothing", nothing, true },
    { "kernel-message", kernel_message, false },
    { "no-such-node", no_such_node, false },
    { "too-long", too_long, false },
    { "no-words", of_no_words, false },
    { "odd-body", odd_body, false },
    { "long-body", long_body, false },
    { "half-described", half_described, true },
    { "forged", forged, true },
    { "dispose-nothing", dispose_nothing, false },
    { "dispose-nothing-buffered", dispose_nothing_buffered, false },
    { "handler-never", handler_never, false },
    { "handler-enables", handler_enables, false },
    { "handler-twice", handler_twice, false },
    { "handler-faults", handler_faults, false },
    { "handler-overflows", handler_overflows, false },
    { "main-overflows", main_overflows, false },
    { "handler-loops", handler_loops, false },
    { "deaf", deaf, true },
    { "deaf-caller", deaf_caller, true },
    { "word-stays", word_stays, true },
    { "word-at-will", word_at_will, true },
    { "loop", loop, true },
    { "map-all", map_all, true },
    { "flood", flood, true },
    { "flood-bodies", flood_bodies, true },
    { "touch-all", touch_all, false },
    { "hoard", hoard, true },
    { "stacks", stacks, false },
    { "send-to-ended", send_to_ended, true },
    { "end-with-messages", end_with_messages, true },
    { "wait-for-nobody", wait_for_nobody, true },
    { 0 },
};
