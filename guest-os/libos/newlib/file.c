/*
 * Files for the C library. Descriptors 0, 1 and 2 are the console and standard
 * input. Input files of the boot image lie in memory, and a program can only
 * read them. All other files are the node's own: the kernel keeps their names
 * and contents, and this file the descriptors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <reent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"

#define FILES           32      /* descriptors, the console's included */
#define FIRST_FILE      3       /* lower descriptors are the console */

struct file {
    bool open, append;
    int access;                 /* O_RDONLY, O_WRONLY or O_RDWR */
    const char *data;           /* input file; NULL: a file of the node */
    uint32_t size;              /* of an input file */
    uint32_t id;                /* of a file of the node */
    uint32_t node;              /* whose process has opened the file */
    uint32_t position;
};

/* In memory that a process on another node has from the one that created it. */
static struct file files[FILES] __attribute__((section(".copied")));

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Returns a result of the kernel, or -1 with errno for an error. */
static int result_of(int32_t result)
{
    return result < 0 ? fail(-result) : result;
}

static bool is_console(int fd)
{
    return fd >= 0 && fd < FIRST_FILE;
}

/* Returns the open file, or NULL with errno = EBADF. */
static struct file *file_of(int fd)
{
    if (fd < FIRST_FILE || fd >= FILES || !files[fd].open) {
        errno = EBADF;
        return NULL;
    }
    return &files[fd];
}

/* Whether a file lies on another node: that of the process which has created this
 * one, and opened the file before. */
static bool is_elsewhere(const struct file *file)
{
    return !file->data && file->node != udm_node();
}

/* Returns the open file if it is on this node, or NULL with errno = EBADF. */
static struct file *file_here(int fd)
{
    struct file *file = file_of(fd);

    if (file && is_elsewhere(file)) {
        errno = EBADF;
        return NULL;
    }
    return file;
}

/* Returns the bytes of an open file, or -1 with errno. */
static int size_of(const struct file *file)
{
    return file->data ? (int)file->size
                      : result_of(glaze_sized(GLAZE_FILE_SIZE, file->id, 0));
}

/* ---- Names -------------------------------------------------------------- */

/* All files are in one directory: /tmp/NAME, /NAME and ./NAME are NAME. */
static const char *in_directory(const char *name)
{
    if (strncmp(name, "/tmp/", 5) == 0) {
        name += 5;
    }
    while (name[0] == '/' || (name[0] == '.' && name[1] == '/')) {
        name++;
    }
    return name;
}

bool is_directory(const char *name)
{
    const char *rest = in_directory(name);

    return name[0] && (!rest[0] || !strcmp(rest, ".") || !strcmp(name, "/tmp"));
}

bool is_file_name(const char *name)
{
    const char *rest = in_directory(name);
    int32_t found = is_directory(name) ? -EEXIST
        : glaze_named(FUGU_FILES_FIND, rest, strlen(rest), 0);

    errno = found >= 0 ? EEXIST : -found;
    return found == -ENOENT;
}

/* Finds an input file by name. Returns 0, or -ENOENT. */
static int find_input(const char *name, struct glaze_file *found)
{
    int32_t result;

    for (uint32_t i = 0; (result = glaze_file(i, found)) >= 0; i++) {
        if (strcmp(found->name, name) == 0) {
            return 0;
        }
    }
    return result;
}

/* Returns the number of the node's file of that name, or an error below 0. */
static int32_t find(const char *name)
{
    int32_t found = glaze_named(FUGU_FILES_FIND, name, strlen(name), 0);

    /* A file that cannot be made here does not exist here. */
    return found == -EACCES ? -ENOENT : found;
}

/* Returns the number of the node's file, which this function may make, or an error
 * below 0. */
static int32_t find_or_create(const char *name, int flags)
{
    int32_t id = find(name);

    if (id >= 0) {
        if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
            return -EEXIST;
        }
    } else if (id == -ENOENT && (flags & O_CREAT)) {
        return glaze_named(FUGU_FILES_CREATE, name, strlen(name), 0);
    }
    return id;
}

