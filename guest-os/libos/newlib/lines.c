/*
 * getline() and getdelim(), which newlib has as __getline() and __getdelim().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

ssize_t getline(char **text, size_t *size, FILE *file)
{
    return __getline(text, size, file);
}

ssize_t getdelim(char **text, size_t *size, int end, FILE *file)
{
    return __getdelim(text, size, end, file);
}
