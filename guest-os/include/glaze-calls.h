/*
 * Glaze's system calls for C. glaze.h has their numbers, docs/glaze.md what
 * they do.
 *
 * Unless it says otherwise, a result below 0 is -errno, numbered as in
 * newlib's <errno.h>. None of them touches errno itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CALLS_H
#define GLAZE_CALLS_H

#include "glaze.h"

/* Number, arguments and what is lost, as GLAZE_TRAP_CALL says. */
static inline __attribute__((always_inline))
int32_t glaze_call(uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2)
{
    register uint32_t g1 asm ("g1") = number;
    register uint32_t o0 asm ("o0") = a0;
    register uint32_t o1 asm ("o1") = a1;
    register uint32_t o2 asm ("o2") = a2;

    asm volatile ("ta %4"
                  : "+r" (g1), "+r" (o0), "+r" (o1)
                  : "r" (o2), "i" (GLAZE_TRAP_CALL)
                  : "g2", "g3", "g4", "cc", "memory");
    return o0;
}

/* Ends the process; the job ends when all its processes have. */
static inline __attribute__((noreturn)) void glaze_exit(int32_t status)
{
    for (;;) {
        glaze_call(GLAZE_EXIT, status, 0, 0);
    }
}

/* Ends the job on all nodes, for the reason in `text`. */
static inline __attribute__((noreturn))
void glaze_abort(int32_t status, const char *text, uint32_t bytes)
{
    for (;;) {
        glaze_call(GLAZE_ABORT, status, (uintptr_t)text, bytes);
    }
}

/* Bytes to the console; how many it took (1024 at most), or -EFAULT. */
static inline int32_t glaze_write(const void *from, uint32_t bytes)
{
    return glaze_call(GLAZE_WRITE, (uintptr_t)from, bytes, 0);
}

/* Bytes from the console; how many there were, 0: none now. -EFAULT. */
static inline int32_t glaze_read(void *to, uint32_t bytes)
{
    return glaze_call(GLAZE_READ, (uintptr_t)to, bytes, 0);
}

/* Zero pages at an address of the program's heap. 0, -EINVAL, -ENOMEM. */
static inline int32_t glaze_map(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_MAP, address, bytes, 0);
}

static inline int32_t glaze_unmap(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_UNMAP, address, bytes, 0);
}

/* Input file number `index`, from 0. 0, or -ENOENT behind the last one. */
static inline int32_t glaze_file(uint32_t index, struct glaze_file *file)
{
    return glaze_call(GLAZE_FILE, index, (uintptr_t)file, 0);
}

/* Gives the rest of the quantum to other jobs. */
static inline void glaze_yield(void)
{
    glaze_call(GLAZE_YIELD, 0, 0, 0);
}

/* Returns when a message waits for this process, perhaps at once. */
static inline void glaze_wait(void)
{
    glaze_call(GLAZE_WAIT, 0, 0, 0);
}

/* Buffered mode from now on, until the buffer has been drained. */
static inline void glaze_divert(void)
{
    glaze_call(GLAZE_DIVERT, 0, 0, 0);
}

/*
 * An open atomic section is left behind, and UAC is clear; the result is for
 * glaze_resume(), with which the section goes on.
 */
static inline uint32_t glaze_suspend(void)
{
    return glaze_call(GLAZE_HOLD, 1, 0, 0);
}

static inline void glaze_resume(uint32_t word)
{
    glaze_call(GLAZE_HOLD, 0, word, 0);
}

static inline void glaze_count(struct glaze_count *count)
{
    glaze_call(GLAZE_COUNT, (uintptr_t)count, 0, 0);
}

/* The FPU's registers to memory, and back if they are valid, which clears
 * that. 0, -EFAULT, -EINVAL: not at a multiple of 8. */
static inline int32_t glaze_fp_save(struct glaze_fp *fp)
{
    return glaze_call(GLAZE_FP_SAVE, (uintptr_t)fp, 0, 0);
}

static inline int32_t glaze_fp_load(struct glaze_fp *fp)
{
    return glaze_call(GLAZE_FP_LOAD, (uintptr_t)fp, 0, 0);
}

/* All register windows but the current one to the stack, and out of the
 * processor. */
static inline void glaze_flush_windows(void)
{
    asm volatile ("ta %0" : : "i" (GLAZE_TRAP_FLUSH) : "memory");
}

/* ---- Information page ------------------------------------------------------ */

/* The word at this offset, GLAZE_I_*. The kernel may change it any time. */
static inline uint32_t glaze_info(uint32_t offset)
{
    return *(volatile const uint32_t *)(uintptr_t)(GLAZE_INFO + offset);
}

#endif /* GLAZE_CALLS_H */
