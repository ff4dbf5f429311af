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

/*
 * The steps, with about the most cycles that one takes. The parts into which they cut
 * their work decide that: the search for a page (evict.c, buffer.c), a cleared frame,
 * the memory of an ended process (process_free_part()), a command of MBCF.
 */
static const struct {
    enum chore chore;
    void (*step)(void);
    uint32_t cycles;
} steps[] = {
    { CHORE_SERVER, server_step, 4000 },
    { CHORE_BACKING, backing_step, 4000 },
    { CHORE_FREE, free_part, 8000 },
    { CHORE_PAGER, pager_step, 9000 },
    { CHORE_OVERFLOW, overflow_step, 8000 },
    { CHORE_JOBS, jobs_settle, 5000 },
    { CHORE_MBCF, arrive_step, 8000 },
};

#define STEPS   (sizeof(steps) / sizeof(steps[0]))

/* Chores that have taken so many cycles, or more by one step, let a process go on. */
#define CHORES_MOST     8000

/*
 * While the kernel works, the node serves neither network nor clock. Of the 20,000
 * cycles that docs/glaze.md allows an entry into the kernel ("What a job can cost
 * another"), 4,000 are for the way in and the way back. The rest is for commands of
 * MBCF, a page filled, and chores: a step begins only if it can end in time. Each step
 * can in an entry that has filled a page; with less time a page would wait for several
 * entries.
 */
#define ENTRY_MOST      16000

static uint64_t begun;          /* chores_time(); 0: not in this entry */
static uint32_t spent;          /* cycles of the entry's commands before that */

void chores_begin(void)
{
    begun = 0;
    spent = chores_spent;
    chores_spent = 0;
    chores_owed = chores_owed && spent;
}

void chores_time(void)
{
    begun = begun ? begun : now();
}

/* Returns whether a step that takes so many cycles may begin in this entry. */
static bool has_time(uint32_t cycles)
{
    uint32_t used = now() - begun + spent;

    return used < CHORES_MOST && used + cycles <= ENTRY_MOST;
}

/*
 * In a ring, from where the last call has stopped because its time was over: so each
 * chore has its turn.
 */
void chores_do(void)
{
    static unsigned next;

    for (unsigned k = next; chores_wait && !process_doomed;
         k = k == STEPS - 1 ? 0 : k + 1) {
        if (!(chores_wait & steps[k].chore)) {
            continue;
        }
        if (!has_time(steps[k].cycles)) {
            chores_later(chores_wait, now());
            chores_wait = 0;
            chores_owed = spent;
            next = k;
            return;
        }
        chores_wait &= ~steps[k].chore;
        steps[k].step();
    }
    next = 0;
}
