/*
 * The system call of the M-Machine's messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "glaze-mm.h"
#include "machine/kind.h"
#include "delivery/wait.h"
#include "machine/process.h"
#include "policy/mm_calls.h"
#include "services/mm/guard.h"
#include "services/mm/segments.h"

static int32_t call_wait(const uint32_t *a)
{
    int32_t result = guard_look(a[1], a[2]);

    if (result == 1) {
        wait_for_upcall();
        return 0;
    }
    return result;
}

int32_t mm_call(const uint32_t *a)
{
    if (kind->number != FUGU_NETIF_M_MACHINE) {
        return -ENOSYS;
    }
    if (current->gid == GID_SERVER) {
        return -EPERM;
    }
    switch (a[0]) {
    case MM_SHARE:
        return segments_share(a[1]);
    case MM_UNSHARE:
        return segments_end(a[1]);
    case MM_WAIT:
        return call_wait(a);
    default:
        return -EINVAL;
    }
}
