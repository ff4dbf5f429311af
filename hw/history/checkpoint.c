/*
 * Checkpoints: states of the machine that a run can go back to
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/resettable.h"
#include "migration/snapshot.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/checkpoint.h"
#include "hw/fugu/history/outside.h"
#include "hw/fugu/history/pages.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

struct FuguCheckpoints {
    FuguMachineState *machine;
    uint64_t max;
    FuguPages *pages;
    FuguOutside *outside;
    GPtrArray *list;            /* of FuguCheckpoint, by place */
    uint64_t bytes;             /* of all states of devices */
    FuguVersion *before;        /* memory before the debugger's change, until
                                   the next checkpoint has it; or NULL */
};

static FuguCheckpoint *at(const FuguCheckpoints *all, unsigned i)
{
    return g_ptr_array_index(all->list, i);
}

unsigned fugu_checkpoints_count(const FuguCheckpoints *all)
{
    return all->list->len;
}

uint64_t fugu_checkpoints_bytes(const FuguCheckpoints *all)
{
    return all->bytes + fugu_pages_bytes(all->pages) +
           fugu_outside_bytes(all->outside);
}

/* ---- Finding ------------------------------------------------------------- */

/* Returns how many are at or before @place, or with @before before it. */
static unsigned count_until(const FuguCheckpoints *all, const FuguPlace *place,
                            bool before)
{
    unsigned low = 0, high = all->list->len;

    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = fugu_place_compare(&at(all, middle)->place, place);

        if (before ? order < 0 : order <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const FuguCheckpoint *fugu_checkpoint_find(const FuguCheckpoints *all,
                                           const FuguPlace *place, bool before)
{
    unsigned count = count_until(all, place, before);

    return count ? at(all, count - 1) : NULL;
}

const FuguCheckpoint *fugu_checkpoint_first(const FuguCheckpoints *all)
{
    return all->list->len ? at(all, 0) : NULL;
}

int fugu_checkpoint_differs(const FuguCheckpoints *all,
                            const FuguCheckpoint *c)
{
    for (uint32_t i = 0; i < all->machine->options.node_count; i++) {
        if (all->machine->parts.nodes[i]->digest != c->node[i].digest) {
            return i;
        }
    }
    return -1;
}

const FuguCheckpoint *fugu_checkpoint_changed(const FuguCheckpoints *all,
                                              uint32_t node, int64_t time)
{
    for (unsigned i = all->list->len; i > 0; i--) {
        const FuguCheckpoint *c = at(all, i - 1);

        if (c->changed && c->node[node].time <= time) {
            return c;
        }
    }
    return NULL;
}

void fugu_checkpoint_read(const FuguCheckpoints *all, const FuguCheckpoint *c,
                          bool before, size_t offset, uint8_t *to, unsigned len)
{
    fugu_version_read(all->pages, before ? c->before : c->memory, offset, to,
                      len);
}

/* ---- Dropping ------------------------------------------------------------ */

static size_t own_bytes(const FuguCheckpoints *all, const FuguCheckpoint *c)
{
    return sizeof(*c) + c->state_len +
           all->machine->options.node_count * sizeof(c->node[0]);
}

static void drop_before(FuguCheckpoints *all, FuguVersion **before)
{
    if (*before) {
        fugu_version_free(all->pages, *before);
        *before = NULL;
    }
}

static void drop(FuguCheckpoints *all, unsigned i)
{
    FuguCheckpoint *c = at(all, i);

    all->bytes -= own_bytes(all, c);
    fugu_version_free(all->pages, c->memory);
    drop_before(all, &c->before);
    g_free(c->mark);
    g_free(c->state);
    g_free(c);
    g_ptr_array_remove_index(all->list, i);
}

static void cut(FuguCheckpoints *all, unsigned first)
{
    while (all->list->len > first) {
        drop(all, all->list->len - 1);
    }
}

void fugu_checkpoints_cut(FuguCheckpoints *all)
{
    FuguPlace now = fugu_place(all->machine);

    fugu_outside_forget(all->outside);
    cut(all, count_until(all, &now, true));
    if (!all->before) {
        all->before = fugu_version_take(all->pages);
    }
}

void fugu_checkpoints_clear(FuguCheckpoints *all)
{
    cut(all, 0);
    drop_before(all, &all->before);
    fugu_pages_all_dirty(all->pages);
    fugu_outside_forget(all->outside);
}

/*
 * Drops the one that leaves the smallest gap for its distance from the present,
 * so that the gaps grow with the distance. Never the first, the last, or one
 * from which alone the run can go on as it did. Returns false if there is none.
 */
static bool drop_densest(FuguCheckpoints *all)
{
    int64_t now = all->machine->time.round_start;
    unsigned densest = 0;
    double best = 0;

    for (unsigned i = 1; i + 1 < all->list->len; i++) {
        int64_t gap = at(all, i + 1)->place.round - at(all, i - 1)->place.round;
        int64_t distance = now - at(all, i)->place.round;
        double density = (double)(ABS(distance) + 1) / (gap + 1);

        if (!at(all, i)->changed && density > best) {
            best = density;
            densest = i;
        }
    }
    if (densest) {
        drop(all, densest);
    }
    return densest;
}

/* ---- Taking and restoring ------------------------------------------------ */

bool fugu_checkpoint_take(FuguCheckpoints *all, uint64_t rounds, bool changed,
                          Error **errp)
{
    FuguMachineState *m = all->machine;
    FuguPlace now = fugu_place(m);
    unsigned index = count_until(all, &now, false);
    FuguCheckpoint *c;

    if (index && !fugu_place_compare(&at(all, index - 1)->place, &now)) {
        return true;
    }
    c = g_malloc0(sizeof(*c) + m->options.node_count * sizeof(c->node[0]));
    c->state = save_devices(&c->state_len, errp);
    if (!c->state) {
        g_free(c);
        return false;
    }
    c->place = now;
    c->rounds = rounds;
    c->changed = changed;
    c->memory = fugu_version_take(all->pages);
    c->before = changed ? g_steal_pointer(&all->before) : NULL;
    c->mark = fugu_mark_new(all->outside);
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        c->node[i] = (FuguThen) {
            .digest = m->parts.nodes[i]->digest,
            .time = fugu_node_time(m->parts.nodes[i]),
        };
    }
    g_ptr_array_insert(all->list, index, c);
    all->bytes += own_bytes(all, c);
    while (fugu_checkpoints_bytes(all) > all->max && drop_densest(all)) {
        continue;
    }
    return true;
}

static bool load_state(FuguMachineState *m, const FuguCheckpoint *c,
                       Error **errp)
{
    /* Loading appends to lists of packets. */
    fugu_rounds_forget(m->parts.rounds);
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        resettable_reset(OBJECT(m->parts.nodes[i]->ni),
                         RESET_TYPE_SNAPSHOT_LOAD);
    }
    return load_devices(c->state, c->state_len, errp);
}

/* Drops what followed a change by the debugger after @i. */
static void forget_changes_after(FuguCheckpoints *all, unsigned i)
{
    for (i++; i < all->list->len; i++) {
        if (at(all, i)->changed) {
            cut(all, i);
            return;
        }
    }
}

bool fugu_checkpoint_restore(FuguCheckpoints *all, const FuguCheckpoint *c,
                             Error **errp)
{
    fugu_outside_before(all->outside);
    fugu_version_restore(all->pages, c->memory);
    if (!load_state(all->machine, c, errp)) {
        return false;
    }
    fugu_outside_after(all->outside, c->mark);
    forget_changes_after(all, count_until(all, &c->place, false) - 1);
    return true;
}

FuguCheckpoints *fugu_checkpoints_new(FuguMachineState *m, uint64_t max)
{
    FuguCheckpoints *all = g_new0(FuguCheckpoints, 1);

    all->machine = m;
    all->max = max;
    all->pages = fugu_pages_new(m);
    all->outside = fugu_outside_new(m);
    all->list = g_ptr_array_new();
    return all;
}
