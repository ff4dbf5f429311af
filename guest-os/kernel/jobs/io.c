/*
 * System calls for the console, standard input and files (see io.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>

#include "hardware.h"
#include "jobs/io.h"
#include "process/process.h"

/*
 * The most bytes of one call, so that no call keeps the kernel busy for long.
 */
#define WRITE_MOST      1024
#define WRITE_PART      128     /* copied to the kernel's stack at once */
#define READ_MOST       256     /* of the console, and of or to a file */

#define CONSOLE(name)   (FUGU_CONSOLE_BASE + FUGU_CONSOLE_##name)
#define FILES(name)     (FUGU_FILES_BASE + FUGU_FILES_##name)

int32_t io_error(enum memory_result result)
{
    switch (result) {
    case MEMORY_OK:
        return 0;
    case MEMORY_NOT_THERE:
        return -EFAULT;
    case MEMORY_LATER:
        return IO_AGAIN;
    default:
        return -ENOMEM;
    }
}

/* ---- Output ------------------------------------------------------------- */

/* Writes to `to`, a register of the console. */
static int32_t write_to(uint32_t to, const uint32_t *a)
{
    char part[WRITE_PART];
    uint32_t done = 0, most = a[1] < WRITE_MOST ? a[1] : WRITE_MOST;

    while (done < most) {
        uint32_t bytes = most - done < WRITE_PART ? most - done : WRITE_PART;
        enum memory_result result = memory_read(current, part, a[0] + done,
                                                bytes);

        if (result != MEMORY_OK) {
            return done ? (int32_t)done : io_error(result);
        }
        for (uint32_t i = 0; i < bytes; i++) {
            write32(to, (uint8_t)part[i]);
        }
        done += bytes;
    }
    return done;
}

int32_t io_write(const uint32_t *a)
{
    return write_to(CONSOLE(DATA), a);
}

int32_t io_write_error(const uint32_t *a)
{
    return write_to(CONSOLE(ERROR), a);
}

/* ---- Input -------------------------------------------------------------- */

/* Returns how many of `bytes` a call may copy: up to the end of a page. */
static uint32_t most_at(uint32_t address, uint32_t bytes)
{
    uint32_t most = GLAZE_PAGE - (address & (GLAZE_PAGE - 1));

    most = bytes < most ? bytes : most;
    return most < READ_MOST ? most : READ_MOST;
}

/*
 * Reads what the console has, up to the end of a page. memory_touch() brings
 * that page before the first byte leaves the console, so that no byte is lost.
 */
int32_t io_read(const uint32_t *a)
{
    char part[READ_MOST];
    uint32_t done = 0, most = most_at(a[0], a[1]);
    enum memory_result result;

    if (!most || !read32(CONSOLE(STATUS))) {
        return 0;
    }
    result = memory_touch(current, a[0], true);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    while (done < most && read32(CONSOLE(STATUS))) {
        part[done++] = read32(CONSOLE(DATA));
    }
    memory_write(current, a[0], part, done);
    return done;
}

/* Standard input is for the first job. On all nodes but node 0 the console
 * says that it has ended. */
static bool has_input(void)
{
    return current->gid == 1;
}

/*
 * Reads the rest of the console's part of standard input, or asks for the next
 * part. The machine stands still until the host has given that part. The
 * process asks again and again until then, for less than a round.
 */
int32_t io_input(const uint32_t *a)
{
    char part[READ_MOST];
    uint32_t done = 0, most = most_at(a[0], a[1]), byte = FUGU_STDIN_NONE;
    enum memory_result result;

    if (!most || !has_input()) {
        return 0;
    }
    result = memory_touch(current, a[0], true);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    while (done < most && (byte = read32(CONSOLE(STDIN))) < FUGU_STDIN_END) {
        part[done++] = byte;
    }
    if (!done && byte == FUGU_STDIN_NONE) {
        write32(CONSOLE(STDIN), 0);
        return IO_AGAIN;
    }
    memory_write(current, a[0], part, done);
    return done;
}

int32_t io_terminals(const uint32_t *a)
{
    (void)a;
    return read32(CONSOLE(TERMINALS));
}

/* ---- Files -------------------------------------------------------------- */

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

int32_t io_named(const uint32_t *a)
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

int32_t io_sized(const uint32_t *a)
{
    write32(FILES(ID), a[1]);
    switch (a[0]) {
    case GLAZE_FILE_SIZE:
        break;
    case FUGU_FILES_RESIZE:
    case FUGU_FILES_DROP:
        write32(FILES(POSITION), a[2]);
        write32(FILES(COMMAND), a[0]);
        return files_result(-EBADF);
    default:
        return -EINVAL;
    }
    return read32(FILES(SIZE)) == UINT32_MAX ? -EBADF
                                             : (int32_t)read32(FILES(SIZE));
}

int32_t io_get(const uint32_t *a)
{
    char part[READ_MOST];
    uint32_t done = 0, most = most_at(a[2], a[3]), byte;

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

int32_t io_put(const uint32_t *a)
{
    char part[READ_MOST];
    uint32_t done = 0, most = most_at(a[2], a[3]);
    enum memory_result result = memory_read(current, part, a[2], most);
    int32_t error = 0;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    write32(FILES(ID), a[0]);
    write32(FILES(POSITION), a[1]);
    while (done < most && !error) {
        write32(FILES(DATA), (uint8_t)part[done]);
        error = files_result(-EBADF);
        done += !error;
    }
    return done ? (int32_t)done : error;
}
