/*
 * MBCF for programs: the system call, and commands of any length.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "glaze-calls.h"
#include "library.h"
#include "mbcf.h"
#include "note.h"

static int32_t call(uint32_t operation, const void *structure, uint32_t word)
{
    return glaze_call(GLAZE_MBCF, operation, (uintptr_t)structure, word);
}

static const char *mistake(int32_t error)
{
    switch (error) {
    case -EINVAL:
        return "mbcf: a request that does not exist (docs/mbcf.md, requests)";
    case -ENOENT:
        return "mbcf: no such logical task: call mbcf_enter() for it";
    case -EFAULT:
        return "mbcf: a request, or what it writes, cannot be read";
    case -ENOSPC:
        return "mbcf: too many pages of this task have copies";
    case -EPERM:
        return "mbcf: this process is no task: call mbcf_open() first";
    default:
        return "mbcf: the node has no memory left for a task";
    }
}

static void check(int32_t result)
{
    if (result < 0) {
        library_abort(mistake(result));
    }
}

void mbcf_open(void)
{
    asm volatile (NOTE_NEEDS_MESSAGES(""));
    check(call(MBCF_OPEN, NULL, 0));
}

int32_t mbcf_try(const struct mbcf_request *request, uint32_t count)
{
    return glaze_call_quick(GLAZE_MBCF, MBCF_REQUEST, (uintptr_t)request, count,
                            0);
}

void mbcf_request(const struct mbcf_request *request, uint32_t count)
{
    int32_t result;

    do {
        result = glaze_call_quick(GLAZE_MBCF, MBCF_REQUEST,
                                  (uintptr_t)request, count, true);
    } while (result == -EAGAIN);
    check(result);
}

/* ---- Commands ------------------------------------------------------------ */

/* Sends bytes that the kernel does not take from where they are. */
static __attribute__((noinline)) void write_copy(struct mbcf_request *r)
{
    uint32_t copy[MBCF_BYTES_MAX / sizeof(uint32_t)];

    memcpy(copy, (const void *)(uintptr_t)r->local, r->bytes);
    r->local = (uintptr_t)copy;
    mbcf_request(r, 1);
}

/* Sends a command that takes up to MBCF_BYTES_MAX bytes from `local`. */
static void write_part(struct mbcf_request *r)
{
    if (r->local & 3 && r->bytes <= MBCF_BYTES_MAX) {
        write_copy(r);
    } else {
        mbcf_request(r, 1);
    }
}

/*
 * Sends a WRITE or READ of any number of bytes, in parts, and moves *r past
 * them. No bytes are done at once.
 */
static void move(struct mbcf_request *r)
{
    uint32_t bytes = r->bytes;

    if (!bytes && r->options & MBCF_STATUS) {
        *(volatile uint32_t *)(uintptr_t)r->status = MBCF_DONE;
    }
    while (bytes) {
        struct mbcf_request part = *r;

        part.bytes = bytes < MBCF_BYTES_MAX ? bytes : MBCF_BYTES_MAX;
        if (part.command == MBCF_WRITE) {
            write_part(&part);
        } else {
            mbcf_request(&part, 1);
        }
        bytes -= part.bytes;
        r->address += part.bytes;
        r->local += part.bytes;
    }
}

void mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                uint32_t options, volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = MBCF_WRITE,
        .options = options,
        .task = task,
        .address = to,
        .bytes = bytes,
        .local = (uintptr_t)from,
        .status = (uintptr_t)status,
    };

    if (bytes - 1 < MBCF_BYTES_MAX) {
        write_part(&r);
    } else {
        move(&r);
    }
}

void mbcf_send(uint32_t command, uint32_t task, uint32_t address,
               const void *from, uint32_t bytes, uint32_t options,
               volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = command,
        .options = options,
        .task = task,
        .address = address,
        .bytes = bytes,
        .local = (uintptr_t)from,
        .status = (uintptr_t)status,
    };

    write_part(&r);
}

