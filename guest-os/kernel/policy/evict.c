/*
 * Which page goes out, and which job ends when none can.
 *
 * Pages of message buffers go first. The newest page of a buffer goes before
 * the others, because it is needed last. Each buffer keeps the pages of its
 * oldest and its newest message, and those of its oldest and its newest body.
 * If the buffers have no more pages, pages of data, heap and stacks go, in
 * turn, of the process that has most frames, tables and all: of the one that runs only
 * if these are more than its share, and then it loses the processor. So a program that
 * needs more than its share loses its own pages. The pages that have come last stay
 * until their process has made progress with them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/buffer.h"
#include "machine/gids.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/pending.h"
#include "buffer/end.h"
#include "policy/evict.h"
#include "delivery/control.h"
#include "memory/frames.h"
#include "memory/space.h"
#include "buffer/backing.h"
#include "services/shrimp/shoot.h"

/* Cycles for others between two parts of a search. */
#define PAUSE           7500

static uint64_t search_at;      /* when the next part may begin */

/* Pages of a process that go together: those of its buffer, the others. */
enum pages { BUFFER, OTHER };

static uint32_t rounds[] = { 1, 1 };    /* of the pager, for each of them */
static bool goes_on;            /* look_at_all() has had no time for the rest */
static bool nothing_left;       /* evict_start() has found nothing */

/* What look_at_all() has found; NULL: there is none. */
static struct {
    struct process *buffer;     /* has the largest buffer in memory, of two pages at
                                   least */
    struct process *tables;     /* the kernel keeps more frames for it than its share
                                   of the node's, tables for the most part: they stay,
                                   so others would have to pay with their pages */
    struct process *most;       /* has most frames, of those whose pages can go */
    struct gids own;            /* have pages of data, heap and stacks in memory */
    bool later;                 /* `most` was not found for lack of time, */
    unsigned at;                /* from this GID on; GID_NONE: it has been found */
    bool stays;                 /* there was no time for a search in it */
} found;

/* Returns whether none of them could go in this round, when the key was the same. */
static bool none_can_go(const struct process *p, enum pages which, uint32_t key)
{
    return p->none[which].round == rounds[which] && p->none[which].key == key;
}

static void none_could_go(struct process *p, enum pages which, uint32_t key)
{
    p->none[which].round = rounds[which];
    p->none[which].key = key;
}

void evict_look_again(void)
{
    nothing_left = false;
}

static void next_round(enum pages which)
{
    rounds[which] = rounds[which] + 1 ? rounds[which] + 1 : 1;
}

/*
 * A search that has had no time for some processes does not look again at those at
 * which it has looked, whatever happens meanwhile. Otherwise it would not end where
 * rounds begin one after the other, as for a process that is being made, which asks
 * for its frame again and again. What could let pages of other kinds than a buffer's go
 * is in the key, or in evict_spares().
 */
void evict_round_begins(void)
{
    next_round(BUFFER);
    if (!goes_on) {
        next_round(OTHER);
    }
    evict_look_again();
}

static void search_later(void)
{
    search_at = now() + PAUSE;
}

bool evict_pauses(enum chore chore)
{
    if (now() >= search_at) {
        return false;
    }
    chores_later(chore, search_at);
    return true;
}

bool evict_start_of(struct process *p)
{
    uint32_t page;

    if (!backing_usable()) {
        return false;
    }
    if (!backing_idle()) {
        return true;            /* the server is looked for */
    }
    page = buffer_victim(p);
    if (page) {
        backing_out(p, page);
        buffer_page_gone(p);
    } else if (buffer_searches) {
        search_later();
    }
    return page || buffer_searches;
}

/* Entries of page tables at which one part of a search looks, and what that takes. */
#define SEARCH_MOST     96
#define SEARCH_CYCLES   7500

/* Returns whether a search has to go on in another entry into the kernel. */
static bool search_has_no_time(void)
{
    static unsigned put_off;

    if (kernel_begins(kernel_has_time(now(), SEARCH_CYCLES), &put_off)) {
        return false;
    }
    search_later();
    return true;
}

/* Returns the pages of data, heap and stacks of p that are in memory and may go. */
static uint32_t own_pages(const struct process *p)
{
    return p->pages - p->buffer_pages - p->pinned;
}

/*
 * If only pages that are spared are left, the first of the processes that need
 * memory takes those of the others, which wait. It stays the first until
 * FIRST_MOST pages have come for it, which is more than an instruction needs, or
 * until it needs none. Then the next GID that needs memory is the first. So each
 * of them makes progress in turn.
 */
#define FIRST_MOST      (2 * FRESH)

static unsigned first = 1;      /* GID */
static unsigned came;           /* pages that have come for it since */

/*
 * Returns whether the newest pages of p stay until it has run. One that waits for a
 * message may not run for long, or ever, if that comes from a process that waits for
 * memory. What has come for commands to it stays until these have been tried again.
 */
static bool keeps_newest(const struct process *p)
{
    return p->state != PROCESS_WAITING || p->faults || p->remote || p->remote_came;
}

