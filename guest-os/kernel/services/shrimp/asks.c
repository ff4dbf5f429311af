/*
 * The question that a node asks a mapping's target, one at a time, and mappings as
 * targets name them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/message.h"
#include "services/shrimp/asks.h"
#include "services/shrimp/calls.h"

void asks_note(struct process *p)
{
    gids_add(&shrimp->asking, p->gid);
    shrimp_note();
}

bool asks_waits(const struct process *p, const struct map *m)
{
    return shrimp->asks && shrimp->ask_gid == p->gid &&
           shrimp->ask_map == m - p->shrimp->maps;
}

void asks_send(struct process *p, struct map *m, unsigned k)
{
    const struct call *c = calls_of(p, m);
    struct question q = {
        .ends = m->state == MAP_FENCES, .gid = p->gid, .job = p->number,
        .map = m - p->shrimp->maps, .target = m->job, .grant = m->grant,
        .page = k,
    };

    if (m->grant == GRANT_NONE && c && !c->unmaps) {
        q.number = c->wanted.number;
        q.key[0] = c->wanted.key[0];
        q.key[1] = c->wanted.key[1];
        q.offset = c->wanted.offset;
        q.bytes = c->wanted.bytes;
    }
    shrimp->asks = true;
    shrimp->asks_again = m->state == MAP_LIVE;
    shrimp->ask_page = k;
    shrimp->ask_gid = p->gid;
    shrimp->ask_map = q.map;
    message_send(m->node, OPERATION_MAP_ASK, (const uint32_t *)&q, WORDS(q));
}

struct map *asks_named(struct process **p, uint32_t node, const struct ending *e)
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
