/*
 * The contexts of a node's processor: the main one, and message slots
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/node/contexts.h"

/* Cycles that a slot keeps its turn for: a message is dispatched in 3. */
#define SLOT_TURN       4

#define NOBODY          INT64_MAX

static bool is_ready(const FuguContext *c)
{
    return c->on && !c->waits;
}

/* Returns the fewest cycles that a ready context has used, but for @but, or NOBODY
 * if none is ready. */
static int64_t fewest(const FuguContexts *all, unsigned but)
{
    int64_t used = NOBODY;

    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        if (i != but && is_ready(&all->context[i])) {
            used = MIN(used, all->context[i].used);
        }
    }
    return used;
}

/* Returns by how many cycles the context may have used more than others, and keep
 * its turn. */
static int64_t turn_of(unsigned context)
{
    return context ? SLOT_TURN : 1;
}

static bool keeps_turn(const FuguContexts *all, unsigned context)
{
    const FuguContext *c = &all->context[context];

    return context && is_ready(c) &&
           c->used - turn_of(context) < fewest(all, context);
}

/* Of those that have used as many cycles, a slot goes before the main context, and
 * the slot of priority 1 before that of 0. */
int fugu_contexts_choose(const FuguContexts *all, unsigned last)
{
    int best = -1;

    if (keeps_turn(all, last)) {
        return last;
    }
    for (int i = SPARCLE_CONTEXTS - 1; i >= 0; i--) {
        const FuguContext *c = &all->context[i];

        if (is_ready(c) && (best < 0 || c->used < all->context[best].used)) {
            best = i;
        }
    }
    return best;
}

int64_t fugu_contexts_limit(const FuguContexts *all, unsigned context)
{
    int64_t other = fewest(all, context);

    return other == NOBODY
           ? INT64_MAX
           : MAX(1, other + turn_of(context) - all->context[context].used);
}

void fugu_context_wait(FuguContexts *all, unsigned context, FuguWait why)
{
    all->context[context].waits = true;
    all->context[context].wait = why;
}

static bool is_waiting(const FuguContext *c)
{
    return c->on && c->waits;
}

/* A context that wakes starts level with those that are ready. If none is ready, the
 * counts have no meaning any more, and start from 0. */
bool fugu_contexts_wake(FuguContexts *all,
                        bool (*waits)(void *opaque, unsigned context),
                        void *opaque)
{
    int64_t level = fewest(all, SPARCLE_CONTEXTS);

    if (level == NOBODY) {
        level = 0;
    }
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        FuguContext *c = &all->context[i];

        if (is_waiting(c) && !waits(opaque, i)) {
            c->waits = false;
            c->used = level;
        }
    }
    return fewest(all, SPARCLE_CONTEXTS) != NOBODY;
}

void fugu_context_set(FuguContexts *all, unsigned context, bool on)
{
    FuguContext *c = &all->context[context];

    if (on && !is_ready(c)) {
        int64_t level = fewest(all, context);

        c->used = level == NOBODY ? 0 : level;
    }
    c->on = on;
    c->waits = false;
}

void fugu_contexts_reset(FuguContexts *all)
{
    memset(all, 0, sizeof(*all));
    all->context[0].on = true;
}

static int context_post_load(void *opaque, int version)
{
    const FuguContext *c = opaque;

    return c->wait < FUGU_WAITS ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_context = {
    .name = "fugu-contexts/context",
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = context_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(on, FuguContext),
        VMSTATE_BOOL(waits, FuguContext),
        VMSTATE_UINT32(wait, FuguContext),
        VMSTATE_INT64(used, FuguContext),
        VMSTATE_INT64(busy, FuguContext),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_contexts = {
    .name = "fugu-contexts",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_ARRAY(context, FuguContexts, SPARCLE_CONTEXTS, 1,
                             vmstate_context, FuguContext),
        VMSTATE_END_OF_LIST()
    }
};
