/*
 * System calls for the files that programs make (see files.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "hardware.h"
#include "io/files.h"
#include "io/io.h"
#include "process/process.h"

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

int32_t files_sized(const uint32_t *a)
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
    uint32_t done = 0, most = io_most(a[2], a[3]);
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
