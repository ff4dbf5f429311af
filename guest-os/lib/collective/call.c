/*
 * How a call begins and ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

static volatile bool busy;      /* a thread is in a call */
static struct call *owed;       /* collective_end_early() has ended this one */

static void check_caller(enum function function, uint32_t root)
{
    if (!udm_thread_self()) {
        collective_mistake(function, "called in a handler");
    }
    if (udm_atomic()) {
        collective_mistake(function, "called in an atomic section");
    }
    if (busy) {
        collective_mistake(function, "another thread is in a call");
    }
    if (root >= udm_nodes()) {
        collective_mistake(function, "the root does not exist");
    }
}

/* Stores a word, and returns what was there. No handler comes in between. */
static uint32_t swap(volatile uint32_t *word, uint32_t value)
{
    asm volatile ("swap %0, %1" : "+m" (*word), "+r" (value));
    return value;
}

struct call *collective_begin(enum function function, unsigned operation,
                              uint32_t root)
{
    static uint32_t odd;
    struct call *call;
    uint32_t identity, before;

    check_caller(function, root);
    busy = true;
    collective_fence();
    collective_enter(function);
    if (owed) {
        union value nothing;

        collective_release(owed, &nothing);
        owed->identity = 0;
        owed = NULL;
    }

    odd ^= 1;
    call = &collective_calls[odd];
    call->root = root;
    identity = IDENTITY(odd, function, operation, root);
    before = swap(&call->identity, identity);   /* a handler may note another */
    if (before && before != identity) {
        collective_mismatch(identity, before, call->from);
    }
    return call;
}

void collective_end(struct call *call)
{
    call->identity = 0;
    busy = false;
    collective_leave();
}

void collective_end_early(struct call *call)
{
    owed = call;
    busy = false;
    collective_leave();
}
