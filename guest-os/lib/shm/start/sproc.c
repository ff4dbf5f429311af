/*
 * Variables of the program in shared memory: cc --anl --sproc links them to its
 * beginning (guest-os/anl/sproc.ld). Their initial values lie in the program's
 * read-only part. Node 0, the home of all pages at first, copies them before any
 * of the program's code runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "start.h"

/* All are 0 in a program that is linked otherwise. */
#define WEAK            __attribute__((weak))
extern const char sproc_image[] WEAK, sproc_start[] WEAK;
extern const char sproc_data_end[] WEAK, sproc_end[] WEAK;

void sproc_init(void)
{
    uint32_t start = (uintptr_t)sproc_start, end = (uintptr_t)sproc_end;
    uint32_t data_end = (uintptr_t)sproc_data_end;
    const char *image = sproc_image;

    if (end == start) {
        return;
    }
    malloc_reserve(end - start);
    for (uint32_t at = start; at < data_end; at += GLAZE_PAGE) {
        uint32_t bytes = data_end - at;

        page_map(page_number(at));
        memcpy(page_memory(page_number(at)), image + (at - start),
               bytes < GLAZE_PAGE ? bytes : GLAZE_PAGE);
    }
}
