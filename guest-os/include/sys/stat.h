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

/* As stat(): there are no symbolic links. */
int lstat(const char *path, struct stat *info);

#ifdef __cplusplus
}
#endif

#endif
