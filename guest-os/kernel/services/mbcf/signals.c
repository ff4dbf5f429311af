/*
 * Signals.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "services/io.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/signals.h"
#include "machine/ni.h"

#define RUNNING offsetof(struct mbcf_signal, running)

struct mbcf_source signals_source(const struct process *p,
                                  const struct packet *c)
{
    const struct mbcf_task *t = p->mbcf;
    struct mbcf_source source = {
        UINT32_MAX, c->node, packet_source(c),
    };

    if (packet_source(c) == p->gid) {
        source.task = c->node;
        return source;
    }
    for (unsigned k = 0; k < MBCF_ENTRIES; k++) {
        if (t->entry[k].task == source.number &&
            t->entry[k].node == c->node) {
            source.task = ni_nodes() + k;
        }
    }
    return source;
}

/* Returns the bytes that go before the command's own. */
static uint32_t before(const struct mbcf_signal *s)
{
    return s->store & MBCF_STORE_SOURCE ? sizeof(struct mbcf_source) : 0;
}

/* Returns whether a command invokes a program now. */
static bool invokes(const struct mbcf_signal *s)
{
    return !s->running || s->during == MBCF_WHILE_INVOKE;
}

static uint32_t check_store(struct process *p, const struct packet *c,
                            const struct mbcf_signal *s)
{
    uint32_t bytes = before(s) + packet_bytes(c);

    switch (s->store & ~MBCF_STORE_SOURCE) {
    case MBCF_STORE_BUFFER:
        if (bytes > s->size) {
            return MBCF_FULL;
        }
        return bytes ? reach_check(p, packet_agent(c), s->to, bytes,
                                   REACH_POINTED) : MBCF_DONE;
    case MBCF_STORE_FIFO:
        return fifo_check(p, packet_agent(c), s->to, bytes, MBCF_SIGNAL,
                          0);
    default:
        return MBCF_DONE;
    }
}

uint32_t signals_check(struct process *p, const struct packet *c)
{
    struct mbcf_signal s;
    uint32_t status;

    if (packet_address(c) & 3) {
        return MBCF_UNALIGNED;
    }
    status = reach_check(p, packet_agent(c), packet_address(c), sizeof(s),
                         REACH_STRUCTURE);
    if (status != MBCF_DONE) {
        return status;
    }
    reach_load(p, &s, packet_address(c), sizeof(s));
    if (!signals_make_sense(&s)) {
        return MBCF_BAD_STRUCTURE;
    }
    if (packet_agent(c) && s.invoke == MBCF_INVOKE_SOURCE) {
        return MBCF_NO_RIGHT;
    }
    if (s.running && s.during == MBCF_WHILE_REFUSE) {
        return MBCF_RUNNING;
    }
    if (invokes(&s) && p->mbcf->invocations == MBCF_INVOCATIONS) {
        return MBCF_FULL;
    }
    return check_store(p, c, &s);
}

static void store(struct process *p, const struct packet *c,
                  const struct mbcf_signal *s)
{
    struct mbcf_source source = signals_source(p, c);

    switch (s->store & ~MBCF_STORE_SOURCE) {
    case MBCF_STORE_BUFFER:
        reach_store(p, s->to, &source, before(s));
        reach_store(p, s->to + before(s) + c->body_done,
                    (const char *)packet_data(c) + c->body_done,
                    packet_bytes(c) - c->body_done);
        break;
    case MBCF_STORE_FIFO:
        fifo_put(p, MBCF_SIGNAL, s->to, &source, before(s), packet_data(c),
                 packet_bytes(c), c->body_done);
        break;
    }
}

uint32_t signals_target(struct process *p, const struct packet *c)
{
    struct mbcf_signal s;

    reach_load(p, &s, packet_address(c), sizeof(s));
    switch (s.store & ~MBCF_STORE_SOURCE) {
    case MBCF_STORE_BUFFER:
        return s.to + before(&s);
    case MBCF_STORE_FIFO:
        return fifo_end(p, s.to);
    default:
        return 0;
    }
}

void signals_part(struct process *p, const struct packet *c, uint32_t bytes)
{
    const char *from = (const char *)packet_data(c) + c->body_done;
    struct mbcf_signal s;

    reach_load(p, &s, packet_address(c), sizeof(s));
    switch (s.store & ~MBCF_STORE_SOURCE) {
    case MBCF_STORE_BUFFER:
        reach_store(p, s.to + before(&s) + c->body_done, from, bytes);
        break;
    case MBCF_STORE_FIFO:
        fifo_part(p, s.to, before(&s) + c->body_done, from, bytes);
        break;
    }
}

/* Notes an invocation. The task runs it when it runs next (rights.c). */
static void invoke(struct process *p, const struct packet *c,
                   struct mbcf_signal *s)
{
    const uint32_t programs[] = {
        [MBCF_INVOKE_SCHEDULER] = 0,
        [MBCF_INVOKE_TARGET] = s->program,
        [MBCF_INVOKE_SOURCE] = c->word[PACKET_DATA],
        [MBCF_INVOKE_CLIENT] = c->word[PACKET_DATA],
    };
    struct mbcf_task *t = p->mbcf;

    t->invocation[t->invocations++] = (struct mbcf_invocation) {
        programs[s->invoke], packet_address(c),
    };
    s->running++;
    reach_store(p, packet_address(c) + RUNNING, &s->running, sizeof(s->running));
    p->rights |= RIGHTS_SIGNAL;
    process_wake(p);
}

void signals_do(struct process *p, const struct packet *c)
{
    struct mbcf_signal s;

    reach_load(p, &s, packet_address(c), sizeof(s));
    store(p, c, &s);
    if (invokes(&s)) {
        invoke(p, c, &s);
    }
}

int32_t signals_next(uint32_t to, uint32_t ended)
{
    struct mbcf_task *t = current->mbcf;
    enum memory_result result = MEMORY_OK;
    uint32_t running = 0;

    if (ended) {
        result = memory_read(current, &running, ended + RUNNING,
                             sizeof(running));
    }
    if (result == MEMORY_OK && t->invocations) {
        result = memory_write(current, to, &t->invocation[0],
                              sizeof(t->invocation[0]));
    }
    if (result == MEMORY_OK && running) {
        running--;
        result = memory_write(current, ended + RUNNING, &running,
                              sizeof(running));
    }
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!t->invocations) {
        return 0;
    }
    t->invocations--;
    for (uint32_t k = 0; k < t->invocations; k++) {
        t->invocation[k] = t->invocation[k + 1];
    }
    return 1;
}
