/*
 * crecv().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "nx-state.h"

static const char call[] = "crecv";

struct nx_info nx_info;

static __attribute__((noinline, cold)) void
check(unsigned long type, const void *buffer, long length)
{
    if (type >= NX_TYPES) {
        nx_mistake(call, "type %ld is none of 0 to %d", (long)type, NX_TYPES - 1);
    }
    if (length < 0) {
        nx_mistake(call, "a buffer cannot have %ld bytes", length);
    }
    if (length && !buffer) {
        nx_mistake(call, "the buffer is NULL");
    }
}

static inline void note(uint32_t bytes, const struct peer *from, uint32_t type)
{
    nx_info.bytes = bytes;
    nx_info.node = from->node;
    nx_info.type = type;
}

/* The message of so many bytes is the one to receive. */
static void fits(uint32_t bytes, const struct peer *from, uint32_t type, long length)
{
    if (bytes > (uint32_t)length) {
        nx_mistake(call, "a message of %lu bytes of type %lu from node %lu is too long "
                   "for a buffer of %ld", (unsigned long)bytes, (unsigned long)type,
                   (unsigned long)from->node, length);
    }
    note(bytes, from, type);
}

/* Takes the first message of a type that was queued, of which all may not have come. */
static void take_queued(struct type *t, uint32_t type, void *buffer, long length)
{
    struct message *m = t->first;

    fits(m->bytes, t->from, type, length);
    while (m->got < m->bytes) {
        if (nx_has_come(t->from)) {
            nx_queue(t->from, call);
        } else {
            nx_await_slot(t->from, call);
        }
    }
    nx_copy(buffer, m->data, m->bytes);
    t->first = m->next;
    if (!t->first) {
        t->direct = t->from;
    }
    free(m);
}

/* Takes a message, of which the first slot has come, out of the ring. */
static void take_direct(struct peer *p, uint32_t type, char *buffer, long length)
{
    uint32_t left = p->next_in->left;

    fits(left, p, type, length);
    nx_connect(p, call);
    for (;;) {
        uint32_t bytes = left < SLOT_BYTES ? left : SLOT_BYTES;

        asm volatile ("" : : : "memory");
        nx_copy(buffer, p->next_in->data, bytes);
        nx_take(p);
        buffer += bytes;
        left -= bytes;
        if (!left) {
            return;
        }
        while (!nx_has_come(p)) {
            nx_await_slot(p, call);
        }
    }
}

/* Receives in whatever case, or ends the job. */
static __attribute__((noinline, cold)) void
receive(long type, void *buffer, long length)
{
    struct type *t;

    check(type, buffer, length);
    for (t = nx_type(type, call); !t->first;) {
        struct peer *p = t->from;

        if (!p || !nx_has_come(p)) {
            nx_await_slot(p, call);
        } else if (p->next_in->type == (uint32_t)type) {
            /* the first slot of a message: none of the type is queued in part */
            take_direct(p, type, buffer, length);
            return;
        } else {
            nx_queue(p, call);
        }
    }
    take_queued(t, type, buffer, length);
}

/* Copies words, and the bytes of the last one. */
static inline void get(char *to, const uint32_t *from, uint32_t bytes)
{
    uint32_t k = 0;

    for (; k + 4 <= bytes; k += 4) {
        *(uint32_t *)(to + k) = *from++;
    }
    for (uint32_t shift = 24; k < bytes; shift -= 8) {
        to[k++] = *from >> shift;
    }
}

NX_ROW_OF(nx_crecv, "check the arguments");

void nx_crecv(long type, void *buffer, long length)
{
    struct peer *p;
    uint32_t bytes;

    if ((unsigned long)type >= NX_TYPES || !buffer || (uintptr_t)buffer % 4) {
        goto other;
    }
    NX_ROW("find the type and its sender");
    p = nx_groups[(uint32_t)type / GROUP][(uint32_t)type % GROUP].direct;
    if (!p) {
        goto other;
    }
    NX_ROW("wait for a message, check type and length");
    if (!nx_has_come(p) || p->next_in->type != (uint32_t)type) {
        goto other;
    }
    bytes = p->next_in->left;
    if (bytes > SLOT_BYTES) {
        goto other;
    }
    if ((long)bytes > length) {
        goto other;
    }
    NX_ROW("copy");
    get(buffer, p->next_in->data, bytes);
    NX_ROW("note length, sender and type");
    note(bytes, p, type);
    NX_ROW("next slot, tell the sender, return");
    nx_take(p);
    return;
other:
    receive(type, buffer, length);
}