/* Opens the node's file. Returns its number, or an error below 0. */
static int32_t open_of_node(const char *name, int flags)
{
    int32_t id, error;

    do {        /* again if another job has made or unlinked it in between */
        id = find_or_create(name, flags);
        error = id < 0 ? id : glaze_sized(FUGU_FILES_OPEN, id, 0);
    } while (error == -EBADF || (error == -EEXIST && !(flags & O_EXCL)));
    if (!error && (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) {
        glaze_sized(FUGU_FILES_RESIZE, id, 0);
    }
    return error ?: id;
}

static bool may_change(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
}

/* Fills in *file. Returns 0, or an error below 0. */
static int32_t open_file(struct file *file, const char *name, int flags)
{
    struct glaze_file input;
    int32_t id;

    *file = (struct file) {
        .open = true, .append = flags & O_APPEND, .access = flags & O_ACCMODE,
        .node = udm_node(),
    };
    if (find_input(name, &input) == 0) {
        file->data = (const char *)input.address;
        file->size = input.size;
        return may_change(flags) ? -EROFS : 0;
    }
    id = open_of_node(name, flags);
    file->id = id;
    return id < 0 ? id : 0;
}

int open(const char *name, int flags, ...)
{
    for (int fd = FIRST_FILE; fd < FILES; fd++) {
        if (!files[fd].open) {
            int32_t result = open_file(&files[fd], in_directory(name), flags);

            files[fd].open = result >= 0;
            return result < 0 ? fail(-result) : fd;
        }
    }
    return fail(EMFILE);
}

static bool is_input(const char *name)
{
    struct glaze_file input;

    return find_input(name, &input) == 0;
}

/* A file that is open, in whatever job, loses its name now, and its contents when
 * it is closed for the last time. */
int unlink(const char *name)
{
    int32_t id;

    name = in_directory(name);
    if (is_input(name)) {
        return fail(EROFS);
    }
    id = glaze_named(FUGU_FILES_UNLINK, name, strlen(name), 0);
    return id < 0 ? fail(-id) : 0;
}

int rename(const char *from, const char *to)
{
    int32_t id;

    from = in_directory(from);
    to = in_directory(to);
    if (is_input(from) || is_input(to)) {
        return fail(EROFS);
    }
    id = find(from);
    if (id < 0) {
        return fail(-id);
    }
    return result_of(glaze_named(FUGU_FILES_RENAME, to, strlen(to), id));
}

/* A file has one name. */
int link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return fail(EPERM);
}

/* ---- Descriptors -------------------------------------------------------- */

int close(int fd)
{
    struct file *file = file_of(fd);

    if (is_console(fd)) {
        return 0;
    }
    if (!file) {
        return -1;
    }
    file->open = false;
    if (!file->data && !is_elsewhere(file)) {
        glaze_sized(FUGU_FILES_CLOSE, file->id, 0);
    }
    return 0;
}

/* Reads from an input file, which lies in memory. */
static int read_input(const struct file *file, void *to, uint32_t bytes)
{
    if (file->position >= file->size) {
        return 0;
    }
    if (bytes > file->size - file->position) {
        bytes = file->size - file->position;
    }
    memcpy(to, file->data + file->position, bytes);
    return bytes;
}

/* Reads from a file of the node. One call of the kernel may read a part. */
static int read_file(const struct file *file, char *to, uint32_t bytes)
{
    uint32_t done = 0;
    int32_t result;

    do {
        result = glaze_get(file->id, file->position + done, to + done,
                           bytes - done);
        done += result > 0 ? result : 0;
    } while (result > 0 && done < bytes);
    return result < 0 && !done ? fail(-result) : (int)done;
}

_READ_WRITE_RETURN_TYPE read(int fd, void *to, size_t bytes)
{
    struct file *file;
    int done;

    if (is_console(fd)) {
        return result_of(glaze_input(to, bytes));
    }
    file = file_here(fd);
    if (!file) {
        return -1;
    }
    if (file->access == O_WRONLY) {
        return fail(EBADF);
    }
    done = file->data ? read_input(file, to, bytes)
                      : read_file(file, to, bytes);
    file->position += done > 0 ? done : 0;
    return done;
}

