/*
 * Types, and messages that wait until the program wants them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "nx-state.h"

struct type *nx_groups[NX_TYPES / GROUP];
struct type nx_unknown[GROUP];

struct type *nx_type(uint32_t type, const char *call)
{
    struct type **group = &nx_groups[type / GROUP];

    if (*group == nx_unknown) {
        *group = calloc(GROUP, sizeof(**group));
        if (!*group) {
            nx_mistake(call, "no memory is left for type %lu", (unsigned long)type);
        }
    }
    return &(*group)[type % GROUP];
}

/* Begins to queue a message, of which the first slot has come. */
static struct message *message_begin(struct peer *p, const struct slot *slot,
                                     const char *call)
{
    struct type *t = nx_type(slot->type, call);
    struct message *m = malloc(sizeof(*m) + slot->left);

    if (t->from && t->from != p) {
        nx_mistake(call, "nodes %lu and %lu both send messages of type %lu, and one "
                   "may", (unsigned long)t->from->node,
                   (unsigned long)p->node, (unsigned long)slot->type);
    }
    if (!m) {
        nx_mistake(call, "no memory is left for a message of %lu bytes of type %lu",
                   (unsigned long)slot->left, (unsigned long)slot->type);
    }
    *m = (struct message) { .bytes = slot->left };
    t->from = p;
    t->direct = NULL;
    *(t->first ? t->end : &t->first) = m;
    t->end = &m->next;
    return m;
}

void nx_queue(struct peer *p, const char *call)
{
    const struct slot *slot = p->next_in;
    struct message *m = p->partial;
    uint32_t bytes = slot->left < SLOT_BYTES ? slot->left : SLOT_BYTES;

    asm volatile ("" : : : "memory");
    if (!m) {
        m = message_begin(p, slot, call);
    }
    nx_copy((char *)m->data + m->got, slot->data, bytes);
    m->got += bytes;
    p->partial = m->got < m->bytes ? m : NULL;
    nx_connect(p, call);
    nx_take(p);
}
