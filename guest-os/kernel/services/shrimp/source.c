/*
 * The source of mappings.
 *
 * A mapping is made page by page. The process pins its own pages first, in its own
 * time. Then the kernel asks the target for one page after the other, and sets the
 * entries of the NIPT for each when the answer comes. So no message is longer than
 * one of the second network, and no step is long. The process waits until the last
 * page is there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "buffer/end.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
#include "services/shrimp/asks.h"
#include "services/shrimp/calls.h"
#include "services/shrimp/closed.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/parts.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/source.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* ---- Ends of mappings ----------------------------------------------------- */

static uint32_t own_page(const struct map *m, unsigned k)
{
    return (m->local & ~PAGE_MASK) + k * GLAZE_PAGE;
}

/* The most cycles for a page that clear() lets go: one that is pinned, and another. */
#define CLEAR_MOST      800
#define CLEAR_LOOSE     3000

/* Lets go of a page. */
static void let_go(struct process *p, uint32_t page)
{
    if (pages_may_go()) {
        pages_settle(p, page);
    } else {
        pins_remove(p, page, PIN_OUT);
    }
}

/* Clears the entries of a mapping's pages and lets these go, the last page first: as
 * many as there is time for. */
static void clear(struct process *p, struct map *m)
{
    uint32_t most = pages_may_go() ? CLEAR_LOOSE : CLEAR_MOST;

    for (bool first = true; m->pinned && (first || kernel_has_time(now(), most));
         first = false) {
        if (m->granted) {
            parts_clear_last(p, m);
        }
        m->pinned--;
        let_go(p, own_page(m, m->pinned));
    }
}

/* Ends a mapping, as far as there is time. What is left at last is to tell its target,
 * if that has granted pages. */
static void go_on(struct process *p, struct map *m)
{
    clear(p, m);
    if (m->pinned) {
        m->state = MAP_CLEARS;
        asks_note(p);
    } else if (m->grant != GRANT_NONE) {
        m->sent = nipt_sent();
        m->state = MAP_FENCES;
        asks_note(p);
    } else {
        m->state = MAP_FREE;
        calls_over(p, m, m->result);
    }
}

/* Begins to end a mapping in p's own time. A target that has ended it need not be
 * told. */
static void end(struct process *p, struct map *m)
{
    if (m->state == MAP_DEAD) {
        m->grant = GRANT_NONE;
    }
    go_on(p, m);
}

/* The process does not come back to a call. A mapping that its target knows of comes to
 * be; one that the call still pins, or that waits for an export, ends here. */
static void leave(struct shrimp_task *t, struct call *c)
{
    struct map *m = &t->maps[c->map];

    c->left = true;
    c->used = !c->over;
    if (c->used && (m->state == MAP_PINS || m->state == MAP_PARKED)) {
        end(current, m);
    }
}

/* Returns a place for a new call; NULL: all calls wait. What has been begun by a call
 * that was given up goes on. */
static struct call *new_call(struct shrimp_task *t)
{
    for (struct call *c = t->call; c < t->call + CALLS; c++) {
        if (calls_is_given_up(c)) {
            leave(t, c);
        }
    }
    return calls_free(t);
}
/* ---- MAP ------------------------------------------------------------------ */

static int32_t check(const struct shrimp_map *w)
{
    return (w->address | w->bytes | w->offset) & 7 || !w->bytes ||
           w->bytes > SHRIMP_MAP_MOST || w->address < GLAZE_PROGRAM ||
           w->address >= GLAZE_PROGRAM_END ||
           w->bytes > GLAZE_PROGRAM_END - w->address || w->node >= ni_nodes() ||
           w->job > GLAZE_JOBS_LISTED || w->mode < SHRIMP_SINGLE ||
           w->mode > SHRIMP_DELIBERATE ? -EINVAL : 0;
}

/* Returns a free place, if there is one; it was an UNMAP's only if all others are
 * taken. */
static struct map *find_free(struct shrimp_task *t)
{
    unsigned found = SHRIMP_MAPS;

    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        if (t->maps[i].state == MAP_FREE) {
            found = i;
            if (!calls_unheard(t, i)) {
                break;
            }
        }
    }
    if (found == SHRIMP_MAPS) {
        return NULL;
    }
    t->maps_used = t->maps_used > found ? t->maps_used : found + 1;
    return &t->maps[found];
}

