/*
 * Which page goes out, and who ends when none can.
 *
 * Pages of message buffers go, the newest first: it is needed last. Each
 * buffer keeps the page of its oldest message, that of its newest, and its
 * oldest body.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "evict.h"
#include "frames.h"
#include "job.h"

/* The process with the largest buffer; in memory, or in all. */
static struct process *largest(bool in_all)
{
    struct process *found = NULL;
    uint32_t most = 0;

    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        struct process *p = processes[gid];
        uint32_t pages;

        if (!p || p->state == PROCESS_ENDED) {
            continue;
        }
        pages = p->buffer_pages + (in_all ? p->buffer_pages_out : 0);
        if (pages > most) {
            found = p;
            most = pages;
        }
    }
    return found;
}

bool evict_start_of(struct process *p)
{
    uint32_t page = buffer_victim(p);

    if (!page || !backing_usable()) {
        return false;
    }
    backing_out(p, page);
    return true;
}

bool evict_start(void)
{
    struct process *p = largest(false);

    if (p && evict_start_of(p)) {
        return true;
    }
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        if (processes[gid] && processes[gid]->state != PROCESS_ENDED &&
            evict_start_of(processes[gid])) {
            return true;
        }
    }
    return false;
}

bool evict_job(struct process *p)
{
    struct process *q = largest(true);

    if (!q || q == p || q->buffer_pages + q->buffer_pages_out <= p->pages) {
        return false;
    }
    job_overflow(q);
    return true;
}

uint32_t frame_for(struct process *p)
{
    uint32_t frame;

    while (!(frame = frame_alloc())) {
        backing_wait();
        if (frames_free() || evict_start()) {
            backing_wait();
        } else if (!evict_job(p) || current->state == PROCESS_ENDED) {
            return 0;
        }
    }
    return frame;
}
