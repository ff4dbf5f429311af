/*
 * Guarded pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "memory/memory.h"
#include "services/io.h"
#include "services/mm/guard.h"
#include "services/mm/segments.h"

static uint32_t page_of(uint32_t address)
{
    return address & ~(GLAZE_PAGE - 1);
}

/* A page that is not shared could be out when a handler stores. The page is closed
 * before the look at the word: slots store while the kernel runs. */
int32_t guard_look(uint32_t address, uint32_t word)
{
    enum memory_result result;
    uint32_t found;

    if (address & 3 || segments_before(current, page_of(address), GLAZE_PAGE)) {
        return -EINVAL;
    }
    result = memory_touch(current, address, true);
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    memory_guard(current, page_of(address));
    (void)memory_read(current, &found, address, sizeof(found));     /* it is there */
    if (found != word) {
        memory_unguard(current);
    }
    return found == word;
}

void guard_access(struct process *p, uint32_t address)
{
    if (p->guarded && page_of(address) == p->guarded) {
        memory_unguard(p);
        process_wake(p);
    }
}