/* Returns the number of pages that a mapping has of its own. */
static unsigned own_pages(const struct map *m)
{
    return ((m->local & PAGE_MASK) + m->bytes + PAGE_MASK) / GLAZE_PAGE;
}

/* Pins the next page of the current process. Returns as a system call does. */
static int32_t pin_next(struct map *m)
{
    uint32_t page = own_page(m, m->pinned);
    bool closed = space_is_closed(current, page);
    enum memory_result result = memory_touch(current, page, !closed);

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (space_viewed(current, page)) {
        return -EBUSY;
    }
    if (!pins_prepare(current, page)) {
        return io_error(memory_wait_for_frame(current, page));
    }
    if (!pages_may_go() && !pins_add(current, page, PIN_OUT)) {
        return -ENOMEM;
    }
    m->pinned++;
    return 0;
}

/* The most cycles for a page that pin() pins, and its tables. */
#define PIN_MOST        1500

/* Pins the rest of the pages, and begins to ask. Another call goes on if there is no
 * time for all. */
static int32_t pin(struct call *c, struct map *m)
{
    int32_t result = 0;

    for (bool first = true; m->pinned < own_pages(m) && !result; first = false) {
        result = first || kernel_has_time(now(), PIN_MOST) ? pin_next(m) : IO_AGAIN;
    }
    if (result == IO_AGAIN) {
        return IO_AGAIN;
    }
    if (result) {
        m->result = result;
        end(current, m);
        return calls_wait(c);
    }
    m->state = MAP_ASKS;
    asks_note(current);
    return calls_wait(c);
}

int32_t source_map(uint32_t structure)
{
    struct shrimp_task *t = current->shrimp;
    struct shrimp_map w;
    enum memory_result result = memory_read(current, &w, structure, sizeof(w));
    struct call *c;
    struct map *m;
    int32_t status;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    status = check(&w);
    if (status) {
        return status;
    }
    w.job = w.job ? w.job : current->number;
    c = calls_find(t, 0, &w);
    if (c) {
        m = &t->maps[c->map];
        return !c->over && m->state == MAP_PINS ? pin(c, m) : calls_wait(c);
    }
    c = new_call(t);
    if (!c) {
        return -EBUSY;
    }
    m = find_free(t);
    if (!m) {
        return -ENOSPC;
    }
    *m = (struct map) {
        .state = MAP_PINS, .mode = w.mode, .job = w.job, .grant = GRANT_NONE,
        .node = w.node, .local = w.address, .bytes = w.bytes,
    };
    calls_begin(t, c, m - t->maps, &w);
    return pin(c, m);
}

/* ---- UNMAP ---------------------------------------------------------------- */

int32_t source_unmap(uint32_t map)
{
    struct shrimp_task *t = current->shrimp;
    struct call *c = calls_find(t, map, NULL);
    struct map *m = &t->maps[map];

    if (c) {
        return calls_wait(c);
    }
    if (map < SHRIMP_MAPS && m->state == MAP_FREE && m->unheard) {
        m->unheard = false;
        return 0;
    }
    /* One that has died while its MAP still waits is no mapping yet. */
    if (map >= SHRIMP_MAPS || (m->state != MAP_LIVE && m->state != MAP_DEAD) ||
        calls_of(current, m)) {
        return -EINVAL;
    }
    c = new_call(t);
    if (!c) {
        return -EBUSY;
    }
    m->result = 0;
    calls_forget(t, map);
    calls_begin(t, c, map, NULL);
    if (asks_waits(current, m)) {         /* for a page once more */
        m->state = MAP_ENDS;
        asks_note(current);
    } else {
        end(current, m);
    }
    return calls_wait(c);
}

/* ---- Steps ---------------------------------------------------------------- */

static bool wants_to_ask(const struct map *m)
{
    return m->state == MAP_ASKS || (m->state == MAP_FENCES &&
                                    nipt_has_credited(m->sent));
}

