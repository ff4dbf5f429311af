/*
 * <sys/stat.h>, with lstat(), which newlib declares for some systems only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYS_STAT_H
#define FUGU_SYS_STAT_H

#include_next <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fills in *info for the file at `path`, and returns 0, as stat(): there are no
 * symbolic links. Errors: -1 with errno, as stat().
 */
int lstat(const char *path, struct stat *info);

#ifdef __cplusplus
}
#endif

#endif
