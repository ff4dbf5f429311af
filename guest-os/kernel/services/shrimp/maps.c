/*
 * Processes with maps over the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/chores.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "marks.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/shrimp/closed.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/source.h"
#include "services/shrimp/shoot.h"
#include "services/shrimp/target.h"
#include "services/shrimp/maps.h"

__attribute__((cold)) bool maps_init(void)
{
    uint32_t bytes = sizeof(struct shrimp_node) + ni_nodes() * sizeof(struct peer);

    _Static_assert(sizeof(struct shrimp_task) <= GLAZE_PAGE, "one page");
    if (kind->number != FUGU_NETIF_SHRIMP) {
        return true;
    }
    shrimp = (struct shrimp_node *)
        frames_alloc_together((bytes + GLAZE_PAGE - 1) / GLAZE_PAGE, 0);
    return shrimp;
}

bool maps_open(struct process *p)
{
    if (!p->shrimp) {
        p->shrimp = (struct shrimp_task *)space_frame(p, FRAME_COLOUR_ANY);
    }
    return p->shrimp;
}

/* ---- Messages ------------------------------------------------------------- */

static void note_peer(uint32_t node)
{
    shrimp->todo[node / 32] |= 1u << node % 32;
}

void maps_message(uint32_t source, uint32_t operation, const uint32_t *words)
{
    struct peer *peer = &shrimp->peer[source];
    uint32_t gid = shrimp->shoot.gid;

    switch (operation) {
    case OPERATION_MAP_ASK:
        memcpy(&peer->question, words, sizeof(peer->question));
        peer->asks = true;
        note_peer(source);
        break;
    case OPERATION_MAP_ANSWER:
        memcpy(&shrimp->answer, words, sizeof(shrimp->answer));
        shrimp->answered = true;
        break;
    case OPERATION_MAP_RETRY:
        if (shrimp->answered) {
            source_answered();          /* it has come before: wait until you hear */
        }
        source_retry(source, words[0]);
        break;
    case OPERATION_MAP_END:
        memcpy(&peer->ending, words, sizeof(peer->ending));
        peer->ends = true;
        note_peer(source);
        break;
    case OPERATION_MAP_SHOOT:
        memcpy(&peer->shot, words, sizeof(peer->shot));
        peer->shoots = true;
        note_peer(source);
        break;
    case OPERATION_MAP_SHOT:
        MARK("shot", gid);
        shrimp->shoot.answered = true;
        break;
    default:
        peer->answered = true;
        gids_add(&shrimp->granting, peer->told_gid);
        break;
    }
    shrimp_note();
}

/* ---- The chore ------------------------------------------------------------ */

/* Returns the next node from `from` on, in a ring, that asks or ends something; the
 * number of nodes: there is none. */
static uint32_t next_peer(uint32_t from)
{
    uint32_t nodes = ni_nodes();

    for (uint32_t k = 0; k < nodes; k++) {
        uint32_t node = from + k < nodes ? from + k : from + k - nodes;
        uint32_t word = shrimp->todo[node / 32];

        if (word >> node % 32 & 1) {
            return node;
        }
        if (!word && node % 32 == 0 && node + 32 < nodes) {
            k += 31;
        }
    }
    return nodes;
}

/* The most cycles of a part of a step, where pages may go out. */
#define PART_MOST       6000

/* Returns whether another part of a step may begin. */
static bool has_time(void)
{
    return !pages_may_go() || kernel_has_time(now(), PART_MOST);
}

/* Shoots down entries for a page of a node, once this node's own answer, which came
 * before, is acted on. Returns as closed_shoot() does. */
static bool shoot(uint32_t node, struct peer *peer)
{
    if (shrimp->answered) {
        source_answered();
    }
    return closed_shoot(node, peer);
}

/*
 * Serves a node. Its messages are done in the order in which they can have come: an
 * answer of this node's before (maps_step()), then an end, then a question. While this
 * sends, more may come from the node: that notes it anew.
 */
static void serve_peer(uint32_t node)
{
    struct peer *peer = &shrimp->peer[node];
    bool done;

    shrimp->todo[node / 32] &= ~(1u << node % 32);
    done = !peer->ends || source_end(node, peer);
    if (peer->shoots) {
        done &= has_time() && shoot(node, peer);
    }
    if (peer->asks) {
        done &= has_time() && target_answer(node, peer);
    }
    if (!done) {
        note_peer(node);
        shrimp_poll();
    }
}

static void serve_peers(void)
{
    static uint32_t last;
    uint32_t node = next_peer(last + 1 < ni_nodes() ? last + 1 : 0);

    if (node < ni_nodes()) {
        last = node;
        serve_peer(node);
        if (next_peer(0) < ni_nodes() && next_peer(0) != node) {
            shrimp_note();
        }
    }
}

