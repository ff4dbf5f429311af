/*
 * Processes that wait for an upcall.
 *
 * tests/model/waits is a model of this: each source is looked at here, and each
 * wakes a process that waits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/buffer.h"
#include "delivery/fault.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "delivery/wait.h"

static bool alarm_is_due(const struct process *p)
{
    return process_upcall(p)->alarm.entry &&
           (p->rights & RIGHTS_DUE ||
            (p->rights & RIGHTS_ALARM && now() >= p->alarm));
}

static bool signal_is_due(const struct process *p)
{
    return p->rights & RIGHTS_SIGNAL && process_upcall(p)->signal.entry;
}

bool wait_for_upcall(void)
{
    const struct process *p = current;
    bool handlers = !fault_is_all(p) &&
                    (!buffer_is_empty(p) || alarm_is_due(p) ||
                     signal_is_due(p));

    if (handlers || fault_arrived(p) || ni_user_has_message()) {
        return false;
    }
    process_wait();
    return true;
}
