/*
 * Messages of the M-Machine's interface: shared ranges.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "mm.h"
#include "note.h"

static int32_t call(uint32_t operation, uint32_t a)
{
    asm volatile (NOTE_NEEDS_SLOTS(""));
    return glaze_call(GLAZE_MM, operation, a, 0);
}

int32_t mm_share(struct mm_shared *shared, uint32_t offset, volatile void *memory,
                 size_t bytes)
{
    struct glaze_segment segment = {
        .window = MM_WINDOW + offset, .address = (uintptr_t)memory, .bytes = bytes,
    };
    int32_t result = call(MM_SHARE, (uintptr_t)&segment);

    *shared = (struct mm_shared) {
        .window = segment.window, .address = segment.address, .bytes = bytes,
        .segment = result,
    };
    return result < 0 ? result : 0;
}

int32_t mm_unshare(struct mm_shared *shared)
{
    return call(MM_UNSHARE, shared->segment);
}
