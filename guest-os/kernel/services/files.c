/*
 * System calls for the files that programs make (see files.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/hardware.h"
#include "machine/message.h"
#include "services/files.h"
#include "services/io.h"
#include "services/opened.h"
#include "machine/process.h"

#define FILES(name)     (FUGU_FILES_BASE + FUGU_FILES_##name)

/* Returns 0, or the error for the result of the last command. `missing` is the
 * one for a file that does not exist. */
static int32_t files_result(int32_t missing)
{
    switch (read32(FILES(RESULT))) {
    case 0:
        return 0;
    case FUGU_FILES_MISSING:
        return missing;
    case FUGU_FILES_EXISTS:
        return -EEXIST;
    case FUGU_FILES_FULL:
        return -ENOSPC;
    default:
        return -EACCES;
    }
}

int32_t files_named(const uint32_t *a)
{
    char name[FUGU_FILES_NAME_MAX];
    uint32_t command = a[0], bytes = a[2];
    enum memory_result result;
    int32_t error;

    if (command < FUGU_FILES_FIND || command > FUGU_FILES_RENAME) {
        return -EINVAL;
    }
    if (bytes > sizeof(name)) {
        return -EACCES;
    }
    result = memory_read(current, name, a[1], bytes);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    for (uint32_t i = 0; i < bytes; i++) {
        write32(FILES(NAME), (uint8_t)name[i]);
    }
    write32(FILES(ID), a[3]);
    write32(FILES(COMMAND), command);
    error = files_result(-ENOENT);
    return error || command == FUGU_FILES_RENAME ? error
                                                 : (int32_t)read32(FILES(ID));
}

/*
 * The machine changes a file's size in no time, whatever the size. So a process
 * pays for the bytes that a call adds or takes away: a cycle for 16 of them. The
 * call is repeated as SIZED (PAY, result, cycles) until all is paid, so that it can
 * be interrupted. A program that makes this call itself spends its own time.
 */
#define PAY             0x100
#define PAY_FREE        0x10000 /* bytes that cost nothing */
#define PAY_PART        4000    /* cycles */

static int32_t pay(int32_t result, uint32_t cycles)
{
    struct registers *r = &current->registers;
    uint32_t part = cycles < PAY_PART ? cycles : PAY_PART;
    uint64_t end = now() + part;

    while (now() < end) {
        message_serve_quick();      /* pieces of pages do not wait so long */
    }
    if (part == cycles) {
        return result;
    }
    r->g[0] = GLAZE_SIZED;
    r->out[0] = PAY;
    r->out[1] = result;
    r->out[2] = cycles - part;
    return IO_AGAIN;
}

/* The current file had `old` bytes before a call with a result that is no error. */
static int32_t pay_for_change(int32_t result, uint32_t old)
{
    uint32_t bytes = read32(FILES(SIZE));
    uint32_t change = old < bytes ? bytes - old : old - bytes;

    return change <= PAY_FREE ? result : pay(result, change / 16);
}

static int32_t resize(uint32_t bytes)
{
    uint32_t old = read32(FILES(SIZE));
    int32_t error;

    write32(FILES(POSITION), bytes);
    write32(FILES(COMMAND), FUGU_FILES_RESIZE);
    error = files_result(-EBADF);
    return error ? error : pay_for_change(0, old);
}

int32_t files_sized(const uint32_t *a)
{
    if (a[0] == PAY) {
        return pay(a[1], a[2]);
    }
    write32(FILES(ID), a[1]);
    switch (a[0]) {
    case GLAZE_FILE_SIZE:
        break;
    case FUGU_FILES_RESIZE:
        return resize(a[2]);
    case FUGU_FILES_OPEN:
        return opened_add(current, a[1]);
    case FUGU_FILES_CLOSE:
        return opened_remove(current, a[1]);
    default:
        return -EINVAL;
    }
    return read32(FILES(SIZE)) == UINT32_MAX ? -EBADF
                                             : (int32_t)read32(FILES(SIZE));
}

int32_t files_get(const uint32_t *a)
{
    char part[IO_MOST];
    uint32_t done = 0, most = io_most(a[2], a[3]), byte;

    write32(FILES(ID), a[0]);
    write32(FILES(POSITION), a[1]);
    if (read32(FILES(SIZE)) == UINT32_MAX) {
        return -EBADF;
    }
    while (done < most && (byte = read32(FILES(DATA))) != UINT32_MAX) {
        part[done++] = byte;
    }
    return io_error(memory_write(current, a[2], part, done)) ?: (int32_t)done;
}

int32_t files_put(const uint32_t *a)
{
    char part[IO_MOST];
    uint32_t done = 0, most = io_most(a[2], a[3]), old;
    enum memory_result result = memory_read(current, part, a[2], most);
    int32_t error = 0;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    write32(FILES(ID), a[0]);
    write32(FILES(POSITION), a[1]);
    old = read32(FILES(SIZE));
    while (done < most && !error) {
        write32(FILES(DATA), (uint8_t)part[done]);
        error = files_result(-EBADF);
        done += !error;
    }
    return done ? pay_for_change(done, old) : error;
}