bool source_step(struct process *p)
{
    bool more = p->shrimp->remap && !p->shrimp->ends && closed_step(p);

    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state == MAP_ENDS && !asks_waits(p, m)) {
            end(p, m);
            return true;
        }
        if (m->state == MAP_CLEARS) {
            go_on(p, m);
            return true;
        }
        if (wants_to_ask(m) && !shrimp->asks) {
            asks_send(p, m, m->granted);
        }
        more |= (m->state == MAP_ASKS || m->state == MAP_FENCES) &&
                !asks_waits(p, m);
    }
    return more;
}

/* The first page has been granted: where the range lies in its page is known now. */
static int32_t first_page(struct process *p, struct map *m, const struct answer *a)
{
    m->grant = a->grant;
    m->displacement = (a->offset - m->local) & PAGE_MASK;
    return parts_check(p, m);
}

/* A page has been granted. */
static void granted(struct process *p, struct map *m, const struct answer *a)
{
    int32_t status = m->granted ? 0 : first_page(p, m, a);

    if (status) {               /* the target has to be told, and no entry is set */
        m->result = status;
        end(p, m);
        return;
    }
    m->granted++;
    if (pages_may_go()) {
        pages_set(p, m, m->granted - 1, a->frame, true);
    } else {
        parts_set(p, m, m->granted - 1, a->frame);
    }
    if (m->granted == parts_pages(m)) {
        m->state = MAP_LIVE;
        calls_over(p, m, m - p->shrimp->maps);
    }
}

static void asked(struct process *p, struct map *m, const struct answer *a)
{
    if (a->status == ANSWER_WAIT) {
        m->state = p->shrimp->ends ? MAP_ENDS : MAP_PARKED;
    } else if (a->status) {
        m->result = a->status;
        end(p, m);
    } else {
        granted(p, m, a);
        if (p->shrimp->ends && m->state < MAP_ENDS) {
            m->state = MAP_ENDS;
        }
    }
}

void source_answered(void)
{
    struct answer a = shrimp->answer;
    struct process *p = processes[a.gid];
    struct map *m = &p->shrimp->maps[a.map];

    shrimp->answered = shrimp->asks = false;
    if (shrimp->asks_again) {
        closed_answered(p, m, &a);
    } else if (m->state == MAP_FENCES) {
        m->state = MAP_FREE;
        calls_over(p, m, m->result);
    } else if (m->state == MAP_DEAD) {  /* while it was made */
        m->result = -ESRCH;
        end(p, m);
    } else {
        asked(p, m, &a);
    }
    asks_note(p);
}

void source_retry(uint32_t node, uint32_t gid)
{
    struct process *p = processes[gid];

    for (unsigned i = 0; p && p->shrimp && i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state == MAP_PARKED && m->node == node) {
            m->state = MAP_ASKS;
            asks_note(p);
        }
    }
}

/* ---- The target ends a mapping -------------------------------------------- */

static void die(uint32_t node, const struct ending *e)
{
    struct process *p;
    struct map *m = asks_named(&p, node, e);

    if (m && m->state == MAP_LIVE) {
        parts_clear(p, m, true);
        m->state = MAP_DEAD;
    } else if (m && m->state == MAP_CLEARS) {
        parts_clear(p, m, false);
    } else if (m && m->state == MAP_ENDS) {
        parts_clear(p, m, false);
        m->grant = GRANT_NONE;          /* it need not be told */
        asks_note(p);
    } else if (m && m->state == MAP_ASKS) {
        parts_clear(p, m, false);
        m->result = -ESRCH;
        m->state = asks_waits(p, m) ? MAP_DEAD : MAP_ENDS;
        asks_note(p);
    }
}

bool source_end(uint32_t node, struct peer *peer)
{
    if (!peer->end_fences) {
        die(node, &peer->ending);
        peer->end_fence = nipt_sent();
        peer->end_fences = true;
    }
    if (!nipt_has_credited(peer->end_fence)) {
        return false;
    }
    peer->ends = peer->end_fences = false;
    message_send(node, OPERATION_MAP_ENDED, NULL, 0);
    return true;
}

/* ---- The end of a process ------------------------------------------------- */

void source_end_all(struct process *p)
{
    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state != MAP_FREE && m->state < MAP_ENDS && !asks_waits(p, m)) {
            m->state = MAP_ENDS;
        }
    }
}

bool source_has_maps(const struct process *p)
{
    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        if (p->shrimp->maps[i].state != MAP_FREE) {
            return true;
        }
    }
    return false;
}
