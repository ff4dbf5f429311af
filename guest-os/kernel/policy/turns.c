/*
 * Turns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>

#include "machine/gids.h"
#include "machine/process.h"
#include "policy/turns.h"

/* Bounds of times in a table, so that sums of them do not overflow. */
#define TIME_MAX        (1ull << 62)

/* The table in force, and the one that follows from its origin on. */
static struct glaze_table tables[2], *table = &tables[0], *next = &tables[1];
static bool has_next;
static bool from_server;        /* the table in force is the server's */

struct gids turns_gang;

static uint64_t began;          /* when the current period began */
static uint32_t periods;        /* number of the current period */
static uint32_t given;          /* number of the last slot whose turn has been
                                   given: periods * count + index */

/* ---- The table in force -------------------------------------------------- */

static bool is_empty(const struct gids *set)
{
    return !gids_after(set, GID_NONE);
}

/* Sets turns_gang, and tells each process whether it is one of these. */
static __attribute__((cold)) void set_gangs(void)
{
    struct gids before = turns_gang;

    turns_gang = (struct gids) { { 0 } };
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->slot[i].flags & GLAZE_SLOT_GANG) {
            gids_add(&turns_gang, table->slot[i].gid);
        }
    }
    if (is_empty(&before) && is_empty(&turns_gang)) {
        return;
    }
    for (unsigned gid = 1; gid <= processes_last; gid++) {
        if (gids_has(&processes_here, gid)) {
            processes[gid]->info->ganged = gids_has(&turns_gang, gid);
        }
    }
}

/* Puts table[] in force at the time t: nothing of it has been missed. */
static void table_begin(uint64_t t)
{
    periods = 1;
    began = t - (t - table->origin) % table->period;
    given = 0;
    set_gangs();
}

static void follow(uint64_t t)
{
    struct glaze_table *before = table;

    table = next;
    next = before;
    has_next = false;
    from_server = true;
    table_begin(t);
}

/* Puts the kernel's own table in force. */
static __attribute__((cold)) void make_own(void)
{
    struct glaze_slot *slot = table->slot;
    uint64_t end = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        if (processes[gid] && !processes[gid]->job_gone) {
            slot->from = end;
            slot->to = end += timeslice;
            slot->gid = gid;
            slot->flags = 0;
            slot++;
        }
    }
    table->count = slot - table->slot;
    table->origin = 0;
    table->period = end ? end : timeslice;
    from_server = false;
    has_next = has_next && process_server();
}

static bool own_is_new = true;

__attribute__((cold)) void turns_jobs_changed(void)
{
    if (!from_server || !process_server()) {
        make_own();
        own_is_new = true;
    } else {
        set_gangs();            /* of processes that have begun since */
    }
}

/* ---- Tables of the server ------------------------------------------------ */

static __attribute__((cold)) bool is_right(const struct glaze_table *t)
{
    uint64_t before = 0;

    if (t->count > GLAZE_SLOTS_MAX || t->period < GLAZE_SLOT_LEAST ||
        t->period > TIME_MAX || t->origin > TIME_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const struct glaze_slot *s = &t->slot[i];

        if (s->from < before || s->to > t->period || s->to <= s->from ||
            s->to - s->from < GLAZE_SLOT_LEAST || s->gid - 1 >= JOBS_MAX ||
            s->flags & ~GLAZE_SLOT_GANG) {
            return false;
        }
        before = s->to;
    }
    return true;
}

__attribute__((cold)) bool turns_install(const struct glaze_table *t)
{
    if (!is_right(t)) {
        return false;
    }
    memcpy(next, t, offsetof(struct glaze_table, slot) + t->count * sizeof(t->slot[0]));
    has_next = true;
    return true;
}

/* ---- Turns --------------------------------------------------------------- */

/* Finds the period of the time t. */
static void find_period(uint64_t t)
{
    uint64_t since = t - began;

    if (since >= table->period) {
        uint32_t passed = since < 2 * table->period ? 1 : since / table->period;

        periods += passed;
        began += passed * table->period;
    }
}

/* Returns the index of the slot at a time in the period, or of the next one. Searches
 * from where the last search has ended. */
static uint32_t find_slot(uint64_t time)
{
    static uint32_t i;

    if (i > table->count || (i && table->slot[i - 1].to > time)) {
        i = 0;
    }
    while (i < table->count && table->slot[i].to <= time) {
        i++;
    }
    return i;
}

/*
 * Returns a process that can run and whose slot has passed, before slot number
 * `current`, without a turn; GID_NONE: there is none. If whole periods have
 * passed, they count as none: so each process is next after the one before it
 * in the table, however many slots pass in the meantime.
 */
static unsigned missed(uint32_t current)
{
    uint32_t passed = current - 1 - given, i = 0;

    if (passed > 0 && passed >= table->count) {
        given += passed / table->count * table->count;
    }
    if (given + 1 < current) {
        i = (given + 1) % table->count;
    }
    while (given + 1 < current) {
        unsigned gid = table->slot[i].gid;

        given++;
        i = i + 1 < table->count ? i + 1 : 0;
        if (gids_has(&processes_ready, gid)) {
            return gid;
        }
    }
    return GID_NONE;
}

struct turn turns_begin(uint64_t t, bool anew)
{
    uint32_t i, current;
    unsigned gid;
    uint64_t end;

    if (has_next && t >= next->origin) {
        follow(t);
    } else if (own_is_new && !from_server) {
        table_begin(t);
    }
    own_is_new = false;
    find_period(t);
    i = find_slot(t - began);
    current = periods * table->count + i;
    if (anew || !given) {
        given = current - 1;
    }
    gid = missed(current);
    if (gid != GID_NONE) {
        return (struct turn) { gid, t + GLAZE_SLOT_LEAST };
    }
    if (i == table->count) {
        end = began + table->period;
    } else if (t - began < table->slot[i].from) {
        end = began + table->slot[i].from;
    } else {
        given = current;
        gid = table->slot[i].gid;
        end = began + table->slot[i].to;
    }
    return (struct turn) { gid, has_next && next->origin < end ? next->origin
                                                              : end };
}
