/*
 * Copies of long messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "nx-state.h"

/* The C library's memcpy() takes twice the cycles of this. */
static void doubles(uint64_t *to, const uint64_t *from, uint32_t count)
{
    const uint64_t *end = from + count;

    while (end - from >= 4) {
        uint64_t a = from[0], b = from[1];

        to[0] = a;
        to[1] = b;
        a = from[2];
        b = from[3];
        to[2] = a;
        to[3] = b;
        from += 4;
        to += 4;
    }
    while (from != end) {
        *to++ = *from++;
    }
}

void nx_copy(void *to, const void *from, uint32_t bytes)
{
    uint32_t whole = 0;

    if (((uintptr_t)to | (uintptr_t)from) % 8 == 0) {
        whole = bytes & -8;
        doubles(to, from, whole / 8);
    }
    memcpy((char *)to + whole, (const char *)from + whole, bytes - whole);
}
