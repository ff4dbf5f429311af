/*
 * The target of mappings.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/chores.h"
#include "machine/gids.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/shrimp/exports.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/target.h"

/* ---- Questions ------------------------------------------------------------ */

static bool is_of(const struct grant *g, uint32_t node, const struct question *q)
{
    return g->state != GRANT_FREE && g->node == node && g->job == q->job &&
           g->map == q->map;
}

/* Returns the grant that a question names; NULL: it is not there any more. */
static struct grant *named(struct process *p, uint32_t node, const struct question *q)
{
    struct grant *g = p && p->shrimp && q->grant < SHRIMP_GRANTS
                      ? &p->shrimp->grants[q->grant] : NULL;

    return g && is_of(g, node, q) ? g : NULL;
}

/* The source has ended the mapping: it sends nothing more. */
static void source_ends(struct process *p, struct grant *g)
{
    if (g && (g->state == GRANT_LIVE || g->state == GRANT_ENDS)) {
        g->state = GRANT_DRAINS;
        gids_add(&shrimp->granting, p->gid);
    }
}

/* Returns a free grant for the first page of a question; NULL: there is none. */
static struct grant *make(struct process *p, const struct exported *e, uint32_t node,
                          const struct question *q)
{
    for (unsigned i = 0; i < SHRIMP_GRANTS; i++) {
        struct grant *g = &p->shrimp->grants[i];

        if (g->state == GRANT_FREE) {
            struct shrimp_task *t = p->shrimp;

            t->grants_used = t->grants_used > i ? t->grants_used : i + 1;
            *g = (struct grant) {
                .state = GRANT_LIVE, .exported = e - p->shrimp->exported,
                .node = node, .gid = q->gid, .job = q->job, .map = q->map,
                .first = (e->address + q->offset) & ~(GLAZE_PAGE - 1),
            };
            return g;
        }
    }
    return NULL;
}

/*
 * Brings a page that is to be mapped in. Returns 0 if it is in memory, ANSWER_WAIT if
 * it has to come first, -errno if that cannot be.
 */
static int32_t bring(struct peer *peer, struct process *p, uint32_t page)
{
    if (pages_may_go() && pages_goes(p, page)) {
        return ANSWER_WAIT;
    }
    if (p->remote_refused == page) {
        p->remote_refused = 0;
        return -ENOMEM;
    }
    switch (memory_look(p, page, !space_is_closed(p, page))) {
    case MEMORY_OK:
        p->remote_came = false;
        return space_viewed(p, page) ? -EBUSY : 0;
    case MEMORY_LATER:
        if (p->lost) {
            return -EIO;
        }
        if (!p->remote) {
            p->remote = page;
            gids_add(&processes_needy, p->gid);
            p->remote_own = false;
        }
        peer->brings = page;
        chores_wait |= CHORE_PAGER;
        return ANSWER_WAIT;
    default:
        return -EFAULT;
    }
}

/*
 * A question has its answer: no page is brought for it any more. One that has come may
 * go, and the next question does not get the refusal of this one's.
 */
static void brought(struct process *p, struct peer *peer)
{
    if (p && peer->brings) {
        p->remote = p->remote != peer->brings ? p->remote : 0;
        p->remote_refused = p->remote_refused != peer->brings ? p->remote_refused : 0;
        p->remote_came = false;
    }
    peer->brings = 0;
}

/* Lets others send to a page in memory. Returns whether that can be. */
static bool let_in(struct process *p, uint32_t page)
{
    if (!space_entry(p, page + SHRIMP_COMMANDS)) {
        return false;
    }
    if (pages_may_go()) {
        pages_attach_in(p, page);
        return true;
    }
    return pins_add(p, page, PIN_IN);
}

/*
 * Grants the next page of a mapping, or the first: then *g becomes the grant. Or it
 * grants a page once more that has been shot down. Returns as bring() does.
 */
