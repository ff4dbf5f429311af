/*
 * The variables in which files note chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "machine/chores.h"

unsigned chores_wait;
uint64_t chores_at = GLAZE_NEVER;
bool chores_set;

unsigned chores_then;
bool chores_owed;

void chores_later(unsigned chores, uint64_t time)
{
    chores_then |= chores;
    if (time < chores_at) {
        chores_at = time;
        chores_set = true;
    }
}
