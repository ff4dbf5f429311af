/*
 * Dispatch of messages and chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/chores.h"
#include "policy/dispatch.h"
#include "policy/job.h"
#include "services/mbcf/arrive.h"
#include "machine/message.h"
#include "policy/overflow.h"
#include "policy/pager.h"
#include "delivery/control.h"
#include "buffer/backing.h"
#include "buffer/server.h"

static void take(uint32_t source, uint32_t operation, const uint32_t *words)
{
    switch (operation) {
    case OPERATION_OVERFLOWS ... OPERATION_RESUME:
        overflow_message(operation, words);
        chores_wait |= CHORE_OVERFLOW;
        break;
    case OPERATION_WHO ... OPERATION_MORE:
        server_message(source, operation, words);
        chores_wait |= CHORE_SERVER;
        break;
    case OPERATION_SERVES ... OPERATION_DONE:
        backing_message(operation, words);
        chores_wait |= CHORE_BACKING;
        break;
    default:
        job_message(operation, words);
        chores_wait |= CHORE_JOBS;
        break;
    }
}

void dispatch_init(void)
{
    message_init(take);
}

/*
 * Commands of MBCF may take as long as the kernel may keep a node from its network.
 * So they wait for the next entry, and come first then, if other chores have taken so
 * many cycles before.
 */
#define MBCF_AFTER      4000

static bool mbcf_comes_first;

void chores_do(void)
{
    uint64_t began = now();

    while (chores_wait && !process_doomed) {
        unsigned chores = chores_wait;

        chores_wait = 0;
        if (mbcf_comes_first && chores & CHORE_MBCF) {
            mbcf_comes_first = false;
            chores &= ~CHORE_MBCF;
            arrive_step();
        }
        if (chores & CHORE_SERVER) {
            server_step();
        }
        if (chores & CHORE_BACKING) {
            backing_step();
        }
        if (chores & CHORE_FREE) {
            process_free_part();
        }
        if (chores & CHORE_PAGER) {
            pager_step();
        }
        if (chores & CHORE_OVERFLOW) {
            overflow_step();
        }
        if (chores & CHORE_JOBS) {
            jobs_settle();
        }
        if (chores & CHORE_MBCF && now() - began < MBCF_AFTER) {
            arrive_step();
        } else if (chores & CHORE_MBCF) {
            mbcf_comes_first = true;
            chores_later(CHORE_MBCF, now());
        }
    }
}