/* Returns whether p waits for memory, or has pages with which it has not run. */
static bool needs_memory(const struct process *p)
{
    return p && !process_has_ended(p) &&
           (p->state == PROCESS_PAGING || (p->fresh_next && keeps_newest(p)));
}

static __attribute__((cold)) void first_settle(void)
{
    if (came >= FIRST_MOST || !needs_memory(processes[first])) {
        unsigned gid = gid_after(first);

        while (gid != first && !needs_memory(processes[gid])) {
            gid = gid_after(gid);
        }
        first = gid;
        came = 0;
    }
}

void evict_spares(struct process *p, uint32_t page)
{
    p->fresh[p->fresh_next++ % FRESH] = page;
    came += p->gid == first;
    gids_add(&found.own, p->gid);
    p->none[BUFFER].round = p->none[OTHER].round = 0;
    evict_look_again();
}

/* Returns whether the page is one of the `last` newest pages of p. */
static bool is_spared(const struct process *p, uint32_t page, unsigned last)
{
    for (unsigned i = 1; i <= last; i++) {
        if (p->fresh[(p->fresh_next - i) % FRESH] == page) {
            return true;
        }
    }
    return false;
}

/* Returns how many of the `last` newest pages of p are in memory. */
static unsigned count_spared(struct process *p, unsigned last)
{
    unsigned count = 0;

    for (unsigned i = 1; i <= last; i++) {
        uint32_t page = p->fresh[(p->fresh_next - i) % FRESH];

        count += page && space_is_in(p, page) && !is_spared(p, page, i - 1);
    }
    return count;
}

/* Sends a page out. One with mappings over the network goes later: they have to be shot
 * down before. */
static __attribute__((cold, noinline)) void send_out(struct process *p, uint32_t page)
{
    if (!shoot_begin(p, page)) {
        backing_out(p, page);
    }
}

/*
 * Starts to send out a page of data, heap or stack, but none of the `spared`
 * newest pages. Returns false if no page can go. Searches in a ring, from where
 * the last search has ended. A search that is too long goes on with the next call:
 * then the function returns true.
 */
static __attribute__((cold)) bool evict_other_of(struct process *p, unsigned spared)
{
    unsigned most = SEARCH_MOST;

    if (own_pages(p) <= count_spared(p, spared) || !backing_usable()) {
        return false;
    }
    while (most && backing_idle()) {
        uint32_t page = space_next_page(p, p->evict_from, &most);

        p->evict_from = most && page ? page + GLAZE_PAGE : page;
        if (most && page && !is_spared(p, page, spared)) {
            send_out(p, page);
            return true;
        }
        if (!page) {
            p->evict_from = GLAZE_PROGRAM;
        }
    }
    if (backing_idle() && !kernel_idles) {
        search_later();
    }
    return true;
}

static __attribute__((cold, noinline))
bool evict_any_buffer(void)
{
    for (unsigned gid = 1; gid; gid = gid_next(gid)) {
        struct process *p = processes[gid];

        if (!gids_has(&processes_here, gid) || p->buffer_pages <= 1 ||
            none_can_go(p, BUFFER, p->buffer_pages)) {
            continue;
        }
        if (search_has_no_time() || evict_start_of(p)) {
            return true;
        }
        none_could_go(p, BUFFER, p->buffer_pages);
    }
    return false;
}

/*
 * Returns whether pages of data, heap and stack may go: the process does not
 * run.
 */
static bool is_evictable(const struct process *p)
{
    return p && !process_has_ended(p) && p != current;
}

/* Returns the frames that p has, with those that the kernel keeps for it. */
static uint32_t frames_of(const struct process *p)
{
    return p->pages + p->kernel_frames;
}

static uint32_t all_pages(const struct process *p)
{
    return frames_of(p) + p->pages_out;
}

/*
 * Pages that the scheduler's server may hold, of all kinds, without being ended for
 * others: it needs some ten. Without it no job would be started any more. A server that
 * takes more counts like a job.
 */
#define SERVER_PAGES    32

/* Returns whether p may be ended so that others have memory. */
static bool may_end(const struct process *p)
{
    return p->gid != GID_SERVER || all_pages(p) > SERVER_PAGES;
}

/* Returns how many of the newest pages of p stay, as evict_other_of() asks. */
static unsigned spared_of(const struct process *p)
{
    return keeps_newest(p) ? FRESH : 0;
}

/* Returns whether pages of p can go, as evict_other_of() does. */
static bool has_other(struct process *p)
{
    uint32_t key = own_pages(p) << 1 | keeps_newest(p);

    if (none_can_go(p, OTHER, key)) {
        return false;
    }
    if (own_pages(p) > FRESH || own_pages(p) > count_spared(p, spared_of(p))) {
        return true;
    }
    none_could_go(p, OTHER, key);
    return false;
}

/* Returns whether a process that a look has found, or NULL, is there still. */
static bool is_here(const struct process *p)
{
    return !p || gids_has(&processes_here, p->gid);
}

/* Returns the frames that each process has if all need more. */
static uint32_t share_of_each(void)
{
    return processes_alive > 1 ? frames_total() / processes_alive : UINT32_MAX;
}

