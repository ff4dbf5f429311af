/*
 * Chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "chores.h"
#include "job.h"
#include "overflow.h"
#include "pager.h"
#include "process.h"
#include "server.h"

bool chores_wait;

void chores_do(void)
{
    while (chores_wait && !process_reap_waits()) {
        chores_wait = false;
        server_step();
        pager_step();
        overflow_step();
        jobs_settle();
    }
}
