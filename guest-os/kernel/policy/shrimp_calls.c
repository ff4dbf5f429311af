/*
 * The system call of maps over the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "buffer/end.h"
#include "delivery/control.h"
#include "delivery/wait.h"
#include "memory/memory.h"
#include "policy/shrimp_calls.h"
#include "services/io.h"
#include "services/shrimp/exports.h"
#include "services/shrimp/source.h"
#include "services/shrimp/maps.h"
#include "services/shrimp/waits.h"

static int32_t call_export(const uint32_t *a)
{
    return exports_make(a[1], a[2]);
}

static int32_t call_unexport(const uint32_t *a)
{
    return exports_end(a[1]);
}

static int32_t call_map(const uint32_t *a)
{
    return source_map(a[1]);
}

static int32_t call_unmap(const uint32_t *a)
{
    return source_unmap(a[1]);
}

static int32_t call_fence(const uint32_t *a)
{
    return waits_fence(a[1]);
}

static int32_t call_wait(const uint32_t *a)
{
    int32_t result = waits_look(a[1], a[2]);

    if (result == 1) {
        wait_for_upcall();
        current->waits_for = SHRIMP_WAITS_UPDATE;
        return 0;
    }
    return result;
}

int32_t shrimp_call(const uint32_t *a)
{
    static int32_t (*const operations[SHRIMP_OPERATIONS])(const uint32_t *) = {
        [SHRIMP_EXPORT] = call_export,
        [SHRIMP_UNEXPORT] = call_unexport,
        [SHRIMP_MAP] = call_map,
        [SHRIMP_UNMAP] = call_unmap,
        [SHRIMP_FENCE] = call_fence,
        [SHRIMP_WAIT] = call_wait,
    };

    if (!shrimp) {
        return -ENOSYS;
    }
    if (a[0] >= SHRIMP_OPERATIONS) {
        return -EINVAL;
    }
    if (current->gid == GID_SERVER) {
        return -EPERM;
    }
    if (!maps_open(current)) {
        return io_error(memory_wait_for_frame(current, GLAZE_INFO));
    }
    return operations[a[0]](a);
}

void shrimp_step(void)
{
    struct process *p;

    maps_step();
    while ((p = maps_take_ended())) {
        process_end_goes_on(p);
        job_tell_ended(p, p->status);
    }
}
