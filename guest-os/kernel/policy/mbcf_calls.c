/*
 * The system call of MBCF: a function for each operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "services/io.h"
#include "services/mbcf/agents.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/keys.h"
#include "services/mbcf/patterns.h"
#include "services/mbcf/signals.h"
#include "services/mbcf/queue.h"
#include "services/mbcf/requests.h"
#include "policy/mbcf_calls.h"
#include "services/mbcf/task.h"
#include "machine/kind.h"
#include "machine/ni.h"
#include "delivery/wait.h"
#include "memory/memory.h"

/* Returns the result of a call that has found no frame. */
static int32_t wait_for_frame(void)
{
    return io_error(memory_wait_for_frame(current, GLAZE_MBCF_PAGE));
}

static int32_t call_open(const uint32_t *a)
{
    (void)a;
    if (!keys_init()) {
        return IO_AGAIN;
    }
    return task_open(current) ? 0 : wait_for_frame();
}

static int32_t call_request(const uint32_t *a)
{
    return requests_make(a[1], a[2]);
}

static int32_t call_enter(const uint32_t *a)
{
    struct mbcf_entry entry;
    enum memory_result result;

    if (a[2] >= MBCF_ENTRIES) {
        return -EINVAL;
    }
    result = memory_read(current, &entry, a[1], sizeof(entry));
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (entry.node >= ni_nodes() || entry.task > 0xffff) {
        return -EINVAL;
    }
    current->mbcf->entry[a[2]] = entry;
    return 0;
}

static int32_t call_agent(const uint32_t *a)
{
    struct mbcf_agent agent;
    enum memory_result result = memory_read(current, &agent, a[1],
                                            sizeof(agent));

    /* The result has to find its place before anything changes. */
    if (result == MEMORY_OK) {
        result = memory_write(current, a[1], &agent, sizeof(agent));
    }
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!agents_make(current->mbcf, a[2], &agent)) {
        return -EINVAL;
    }
    return io_error(memory_write(current, a[1], &agent, sizeof(agent)));
}

static int32_t call_wait(const uint32_t *a)
{
    if (current->mbcf->page.wakes == a[1]) {
        wait_for_upcall();
    }
    return 0;
}

/* Brings what was invoked while the process took no signals. */
static int32_t call_signals(const uint32_t *a)
{
    (void)a;
    if (current->mbcf->invocations) {
        current->rights |= RIGHTS_SIGNAL;
    }
    return 0;
}

static int32_t call_take(const uint32_t *a)
{
    return fifo_take(a[1], a[2], a[3]);
}

static int32_t call_next(const uint32_t *a)
{
    return signals_next(a[1], a[2]);
}

static int32_t call_queue(const uint32_t *a)
{
    (void)a;
    return queue_make(current) ? 0 : wait_for_frame();
}

static int32_t call_pattern(const uint32_t *a)
{
    struct mbcf_pattern pattern;
    enum memory_result result = memory_read(current, &pattern, a[1],
                                            sizeof(pattern));
    int32_t set;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    set = patterns_set(current, &pattern);
    return set == -ENOMEM ? wait_for_frame() : set;
}

static int32_t call_read_queue(const uint32_t *a)
{
    return queue_take(a[1]);
}

static bool has_short_way(uint32_t operation)
{
    return operation == MBCF_REQUEST || operation == MBCF_TAKE ||
           operation == MBCF_NEXT;
}

int32_t services_call(const uint32_t *a)
{
    static int32_t (*const operations[MBCF_OPERATIONS])(const uint32_t *) = {
        [MBCF_OPEN] = call_open,
        [MBCF_REQUEST] = call_request,
        [MBCF_ENTER] = call_enter,
        [MBCF_AGENT] = call_agent,
        [MBCF_WAIT] = call_wait,
        [MBCF_TAKE] = call_take,
        [MBCF_NEXT] = call_next,
        [MBCF_QUEUE] = call_queue,
        [MBCF_READ_QUEUE] = call_read_queue,
        [MBCF_PATTERN] = call_pattern,
        [MBCF_SIGNALS] = call_signals,
    };

    if (!current->mbcf && !kind->messages) {
        return -ENOSYS;
    }
    if (a[0] >= MBCF_OPERATIONS) {
        return -EINVAL;
    }
    if (!current->mbcf && a[0] != MBCF_OPEN) {
        return -EPERM;
    }
    if (current->mbcf) {
        current->mbcf->page.long_calls += has_short_way(a[0]);
    }
    return operations[a[0]](a);
}
