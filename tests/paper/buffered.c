/*
 * Table 5: messages that are all put into the buffer, and then taken out.
 *
 *      buffered ARGUMENTS MESSAGES
 *
 * Node 0 sends, node 1 receives. ./run.sh paper table5 measures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "glaze-calls.h"
#include "variants.h"

static void receive(unsigned count)
{
    udm_beginatom();
    glaze_divert();
    say_ready();
    watch(gaps, count);         /* each goes to the buffer */
    udm_endatom();              /* all their handlers run here */
}

int main(int argc, char **argv)
{
    const struct variant *v = argc == 3 ? variant_of(argv[1]) : NULL;
    unsigned count = argc == 3 ? messages_of(argv[2]) : 0;

    if (!v || !count) {
        fprintf(stderr, "buffered: see docs/paper.md for its arguments\n");
        return 2;
    }
    if (udm_node() == RECEIVER) {
        receive(count);
        if (glaze_info(GLAZE_I_MODE) != GLAZE_FAST ||
            glaze_info(GLAZE_I_INSERTED) != count) {
            fprintf(stderr, "buffered: not all messages were buffered\n");
            return 1;
        }
    } else if (udm_node() == SENDER) {
        wait_ready(0);
        for (unsigned i = 0; i < count; i++) {
            let_pass(HANDLING);
            v->send(RECEIVER, v->handler, i);
        }
    }
    return 0;
}
