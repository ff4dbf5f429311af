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

static void free_part(void)
{
    process_free_part();
}

static const struct {
    enum chore chore;
    void (*step)(void);
} steps[] = {
    { CHORE_SERVER, server_step },
    { CHORE_BACKING, backing_step },
    { CHORE_FREE, free_part },
    { CHORE_PAGER, pager_step },
    { CHORE_OVERFLOW, overflow_step },
    { CHORE_JOBS, jobs_settle },
    { CHORE_MBCF, arrive_step },
};

#define STEPS   (sizeof(steps) / sizeof(steps[0]))

/* Chores that have taken so many cycles, or more by one step, let a process go on. */
#define CHORES_MOST     8000

/*
 * A step of these may take long: it clears frames, or searches for pages. A command of
 * MBCF may take nearly as long as the kernel may keep a node from its network. So they
 * begin before so many cycles of the chores are over, or in the next entry into the
 * kernel.
 */
#define LONG_STEPS      (CHORE_PAGER | CHORE_FREE | CHORE_OVERFLOW)
#define LONG_AFTER      6000
#define MBCF_AFTER      2500

static uint64_t end;            /* of the chores' time; 0: it has not begun */
static uint32_t most;           /* cycles of this time */

void chores_begin(void)
{
    end = 0;
    most = chores_spent < CHORES_MOST ? CHORES_MOST - chores_spent : 0;
    chores_owed = chores_owed && chores_spent;
    chores_spent = 0;
}

/* Returns until when the step of a chore may begin. */
static uint64_t last_begin(enum chore chore)
{
    return chore == CHORE_MBCF ? end - CHORES_MOST + MBCF_AFTER
         : chore & LONG_STEPS  ? end - CHORES_MOST + LONG_AFTER : end;
}

/*
 * In a ring, from where the last call has stopped because its time was over: so each
 * chore has its turn.
 */
void chores_do(void)
{
    static unsigned next;

    if (!end) {
        end = now() + most;
    }
    for (unsigned k = next; chores_wait && !process_doomed;
         k = k == STEPS - 1 ? 0 : k + 1) {
        if (!(chores_wait & steps[k].chore)) {
            continue;
        }
        if (now() >= last_begin(steps[k].chore)) {
            chores_later(chores_wait, now());
            chores_wait = 0;
            chores_owed = most < CHORES_MOST;
            next = k;
            return;
        }
        chores_wait &= ~steps[k].chore;
        steps[k].step();
    }
    next = 0;
}
