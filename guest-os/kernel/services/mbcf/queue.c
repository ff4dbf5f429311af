/*
 * A task's queue for first messages: a ring in a frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "services/io.h"
#include "services/mbcf/signals.h"
#include "services/mbcf/keys.h"
#include "services/mbcf/queue.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "memory/space.h"

_Static_assert(MBCF_QUEUE_MAX * sizeof(struct mbcf_first) <= GLAZE_PAGE,
               "one frame");

bool queue_make(struct process *p)
{
    if (!p->mbcf->queue) {
        p->mbcf->queue = space_frame(p, FRAME_COLOUR_ANY);
    }
    return p->mbcf->queue;
}

static struct mbcf_first *at(const struct mbcf_task *t, uint32_t k)
{
    return (struct mbcf_first *)t->queue +
           (t->queue_first + k) % MBCF_QUEUE_MAX;
}

/* Returns how many messages of a job are in the queue. */
static uint32_t count_of(const struct mbcf_task *t, uint32_t gid)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < t->queue_count; k++) {
        count += at(t, k)->source.number == gid;
    }
    return count;
}

/* Returns the number of jobs that have not ended on all nodes: they may write. */
static uint32_t count_jobs(void)
{
    uint32_t count = 0;

    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        count += processes[gid] && !processes[gid]->job_gone;
    }
    return count;
}

uint32_t queue_check(const struct process *p, const struct packet *c)
{
    const struct mbcf_task *t = p->mbcf;
    uint32_t jobs = count_jobs();

    if (!t->queue) {
        return MBCF_NO_QUEUE;
    }
    if (t->queue_count == MBCF_QUEUE_MAX ||
        (packet_source(c) != p->gid &&
         count_of(t, packet_source(c)) * jobs > MBCF_QUEUE_MAX - jobs)) {
        return MBCF_FULL;
    }
    return MBCF_DONE;
}

bool queue_may_wake(const struct process *p, const struct packet *c)
{
    return packet_agent(c) || packet_key(c) == p->mbcf->page.key ||
           packet_source(c) == p->gid ||
           !count_of(p->mbcf, packet_source(c));
}

void queue_put(struct process *p, const struct packet *c)
{
    struct mbcf_first *first = at(p->mbcf, p->mbcf->queue_count++);

    memset(first, 0, sizeof(*first));
    first->source = signals_source(p, c);
    first->bytes = packet_bytes(c);
    memcpy(first->data, packet_data(c), packet_bytes(c));
    if (packet_address(c)) {
        first->cancel = keys_of_cancel(c->node, packet_address(c), ni_node(), p->gid);
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
