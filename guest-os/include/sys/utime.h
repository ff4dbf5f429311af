/*
 * <sys/utime.h>, which <utime.h> includes. newlib's own does not compile by
 * itself: it uses time_t, and includes nothing that defines it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef _SYS_UTIME_H
#define _SYS_UTIME_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Times in seconds since the machine's start. */
struct utimbuf {
    time_t actime;              /* of the last access */
    time_t modtime;             /* of the last change */
};

/*
 * Files have no times, so `times` is not looked at: returns 0 if `path` names a file.
 * Errors: -1 with ENOENT.
 */
int utime(const char *path, const struct utimbuf *times);

#ifdef __cplusplus
}
#endif

#endif
