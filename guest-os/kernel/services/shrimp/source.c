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
#include "marks.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/parts.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/source.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* ---- The call that waits -------------------------------------------------- */

static uint32_t sp_of(const struct process *p)
{
    return p->registers.out[6];
}

/* Returns whether this is the call that has begun before. */
static bool goes_on(const struct shrimp_task *t)
{
    return t->calls && t->sp == sp_of(current);
}

/* Returns whether another call keeps this one from beginning. Its result is lost if it
 * is over, and its code has not come back for it. */
static bool is_busy(struct shrimp_task *t)
{
    t->calls &= !t->called;
    return t->calls;
}

static void begin_call(struct shrimp_task *t, unsigned map)
{
    t->calls = true;
    t->called = false;
    t->map = map;
    t->sp = sp_of(current);
}

/* The process makes the same call again when it has been woken. */
static int32_t wait(struct shrimp_task *t)
{
    if (t->called) {
        t->calls = false;
        return t->result;
    }
    process_wait();
    return IO_AGAIN;
}

static void call_over(struct process *p, const struct map *m, int32_t result)
{
    struct shrimp_task *t = p->shrimp;

    if (t->calls && t->map == m - t->maps) {
        t->called = true;
        t->result = result;
        process_wake(p);
    }
}

static void note_maps(struct process *p)
{
    gids_add(&shrimp->asking, p->gid);
    shrimp_note();
}

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
        note_maps(p);
    } else if (m->grant != GRANT_NONE) {
        m->sent = nipt_sent();
        m->state = MAP_FENCES;
        note_maps(p);
    } else {
        m->state = MAP_FREE;
        call_over(p, m, m->result);
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

static struct map *find_free(struct shrimp_task *t)
{
    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        if (t->maps[i].state == MAP_FREE) {
            t->maps_used = t->maps_used > i ? t->maps_used : i + 1;
            return &t->maps[i];
        }
    }
    return NULL;
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
static int32_t pin(struct shrimp_task *t, struct map *m)
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
        return wait(t);
    }
    m->state = MAP_ASKS;
    note_maps(current);
    return wait(t);
}

int32_t source_map(uint32_t structure)
{
    struct shrimp_task *t = current->shrimp;
    struct shrimp_map w;
    enum memory_result result;
    struct map *m;
    int32_t status;

    if (goes_on(t)) {
        m = &t->maps[t->map];
        return m->state == MAP_PINS ? pin(t, m) : wait(t);
    }
    if (is_busy(t)) {
        return -EBUSY;
    }
    result = memory_read(current, &w, structure, sizeof(w));
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    status = check(&w);
    if (status) {
        return status;
    }
    m = find_free(t);
    if (!m) {
        return -ENOSPC;
    }
    w.job = w.job ? w.job : current->number;
    t->wanted = w;
    *m = (struct map) {
        .state = MAP_PINS, .mode = w.mode, .job = w.job, .grant = GRANT_NONE,
        .node = w.node, .local = w.address, .bytes = w.bytes,
    };
    begin_call(t, m - t->maps);
    return pin(t, m);
}

/* Returns whether the node's question is about a mapping. */
static bool waits_for_answer(const struct process *p, const struct map *m)
{
    return shrimp->asks && shrimp->ask_gid == p->gid &&
           shrimp->ask_map == m - p->shrimp->maps;
}

/* ---- UNMAP ---------------------------------------------------------------- */

int32_t source_unmap(uint32_t map)
{
    struct shrimp_task *t = current->shrimp;
    struct map *m = &t->maps[map];

    if (goes_on(t)) {
        return wait(t);
    }
    if (is_busy(t)) {
        return -EBUSY;
    }
    if (map >= SHRIMP_MAPS || (m->state != MAP_LIVE && m->state != MAP_DEAD)) {
        return -EINVAL;
    }
    m->result = 0;
    begin_call(t, map);
    if (waits_for_answer(current, m)) {         /* for a page once more */
        m->state = MAP_ENDS;
        note_maps(current);
    } else {
        end(current, m);
    }
    return wait(t);
}

/* ---- The chore ------------------------------------------------------------ */

