/*
 * System calls of the scheduler's server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stddef.h>

#include "machine/hardware.h"
#include "machine/ni.h"
#include "services/io.h"
#include "policy/job_begin.h"
#include "policy/plan.h"
#include "policy/policy.h"
#include "machine/process.h"
#include "policy/sched_server.h"
#include "policy/timeslot.h"
#include "policy/turns.h"
#include "delivery/wait.h"

static bool is_server(void)
{
    return current->gid == GID_SERVER;
}

int32_t policy_schedule(const uint32_t *a)
{
    const uint32_t head = offsetof(struct glaze_table, slot);
    struct glaze_table table;
    enum memory_result result;

    if (!is_server()) {
        return -EPERM;
    }
    result = memory_read(current, &table, a[0], head);
    if (result == MEMORY_OK && table.count <= GLAZE_SLOTS_MAX) {
        result = memory_read(current, table.slot, a[0] + head,
                             table.count * sizeof(table.slot[0]));
    }
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!turns_install(&table)) {
        return -EINVAL;
    }
    timeslot_anew();
    return 0;
}

/* Returns a process with events that are in the mask; NULL: there is none. */
static struct process *with_event(uint32_t mask)
{
    for (unsigned gid = 1; gid <= processes_last; gid++) {
        if (processes[gid] && processes[gid]->events & mask) {
            return processes[gid];
        }
    }
    return NULL;
}

static int32_t tell(struct process *p, uint32_t mask, uint32_t address)
{
    struct glaze_event event = {
        .gid = p->gid,
        .events = p->events & mask,
        .can_run = process_can_run(p),
    };
    enum memory_result result = memory_write(current, address, &event,
                                             sizeof(event));

    if (result == MEMORY_OK) {
        p->events &= ~mask;
        return 1;
    }
    return io_error(result);
}

int32_t policy_event(const uint32_t *a)
{
    uint64_t until = (uint64_t)a[2] << 32 | a[3];
    struct process *p;

    if (!is_server()) {
        return -EPERM;
    }
    process_watch(a[0]);
    p = with_event(a[0]);
    if (p) {
        return tell(p, a[0], a[1]);
    }
    if (!plan_new() && now() < until && wait_for_upcall()) {
        sched_server_deadline = until;
    }
    return 0;
}

int32_t policy_job(const uint32_t *a)
{
    struct glaze_job job = { 0 };
    int32_t error;

    if (!is_server()) {
        return -EPERM;
    }
    error = job_describe(a[0], &job);
    return error ? error : io_error(memory_write(current, a[1], &job,
                                                 sizeof(job)));
}

int32_t policy_start(const uint32_t *a)
{
    return is_server() ? job_start(a[0]) : -EPERM;
}

int32_t policy_announce(const uint32_t *a)
{
    struct glaze_plan plan;
    enum memory_result result;

    if (!is_server()) {
        return -EPERM;
    }
    if (ni_node()) {
        return -EINVAL;
    }
    result = memory_read(current, &plan, a[0], sizeof(plan));
    if (result == MEMORY_OK) {
        plan_announce(&plan);
    }
    return io_error(result);
}

int32_t policy_plan(const uint32_t *a)
{
    const struct glaze_plan *plan = plan_new();
    enum memory_result result;

    if (!is_server()) {
        return -EPERM;
    }
    if (!plan) {
        return 0;
    }
    result = memory_write(current, a[0], plan, sizeof(*plan));
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    plan_taken();
    return 1;
}