/* Returns whether pages of p stay because it runs. If it has more than its share, they
 * do not: others that need memory would have less for as long as it computes. */
static bool stays_for_it_runs(const struct process *p)
{
    return p == current && frames_of(p) <= share_of_each();
}

/* Returns whether the last look goes on: it has not found `most` for lack of time, or
 * has had none for a search in it. What it has found is there still. */
static bool look_goes_on(void)
{
    return (found.later || found.stays) && is_here(found.buffer) &&
           is_here(found.tables) && is_here(found.most) &&
           (!found.most || !stays_for_it_runs(found.most));
}

/* Looks at p: whether its pages may go, and it has most frames. */
static void look_for_most(struct process *p)
{
    if (stays_for_it_runs(p) || (found.most && frames_of(p) <= frames_of(found.most))) {
        return;
    }
    found.later = search_has_no_time();
    if (found.later) {
        found.at = p->gid;
    } else if (has_other(p)) {
        found.most = p;
    }
}

/* Looks at p in one line of the cache. */
static void look_at(struct process *p, uint32_t share)
{
    if (own_pages(p)) {
        gids_add(&found.own, p->gid);
    }
    if (p->buffer_pages > (found.buffer ? found.buffer->buffer_pages : 1)) {
        found.buffer = p;
    }
    if (p->kernel_frames > share && !found.tables && may_end(p)) {
        found.tables = p;
    }
}

/*
 * Looks at all processes. If there is no time for all of those that may have most
 * frames, the next call goes on with these, from found.at on.
 */
static __attribute__((cold, noinline)) void look_at_all(void)
{
    uint32_t share = share_of_each();
    bool on = look_goes_on();
    unsigned gid = on ? found.at : 1;

    if (!on) {
        found.buffer = found.tables = found.most = NULL;
        found.own = (struct gids) { { 0 } };
    }
    found.later = found.stays = false;
    for (; gid && !(on && found.later); gid = gid_next(gid)) {
        struct process *p = processes[gid];

        if (gids_has(&processes_here, gid)) {
            if (!on) {
                look_at(p, share);
            }
            if (!found.later) {
                look_for_most(p);
            }
        }
    }
    goes_on = found.later;
}

/* Starts to send out a page of a process that look_at_all() has found, or ends the job
 * of one. */
static __attribute__((cold, noinline)) bool start_with_found(void)
{
    if (found.buffer && (evict_start_of(found.buffer) || evict_any_buffer())) {
        return true;
    }
    if (found.tables) {
        job_overflow(found.tables);
        return true;
    }
    if (found.later || !found.most) {
        return found.later;
    }
    if (search_has_no_time()) {
        found.buffer = NULL;
        found.at = GID_NONE;
        found.stays = true;
        return true;
    }
    if (found.most == current) {
        process_switch(idle);
    }
    return evict_other_of(found.most, spared_of(found.most));
}

__attribute__((cold)) bool evict_start(void)
{
    bool frees = process_frees();

    if (frees && frames_free()) {
        search_later();         /* these frames need not go out */
        return true;
    }
    if (!nothing_left) {
        look_at_all();
        if (start_with_found()) {
            return true;
        }
        nothing_left = true;
    }
    if (frees) {
        search_later();
    }
    return frees;
}

__attribute__((cold)) bool evict_start_spared(const struct process *p)
{
    first_settle();
    if (p != idle && first != p->gid) {
        return false;
    }
    gids_each(gid, &found.own) {
        if (gid != p->gid && is_evictable(processes[gid]) &&
            evict_other_of(processes[gid], 0)) {
            return true;
        }
    }
    return false;
}

bool evict_start_own(struct process *p)
{
    return p != current && evict_other_of(p, FRESH_LEAST);
}

unsigned evict_first(void)
{
    return first;
}

__attribute__((cold)) bool evict_must_wait(const struct process *p)
{
    if (first == p->gid) {
        return false;
    }
    gids_each(gid, &found.own) {
        if (gid != p->gid && is_evictable(processes[gid])) {
            return backing_usable();
        }
    }
    return false;
}

static struct process *holds_most(void)
{
    struct process *found = NULL;

    for (unsigned gid = 1; gid; gid = gid_next(gid)) {
        struct process *p = processes[gid];

        if (gids_has(&processes_here, gid) && may_end(p) &&
            (!found || all_pages(p) > all_pages(found))) {
            found = p;
        }
    }
    return found;
}

/*
 * The process that holds most pages of all kinds is the one that ends: program,
 * buffer, tables, in memory or out. It holds more than its share, or all hold
 * the same.
 */
bool evict_other_job(struct process *p)
{
    struct process *q = holds_most();

    if (!q || q == p) {
        return false;
    }
    job_overflow(q);
    return true;
}

bool evict_for_new_job(void)
{
    struct process *q = holds_most();

    if (!q || all_pages(q) <= frames_total() / (processes_alive + 1)) {
        return false;
    }
    job_overflow(q);
    return true;
}

void evict_job(struct process *p)
{
    if (!evict_other_job(p)) {
        job_overflow(p);
    }
}
