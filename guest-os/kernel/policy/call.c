/*
 * System calls: one function for each, and the table of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "buffer/buffer.h"
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "delivery/upcall.h"
#include "machine/directory.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "services/files.h"
#include "services/io.h"
#include "services/mm/segments.h"
#include "services/shrimp/maps.h"
#include "services/shrimp/pages.h"
#include "machine/pending.h"
#include "policy/call.h"
#include "buffer/end.h"
#include "policy/policy.h"
#include "policy/mbcf_calls.h"
#include "policy/shrimp_calls.h"
#include "policy/mm_calls.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/print.h"
#include "delivery/fpu.h"
#include "policy/schedule.h"
#include "delivery/wait.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "buffer/backing.h"
#include "memory/slots.h"

/*
 * The most bytes of one call, so that no call keeps the kernel busy for long.
 */
#define MAP_MOST        (64 * GLAZE_PAGE)
#define VIEWS_MOST      16

/*
 * With fewer free frames, GLAZE_COUNT looks for backing store: a program that asks
 * wants to know whether more memory will be there.
 */
#define FEW_FRAMES      128

#define TEXT_MAX        256     /* length of a text for GLAZE_ABORT */

/* PANIC_STATUS (119) is reserved for the kernel (docs/glaze.md). */
static uint32_t status_of(uint32_t word)
{
    uint32_t status = word & 0xff;

    return status < PANIC_STATUS ? status : PANIC_STATUS - 1;
}

static int32_t call_exit(const uint32_t *a)
{
    job_exit(current, status_of(a[0]));
    return 0;
}

