/*
 * What POSIX programs ask about their surroundings: directory, user, limits,
 * rights and times of files. There is one directory, one user, and no rights.
 *
 * docs/udm.md has a table of all such functions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utime.h>
#include <unistd.h>

#include "library.h"

#define HOST_NAME "node"        /* followed by the node's number */

/* newlib declares these for some systems only. */
int getpagesize(void);
int gethostname(char *name, size_t size);

/* ---- Directories ----------------------------------------------------------- */

/* Returns "/" in `buffer`, which malloc() provides if it is NULL. */
char *getcwd(char *buffer, size_t size)
{
    if (!buffer) {
        return strdup("/");
    }
    if (size < sizeof("/")) {
        errno = size ? ERANGE : EINVAL;
        return NULL;
    }
    return strcpy(buffer, "/");
}

/* Returns -1 with `missing` if there is no such file or directory, else -1
 * with `present`. */
static int fails(const char *path, int missing, int present)
{
    struct stat info;

    errno = stat(path, &info) < 0 ? missing : present;
    return -1;
}

int chdir(const char *path)
{
    return is_directory(path) ? 0 : fails(path, ENOENT, ENOTDIR);
}

/* Folders are there as soon as a file has them in its name, so there is nothing to
 * make, and none is empty and can be removed. */
int mkdir(const char *path, mode_t mode)
{
    (void)mode;
    return is_file_name(path) ? 0 : -1;
}

int rmdir(const char *path)
{
    return fails(path, ENOENT, is_directory(path) ? EPERM : ENOTDIR);
}

/* ---- Files ----------------------------------------------------------------- */

/* There are no symbolic links. */
int lstat(const char *path, struct stat *info)
{
    return stat(path, info);
}

static int exists(const char *path)
{
    struct stat info;

    return stat(path, &info);
}

/* No file can be executed. */
int access(const char *path, int mode)
{
    if (exists(path) < 0) {
        return -1;
    }
    if (mode & X_OK) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

int chmod(const char *path, mode_t mode)
{
    (void)mode;
    return exists(path);
}

int fchmod(int file, mode_t mode)
{
    struct stat info;

    (void)mode;
    return fstat(file, &info);
}

/* Files have no owner: each process may do everything with each. */
int chown(const char *path, uid_t owner, gid_t group)
{
    (void)owner;
    (void)group;
    return exists(path);
}

int lchown(const char *path, uid_t owner, gid_t group)
{
    return chown(path, owner, group);
}

int fchown(int file, uid_t owner, gid_t group)
{
    struct stat info;

    (void)owner;
    (void)group;
    return fstat(file, &info);
}

int symlink(const char *target, const char *path)
{
    (void)target;
    return fails(path, EPERM, EEXIST);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
    (void)text;
    (void)size;
    return fails(path, ENOENT, EINVAL);
}

mode_t umask(mode_t mask)
{
    static mode_t current = 022;
    mode_t old = current;

    current = mask & 0777;
    return old;
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return exists(path);
}

/* ---- The user and the machine ---------------------------------------------- */

uid_t getuid(void)
{
    return 0;
}

uid_t geteuid(void)
{
    return 0;
}

gid_t getgid(void)
{
    return 0;
}

gid_t getegid(void)
{
    return 0;
}

pid_t getppid(void)
{
    return 0;
}

int getpagesize(void)
{
    return GLAZE_PAGE;
}

/* Returns -1 with EINVAL for what this system does not know. */
long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE:
        return GLAZE_PAGE;
    case _SC_CLK_TCK:
        return CLOCKS_PER_SEC;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return 1;               /* of this node */
    default:
        errno = EINVAL;
        return -1;
    }
}

/* "node" and the node's number. Returns -1 with ENAMETOOLONG if there is no
 * room for it. */
int gethostname(char *name, size_t size)
{
    char text[sizeof(HOST_NAME) + 5] = HOST_NAME;
    unsigned node = udm_node();
    char *end = text + strlen(text);

    for (unsigned scale = 1000; scale; scale /= 10) {
        if (node >= scale || scale == 1) {
            *end++ = '0' + node / scale % 10;
        }
    }
    *end = 0;
    if (strlen(text) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(name, text);
    return 0;
}
