/*
 * Dispatch of messages and chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
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

void chores_do(void)
{
    while (chores_wait && !process_doomed) {
        unsigned chores = chores_wait;

        chores_wait = 0;
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
        if (chores & CHORE_MBCF) {
            arrive_step();
        }
    }
}
