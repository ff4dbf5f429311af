/*
 * One thread waits for a barrier while another one works, for each kind of interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OTHERS_H
#define OTHERS_H

#include "check.h"
#include "udm-collective.h"
#include "udm-thread.h"

static volatile bool through;
static volatile uint32_t work;

static void *wait_there(void *unused)
{
    udm_barrier();
    through = true;
    return unused;
}

/*
 * Node 0's second thread waits for the others, which wait in await_go() until its first
 * one has done its work and calls go(). All nodes can send to each other already.
 */
static inline void check_others(void (*await_go)(void), void (*go)(void))
{
    udm_thread_t *thread;

    udm_barrier();
    if (udm_node()) {
        await_go();
        udm_barrier();
    } else {
        thread = udm_thread_create(wait_there, NULL, UDM_NORMAL);
        while (work < 500) {
            work++;
            udm_thread_yield();
        }
        go();
        udm_thread_join(thread);
        check("the thread has made its call", through, true);
    }
    udm_barrier();
}

#endif /* OTHERS_H */
