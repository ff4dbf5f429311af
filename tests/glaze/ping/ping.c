/*
 * Null messages from this node's kernel to itself, which arrive while the
 * kernel waits (the test sets a long latency of the mesh). After each one the
 * program sends a message to itself, and waits for it.
 *
 *   ping TIMES
 *
 * Prints nothing; the exit status is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

static volatile unsigned got;

static void handler(void)
{
    udm_dispose();
    got++;
}

int main(int argc, char **argv)
{
    unsigned times = argc > 1 ? atoi(argv[1]) : 1;

    udm_beginatom();
    for (unsigned i = 0; i < times; i++) {
        if (glaze_call(GLAZE_PING, udm_node(), 0, 0)) {
            glaze_abort(1, "no ping", 7);
        }
        udm_inject(udm_node(), handler);
        while (got == i) {
            glaze_wait();
            udm_endatom();      /* the handler runs here */
            udm_beginatom();
        }
    }
    return 0;
}
