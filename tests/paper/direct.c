/*
 * Table 4: messages, one at a time, that are received at once.
 *
 *      direct upcall ARGUMENTS MESSAGES        by interrupt
 *      direct thread 0 MESSAGES                by interrupt of a thread other
 *                                              than the first one
 *      direct handler 0 MESSAGES               by interrupt of a handler
 *      direct described 0 MESSAGES             by interrupt while a message is
 *                                              half described
 *      direct float 0 MESSAGES                 by interrupt of code that has
 *                                              the FPU
 *      direct poll ARGUMENTS MESSAGES          by polling; null messages
 *      direct kernel 0 MESSAGES                from kernel to kernel; needs the
 *                                              kernel parameter glaze.ping=1
 *      direct section 0 SECTIONS               atomic sections, no messages
 *      direct library 0 SECTIONS               the same by section.h
 *
 * Node 0 sends, node 1 receives. ./run.sh paper table4 runs it and measures
 * from outside: the program prints nothing but errors. The program's exit
 * status is 0, or 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm-thread.h"
#include "variants.h"

/* ---- The receiver -------------------------------------------------------- */

static void by_interrupt(udm_handler_t handler, unsigned count)
{
    (void)handler;
    watch_messages(count, false);
}

static void by_interrupt_of_description(udm_handler_t handler, unsigned count)
{
    (void)handler;
    watch_messages(count, true);
}

static void by_interrupt_of_float(udm_handler_t handler, unsigned count)
{
    static volatile float number;

    (void)handler;
    number = number + 1;
    watch_messages(count, false);
}

static void *watch_in_thread(void *count)
{
    watch_messages((uintptr_t)count, false);
    return NULL;
}

static void by_interrupt_of_thread(udm_handler_t handler, unsigned count)
{
    (void)handler;
    udm_thread_join(udm_thread_create(watch_in_thread,
                                      (void *)(uintptr_t)count, UDM_NORMAL));
}

static volatile bool watched;

static void watch_in_handler(void)
{
    unsigned count = udm_arg(0);

    udm_dispose();
    udm_endatom();
    watch_messages(count, false);
    watched = true;
}

static void by_interrupt_of_handler(udm_handler_t handler, unsigned count)
{
    (void)handler;
    udm_inject(RECEIVER, watch_in_handler, count);
    while (!watched) {
    }
}

static void by_polling(udm_handler_t handler, unsigned count)
{
    udm_beginatom();
    for (unsigned i = 0; i < count; i++) {
        say_ready();
        let_pass(ARRIVAL);
        gaps[i] = poll_null(handler);
    }
    udm_endatom();
}

/* The sender and the receiver do these independently of each other. */
static void no_message(udm_handler_t handler, unsigned count)
{
    (void)handler;
    for (unsigned i = 0; i < count; i++) {
        section();
    }
}

static void no_message_in_library(udm_handler_t handler, unsigned count)
{
    (void)handler;
    for (unsigned i = 0; i < count; i++) {
        library();
    }
}

static const struct {
    const char *name;
    void (*receive)(udm_handler_t handler, unsigned count);
} ways[] = {
    { "upcall", by_interrupt },
    { "thread", by_interrupt_of_thread },
    { "handler", by_interrupt_of_handler },
    { "described", by_interrupt_of_description },
    { "float", by_interrupt_of_float },
    { "poll", by_polling },
    { "kernel", by_interrupt },
    { "section", no_message },
    { "library", no_message_in_library },
};

/* ---- The sender ---------------------------------------------------------- */

static bool send(const char *way, const struct variant *v, unsigned count)
{
    bool polls = !strcmp(way, "poll"), by_kernel = !strcmp(way, "kernel");

    for (unsigned i = 0; i < count; i++) {
        if (polls || i == 0) {
            wait_ready(i);
        }
        if (!polls) {
            let_pass(HANDLING);
        }
        if (!by_kernel) {
            v->send(RECEIVER, v->handler, i);
        } else if (glaze_call(GLAZE_PING, RECEIVER, 0, 0)) {
            fprintf(stderr, "direct: the kernel sends nothing\n");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const struct variant *v = argc == 4 ? variant_of(argv[2]) : NULL;
    unsigned count = argc == 4 ? messages_of(argv[3]) : 0;

    for (unsigned i = 0; v && count && i < sizeof(ways) / sizeof(ways[0]);
         i++) {
        if (strcmp(argv[1], ways[i].name)) {
            continue;
        }
        if (udm_node() == RECEIVER || ways[i].receive == no_message) {
            ways[i].receive(v->handler, count);
        } else if (udm_node() == SENDER) {
            return send(argv[1], v, count) ? 0 : 2;
        }
        return 0;
    }
    fprintf(stderr, "direct: see docs/paper.md for its arguments\n");
    return 2;
}
