/*
 * A task's queue for first messages: a ring in a frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "io/io.h"
#include "mbcf/commands/signals.h"
#include "mbcf/keys.h"
#include "mbcf/queue.h"
#include "ni.h"
#include "space/space.h"

_Static_assert(MBCF_QUEUE_MAX * sizeof(struct mbcf_first) <= GLAZE_PAGE,
               "one frame");

bool queue_make(struct process *p)
{
    if (!p->mbcf->queue) {
        p->mbcf->queue = space_frame(p);
    }
    return p->mbcf->queue;
}

static struct mbcf_first *at(const struct mbcf_task *t, uint32_t k)
{
    return (struct mbcf_first *)t->queue +
           (t->queue_first + k) % MBCF_QUEUE_MAX;
}

uint32_t queue_check(const struct mbcf_task *t)
{
    if (!t->queue) {
        return MBCF_NO_QUEUE;
    }
    return t->queue_count < MBCF_QUEUE_MAX ? MBCF_DONE : MBCF_FULL;
}

void queue_put(struct process *p, const struct packet *c)
{
    struct mbcf_first *first = at(p->mbcf, p->mbcf->queue_count++);

    memset(first, 0, sizeof(*first));
    first->source = signals_source(p, c);
    first->bytes = packet_bytes(c);
    memcpy(first->data, packet_data(c), packet_bytes(c));
    if (c->word[5]) {
        first->cancel = keys_of_cancel(c->node, c->word[5], ni_node(), p->gid);
    }
}

int32_t queue_take(uint32_t to)
{
    struct mbcf_task *t = current->mbcf;
    enum memory_result result;

    if (!t->queue) {
        return -EPERM;
    }
    if (!t->queue_count) {
        return -EAGAIN;
    }
    result = memory_write(current, to, at(t, 0), sizeof(struct mbcf_first));
    if (result == MEMORY_OK) {
        t->queue_first++;
        t->queue_count--;
    }
    return io_error(result);
}
