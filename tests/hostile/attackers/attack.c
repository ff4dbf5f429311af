/*
 * A program that takes from others what it can, all the time.
 *
 *      attack KIND UNTIL
 *
 * Each case of `attacks` below is a kind. Its function is one attack, which the
 * process repeats until the cycle UNTIL. On one node alone, node 0, the attack
 * meets the program that is measured (beside.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fugu-regs.h"
#include "glaze-calls.h"
#include "mbcf.h"
#include "udm.h"

#define HEAP    0x20000000
#define LOWEST  0x11000000
#define MOST    0x2000          /* pages that it takes at most */
#define LEAVES  18              /* frames that it leaves */
#define WORDS   1024

static uint64_t until;
static volatile uint32_t taken;
static uint32_t pages[8][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static struct mbcf_request request[16];
static uint32_t stranger, step;

static bool goes_on(void)
{
    return udm_cycles() < until;
}

static uint32_t next_node(void)
{
    return (udm_node() + 1) % udm_nodes();
}

/* ---- Processor ----------------------------------------------------------- */

static void nothing(void)
{
    glaze_wait();
}

static void spin(void)
{
}

static void divert(void)
{
    glaze_divert();
}

/* An alarm interrupts after each instruction of a section. */
static void alarm(void)
{
    udm_beginatom();
    while (goes_on()) {
        glaze_alarm(udm_cycles() + 1);
    }
    udm_endatom();
}

/* ---- Network ------------------------------------------------------------- */

static void take(void)
{
    udm_dispose();
    taken++;
}

static void keep(void)
{
    while (goes_on()) {
    }
    udm_dispose();
}

static void messages(void)
{
    udm_inject(next_node(), take);
}

static void bodies(void)
{
    udm_inject_body(next_node(), take, pages, GLAZE_PAGE, step);
}

/* A handler that does not end. */
static void handler(void)
{
    udm_inject(next_node(), keep);
}

/* A section that does not end, and messages that wait for it. */
static void section(void)
{
    udm_beginatom();
    while (goes_on()) {
        if (udm_node()) {
            udm_inject(0, take);
        }
    }
    udm_endatom();
}

/* Traps without an instruction of its own between them, in a section. */
static void traps(void)
{
    udm_beginatom();
    while (goes_on()) {
        if (udm_node()) {
            udm_inject(0, take);
        } else {
            asm volatile (".rept 512\n ta %0\n .endr" : : "i" (GLAZE_TRAP_NEXT));
        }
    }
    udm_endatom();
}

/* ---- Memory -------------------------------------------------------------- */

static void take_frames(bool views)
{
    struct glaze_count count;

    glaze_map(HEAP, MOST * GLAZE_PAGE);
    for (uint32_t k = 0; k < MOST && goes_on(); k++) {
        uint32_t page = HEAP + k * GLAZE_PAGE;
        struct glaze_view view = {
            (GLAZE_VIEWS + k * GLAZE_PAGE) | GLAZE_VIEW_WRITE, page };

        glaze_count(&count);
        if (count.frames_free <= LEAVES) {
            break;
        }
        *(volatile char *)page = 1;
        if (views) {
            glaze_view(&view, 1);
        }
    }
}

/* Touches its pages again and again. */
static void frames(void)
{
    take_frames(false);
}

static void views(void)
{
    take_frames(true);
    section();
}

/* Maps nearly all addresses, and ends in the middle of the other's work. */
static void tables(void)
{
    glaze_map(LOWEST, GLAZE_MAIN_STACK - LOWEST);
    while (udm_cycles() < until / 4) {
    }
    exit(0);
}

static void mapping(void)
{
    glaze_map(HEAP, 1 << 24);
    for (uint32_t k = 0; k < 64; k++) {
        *(volatile char *)(HEAP + (k << 18)) = 1;
    }
    glaze_watch(HEAP, 1 << 24);
    glaze_unmap(HEAP, 1 << 24);
}

/* ---- Files, console ------------------------------------------------------ */

static void files(void)
{
    int32_t file = glaze_named(FUGU_FILES_FIND, "f", 1, 0);

    if (file < 0) {
        file = glaze_named(FUGU_FILES_CREATE, "f", 1, 0);
    }
    glaze_sized(FUGU_FILES_RESIZE, file, 15 << 20);
    glaze_sized(FUGU_FILES_RESIZE, file, 0);
}

static void console(void)
{
    static char text[1000];

    memset(text, 'x', sizeof(text));
    glaze_write(text, sizeof(text));
}

/* ---- MBCF ---------------------------------------------------------------- */

static struct mbcf_request command(uint32_t kind, uint32_t task,
                                   uint32_t address, uint32_t bytes)
{
    return (struct mbcf_request) {
        .command = kind,
        .task = task,
        .address = address,
        .bytes = bytes,
        .local = (uintptr_t)pages,
    };
}

static void open_mbcf(void)
{
    mbcf_open();
    stranger = mbcf_enter(0, next_node(), 1, 0x1234);
}

/* Commands to a task whose key it does not have. */
static void forge(void)
{
    request[0] = command(MBCF_FETCH_ADD, stranger, HEAP, 0);
    mbcf_try(request, 1);
}

static void cancel(void)
{
    request[0] = command(MBCF_CANCEL, stranger, 0, 0);
    mbcf_try(request, 1);
}

static void greet(void)
{
    request[0] = command(MBCF_WRITE_QUEUE, stranger, 0, 32);
    mbcf_try(request, 1);
}

/* Lists of writes to odd addresses of its own job. */
static void write_odd(void)
{
    for (uint32_t k = 0; k < 16; k++) {
        request[k] = command(MBCF_WRITE, next_node(),
                             (uintptr_t)pages[k % 8] + 1, 31);
    }
    mbcf_try(request, 16);
}

static void write_long(void)
{
    request[0] = command(MBCF_WRITE, step % udm_nodes(),
                         (uintptr_t)pages + 1, GLAZE_PAGE);
    mbcf_try(request, 1);
}

static void read_long(void)
{
    request[0] = command(MBCF_READ, step % udm_nodes(), (uintptr_t)pages + 1,
                         GLAZE_PAGE);
    request[0].local = (uintptr_t)pages + 2 * GLAZE_PAGE + 3;
    mbcf_try(request, 1);
}

static struct mbcf_fifo fifo;

static void open_fifo(void)
{
    mbcf_open();
    fifo.buffer = (uintptr_t)pages + 4 * GLAZE_PAGE;
    fifo.size = 2 * GLAZE_PAGE;
}

/* Entries of a FIFO, which are taken to an odd address. */
static void fifo_long(void)
{
    request[0] = command(MBCF_FIFO, step % udm_nodes(), (uintptr_t)&fifo, GLAZE_PAGE - 3);
    mbcf_try(request, 1);
    mbcf_take(&fifo, (uint8_t *)pages + 1, 2 * GLAZE_PAGE);
}

/* ---- All of them --------------------------------------------------------- */

static const struct {
    const char *name;
    void (*attack)(void);
    void (*prepare)(void);
} attacks[] = {
    { "nothing", nothing },
    { "spin", spin },
    { "yield", glaze_yield },
    { "divert", divert },
    { "alarm", alarm },
    { "messages", messages },
    { "bodies", bodies },
    { "handler", handler },
    { "section", section },
    { "traps", traps },
    { "frames", frames },
    { "views", views },
    { "tables", tables },
    { "mapping", mapping },
    { "files", files },
    { "console", console },
    { "forge", forge, open_mbcf },
    { "cancel", cancel, open_mbcf },
    { "greet", greet, open_mbcf },
    { "write-odd", write_odd, open_mbcf },
    { "write-long", write_long, open_mbcf },
    { "read-long", read_long, open_mbcf },
    { "fifo-long", fifo_long, open_fifo },
};

int main(int argc, char **argv)
{
    unsigned k = 0;

    while (k < sizeof(attacks) / sizeof(*attacks) && argc == 3 &&
           strcmp(attacks[k].name, argv[1])) {
        k++;
    }
    if (argc != 3 || k == sizeof(attacks) / sizeof(*attacks)) {
        return 2;
    }
    until = strtoull(argv[2], NULL, 0);
    if (attacks[k].prepare) {
        attacks[k].prepare();
    }
    for (; goes_on(); step++) {
        attacks[k].attack();
    }
    return 0;
}
