/*
 * Which page goes out, and who ends when none can.
 *
 * Pages of message buffers go, the newest first: it is needed last. Each
 * buffer keeps the page of its oldest message, that of its newest, and its
 * oldest body. If no buffer has more, pages of data, heap and stacks go, of
 * processes that do not run: in turn, and while nobody runs, so that nobody
 * writes to them on the way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "evict.h"
#include "frames.h"
#include "job.h"
#include "space.h"

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

static bool evict_other_of(struct process *p)
{
    uint32_t page = space_next_page(p, p->evict_from);

    page = page ? page : space_next_page(p, GLAZE_PROGRAM);
    if (!page || !backing_usable()) {
        return false;
    }
    p->evict_from = page + GLAZE_PAGE;
    backing_out(p, page);
    backing_wait();
    return true;
}

/* The first process, from the one behind the last one on, that it works for. */
static bool any(bool evict(struct process *))
{
    static unsigned last;

    for (unsigned i = 1; i <= JOBS_MAX; i++) {
        unsigned gid = (last + i - 1) % JOBS_MAX + 1;
        struct process *p = processes[gid];

        if (p && p->state != PROCESS_ENDED &&
            (p != current || evict == evict_start_of) && evict(p)) {
            last = gid;
            return true;
        }
    }
    return false;
}

bool evict_start(void)
{
    struct process *p = largest(false);

    return (p && evict_start_of(p)) || any(evict_start_of) ||
           any(evict_other_of);
}

static uint32_t all_pages(const struct process *p)
{
    return p->pages + p->pages_out + p->table_frames;
}

static struct process *holds_most(void)
{
    struct process *found = NULL;

    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        struct process *p = processes[gid];

        if (p && p->state != PROCESS_ENDED &&
            (!found || all_pages(p) > all_pages(found))) {
            found = p;
        }
    }
    return found;
}

/*
 * Buffers are to blame first, since nobody asks for them: one that is larger
 * than all that p has. If p is not mostly buffer itself, it is then whoever
 * holds most; so nobody ends for others that has no more than its share.
 */
bool evict_job(struct process *p)
{
    struct process *q = largest(true);
    uint32_t buffer = q ? q->buffer_pages + q->buffer_pages_out : 0;

    if (q == p && buffer * 2 > all_pages(p)) {
        return false;
    }
    if (!q || q == p || buffer <= p->pages) {
        q = holds_most();
    }
    if (!q || q == p) {
        return false;
    }
    job_overflow(q);
    return true;
}

uint32_t frame_for(struct process *p)
{
    uint32_t frame;

    while (!(frame = frame_alloc())) {
        if (p->state == PROCESS_NONE) {
            return 0;           /* it is being made: nobody ends for it */
        }
        backing_wait();
        if (frames_free() || evict_start()) {
            backing_wait();
        } else if (current->state == PROCESS_ENDED || !evict_job(p) ||
                   current->state == PROCESS_ENDED) {
            return 0;           /* now, or never */
        }
    }
    return frame;
}