void mbcf_send_eager(uint32_t task, uint32_t address, const void *from,
                     uint32_t bytes, uint32_t epoch, uint32_t options,
                     volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = MBCF_FIFOE,
        .options = options,
        .task = task,
        .address = address,
        .bytes = bytes,
        .local = (uintptr_t)from,
        .operand = { epoch },
        .status = (uintptr_t)status,
    };

    write_part(&r);
}

void mbcf_invalidate(uint32_t task, uint32_t page, uint32_t options,
                     volatile uint32_t *status)
{
    const struct mbcf_request r = {
        .command = MBCF_INVALIDATE,
        .options = options,
        .task = task,
        .address = page,
        .status = (uintptr_t)status,
    };

    mbcf_request(&r, 1);
}

void mbcf_signal(uint32_t task, uint32_t address, uint32_t program,
                 const void *from, uint32_t bytes, uint32_t options,
                 volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = MBCF_SIGNAL,
        .options = options,
        .task = task,
        .address = address,
        .bytes = bytes,
        .local = (uintptr_t)from,
        .operand = { program },
        .status = (uintptr_t)status,
    };

    write_part(&r);
}

void mbcf_read(uint32_t task, void *to, uint32_t from, uint32_t bytes,
               uint32_t options, volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = MBCF_READ,
        .options = options,
        .task = task,
        .address = from,
        .bytes = bytes,
        .local = (uintptr_t)to,
        .status = (uintptr_t)status,
    };

    move(&r);
}

static void on_word(uint32_t command, uint32_t task, uint32_t address,
                    const uint32_t operand[2], volatile uint32_t *old,
                    uint32_t options, volatile uint32_t *status)
{
    struct mbcf_request r = {
        .command = command,
        .options = options,
        .task = task,
        .address = address,
        .local = (uintptr_t)old,
        .operand = { operand[0], operand[1] },
        .status = (uintptr_t)status,
    };

    mbcf_request(&r, 1);
}

void mbcf_swap(uint32_t task, uint32_t address, uint32_t value,
               volatile uint32_t *old, uint32_t options,
               volatile uint32_t *status)
{
    const uint32_t operand[2] = { value };

    on_word(MBCF_SWAP, task, address, operand, old, options, status);
}

void mbcf_fetch_add(uint32_t task, uint32_t address, uint32_t addend,
                    volatile uint32_t *old, uint32_t options,
                    volatile uint32_t *status)
{
    const uint32_t operand[2] = { addend };

    on_word(MBCF_FETCH_ADD, task, address, operand, old, options, status);
}

void mbcf_comp_swap(uint32_t task, uint32_t address, uint32_t compare,
                    uint32_t value, volatile uint32_t *old, uint32_t options,
                    volatile uint32_t *status)
{
    const uint32_t operand[2] = { compare, value };

    on_word(MBCF_COMP_SWAP, task, address, operand, old, options, status);
}

/* ---- Waiting ------------------------------------------------------------- */

void mbcf_barrier(uint32_t colour)
{
    while (!mbcf_barrier_reached(colour)) {
    }
}

uint32_t mbcf_await(const volatile uint32_t *status)
{
    while (*status == MBCF_PENDING) {
    }
    return *status;
}

void mbcf_sleep_while(const volatile uint32_t *word, uint32_t value)
{
    for (;;) {
        uint32_t wakes = mbcf_page()->wakes;

        if (*word != value) {
            return;
        }
        glaze_call(GLAZE_MBCF, MBCF_WAIT, wakes, 0);
    }
}

/* ---- Commands with a wait ------------------------------------------------ */

/*
 * Does a WRITE or READ of any number of bytes, a command at a time. Returns the
 * status of the first that was refused, or MBCF_DONE.
 */