static int32_t call_abort(const uint32_t *a)
{
    char text[TEXT_MAX + 1];
    uint32_t length = a[2] < TEXT_MAX ? a[2] : TEXT_MAX;
    enum memory_result result = memory_read(current, text, a[1], length);

    if (result == MEMORY_LATER) {
        return IO_AGAIN;
    }
    length = result == MEMORY_OK ? length : 0;
    text[length] = 0;
    for (uint32_t i = 0; i < length; i++) {
        text[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    }
    job_abort(current, status_of(a[0]), text, a[3]);
    return 0;
}

/* Bytes of a range between two looks whether an interrupt is pending. */
#define MAP_LOOKS       (4 * GLAZE_PAGE)

/*
 * Does a part of a range. A piece of a page of backing store that is on its way would
 * wait for the rest of the part, so this takes it in between. If another interrupt is
 * pending, the part ends early. For the rest of the range the process makes the same
 * call again, with arguments that have advanced, so that it can be interrupted in
 * between.
 */
static int32_t in_parts(enum memory_result work(struct process *, uint32_t,
                                                uint32_t))
{
    struct registers *r = &current->registers;
    uint32_t address = r->out[0], bytes = r->out[1], done = 0, most;
    enum memory_result result;

    if (!memory_in_program(address, bytes)) {
        return -EINVAL;
    }
    most = bytes < MAP_MOST ? bytes : MAP_MOST;
    do {
        uint32_t part = most - done < MAP_LOOKS ? most - done : MAP_LOOKS;

        result = work(current, address + done, part);
        done += result == MEMORY_OK ? part : 0;
        message_look(0);
    } while (result == MEMORY_OK && done < most && !pending_interrupt());
    if (result == MEMORY_OK && done == bytes) {
        return 0;
    }
    r->out[0] = address + done;
    r->out[1] = bytes - done;
    return result == MEMORY_OK ? IO_AGAIN : io_error(result);
}

static int32_t call_map(const uint32_t *a)
{
    (void)a;
    return in_parts(memory_map);
}

/* Returns how many bytes of a range come before the first page that messages use: it
 * has mappings over the network, or is shared. */
static uint32_t unused(uint32_t address, uint32_t bytes)
{
    return kind->number == FUGU_NETIF_M_MACHINE
           ? segments_before(current, address, bytes)
           : maps_unmapped(current, address, bytes);
}

/* Unmaps the pages before the first one that messages use. */
static __attribute__((cold, noinline)) int32_t unmap_beside_maps(const uint32_t *a)
{
    uint32_t most = a[1] < MAP_MOST ? a[1] : MAP_MOST;
    uint32_t bytes = unused(a[0], most);

    if (bytes == most) {
        return in_parts(memory_unmap);
    }
    memory_unmap(current, a[0], bytes);
    return -EBUSY;
}

static int32_t call_unmap(const uint32_t *a)
{
    if ((kind->number != FUGU_NETIF_SHRIMP && kind->number != FUGU_NETIF_M_MACHINE) ||
        !memory_in_program(a[0], a[1])) {
        return in_parts(memory_unmap);
    }
    return unmap_beside_maps(a);
}

/* Returns how many bytes of a range begin it with pages that are such. */
static int32_t count_pages(const uint32_t *a,
                           bool such(struct process *, uint32_t))
{
    uint32_t most = a[1] < MAP_MOST ? a[1] : MAP_MOST, bytes = 0;

    if (!memory_in_program(a[0], a[1])) {
        return -EINVAL;
    }
    while (bytes < most && such(current, a[0] + bytes)) {
        bytes += GLAZE_PAGE;
    }
    return bytes;
}

static int32_t call_fresh(const uint32_t *a)
{
    return count_pages(a, memory_is_fresh);
}

static int32_t call_watch(const uint32_t *a)
{
    (void)a;
    return in_parts(memory_watch);
}

static int32_t call_unchanged(const uint32_t *a)
{
    return count_pages(a, memory_is_unchanged);
}

/*
 * Does a part of a list; for the rest see in_parts(). If an entry has to wait for
 * a page, the call is repeated from that entry on: the entries before it may be
 * wrong when they are done twice, for example when a view has moved to another
 * page.
 */
static int32_t call_view(const uint32_t *a)
{
    struct registers *r = &current->registers;
    struct glaze_view view[VIEWS_MOST];
    unsigned most = pages_may_go() ? VIEWS_MOST / 4 : VIEWS_MOST;
    uint32_t part = a[1] < most ? a[1] : most, done = 0;
    enum memory_result result = memory_read(current, view, a[0],
                                            part * sizeof(view[0]));

    while (done < part && result == MEMORY_OK) {
        if (maps_unmapped(current, view[done].page, GLAZE_PAGE) < GLAZE_PAGE) {
            return -EBUSY;
        }
        result = memory_view(current, view[done]);
        if (result == MEMORY_NOT_THERE) {
            return -EINVAL;
        }
        done += result == MEMORY_OK;
    }
    if ((result != MEMORY_OK && result != MEMORY_LATER) ||
        (result == MEMORY_OK && done == a[1])) {
        return io_error(result);
    }
    r->out[0] += done * sizeof(view[0]);
    r->out[1] -= done;
    return IO_AGAIN;
}

static int32_t call_alarm(const uint32_t *a)
{
    current->alarm = (uint64_t)a[0] << 32 | a[1];
    current->rights &= ~(RIGHTS_ALARM | RIGHTS_DUE);
    if (current->alarm != UINT64_MAX) {
        current->rights |= RIGHTS_ALARM;
    }
    return 0;
}

static int32_t call_file(const uint32_t *a)
{
    const struct image_file *file = directory_file(a[0]);
    struct glaze_file result = { .address = GLAZE_FILES };

    if (!file) {
        return -ENOENT;
    }
    for (uint32_t i = 0; i < a[0]; i++) {
        result.address += (directory_file(i)->size + GLAZE_PAGE - 1) &
                          ~(GLAZE_PAGE - 1);
    }
    memcpy(result.name, file->name, sizeof(result.name));
    result.size = file->size;
    return io_error(memory_write(current, a[1], &result, sizeof(result)));
}

static int32_t call_yield(const uint32_t *a)
{
    (void)a;
    schedule_yield();
    return 0;
}

static int32_t call_wait(const uint32_t *a)
{
    (void)a;
    wait_for_upcall();
    return 0;
}

static int32_t call_divert(const uint32_t *a)
{
    (void)a;
    if (!kind->messages) {
        return -ENOSYS;
    }
    delivery_enter(current, GLAZE_IN_REQUEST);
    return 0;
}

static int32_t call_hold(const uint32_t *a)
{
    if (a[0] == 1) {
        return delivery_suspend();
    }
    if (a[0] || !delivery_may_resume(a[1])) {
        return -EINVAL;
    }
    delivery_resume(a[1]);
    return 0;
}

static int32_t call_count(const uint32_t *a)
{
    struct glaze_count count;

    if (frames_free() < FEW_FRAMES && !backing_is_known()) {
        return IO_AGAIN;        /* until the server, if there is one, is found */
    }
    count = (struct glaze_count) {
        .frames = frames_total(),
        .frames_free = frames_free(),
        .frames_clean = frames_clean(),
        .process_pages = current->pages,
        .buffer_pages = current->buffer_pages,
        .buffer_messages = buffer_messages(current),
        .buffer_pages_most = current->buffer_pages_most,
        .dropped = messages_dropped,
        .slots = slots_total(),
        .slots_free = slots_free(),
        .pages_out = current->pages_out,
        .outs = backing_count.outs,
        .ins = backing_count.ins,
        .processes = processes_alive,
    };

    return io_error(memory_write(current, a[0], &count, sizeof(count)));
}

static int32_t call_measure(const uint32_t *a)
{
    struct glaze_measure measure = {
        .now = now(),
        .buffer_pages = current->buffer_pages,
        .buffer_pages_most = current->buffer_pages_most,
    };
    enum memory_result result;

    for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
        measure.counter[k] = meter_read(current->gid, k);
    }
    result = memory_write(current, a[0], &measure, sizeof(measure));
    if (result == MEMORY_OK && a[1]) {
        current->buffer_pages_most = current->buffer_pages;
    }
    return io_error(result);
}

