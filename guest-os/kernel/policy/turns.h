/*
 * Turns: tables of slots, which say whose turn it is by the node's clock.
 *
 * The scheduler's server installs tables (GLAZE_SCHEDULE). Without a server,
 * the kernel goes by a table of its own: one slot of `timeslice` cycles for
 * each job that has not ended on all nodes. So all nodes then have the same
 * slots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_TURNS_H
#define GLAZE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"
#include "machine/gids.h"

/* The GIDs that have a slot with GLAZE_SLOT_GANG in the table in force: their processes
 * run in their slots alone. */
extern struct gids turns_gang;

struct turn {
    unsigned gid;               /* GID_NONE: no process has this time */
    uint64_t end;               /* by the node's clock */
};

/*
 * Begins the turn for the time `t`, which must not be before that of the last
 * call. That is a slot of the table, or the time between two slots. But if the
 * kernel has been busy for longer than a slot, a process that can run and whose
 * slot has passed in the meantime gets a short turn first. With `anew`, nothing
 * has been missed: the node was idle.
 */
struct turn turns_begin(uint64_t t, bool anew);

/*
 * Installs a table. Returns false, and changes nothing, if the table is wrong
 * (docs/scheduler.md).
 */
bool turns_install(const struct glaze_table *table);

/*
 * The jobs have changed, or the server has ended. Makes the kernel's own table
 * if that one is in force; otherwise applies the server's to processes that have
 * begun.
 */
void turns_jobs_changed(void);

#endif /* GLAZE_TURNS_H */
