/*
 * Calls that wait for a mapping: MAP until its last page is there, UNMAP until what was
 * sent is there.
 *
 * A process that waits makes the same call again, and finds what it has begun. Calls
 * are told apart by the stack pointer: code that interrupts may make calls of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "services/io.h"
#include "services/shrimp/calls.h"

static uint32_t sp(void)
{
    return current->registers.out[6];
}

static bool same_map(const struct shrimp_map *a, const struct shrimp_map *b)
{
    return a->address == b->address && a->bytes == b->bytes && a->node == b->node &&
           a->job == b->job && a->number == b->number && a->offset == b->offset &&
           a->mode == b->mode && a->key[0] == b->key[0] && a->key[1] == b->key[1];
}

/* Returns whether a call that has begun before is this one, MAP, or UNMAP if there is
 * no `wanted`. */
static bool is_call(const struct call *c, unsigned map, const struct shrimp_map *wanted)
{
    return c->used && !c->left && c->sp == sp() && c->unmaps == !wanted &&
           (wanted ? same_map(&c->wanted, wanted) : c->map == map);
}

struct call *calls_find(struct shrimp_task *t, unsigned map,
                        const struct shrimp_map *wanted)
{
    for (struct call *c = t->call; c < t->call + CALLS; c++) {
        if (is_call(c, map, wanted)) {
            return c;
        }
    }
    return NULL;
}

void calls_forget(struct shrimp_task *t, unsigned map)
{
    for (struct call *c = t->call; c < t->call + CALLS; c++) {
        c->used &= !c->over || c->unmaps || c->map != map || c->result < 0;
    }
}

/* What is lost with a call's place: nothing if it is free, nor if it is an UNMAP that
 * is over (see `unheard`), but the result of a MAP that is over. */
enum { LOSES_NOTHING, LOSES_UNMAP, LOSES_MAP, LOSES_TOO_MUCH };

static unsigned loss(const struct call *c)
{
    return !c->used ? LOSES_NOTHING : !c->over ? LOSES_TOO_MUCH
                                    : c->unmaps ? LOSES_UNMAP : LOSES_MAP;
}

bool calls_is_given_up(const struct call *c)
{
    return c->used && c->sp == sp();
}

struct call *calls_free(struct shrimp_task *t)
{
    struct call *found = NULL;
    unsigned least = LOSES_TOO_MUCH;

    for (struct call *c = t->call; c < t->call + CALLS; c++) {
        if (loss(c) < least) {
            least = loss(c);
            found = c;
        }
    }
    return found;
}
void calls_begin(struct shrimp_task *t, struct call *c, unsigned map,
                 const struct shrimp_map *wanted)
{
    if (loss(c) == LOSES_UNMAP) {
        t->maps[c->map].unheard = true;
    }
    *c = (struct call) {
        .used = true, .unmaps = !wanted, .map = map, .sp = sp(),
    };
    if (wanted) {
        c->wanted = *wanted;
    }
}

int32_t calls_wait(struct call *c)
{
    if (c->over) {
        c->used = false;
        return c->result;
    }
    shrimp_wait_for(SHRIMP_WAITS_CALL);
    return IO_AGAIN;
}

struct call *calls_of(struct process *p, const struct map *m)
{
    struct shrimp_task *t = p->shrimp;

    for (struct call *c = t->call; c < t->call + CALLS; c++) {
        if (c->used && !c->over && c->map == m - t->maps) {
            return c;
        }
    }
    return NULL;
}

void calls_over(struct process *p, const struct map *m, int32_t result)
{
    struct call *c = calls_of(p, m);

    if (c) {
        c->over = true;
        c->used = !c->left;
        c->result = result;
        shrimp_wake(p, SHRIMP_WAITS_CALL);
    }
}

bool calls_unheard(const struct shrimp_task *t, unsigned map)
{
    for (const struct call *c = t->call; c < t->call + CALLS; c++) {
        if (c->used && c->unmaps && c->map == map) {
            return true;
        }
    }
    return t->maps[map].unheard;
}
