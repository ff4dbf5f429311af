/*
 * Files for the C library. Descriptors 0, 1 and 2 are the console. All other
 * files are input files of the boot image: they lie in memory, and a program
 * can only read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"

#define FILES           32      /* descriptors, the console's included */
#define FIRST_FILE      3       /* lower descriptors are the console */

struct file {
    const char *data;           /* NULL: not open */
    uint32_t size, position;
};

static struct file files[FILES];

static int fail(int error)
{
    errno = error;
    return -1;
}

static bool is_console(int fd)
{
    return fd >= 0 && fd < FIRST_FILE;
}

/* Returns the open file, or NULL with errno = EBADF. */
static struct file *file_of(int fd)
{
    if (fd < FIRST_FILE || fd >= FILES || !files[fd].data) {
        errno = EBADF;
        return NULL;
    }
    return &files[fd];
}

/* Finds an input file by name. Returns 0, or -ENOENT. */
static int find(const char *name, struct glaze_file *found)
{
    int32_t result;

    for (uint32_t i = 0; (result = glaze_file(i, found)) >= 0; i++) {
        if (strcmp(found->name, name) == 0) {
            return 0;
        }
    }
    return result;
}

int open(const char *name, int flags, ...)
{
    struct glaze_file found;
    int result = find(name, &found);

    if ((flags & O_ACCMODE) != O_RDONLY) {
        return fail(EROFS);
    }
    if (result < 0) {
        return fail(-result);
    }
    for (int fd = FIRST_FILE; fd < FILES; fd++) {
        if (!files[fd].data) {
            files[fd] = (struct file) {
                .data = (const char *)found.address, .size = found.size,
            };
            return fd;
        }
    }
    return fail(EMFILE);
}

int close(int fd)
{
    struct file *file = file_of(fd);

    if (is_console(fd)) {
        return 0;
    }
    if (!file) {
        return -1;
    }
    file->data = NULL;
    return 0;
}

_READ_WRITE_RETURN_TYPE read(int fd, void *to, size_t bytes)
{
    struct file *file;

    if (is_console(fd)) {
        int32_t result = glaze_read(to, bytes);

        return result < 0 ? fail(-result) : result;
    }
    file = file_of(fd);
    if (!file) {
        return -1;
    }
    if (file->position >= file->size) {
        return 0;
    }
    if (bytes > file->size - file->position) {
        bytes = file->size - file->position;
    }
    memcpy(to, file->data + file->position, bytes);
    file->position += bytes;
    return bytes;
}

_READ_WRITE_RETURN_TYPE write(int fd, const void *from, size_t bytes)
{
    size_t done = 0;
    int32_t result;

    if (!is_console(fd)) {
        return file_of(fd) ? fail(EROFS) : -1;
    }
    do {                        /* one call may write only a part */
        result = glaze_write((const char *)from + done, bytes - done);
        done += result > 0 ? result : 0;
    } while (result > 0 && done < bytes);
    return result < 0 && !done ? fail(-result) : (int)done;
}

off_t lseek(int fd, off_t offset, int whence)
{
    struct file *file;
    int64_t position = offset;

    if (is_console(fd)) {
        return fail(ESPIPE);
    }
    file = file_of(fd);
    if (!file) {
        return -1;
    }
    if (whence == SEEK_CUR) {
        position += file->position;
    } else if (whence == SEEK_END) {
        position += file->size;
    } else if (whence != SEEK_SET) {
        return fail(EINVAL);
    }
    if (position < 0 || position > INT32_MAX) {
        return fail(EINVAL);
    }
    file->position = position;
    return position;
}

static void describe(struct stat *stat, mode_t mode, uint32_t size)
{
    memset(stat, 0, sizeof(*stat));
    stat->st_mode = mode;
    stat->st_nlink = 1;
    stat->st_size = size;
}

int fstat(int fd, struct stat *stat)
{
    struct file *file;

    if (is_console(fd)) {
        describe(stat, S_IFCHR | 0666, 0);
        return 0;
    }
    file = file_of(fd);
    if (!file) {
        return -1;
    }
    describe(stat, S_IFREG | 0444, file->size);
    return 0;
}

int stat(const char *name, struct stat *stat)
{
    struct glaze_file found;
    int result = find(name, &found);

    if (result < 0) {
        return fail(-result);
    }
    describe(stat, S_IFREG | 0444, found.size);
    return 0;
}

int isatty(int fd)
{
    if (is_console(fd)) {
        return 1;
    }
    return file_of(fd) ? (errno = ENOTTY, 0) : 0;
}

/* unlink() and link() fail: there are no directories to change. */
int unlink(const char *name)
{
    (void)name;
    return fail(EROFS);
}

int link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return fail(EROFS);
}
