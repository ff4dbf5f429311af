/*
 * Chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "chores.h"
#include "job.h"
#include "overflow.h"
#include "server.h"

bool chores_wait;

void chores_do(void)
{
    while (chores_wait) {
        chores_wait = false;
        jobs_settle();
        server_step();
        backing_step();
        overflow_step();
    }
}
