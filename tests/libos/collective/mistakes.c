/*
 * What a program must not do with collective operations; the argument names
 * the case. Two nodes. The job ends with a line that names the call. Without messages
 * (WITHOUT_MESSAGES) there are no handlers that could make a call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "udm-collective.h"
#include "udm-thread.h"

static uint32_t data[4];

#ifndef WITHOUT_MESSAGES
static void handler(void)
{
    udm_dispose();
    udm_barrier();
}

static void handler_endatom(void)
{
    udm_dispose();
    udm_endatom();
    udm_reduce_all_int(UDM_SUM, 1);
}

static void in_handler(bool after_endatom)
{
    udm_inject(udm_node(), after_endatom ? handler_endatom : handler);
}
#else
static void in_handler(bool after_endatom)
{
    (void)after_endatom;
}
#endif

static void *barrier(void *unused)
{
    udm_barrier();
    return unused;
}

static void two_threads(void)
{
    udm_collective_wait(UDM_WAIT_BLOCK);
    udm_thread_create(barrier, NULL, UDM_NORMAL);
    if (udm_node() == 0) {
        udm_barrier();
    }
}

/* Ends on node 1 after so many barriers. Node 0 makes one more. */
static void leave_after(unsigned barriers, bool late)
{
    for (unsigned i = 0; i < barriers; i++) {
        udm_barrier();
    }
    if (udm_node() == 1) {
        if (late) {
            settle();
        }
        exit(0);
    }
    if (!late) {
        settle();
    }
    udm_barrier();
}

#define IS(text) (argc > 1 && strcmp(argv[1], text) == 0)

int main(int argc, char **argv)
{
    uint32_t node = udm_node();

    if (IS("handler")) {
        in_handler(false);
    } else if (IS("handler-endatom")) {
        in_handler(true);
    } else if (IS("atomic")) {
        udm_beginatom();
        udm_quiesce();
    } else if (IS("root")) {
        udm_broadcast(2, data, 4);
    } else if (IS("address")) {
        udm_broadcast(0, (char *)data + 2, 4);
    } else if (IS("bytes")) {
        udm_broadcast(0, data, 7);
    } else if (IS("operation")) {
        udm_reduce_double(0, UDM_MAX + 1, 1);
    } else if (IS("threads")) {
        two_threads();
    } else if (IS("other-call")) {
        if (node == 0) {
            udm_barrier();
        } else {
            udm_broadcast(0, data, 4);
        }
    } else if (IS("other-call-late")) {
        if (node == 0) {
            settle();
            udm_barrier();
        } else {
            udm_reduce_int(0, UDM_SUM, 1);
        }
    } else if (IS("other-root")) {
        udm_reduce_int(!node, UDM_SUM, 1);
    } else if (IS("other-operation")) {
        udm_reduce_all_int(node ? UDM_MIN : UDM_MAX, 1);
    } else if (IS("other-bytes")) {
        udm_broadcast(0, data, node ? 8 : 4);
    } else if (IS("left-before")) {
        leave_after(0, false);
    } else if (IS("left-while")) {
        leave_after(3, true);
    }
    settle();
    printf("nothing has happened\n");
    return 0;
}