/* Writes a part: to the console, or to a file of the node. */
static int32_t write_part(int fd, const struct file *file, const char *from,
                          uint32_t bytes)
{
    if (file) {
        return glaze_put(file->id, file->position, from, bytes);
    }
    return fd == STDERR_FILENO ? glaze_error(from, bytes)
                               : glaze_write(from, bytes);
}

/* Returns 0 if the file can be written to, or -1 with errno. */
static int prepare_write(struct file *file, size_t bytes)
{
    if (!file) {
        return -1;
    }
    if (is_elsewhere(file)) {
        library_abort("write() to a file that the process of another node has "
                      "opened, which created this one: open it here, or write "
                      "in that process");
    }
    if (file->access == O_RDONLY) {
        return fail(file->data ? EROFS : EBADF);
    }
    if (file->append && bytes) {        /* no bytes leave the position as it is */
        file->position = size_of(file);
    }
    return bytes > INT32_MAX - file->position ? fail(EFBIG) : 0;
}

_READ_WRITE_RETURN_TYPE write(int fd, const void *from, size_t bytes)
{
    struct file *file = is_console(fd) ? NULL : file_of(fd);
    size_t done = 0;
    int32_t result;

    if (!is_console(fd) && prepare_write(file, bytes) < 0) {
        return -1;
    }
    do {                        /* one call may write only a part */
        result = write_part(fd, file, (const char *)from + done, bytes - done);
        if (result > 0) {
            done += result;
            if (file) {
                file->position += result;
            }
        }
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
    file = file_here(fd);
    if (!file) {
        return -1;
    }
    if (whence == SEEK_CUR) {
        position += file->position;
    } else if (whence == SEEK_END) {
        position += size_of(file);
    } else if (whence != SEEK_SET) {
        return fail(EINVAL);
    }
    if (position < 0 || position > INT32_MAX) {
        return fail(EINVAL);
    }
    file->position = position;
    return position;
}

int creat(const char *name, mode_t mode)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int truncate(const char *name, off_t length)
{
    int fd = open(name, O_WRONLY);
    int result = fd < 0 ? -1 : ftruncate(fd, length);

    if (fd >= 0) {
        close(fd);
    }
    return result;
}

/* What was written is in the file at once. */
int fsync(int fd)
{
    return is_console(fd) || file_here(fd) ? 0 : -1;
}

int ftruncate(int fd, off_t length)
{
    struct file *file = file_here(fd);

    if (!file) {
        return -1;
    }
    if (file->access == O_RDONLY || length < 0) {
        return fail(EINVAL);
    }
    return result_of(glaze_sized(FUGU_FILES_RESIZE, file->id, length));
}

/* ---- What a file is ----------------------------------------------------- */

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
    int size;

    if (is_console(fd)) {
        describe(stat, S_IFCHR | 0666, 0);
        return 0;
    }
    file = file_here(fd);
    if (!file) {
        return -1;
    }
    size = size_of(file);
    describe(stat, S_IFREG | (file->data ? 0444 : 0644), size);
    return size < 0 ? -1 : 0;
}

int stat(const char *name, struct stat *stat)
{
    struct glaze_file input;
    int32_t id;

    if (is_directory(name)) {
        describe(stat, S_IFDIR | 0777, 0);
        return 0;
    }
    name = in_directory(name);
    if (find_input(name, &input) == 0) {
        describe(stat, S_IFREG | 0444, input.size);
        return 0;
    }
    id = find(name);
    if (id < 0) {
        return fail(-id);
    }
    describe(stat, S_IFREG | 0644, glaze_sized(GLAZE_FILE_SIZE, id, 0));
    return 0;
}

int isatty(int fd)
{
    if (is_console(fd)) {
        if (glaze_terminals() & (FUGU_TERMINAL_INPUT << fd)) {
            return 1;
        }
        return errno = ENOTTY, 0;
    }
    return file_here(fd) ? (errno = ENOTTY, 0) : 0;
}

/*
 * By this function, newlib decides how to buffer a stream. The console's streams
 * are line-buffered whatever the host's files are: a run must not depend on
 * them unless it asks.
 */
int _isatty_r(struct _reent *reent, int fd)
{
    (void)reent;
    return is_console(fd);
}
