/*
 * The machine: what its parts ask of it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/fugu/machine/machine.h"

void fugu_machine_stop(FuguMachineState *m, uint32_t status, int64_t time)
{
    if (!m->time.stopping || time < m->time.stop_time) {
        m->time.stopping = true;
        m->time.stop_time = time;
        m->time.stop_status = status;
    }
}

bool fugu_machine_can_be_saved(const FuguMachineState *m, Error **errp)
{
    if (m->options.processes > 1) {
        error_setg(errp, "a machine of %u processes cannot be saved or "
                   "loaded: snapshots are of one process",
                   m->options.processes);
        return false;
    }
    return true;
}
