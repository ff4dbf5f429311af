/*
 * Threads that send: one with main()'s priority, one with a higher priority.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "stress.h"

static struct worker {
    udm_thread_t *thread;
    uint32_t plan, messages;
    volatile bool done;
} workers[WORKERS];

static void *worker_run(void *argument)
{
    struct worker *w = argument;
    enum stream stream = STREAM_WORKERS + (w - workers);

    for (uint32_t i = 0; i < w->messages; i++) {
        w->plan = next_random(w->plan);
        switch (chance(8)) {
        case 0: case 1:
            udm_thread_block();
            break;
        case 2:
            udm_thread_yield();
            break;
        case 3: case 4:
            do_something();
            break;
        case 5:
            section_open();
            do_yields();
            section_close();
            break;
        }
        message_send((w->plan >> 16) * udm_nodes() >> 16, stream);
    }
    w->done = true;
    return w;
}

void workers_start(uint32_t seed, uint32_t messages)
{
    for (unsigned i = 0; i < WORKERS; i++) {
        struct worker *w = &workers[i];

        w->messages = messages;
        w->plan = random_start(seed, 0x10000 | udm_node(),
                               STREAM_WORKERS + i);
        w->thread = udm_thread_create(worker_run, w,
                                      i ? UDM_HIGH : UDM_NORMAL);
        CHECK(w->thread);
    }
}

/* Wakes all workers that have not ended, whether they are blocked or not. */
void workers_wake(void)
{
    for (unsigned i = 0; i < WORKERS; i++) {
        if (workers[i].thread && !workers[i].done) {
            udm_thread_wake(workers[i].thread);
        }
    }
}

void workers_join(void)
{
    for (unsigned i = 0; i < WORKERS; i++) {
        while (!workers[i].done) {
            workers_wake();
            udm_thread_yield();
            progress_check();
        }
        CHECK(udm_thread_join(workers[i].thread) == &workers[i]);
    }
}