static int32_t call_fp_save(const uint32_t *a)
{
    return a[0] & 7 ? -EINVAL : io_error(fpu_save(a[0]));
}

static int32_t call_fp_load(const uint32_t *a)
{
    return a[0] & 7 ? -EINVAL : io_error(fpu_load(a[0]));
}

uint32_t ping_allowed;

static int32_t call_ping(const uint32_t *a)
{
    if (!ping_allowed || !kind->messages) {
        return -ENOSYS;
    }
    if (a[0] >= ni_nodes()) {
        return -EINVAL;
    }
    return message_ping(a[0]) ? 0 : -EAGAIN;
}

static int32_t (*const calls[GLAZE_CALLS])(const uint32_t *) = {
    [GLAZE_EXIT] = call_exit,
    [GLAZE_ABORT] = call_abort,
    [GLAZE_WRITE] = io_write,
    [GLAZE_READ] = io_read,
    [GLAZE_MAP] = call_map,
    [GLAZE_UNMAP] = call_unmap,
    [GLAZE_FILE] = call_file,
    [GLAZE_YIELD] = call_yield,
    [GLAZE_WAIT] = call_wait,
    [GLAZE_DIVERT] = call_divert,
    [GLAZE_HOLD] = call_hold,
    [GLAZE_COUNT] = call_count,
    [GLAZE_FP_SAVE] = call_fp_save,
    [GLAZE_FP_LOAD] = call_fp_load,
    [GLAZE_PING] = call_ping,
    [GLAZE_ERROR] = io_write_error,
    [GLAZE_INPUT] = io_input,
    [GLAZE_TERMINALS] = io_terminals,
    [GLAZE_NAMED] = files_named,
    [GLAZE_SIZED] = files_sized,
    [GLAZE_GET] = files_get,
    [GLAZE_PUT] = files_put,
    [GLAZE_MEASURE] = call_measure,
    [GLAZE_SCHEDULE] = policy_schedule,
    [GLAZE_EVENT] = policy_event,
    [GLAZE_JOB] = policy_job,
    [GLAZE_START] = policy_start,
    [GLAZE_VIEW] = call_view,
    [GLAZE_ALARM] = call_alarm,
    [GLAZE_MBCF] = services_call,
    [GLAZE_FRESH] = call_fresh,
    [GLAZE_WATCH] = call_watch,
    [GLAZE_UNCHANGED] = call_unchanged,
    [GLAZE_ANNOUNCE] = policy_announce,
    [GLAZE_PLAN] = policy_plan,
    [GLAZE_SHRIMP] = shrimp_call,
    [GLAZE_MM] = mm_call,
};

void call(void)
{
    struct registers *r = &current->registers;
    uint32_t number = r->g[0];
    int32_t result = number < GLAZE_CALLS ? calls[number](r->out) : -ENOSYS;

    if (result != IO_AGAIN) {
        r->out[0] = result;
        registers_skip(r);
    }
}
