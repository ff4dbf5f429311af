/*
 * mbcf-sleeps SOURCE glaze|mbcf: node 0 is about to wait, in an atomic section,
 * when something comes for which it would get an upcall. It sees that it has
 * come, and makes the call, which has to return. SOURCE: message, buffered,
 * signal, alarm, wake; quiet: nothing has come, and node 1's message wakes it.
 *
 * mbcf-sleeps early: a signal comes before the program takes signals.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define LATE    200000          /* cycles that node 1's message of `quiet` takes */

static volatile uint32_t handled, ran, rung;
static volatile uint32_t word;

static void program(struct mbcf_signal *s)
{
    (void)s;
    ran++;
}

static struct mbcf_signal to_run = {
    .invoke = MBCF_INVOKE_TARGET, .program = (uintptr_t)program,
};

static void handler(void)
{
    udm_dispose();
    handled++;
}

/* The alarm's upcall: counts, and ends. */
extern const char ring[];
asm ("        .section .text\n"
     "ring:   sethi   %hi(rung), %l3\n"
     "        mov     1, %l4\n"
     "        st      %l4, [%l3 + %lo(rung)]\n"
     "        ta      127\n");

static void take_alarms(void)
{
    struct glaze_upcall_page *page = (void *)(uintptr_t)GLAZE_UPCALL;

    page->alarm.sp = page->message.sp;
    page->alarm.entry = (uintptr_t)ring;
}

static void pass(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Node 1 sends what the source says, when node 0 is in its section. */
static void send(const char *source)
{
    const uint32_t one = 1;

    while (!handled) {
    }
    if (is(source, "signal")) {
        mbcf_signal(0, (uintptr_t)&to_run, 0, NULL, 0, 0, NULL);
    } else if (is(source, "wake")) {
        mbcf_write(0, (uintptr_t)&word, &one, sizeof(one), MBCF_WAKES, NULL);
    } else if (!is(source, "alarm")) {
        pass(is(source, "quiet") ? LATE : 0);
        udm_inject(0, handler);
    }
}

/* Waits until what node 1 has sent is there, or the alarm is due. */
static void await(const char *source, uint32_t commands)
{
    if (is(source, "signal") || is(source, "wake")) {
        while (mbcf_page()->commands == commands) {
        }
    } else if (is(source, "alarm")) {
        glaze_alarm(udm_cycles() + 500);
        pass(2000);
    } else if (!is(source, "quiet")) {
        while (!udm_available()) {
        }
    }
}

static uint32_t wait_here(const char *source, const char *call)
{
    uint32_t commands = mbcf_page()->commands, wakes = mbcf_page()->wakes;
    uint32_t start;

    udm_beginatom();
    udm_inject(1, handler);
    if (is(source, "buffered")) {
        glaze_divert();
    }
    await(source, commands);
    start = udm_cycles32();
    if (is(call, "mbcf")) {
        glaze_call(GLAZE_MBCF, MBCF_WAIT, wakes, 0);
    } else {
        glaze_wait();
    }
    start = udm_cycles32() - start;
    udm_endatom();
    pass(20000);                /* upcalls come here */
    return start;
}

static void early(void)
{
    uint32_t start;

    if (udm_node() == 1) {
        volatile uint32_t status = MBCF_PENDING;

        mbcf_signal(0, (uintptr_t)&to_run, 0, NULL, 0, MBCF_STATUS, &status);
        mbcf_await(&status);
    }
    udm_barrier();
    if (udm_node() == 0) {
        printf("before: %lu\n", (unsigned long)ran);
        start = udm_cycles32();
        mbcf_take_signals();
        while (!ran && udm_cycles32() - start < 1000000) {
        }
        printf("after: %lu\n", (unsigned long)ran);
    }
}

int main(int argc, char **argv)
{
    mbcf_open();
    take_alarms();
    udm_barrier();
    if (argc == 2) {
        early();
    } else if (argc == 3) {
        mbcf_take_signals();
        udm_barrier();
        if (udm_node() == 1) {
            send(argv[1]);
            pass(2 * LATE);     /* before the barrier's message comes */
        } else if (udm_node() == 0) {
            uint32_t cycles = wait_here(argv[1], argv[2]);

            printf("%s waits: messages %lu, programs %lu, alarms %lu, word %lu\n",
                   cycles < LATE / 2 ? "hardly" : "long",
                   (unsigned long)handled, (unsigned long)ran,
                   (unsigned long)rung, (unsigned long)word);
        }
    }
    udm_barrier();
    return 0;
}
