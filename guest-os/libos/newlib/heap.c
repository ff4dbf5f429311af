/*
 * Memory for malloc(): the addresses from the end of the program's bss on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <malloc.h>
#include <reent.h>
#include <unistd.h>

#include "library.h"

#define CHUNK 0x10000           /* map this many bytes at a time */

extern char heap_start[];       /* program.ld; the start of a page */

static uint32_t end = (uintptr_t)heap_start;    /* the heap ends here */
static uint32_t mapped = (uintptr_t)heap_start; /* the mapped pages end here */
static uint32_t limit = GLAZE_PROGRAM_END;

void heap_limit(uint32_t highest)
{
    limit = highest;
}

void *sbrk(ptrdiff_t bytes)
{
    uint32_t old = end;

    if (bytes > (ptrdiff_t)(limit - end) ||
        bytes < -(ptrdiff_t)(end - (uintptr_t)heap_start)) {
        errno = ENOMEM;
        return (void *)-1;
    }
    if (end + bytes > mapped) {
        uint32_t more = (end + bytes - mapped + CHUNK - 1) & -CHUNK;
        int32_t result;

        if (more > limit - mapped) {
            more = limit - mapped;
        }
        result = glaze_map(mapped, more);
        if (result < 0) {
            errno = -result;
            return (void *)-1;
        }
        mapped += more;
    }
    end += bytes;
    return (void *)old;
}

bool heap_renew(uint32_t new_end)
{
    glaze_unmap((uintptr_t)heap_start, mapped - (uintptr_t)heap_start);
    end = mapped = (uintptr_t)heap_start;
    return sbrk(new_end - end) != (void *)-1;
}

/*
 * newlib calls __malloc_lock() and __malloc_unlock() around malloc(), free()
 * and the like. An atomic section serves as the lock, so that handlers can
 * call these functions as well as threads. realloc() locks twice.
 */
static unsigned locks;
static uint32_t uac_before;

void __malloc_lock(struct _reent *reent)
{
    uint32_t uac = library_enter();

    (void)reent;
    if (locks++ == 0) {
        uac_before = uac;
    }
}

void __malloc_unlock(struct _reent *reent)
{
    (void)reent;
    if (--locks == 0) {
        library_leave(uac_before);
    }
}

/* newlib has memalign() alone. Returns 0, EINVAL or ENOMEM, and leaves errno. */
int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    int before = errno;
    void *found;

    if (alignment < sizeof(void *) || alignment & (alignment - 1)) {
        return EINVAL;
    }
    found = memalign(alignment, bytes);
    errno = before;
    if (!found) {
        return ENOMEM;
    }
    *block = found;
    return 0;
}
