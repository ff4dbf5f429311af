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
    if (!m->stopping || time < m->stop_time) {
        m->stopping = true;
        m->stop_time = time;
        m->stop_status = status;
    }
}

bool fugu_machine_can_be_saved(const FuguMachineState *m, Error **errp)
{
    if (m->processes > 1) {
        error_setg(errp, "a machine of %u processes cannot be saved or "
                   "loaded: snapshots are of one process", m->processes);
        return false;
    }
    return true;
}