/* Asks a mapping's target for its page number k, or tells it of the mapping's end. */
static void ask(struct process *p, struct map *m, unsigned k)
{
    const struct shrimp_map *w = &p->shrimp->wanted;
    struct question q = {
        .ends = m->state == MAP_FENCES, .gid = p->gid, .job = p->number,
        .map = m - p->shrimp->maps, .target = m->job, .grant = m->grant,
        .page = k,
    };

    if (!q.ends) {
        q.number = w->number;
        q.key[0] = w->key[0];
        q.key[1] = w->key[1];
        q.offset = w->offset;
        q.bytes = w->bytes;
    }
    shrimp->asks = true;
    shrimp->asks_again = m->state == MAP_LIVE;
    shrimp->ask_page = k;
    shrimp->ask_gid = p->gid;
    shrimp->ask_map = q.map;
    message_send(m->node, OPERATION_MAP_ASK, (const uint32_t *)&q, WORDS(q));
}

static bool wants_to_ask(const struct map *m)
{
    return m->state == MAP_ASKS || (m->state == MAP_FENCES &&
                                    nipt_has_credited(m->sent));
}

/* ---- Pages whose mappings have been shot down ----------------------------- */

__attribute__((cold)) void source_remap(uint32_t page)
{
    current->shrimp->remap = page;
    process_page_came(current);
    process_wait();
    note_maps(current);
}

static void remap_over(struct process *p)
{
    p->shrimp->remap = 0;
    process_wake(p);
}

/* What has become of the pieces of a closed page. */
enum remapped {
    REMAPPED,                   /* they have entries again */
    REMAP_ASKS,                 /* the target has been asked for one */
    REMAP_LATER,                /* it has to wait */
};

/* Works on the pieces of one mapping in a page. */
static enum remapped remap_pieces(struct process *p, struct map *m, uint32_t page)
{
    uint32_t end = m->local + m->bytes;
    unsigned k;

    end = end - page < GLAZE_PAGE ? end : page + GLAZE_PAGE;
    for (uint32_t at = m->local > page ? m->local : page; at != end;) {
        struct piece piece = parts_next(m, at, &k);

        at = page + piece.to;
        if (k >= m->granted || parts_has_piece(p, &piece)) {
            continue;
        }
        if (m->state == MAP_DEAD) {
            pages_set_piece(p, &piece, parts_dead(m));
        } else if (m->state != MAP_LIVE || m->closing || shrimp->asks) {
            return waits_for_answer(p, m) ? REMAP_ASKS : REMAP_LATER;
        } else {
            ask(p, m, k);
            return REMAP_ASKS;
        }
    }
    return m->closing ? REMAP_LATER : REMAPPED;
}

/* Goes on with the closed page to which p wants to store. Returns as source_step()
 * does. */
static __attribute__((cold)) bool remap(struct process *p)
{
    uint32_t page = p->shrimp->remap;

    if (pages_goes(p, page)) {
        return true;
    }
    if (!space_is_in(p, page)) {
        remap_over(p);          /* it has to come back first */
        return false;
    }
    for (unsigned i = 0; i < p->shrimp->maps_used; i++) {
        struct map *m = &p->shrimp->maps[i];
        enum remapped result = parts_covers(m, page) ? remap_pieces(p, m, page)
                                                     : REMAPPED;

        if (result != REMAPPED) {
            return result == REMAP_LATER;
        }
    }
    pages_settle(p, page);
    MARK("remapped", p->gid);
    remap_over(p);
    return false;
}

/* The target has answered a question for a page that it had granted before. */
static __attribute__((cold)) void asked_again(struct process *p, struct map *m,
                                              const struct answer *a)
{
    if (m->state == MAP_LIVE && !a->status) {
        pages_set(p, m, shrimp->ask_page, a->frame);
    } else if (m->state == MAP_LIVE && a->status == -ENOMEM) {
        job_abort(p, STATUS_OVERFLOW, "a node to which it maps has no memory left for "
                  "the page", 0);
    } else if (m->state == MAP_LIVE) {
        parts_clear(p, m, true);        /* its end will be told as well */
        m->state = MAP_DEAD;
    }
    if (p->shrimp->ends && m->state < MAP_ENDS) {
        m->state = MAP_ENDS;
    }
}

/* ---- Steps ---------------------------------------------------------------- */

