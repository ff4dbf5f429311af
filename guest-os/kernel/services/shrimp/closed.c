/*
 * Closed pages of a source: a target's page goes out, and a store asks for it again.
 *
 * shoot.c is the target's side. The source closes its own pages that go there, clears
 * their entries, and says so. A store to a closed page waits until each target of the
 * page has been asked for it once more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "buffer/end.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "marks.h"
#include "memory/space.h"
#include "services/shrimp/asks.h"
#include "services/shrimp/closed.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/parts.h"
#include "services/shrimp/pins.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* ---- Stores to closed pages ------------------------------------------------ */

__attribute__((cold)) void closed_store(uint32_t page)
{
    current->shrimp->remap = page;
    process_page_came(current);
    shrimp_wait_for(SHRIMP_WAITS_STORE);
    asks_note(current);
}

static void remap_over(struct process *p)
{
    p->shrimp->remap = 0;
    shrimp_wake(p, SHRIMP_WAITS_STORE);
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
            return asks_waits(p, m) ? REMAP_ASKS : REMAP_LATER;
        } else {
            asks_send(p, m, k);
            return REMAP_ASKS;
        }
    }
    return m->closing ? REMAP_LATER : REMAPPED;
}

__attribute__((cold)) bool closed_step(struct process *p)
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

__attribute__((cold)) void closed_answered(struct process *p, struct map *m,
                                           const struct answer *a)
{
    if (m->state == MAP_LIVE && !a->status) {
        pages_set(p, m, shrimp->ask_page, a->frame, false);
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

/* ---- The target's page goes out ------------------------------------------- */

/* Opens or closes the own pages that go to the target's page number k. */
static void settle_pages(struct process *p, const struct map *m, unsigned k)
{
    uint32_t at, end = parts_range(m, k, &at);

    for (at &= ~PAGE_MASK; at < end; at += GLAZE_PAGE) {
        pages_settle(p, at);
    }
}

/* Notes the modes of own pages in memory that go there. */
static void note_modes(struct process *p, const struct map *m, unsigned k)
{
    uint32_t at, end = parts_range(m, k, &at);

    for (at &= ~PAGE_MASK; at < end; at += GLAZE_PAGE) {
        if (space_is_in(p, at)) {
            pages_note_modes(p, at);
        }
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
    struct map *m = asks_named(&p, node, &peer->shot.of);
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
    note_modes(p, m, k);
    parts_clear_page(p, m, k);
    m->closing = false;
    return true;
}

__attribute__((cold)) bool closed_shoot(uint32_t node, struct peer *peer)
{
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
