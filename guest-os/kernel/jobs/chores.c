/*
 * Chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "chores.h"
#include "job.h"
#include "overflow.h"
#include "pager.h"
#include "process.h"
#include "server.h"

unsigned chores_wait;

void chores_do(void)
{
    while (chores_wait && !process_reap_waits()) {
        unsigned chores = chores_wait;

        chores_wait = 0;
        if (chores & CHORE_SERVER) {
            server_step();
        }
        if (chores & CHORE_BACKING) {
            backing_step();
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
    }
}