bool source_step(struct process *p)
{
    bool more = p->shrimp->remap && !p->shrimp->ends && remap(p);

    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state == MAP_ENDS && !waits_for_answer(p, m)) {
            end(p, m);
            return true;
        }
        if (m->state == MAP_CLEARS) {
            go_on(p, m);
            return true;
        }
        if (wants_to_ask(m) && !shrimp->asks) {
            ask(p, m, m->granted);
        }
        more |= (m->state == MAP_ASKS || m->state == MAP_FENCES) &&
                !waits_for_answer(p, m);
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
        pages_set(p, m, m->granted - 1, a->frame);
    } else {
        parts_set(p, m, m->granted - 1, a->frame);
    }
    if (m->granted == parts_pages(m)) {
        m->state = MAP_LIVE;
        call_over(p, m, m - p->shrimp->maps);
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
        asked_again(p, m, &a);
    } else if (m->state == MAP_FENCES) {
        m->state = MAP_FREE;
        call_over(p, m, m->result);
    } else if (m->state == MAP_DEAD) {  /* while it was made */
        m->result = -ESRCH;
        end(p, m);
    } else {
        asked(p, m, &a);
    }
    note_maps(p);
}

void source_retry(uint32_t node, uint32_t gid)
{
    struct process *p = processes[gid];

    for (unsigned i = 0; p && p->shrimp && i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state == MAP_PARKED && m->node == node) {
            m->state = MAP_ASKS;
            note_maps(p);
        }
    }
}

/* ---- The target ends a mapping -------------------------------------------- */

/* Returns the mapping that an ending names; NULL: it is not there any more. */
static struct map *named(struct process **p, uint32_t node, const struct ending *e)
{
    struct map *m;

    *p = processes[e->gid];
    if (!*p || (*p)->number != e->job || !(*p)->shrimp) {
        return NULL;
    }
    m = &(*p)->shrimp->maps[e->map];
    return m->state != MAP_FREE && m->node == node && m->job == e->target &&
           m->grant == e->grant ? m : NULL;
}

static void die(uint32_t node, const struct ending *e)
{
    struct process *p;
    struct map *m = named(&p, node, e);

    if (m && m->state == MAP_LIVE) {
        parts_clear(p, m, true);
        m->state = MAP_DEAD;
    } else if (m && m->state == MAP_CLEARS) {
        parts_clear(p, m, false);
    } else if (m && (m->state == MAP_ASKS || m->state == MAP_ENDS)) {
        parts_clear(p, m, false);
        m->result = -ESRCH;
        m->state = waits_for_answer(p, m) ? MAP_DEAD : MAP_ENDS;
        note_maps(p);
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

/* ---- The target's page goes out ------------------------------------------- */

/* Opens or closes the own pages that go to the target's page number k. */
static void settle_pages(struct process *p, const struct map *m, unsigned k)
{
    uint32_t at, end = parts_range(m, k, &at);

    for (at &= ~PAGE_MASK; at < end; at += GLAZE_PAGE) {
        pages_settle(p, at);
    }
}

/* Returns whether the engine is at work for one of these pages. */
static bool engine_is_at(struct process *p, const struct map *m, unsigned k)
{
    uint32_t at, end = parts_range(m, k, &at), frame = nipt_engine();

    for (at &= ~PAGE_MASK; frame && at < end; at += GLAZE_PAGE) {
        if (space_is_in(p, at) && pins_frame(p, at) == frame) {
            return true;
        }
    }
    return false;
}

/*
 * Goes on until no entry is left for the page, and no command of the engine. Stores and
 * commands wait from the first step on. Returns whether that is so.
 */
static bool close(uint32_t node, struct peer *peer)
{
    struct process *p;
    struct map *m = named(&p, node, &peer->shot.of);
    unsigned k = peer->shot.page;

    if (!m || k >= m->granted) {
        return true;
    }
    if (!peer->shot_closed || !m->closing) {
        peer->shot_closed = m->closing = true;
        settle_pages(p, m, k);
    }
    if (engine_is_at(p, m, k)) {
        return false;
    }
    parts_clear_page(p, m, k);
    m->closing = false;
    return true;
}

__attribute__((cold)) bool source_shoot(uint32_t node, struct peer *peer)
{
    if (shrimp->answered) {
        source_answered();      /* it has come before */
    }
    if (!peer->shot_fences) {
        if (!close(node, peer)) {
            return false;
        }
        peer->shot_fence = nipt_sent();
        peer->shot_fences = true;
    }
    if (!nipt_has_credited(peer->shot_fence)) {
        return false;
    }
    peer->shoots = peer->shot_closed = peer->shot_fences = false;
    message_send(node, OPERATION_MAP_SHOT, NULL, 0);
    return true;
}

/* ---- The end of a process ------------------------------------------------- */

void source_end_all(struct process *p)
{
    for (unsigned i = 0; i < SHRIMP_MAPS; i++) {
        struct map *m = &p->shrimp->maps[i];

        if (m->state != MAP_FREE && m->state < MAP_ENDS && !waits_for_answer(p, m)) {
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
