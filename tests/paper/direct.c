/*
 * Table 4: messages, one at a time, that are received at once.
 *
 *      direct upcall ARGUMENTS MESSAGES        by interrupt
 *      direct poll ARGUMENTS MESSAGES          by polling; null messages
 *      direct kernel 0 MESSAGES                from kernel to kernel; needs the
 *                                              kernel parameter glaze.ping=1
 *      direct section 0 SECTIONS               atomic sections, no messages
 *
 * Node 0 sends, node 1 receives. ./run.sh paper table4 runs it and measures
 * from outside: the program prints nothing but errors. Its exit status is 0, or
 * 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "variants.h"

static void receive_by_polling(udm_handler_t handler, unsigned count)
{
    udm_beginatom();
    for (unsigned i = 0; i < count; i++) {
        say_ready();
        let_pass(ARRIVAL);
        gaps[i] = poll_null(handler);
    }
    udm_endatom();
}

int main(int argc, char **argv)
{
    const struct variant *v = argc == 4 ? variant_of(argv[2]) : NULL;
    unsigned count = argc == 4 ? messages_of(argv[3]) : 0;
    bool by_kernel = v && !strcmp(argv[1], "kernel");
    bool by_polling = v && !strcmp(argv[1], "poll");
    bool sections = v && !strcmp(argv[1], "section");

    if (!v || !count || !(by_kernel || by_polling || sections ||
                          !strcmp(argv[1], "upcall"))) {
        fprintf(stderr, "direct: see docs/paper.md for its arguments\n");
        return 2;
    }
    if (sections) {
        for (unsigned i = 0; i < count; i++) {
            section();
        }
    } else if (udm_node() == RECEIVER) {
        if (by_polling) {
            receive_by_polling(v->handler, count);
        } else {
            watch_messages(count);
        }
    } else if (udm_node() == SENDER) {
        for (unsigned i = 0; i < count; i++) {
            if (by_polling || i == 0) {
                wait_ready(i);
            }
            if (!by_polling) {
                let_pass(HANDLING);
            }
            if (by_kernel) {
                if (glaze_call(GLAZE_PING, RECEIVER, 0, 0)) {
                    fprintf(stderr, "direct: the kernel sends nothing\n");
                    return 2;
                }
            } else {
                v->send(RECEIVER, v->handler, i);
            }
        }
    }
    return 0;
}
