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

#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
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

/* The most cycles for a page that clear() lets go. */
#define CLEAR_MOST      800

/* Clears the entries of a mapping's pages and lets these go, the last page first: as
 * many as there is time for. */
static void clear(struct process *p, struct map *m)
{
    for (bool first = true; m->pinned && (first || kernel_has_time(now(), CLEAR_MOST));
         first = false) {
        if (m->granted) {
            parts_clear_last(p, m);
        }
        m->pinned--;
        pins_remove(p, own_page(m, m->pinned), PIN_OUT);
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
    enum memory_result result = memory_touch(current, page, true);

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (space_viewed(current, page)) {
        return -EBUSY;
    }
    if (!pins_prepare(current, page)) {
        return io_error(memory_wait_for_frame(current, page));
    }
    if (!pins_add(current, page, PIN_OUT)) {
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
    end(current, m);
    return wait(t);
}

/* ---- The chore ------------------------------------------------------------ */

static void ask(struct process *p, struct map *m)
{
    const struct shrimp_map *w = &p->shrimp->wanted;
    struct question q = {
        .ends = m->state == MAP_FENCES, .gid = p->gid, .job = p->number,
        .map = m - p->shrimp->maps, .target = m->job, .grant = m->grant,
    };

    if (!q.ends) {
        q.number = w->number;
        q.key[0] = w->key[0];
        q.key[1] = w->key[1];
        q.offset = w->offset;
        q.bytes = w->bytes;
    }
    shrimp->asks = true;
    shrimp->ask_gid = p->gid;
    shrimp->ask_map = q.map;
    message_send(m->node, OPERATION_MAP_ASK, (const uint32_t *)&q, WORDS(q));
}

static bool wants_to_ask(const struct map *m)
{
    return m->state == MAP_ASKS || (m->state == MAP_FENCES &&
                                    nipt_has_credited(m->sent));
}

static bool waits_for_answer(const struct process *p, const struct map *m)
{
    return shrimp->asks && shrimp->ask_gid == p->gid &&
           shrimp->ask_map == m - p->shrimp->maps;
}

bool source_step(struct process *p)
{
    bool more = false;

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
            ask(p, m);
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
    parts_set(p, m, m->granted, a->frame);
    m->granted++;
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
    if (m->state == MAP_FENCES) {
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
