/*
 * Table 5: messages that are all inserted into the buffer, then extracted.
 *
 *      buffered ARGUMENTS MESSAGES [used]
 *
 * Node 0 sends, node 1 receives. `used`: node 1 has no clean page frame left
 * when the messages arrive. ./run.sh paper table5 runs it and measures from
 * outside: the program prints nothing but errors. The program's exit status is
 * 0, or 1 if not all messages were buffered, or 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "variants.h"

#define PAGES 0x20000000        /* above the program's heap */

static uint32_t clean_frames(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.frames_clean;
}

/* Takes all clean frames, and returns them used. */
static void use_frames(void)
{
    uint32_t bytes = 0;

    while (clean_frames() > 0) {
        glaze_map(PAGES + bytes, GLAZE_PAGE);
        *(volatile uint32_t *)(PAGES + bytes) = 1;
        bytes += GLAZE_PAGE;
    }
    glaze_unmap(PAGES, bytes);
}

static void receive(unsigned count)
{
    udm_beginatom();
    glaze_divert();
    watch_messages(count, false);   /* each is inserted into the buffer */
    udm_endatom();                  /* all handlers run here */
}

int main(int argc, char **argv)
{
    const struct variant *v = argc > 2 ? variant_of(argv[1]) : NULL;
    unsigned count = argc > 2 ? messages_of(argv[2]) : 0;
    bool used = argc > 3 && !strcmp(argv[3], "used");

    if (!v || !count || argc > 3 + used) {
        fprintf(stderr, "buffered: see docs/paper.md for its arguments\n");
        return 2;
    }
    if (udm_node() == RECEIVER) {
        if (used) {
            use_frames();
        }
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
