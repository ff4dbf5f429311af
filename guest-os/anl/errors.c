/*
 * The texts of errno's values as programs find them that are older than strerror().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#define ERRORS          200     /* newlib's numbers are less */

char *sys_errlist[ERRORS];
int sys_nerr = ERRORS;

__attribute__((constructor)) static void fill(void)
{
    for (int i = 0; i < ERRORS; i++) {
        sys_errlist[i] = strerror(i);
    }
}
