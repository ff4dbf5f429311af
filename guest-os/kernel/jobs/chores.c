/*
 * The variable in which files note chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "jobs/chores.h"

unsigned chores_wait;
