/*
 * Dispatch of messages and chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "policy/dispatch.h"
#include "policy/job.h"
#include "services/mbcf/aside.h"
#include "services/shrimp/maps.h"
#include "policy/shrimp_calls.h"
#include "machine/message.h"
#include "policy/overflow.h"
#include "policy/plan.h"
#include "policy/pager.h"
#include "delivery/control.h"
#include "buffer/backing.h"
#include "buffer/server.h"
#include "memory/pieces.h"

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
    case OPERATION_PLAN:
        plan_message(words);
        chores_wait |= CHORE_PLAN;
        break;
    case OPERATION_MAP_ASK ... OPERATION_MAP_SHOT:
        maps_message(source, operation, words);
        break;
    default:
        job_message(operation, words);
        chores_wait |= CHORE_JOBS;
        break;
    }
}

/* About as many cycles as the way from C to pieces_quick() and back takes. */
#define WAY_OF_LOOK     150

/*
 * pieces_quick() charges this time to the process that pays for the piece, so it is no
 * part of other work for pages. The process that pays for the first piece after an
 * interrupt also pays for the way here, and for the rest of this entry into the kernel
 * that no other work accounts for.
 */
static bool take_quick(void)
{
    uint64_t t = debts_arrived ? debts_work_began : now() - WAY_OF_LOOK;

    if (!pieces_quick(PIECES_FROM_C, t)) {
        return false;
    }
    debts_other_work(now() - t);
    if (debts_arrived) {
        debts_arrived = false;
        debts_work_for(pieces_payer);
    }
    return true;
}

void dispatch_init(void)
{
    message_init(take, take_quick);
}

static void free_part(void)
{
    process_free_part(false);
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
    { CHORE_PAGER, pager_step, 13500 },
    { CHORE_PAGER_ON, pager_goes_on, 13500 },
    { CHORE_OVERFLOW, overflow_step, 8000 },
    { CHORE_JOBS, jobs_settle, 5000 },
    { CHORE_MBCF, aside_step, 14000 },
    { CHORE_MBCF_ON, aside_goes_on, 14000 },
    { CHORE_PLAN, plan_step, 2000 },
    { CHORE_SHRIMP, shrimp_step, 14000 },
};

#define STEPS   (sizeof(steps) / sizeof(steps[0]))

/* Chores that have taken so many cycles, or more by one step, let a process go on. */
#define CHORES_MOST     8000

/* Cycles after which an entry into the kernel has done other work before chores. */
#define OTHER_WORK      2000

static bool begun;              /* chores have begun in this entry */
static uint32_t began;          /* when: the low word of now() */
static bool other_work;         /* came before them */

bool chores_begin(void)
{
    bool owed = chores_owed;

    begun = false;
    chores_owed = false;
    return owed;
}

/* Returns whether a step may begin at time t, which is now. */
static inline bool may_begin(unsigned k, uint32_t t)
{
    static unsigned put_off[STEPS];

    return kernel_begins(t - began < CHORES_MOST &&
                         kernel_has_time(t, steps[k].cycles), &put_off[k]);
}

/*
 * In a ring, from the first chore for which the last call had no time: so each chore
 * has its turn.
 */
void chores_do(void)
{
    static unsigned next;
    unsigned later = 0;
    uint32_t t = now();

    if (!begun) {
        begun = true;
        began = t;
        other_work = t - kernel_since > OTHER_WORK;
    }
    for (unsigned k = next; chores_wait && !process_doomed;
         k = k == STEPS - 1 ? 0 : k + 1) {
        unsigned chore = chores_wait & steps[k].chore;

        chores_wait &= ~chore;
        if (chore && !may_begin(k, t)) {
            next = later ? next : k;
            later |= chore;
        } else if (chore) {
            debts_chore(steps[k].chore & CHORES_PAGING);
            steps[k].step();
            t = now();
        }
    }
    ni_set_gid(current->gid);   /* no message that comes next pays for this */
    if (later) {
        chores_later(later, now());
        chores_owed |= other_work;
    } else {
        next = 0;
    }
}
