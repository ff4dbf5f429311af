/*
 * <stdio.h>, with the functions that newlib has under other names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_STDIO_H
#define FUGU_STDIO_H

#include_next <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ANL_H   /* programs with ANL macros are older, and may have their own */

/*
 * Reads a line, or up to the byte `end`, into *text, which holds *size bytes
 * and grows by realloc(), from `file`. Returns the number of bytes, with the newline or
 * `end`. POSIX.1-2008. Errors: -1 at the end of the file, or if no memory is left.
 */
ssize_t getline(char **text, size_t *size, FILE *file);
ssize_t getdelim(char **text, size_t *size, int end, FILE *file);

#endif

#ifdef __cplusplus
}
#endif

#endif