static int32_t grant_page(struct peer *peer, struct process *p, struct grant **g,
                          struct exported *e, uint32_t node)
{
    const struct question *q = &peer->question;
    uint32_t page = *g ? (*g)->first + q->page * GLAZE_PAGE
                       : (e->address + q->offset) & ~(GLAZE_PAGE - 1);
    int32_t status;

    if (*g) {
        e = &p->shrimp->exported[(*g)->exported];
    }
    if (page >= e->address + e->bytes) {
        return -ERANGE;
    }
    status = bring(peer, p, page);
    if (status) {
        return status;
    }
    if (!*g) {
        *g = make(p, e, node, q);
    }
    if (!*g) {
        return -ENOSPC;
    }
    if (!let_in(p, page)) {
        (*g)->state = (*g)->pages ? GRANT_LIVE : GRANT_FREE;
        return -ENOMEM;
    }
    (*g)->pages += q->page == (*g)->pages;
    shrimp_arrive(p);
    return 0;
}

/* Returns the status of a question for a page, and fills in the answer. */
static int32_t ask_page(struct peer *peer, uint32_t node, struct process *p,
                        struct answer *a, bool *later)
{
    const struct question *q = &peer->question;
    struct exported *e = NULL;
    struct grant *g = NULL;
    int32_t status;

    if (!p || process_has_ended(p)) {
        return -ESRCH;
    }
    if (q->grant == GRANT_NONE) {
        e = exports_for(p, q, &status);
        if (status == ANSWER_WAIT) {
            gids_add(&peer->waits, p->gid);
        }
        if (!e) {
            return status;
        }
        a->offset = (e->address + q->offset) & (GLAZE_PAGE - 1);
    } else {
        g = named(p, node, q);
        if (!g || g->state != GRANT_LIVE) {
            return -ESRCH;
        }
    }
    status = grant_page(peer, p, &g, e, node);
    *later = status == ANSWER_WAIT;
    if (!status) {
        a->grant = g - p->shrimp->grants;
        a->frame = pins_frame(p, g->first + q->page * GLAZE_PAGE);
    }
    return status;
}

bool target_answer(uint32_t node, struct peer *peer)
{
    const struct question *q = &peer->question;
    struct process *p = shrimp_of_job(q->target);
    struct answer a = { .gid = q->gid, .job = q->job, .map = q->map };
    bool later = false;

    if (q->ends) {
        source_ends(p, named(p, node, q));
    } else {
        a.status = ask_page(peer, node, p, &a, &later);
    }
    if (later) {
        return false;
    }
    brought(p, peer);
    peer->asks = false;
    message_send(node, OPERATION_MAP_ANSWER, (const uint32_t *)&a, WORDS(a));
    return true;
}

/* ---- Ends ----------------------------------------------------------------- */

static void tell(struct process *p, struct grant *g, struct peer *peer)
{
    struct ending e = {
        .target = p->number, .grant = g - p->shrimp->grants,
        .gid = g->gid, .job = g->job, .map = g->map,
    };

    peer->told = true;
    peer->answered = false;
    peer->told_gid = p->gid;
    peer->told_grant = e.grant;
    g->state = GRANT_TOLD;
    message_send(g->node, OPERATION_MAP_END, (const uint32_t *)&e, WORDS(e));
}

/* Returns whether the node of a grant has answered about this one. */
static bool has_answered(const struct process *p, const struct grant *g)
{
    struct peer *peer = &shrimp->peer[g->node];

    if (!peer->told || !peer->answered || peer->told_gid != p->gid ||
        peer->told_grant != g - p->shrimp->grants) {
        return false;
    }
    peer->told = false;
    return true;
}

/* Pages that one step takes away: pinned ones, and others. */
#define PAGES_MOST      8
#define LOOSE_MOST      1