/* Does the next step for one process of a set, each in turn. */
static void serve_one(struct gids *set, unsigned *last,
                      bool step(struct process *))
{
    unsigned gid = gids_after(set, *last);

    gid = gid ? gid : gids_after(set, GID_NONE);
    *last = gid;
    if (!gid) {
        return;
    }
    if (!processes[gid] || !processes[gid]->shrimp || !step(processes[gid])) {
        gids_remove(set, gid);
    } else {
        shrimp_poll();
    }
    if (gids_after(set, gid) || gids_after(set, GID_NONE) != gid) {
        shrimp_poll();
    }
}

/* Returns whether p, which has ended, has mappings or grants left. */
static bool look_at_end(struct process *p)
{
    if (source_has_maps(p) || target_has_grants(p) || shoot_is_of(p)) {
        return true;
    }
    frame_free((uint32_t)p->shrimp);
    p->shrimp = NULL;
    p->kernel_frames--;
    gids_add(&shrimp->ended, p->gid);
    return false;
}

static void serve_granting(void)
{
    static unsigned last;

    serve_one(&shrimp->granting, &last, target_end_grants);
}

static void serve_asking(void)
{
    static unsigned last;

    serve_one(&shrimp->asking, &last, source_step);
}

static void serve_exporting(void)
{
    if (shrimp->retry_gid || gids_after(&shrimp->exporting, GID_NONE)) {
        target_retry();
    }
}

static void serve_ending(void)
{
    static unsigned last;

    serve_one(&shrimp->ending, &last, look_at_end);
}

/* A step begins with the part for which the last one has had no time. */
void maps_step(void)
{
    static void (*const parts[])(void) = {
        serve_peers, shoot_step, serve_granting, serve_asking, serve_exporting,
        serve_ending,
    };
    static unsigned next;
    unsigned count = sizeof(parts) / sizeof(parts[0]);

    if (!shrimp) {
        return;
    }
    if (shrimp->answered) {
        source_answered();
    }
    for (unsigned k = 0; k < count; k++) {
        if (k && !has_time()) {
            shrimp_note();
            return;
        }
        parts[next]();
        next = next + 1 < count ? next + 1 : 0;
    }
}

/* ---- The end of a process ------------------------------------------------- */

bool maps_end(struct process *p)
{
    struct shrimp_task *t = p->shrimp;

    if (!shrimp) {
        return true;
    }
    gids_add(&shrimp->exporting, p->gid);       /* who waits has to look again */
    shrimp_note();
    p->remote = 0;
    if (!t) {
        return true;
    }
    t->ends = true;
    for (unsigned i = 0; i < CALLS; i++) {
        t->call[i].used = false;
    }
    for (unsigned i = 0; i < SHRIMP_EXPORTS; i++) {
        t->exported[i].bytes = 0;
    }
    for (unsigned i = 0; i < SHRIMP_GRANTS; i++) {
        if (t->grants[i].state == GRANT_LIVE) {
            t->grants[i].state = GRANT_ENDS;
        }
    }
    source_end_all(p);
    gids_add(&shrimp->asking, p->gid);
    gids_add(&shrimp->granting, p->gid);
    gids_add(&shrimp->ending, p->gid);
    return false;
}

struct process *maps_take_ended(void)
{
    unsigned gid = shrimp ? gids_after(&shrimp->ended, GID_NONE) : GID_NONE;

    if (gid) {
        gids_remove(&shrimp->ended, gid);
    }
    return gid ? processes[gid] : NULL;
}

uint32_t maps_unmapped(struct process *p, uint32_t address, uint32_t bytes)
{
    uint32_t before = 0;

    if (shrimp && pages_may_go()) {
        return pages_before_maps(p, address, bytes);
    }
    while (before < bytes && !(shrimp && pins_has(p, address + before))) {
        before += GLAZE_PAGE;
    }
    return before;
}

/* ---- Pages that may go out ------------------------------------------------ */

__attribute__((cold)) bool maps_wait(void)
{
    uint32_t page = current->wanted & ~(GLAZE_PAGE - 1);

    if (!shrimp || current->wants_frame || !current->shrimp ||
        page < GLAZE_PROGRAM || page >= GLAZE_PROGRAM_END ||
        !space_is_in(current, page) || !space_is_closed(current, page)) {
        return false;
    }
    closed_store(page);
    return true;
}

__attribute__((cold)) bool maps_command(uint32_t address)
{
    uint32_t page = (address & ~(GLAZE_PAGE - 1)) - SHRIMP_COMMANDS;

    if (!shrimp || !pages_may_go() || page < GLAZE_PROGRAM ||
        page >= GLAZE_PROGRAM_END || pages_before_maps(current, page, GLAZE_PAGE)) {
        return false;
    }
    if (memory_touch(current, page, false) != MEMORY_OK) {
        return true;
    }
    if (space_is_closed(current, page) || pages_goes(current, page)) {
        closed_store(page);
        return true;
    }
    return target_lets_in(current, page);
}