static uint32_t move_now(struct mbcf_request *r, uint32_t bytes)
{
    volatile uint32_t status = MBCF_DONE;

    r->options = MBCF_STATUS;
    r->status = (uintptr_t)&status;
    while (bytes && status == MBCF_DONE) {
        uint32_t part = bytes < MBCF_BYTES_MAX ? bytes : MBCF_BYTES_MAX;

        status = MBCF_PENDING;
        r->bytes = part;
        move(r);
        mbcf_await(&status);
        bytes -= part;
    }
    return status;
}

uint32_t mbcf_write_now(uint32_t task, uint32_t to, const void *from,
                        uint32_t bytes)
{
    struct mbcf_request r = {
        .command = MBCF_WRITE,
        .task = task,
        .address = to,
        .local = (uintptr_t)from,
    };

    return move_now(&r, bytes);
}

uint32_t mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes)
{
    struct mbcf_request r = {
        .command = MBCF_READ,
        .task = task,
        .address = from,
        .local = (uintptr_t)to,
    };

    return move_now(&r, bytes);
}

uint32_t mbcf_fetch_add_now(uint32_t task, uint32_t address, uint32_t addend)
{
    volatile uint32_t status = MBCF_PENDING, old;

    mbcf_fetch_add(task, address, addend, &old, MBCF_STATUS, &status);
    if (mbcf_await(&status) != MBCF_DONE) {
        library_abort(mbcf_status_name(status));
    }
    return old;
}

/* ---- Tasks --------------------------------------------------------------- */

uint32_t mbcf_enter(uint32_t index, uint32_t node, uint32_t task, uint64_t key)
{
    const struct mbcf_entry entry = { .key = key, .node = node, .task = task };

    check(call(MBCF_ENTER, &entry, index));
    return udm_nodes() + index;
}

void mbcf_pattern(uint32_t page, const struct mbcf_copy *copies, uint32_t count)
{
    struct mbcf_pattern pattern = { .page = page, .copies = count };

    for (uint32_t k = 0; k < count && k < MBCF_COPIES; k++) {
        pattern.copy[k] = copies[k];
    }
    check(call(MBCF_PATTERN, &pattern, 0));
}

void mbcf_agent(uint32_t index, struct mbcf_agent *agent)
{
    check(call(MBCF_AGENT, agent, index));
}

const char *mbcf_status_name(uint32_t status)
{
    static const char *const names[MBCF_STATUSES] = {
        [MBCF_PENDING] = "mbcf: the command is not done yet",
        [MBCF_DONE] = "mbcf: done",
        [MBCF_NO_TASK] = "mbcf: the target is no task",
        [MBCF_BAD_KEY] = "mbcf: the key does not open the target",
        [MBCF_BAD_ADDRESS] = "mbcf: the target has no such memory, or no "
                             "right to it",
        [MBCF_UNALIGNED] = "mbcf: the word's address is no multiple of 4",
        [MBCF_BUSY] = "mbcf: too many commands wait for pages of the target",
        [MBCF_NO_MEMORY] = "mbcf: the target's node has no memory left",
        [MBCF_LOST] = "mbcf: the target's page is lost",
        [MBCF_LOCAL] = "mbcf: the result cannot be stored",
        [MBCF_FULL] = "mbcf: the target has no room for the bytes",
        [MBCF_STOPS] = "mbcf: no room: the FIFO has stopped",
        [MBCF_STOPPED] = "mbcf: the FIFO had stopped",
        [MBCF_BAD_STRUCTURE] = "mbcf: the target's structure makes no sense",
        [MBCF_RUNNING] = "mbcf: a program of the signal has not ended",
        [MBCF_NO_QUEUE] = "mbcf: the target has no queue",
        [MBCF_TOO_DEEP] = "mbcf: the tree of copies is too deep",
        [MBCF_CIRCLE] = "mbcf: the copies form no tree",
        [MBCF_NO_RIGHT] = "mbcf: an agent's client may not choose the program",
    };

    status &= MBCF_STATUS_MASK & ~MBCF_AT_COPY;
    return status < MBCF_STATUSES ? names[status] : "mbcf: no such status";
}