static bool is_covered(const struct process *p, uint32_t page)
{
    for (unsigned i = 0; i < p->shrimp->grants_used; i++) {
        if (target_covers(&p->shrimp->grants[i], page)) {
            return true;
        }
    }
    return false;
}

__attribute__((cold)) bool target_lets_in(struct process *p, uint32_t page)
{
    if (!is_covered(p, page)) {
        return false;
    }
    pages_attach_in(p, page);
    return true;
}

/* Takes a page away that may go out: others may map to it. */
static __attribute__((cold)) void release_loose(struct process *p, uint32_t page)
{
    if (!is_covered(p, page)) {
        pages_detach_in(p, page);
    }
}

static void release(struct process *p, struct grant *g)
{
    unsigned most = pages_may_go() ? LOOSE_MOST : PAGES_MOST;

    for (; most && g->pages; most--) {
        g->pages--;
        if (pages_may_go()) {
            release_loose(p, g->first + g->pages * GLAZE_PAGE);
        } else {
            pins_remove(p, g->first + g->pages * GLAZE_PAGE, PIN_IN);
        }
    }
    if (!g->pages) {
        g->state = GRANT_FREE;
        shrimp_wake(p, SHRIMP_WAITS_GRANTS);
    }
}

/* Does the next step of a grant's end. Returns whether it needs another one. */
static bool end_grant(struct process *p, struct grant *g)
{
    switch (g->state) {
    case GRANT_ENDS:
        if (!shrimp->peer[g->node].told) {
            tell(p, g, &shrimp->peer[g->node]);
            return false;
        }
        return true;
    case GRANT_TOLD:
        if (!has_answered(p, g)) {
            return false;
        }
        /* fall through */
    case GRANT_DRAINS:
        g->entered = nipt_entered();
        g->state = GRANT_DRAINS_TO;
        /* fall through */
    case GRANT_DRAINS_TO:
        if (nipt_has_left(g->entered)) {
            release(p, g);
        }
        return g->state != GRANT_FREE;
    default:
        return false;
    }
}

/* Grants whose ends one step goes on with, and the most cycles for one. */
#define ENDS_MOST       6
#define END_MOST        3000

bool target_end_grants(struct process *p)
{
    unsigned most = ENDS_MOST;
    bool more = false;

    for (unsigned i = 0; i < SHRIMP_GRANTS && most; i++) {
        struct grant *g = &p->shrimp->grants[i];

        if (g->state > GRANT_LIVE) {
            more |= end_grant(p, g);
            most = kernel_has_time(now(), END_MOST) ? most - 1 : 0;
        }
    }
    return more || !most;
}

bool target_has_grants(const struct process *p)
{
    for (unsigned i = 0; i < SHRIMP_GRANTS; i++) {
        if (p->shrimp->grants[i].state != GRANT_FREE) {
            return true;
        }
    }
    return false;
}

/* Nodes that one step tells, and looks at. */
#define TELL_MOST       8
#define LOOK_MOST       256

void target_retry(void)
{
    struct shrimp_node *n = shrimp;
    uint32_t told = 0, looked = 0;

    if (!n->retry_gid) {
        n->retry_gid = gids_after(&n->exporting, GID_NONE);
        n->retry_node = 0;
        gids_remove(&n->exporting, n->retry_gid);
    }
    for (; n->retry_gid && n->retry_node < ni_nodes() && told < TELL_MOST &&
           looked < LOOK_MOST; n->retry_node++, looked++) {
        struct peer *peer = &n->peer[n->retry_node];

        if (gids_has(&peer->waits, n->retry_gid)) {
            gids_remove(&peer->waits, n->retry_gid);
            message_send(n->retry_node, OPERATION_MAP_RETRY, &n->retry_gid, 1);
            told++;
        }
    }
    if (n->retry_node == ni_nodes()) {
        n->retry_gid = 0;
    }
    if (n->retry_gid || gids_after(&n->exporting, GID_NONE)) {
        shrimp_note();
    }
}
