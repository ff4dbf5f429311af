/*
 * Glaze's system calls, as functions for C. glaze.h has their numbers, and
 * docs/glaze.md describes each call in full.
 *
 * A result below 0 is -errno, numbered as in newlib's <errno.h>. The functions
 * do not change errno itself. Numbers of bytes and addresses are uint32_t; what is said
 * of no range may have any value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CALLS_H
#define GLAZE_CALLS_H

#include <stdbool.h>

#include "glaze.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes system call `number`, a GLAZE_* number, with up to three arguments, `a0` to
 * `a2`, and returns its result. See GLAZE_TRAP_CALL for the registers that are lost.
 * glaze_call4(number, a0, a1, a2, a3) passes four arguments.
 *
 * Errors: those of the call; -ENOSYS if there is no such number.
 */
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

static inline __attribute__((always_inline))
int32_t glaze_call4(uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2,
                    uint32_t a3)
{
    register uint32_t g1 asm ("g1") = number;
    register uint32_t o0 asm ("o0") = a0;
    register uint32_t o1 asm ("o1") = a1;
    register uint32_t o2 asm ("o2") = a2;
    register uint32_t o3 asm ("o3") = a3;

    asm volatile ("ta %5"
                  : "+r" (g1), "+r" (o0), "+r" (o1)
                  : "r" (o2), "r" (o3), "i" (GLAZE_TRAP_CALL)
                  : "g2", "g3", "g4", "cc", "memory");
    return o0;
}

/*
 * Makes system call `number` and returns its result as glaze_call4() does, with the
 * arguments a0, a1, a2 and a3, on the fast path if the kernel has one for the call
 * (GLAZE_TRAP_QUICK).
 *
 * Errors: those of the call.
 */
static inline __attribute__((always_inline))
int32_t glaze_call_quick(uint32_t number, uint32_t a0, uint32_t a1,
                         uint32_t a2, uint32_t a3)
{
    register uint32_t g1 asm ("g1") = number;
    register uint32_t o0 asm ("o0") = a0;
    register uint32_t o1 asm ("o1") = a1;
    register uint32_t o2 asm ("o2") = a2;
    register uint32_t o3 asm ("o3") = a3;

    asm volatile ("ta %5"
                  : "+r" (g1), "+r" (o0), "+r" (o1)
                  : "r" (o2), "r" (o3), "i" (GLAZE_TRAP_QUICK)
                  : "g2", "g3", "g4", "cc", "memory");
    return o0;
}

/*
 * Ends the process with a status, 0 to 118. The job ends when all its
 * processes have ended. Errors: none; of a status only the low 8 bits count, and more
 * than 118 are 118.
 */
static inline __attribute__((noreturn)) void glaze_exit(int32_t status)
{
    for (;;) {
        glaze_call(GLAZE_EXIT, status, 0, 0);
    }
}

/*
 * Ends the job on all nodes with a status, 0 to 118. The kernel shows the
 * first 256 bytes of `text` as the reason: `bytes` are its length. glaze_abort_at()
 * also shows `pc`, a place in the program, with function and line; glaze_abort() does
 * not, and neither does a `pc` of 0.
 *
 * Errors: none; a text that cannot be read is left out.
 */
static inline __attribute__((noreturn))
void glaze_abort_at(int32_t status, const char *text, uint32_t bytes,
                    uint32_t pc)
{
    for (;;) {
        glaze_call4(GLAZE_ABORT, status, (uintptr_t)text, bytes, pc);
    }
}

static inline __attribute__((noreturn))
void glaze_abort(int32_t status, const char *text, uint32_t bytes)
{
    glaze_abort_at(status, text, bytes, 0);
}

/*
 * Writes `bytes` bytes at `from` to the console. Returns how many it has written, at
 * most 1024 in one call. Errors: -EFAULT if the program cannot read the first 128.
 */
static inline int32_t glaze_write(const void *from, uint32_t bytes)
{
    return glaze_call(GLAZE_WRITE, (uintptr_t)from, bytes, 0);
}

/*
 * Reads the bytes of console input that are there, without waiting. Returns
 * how many it has read: `bytes` or 256 at most, at most up to the end of a page, and 0
 * if there are none now, or in all jobs but the first. Errors: -EFAULT if the program
 * cannot write at `to`.
 */
static inline int32_t glaze_read(void *to, uint32_t bytes)
{
    return glaze_call(GLAZE_READ, (uintptr_t)to, bytes, 0);
}

/*
 * Sets views and the rights to them: the `list` has `count` entries. Returns 0.
 *
 * Errors: -EFAULT if the program cannot read the list. -EINVAL if an entry
 * has an address of a view outside of GLAZE_VIEWS to GLAZE_VIEWS_END, rights
 * that do not exist, a page outside of program and heap, one that the program
 * cannot write or that has another view, or a view that shows another page; -EBUSY if
 * the page is mapped over the network. The entries before it have then been done.
 * -ENOMEM if no frame is free for a table.
 */
static inline int32_t glaze_view(const struct glaze_view *list, uint32_t count)
{
    return glaze_call(GLAZE_VIEW, (uintptr_t)list, count, 0);
}

/*
 * Asks for an alarm upcall at a cycle by the clock of udm_cycles(), in place of
 * an earlier request; UINT64_MAX: none. Returns 0. Errors: none; a cycle that has been
 * comes at once.
 */
static inline int32_t glaze_alarm(uint64_t cycle)
{
    return glaze_call(GLAZE_ALARM, cycle >> 32, cycle, 0);
}

/*
 * Writes `bytes` bytes at `from` to standard error. Returns as glaze_write() does.
 * Errors: those of glaze_write().
 */
static inline int32_t glaze_error(const void *from, uint32_t bytes)
{
    return glaze_call(GLAZE_ERROR, (uintptr_t)from, bytes, 0);
}

/*
 * Reads from standard input, and waits for it. Returns how many bytes it has
 * read: `bytes` or 256 at most, at most up to a newline and to the end of a page.
 * Returns 0 at the end of the input; in all processes but that of the first job on
 * node 0 the input has ended. Errors: -EFAULT if the program cannot write at `to`.
 */
static inline int32_t glaze_input(void *to, uint32_t bytes)
{
    return glaze_call(GLAZE_INPUT, (uintptr_t)to, bytes, 0);
}

/*
 * Returns an OR of FUGU_TERMINAL_*: which of the standard files are terminals. Errors:
 * none.
 */
static inline uint32_t glaze_terminals(void)
{
    return glaze_call(GLAZE_TERMINALS, 0, 0, 0);
}

/*
 * Does the `command` FUGU_FILES_FIND, _CREATE, _UNLINK or _RENAME with a `name` of
 * `bytes` bytes. Returns the file's number; RENAME, of file number `file`, returns 0. A
 * file that loses its name, by UNLINK or because RENAME gives it to another one,
 * goes on until no process has it open.
 *
 * Errors: -ENOENT if there is no such file, -EEXIST if CREATE finds one,
 * -ENOSPC if there are too many files, -EACCES if no file can have that name,
 * -EINVAL for another command, -EFAULT.
 */
static inline int32_t glaze_named(uint32_t command, const char *name,
                                  uint32_t bytes, uint32_t file)
{
    return glaze_call4(GLAZE_NAMED, command, (uintptr_t)name, bytes, file);
}

/*
 * With the `command` GLAZE_FILE_SIZE, returns how many bytes a `file` has, a number of
 * glaze_named(). The other commands return 0. FUGU_FILES_RESIZE gives the file `bytes`
 * bytes, new ones 0. FUGU_FILES_OPEN opens it for this process, which keeps it if it
 * loses its name; FUGU_FILES_CLOSE undoes that once, as the end of the process does.
 *
 * Errors: -EBADF if there is no such file, or for CLOSE if this process does not have
 * it open; -EMFILE if it has GLAZE_OPEN_MAX files open; -ENOSPC; -EINVAL for another
 * command.
 */
static inline int32_t glaze_sized(uint32_t command, uint32_t file,
                                  uint32_t bytes)
{
    return glaze_call(GLAZE_SIZED, command, file, bytes);
}

/*
 * glaze_get() reads from a file, glaze_put() writes to it. Both return how many
 * bytes they have copied, at most 256 in one call. glaze_get() returns 0 at the
 * end of the file.
 *
 *   file      its number, of glaze_named()
 *   position  in the file, in bytes from its beginning
 *   to, from  in memory
 *   bytes     any number; the call copies 256 at most, and none beyond a page of memory
 *
 * Errors: -EBADF if there is no such file, -ENOSPC if not even one byte fits, -EFAULT.
 */
static inline int32_t glaze_get(uint32_t file, uint32_t position, void *to,
                                uint32_t bytes)
{
    return glaze_call4(GLAZE_GET, file, position, (uintptr_t)to, bytes);
}

static inline int32_t glaze_put(uint32_t file, uint32_t position,
                                const void *from, uint32_t bytes)
{
    return glaze_call4(GLAZE_PUT, file, position, (uintptr_t)from, bytes);
}

/*
 * Maps zero pages, which get memory when they are first touched. Pages that
 * are mapped already stay as they are. `address` and `bytes` are multiples of
 * GLAZE_PAGE, and the range lies within GLAZE_PROGRAM to GLAZE_PROGRAM_END.
 * Returns 0. Errors: -EINVAL for another range, -ENOMEM if there is no memory for
 * page tables.
 */
static inline int32_t glaze_map(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_MAP, address, bytes, 0);
}

/*
 * Gives pages back to the kernel, except those of the program's text and data.
 * `address` and `bytes` are as for glaze_map(). Returns 0. Errors: -EINVAL for another
 * range; -EBUSY if a page is mapped over the network or shared (mm.h): those before it
 * have been given back.
 */
static inline int32_t glaze_unmap(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_UNMAP, address, bytes, 0);
}

/*
 * Returns how many bytes from `address` on are fresh pages: pages of zeros that
 * take no memory yet, because the program has not touched them. At most 64 pages
 * are counted; 0: the first page is not fresh. `address` and `bytes` are as for
 * glaze_map(). Errors: -EINVAL for another range.
 */
static inline int32_t glaze_fresh(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_FRESH, address, bytes, 0);
}

/*
 * glaze_watch() makes the pages of a range count as unchanged from now on, and
 * returns 0.
 *
 * glaze_unchanged() returns how many bytes from `address` on are pages that have
 * not changed since the process began or since glaze_watch(). At most 64 pages
 * are counted; 0: the first page has changed. A page changes
 * by a store, a storeback, a system call or another task that writes there, and
 * when it is mapped. A page with a view counts as changed, and so does a page
 * that has had one since glaze_watch(). A page that is not mapped is unchanged.
 *
 * Errors: -EINVAL for a range, `address` and `bytes`, that glaze_map() does not take.
 */
static inline int32_t glaze_watch(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_WATCH, address, bytes, 0);
}

static inline int32_t glaze_unchanged(uint32_t address, uint32_t bytes)
{
    return glaze_call(GLAZE_UNCHANGED, address, bytes, 0);
}

/*
 * Describes input file number `index`, from 0, in *file. Returns 0. Errors: -ENOENT if
 * `index` is not below the number of files; -EFAULT.
 */
static inline int32_t glaze_file(uint32_t index, struct glaze_file *file)
{
    return glaze_call(GLAZE_FILE, index, (uintptr_t)file, 0);
}

/* Gives the rest of the process's slot to other jobs. Errors: none. */
static inline void glaze_yield(void)
{
    glaze_call(GLAZE_YIELD, 0, 0, 0);
}

/*
 * Waits until a message for this process is there, a page has come for which a
 * fault upcall was made (GLAZE_I_ARRIVALS), or a signal upcall is due. Returns at
 * once if one of these is true already, or if an alarm upcall is due. Errors: none.
 */
static inline void glaze_wait(void)
{
    glaze_call(GLAZE_WAIT, 0, 0, 0);
}

/*
 * Enters buffered mode, which lasts until the buffer has been drained. Errors: none;
 * without messages for users (--ni) it does nothing.
 */
static inline void glaze_divert(void)
{
    glaze_call(GLAZE_DIVERT, 0, 0, 0);
}

/*
 * Suspends the caller's atomic section and clears UAC (see GLAZE_HOLD in
 * glaze.h). Returns a word that describes the section, for glaze_resume(). Errors:
 * none.
 */
static inline uint32_t glaze_suspend(void)
{
    return glaze_call(GLAZE_HOLD, 1, 0, 0);
}

/*
 * Resumes the suspended atomic section that `word` describes. Errors: ends the job
 * with dispose-failure if dispose-pending is set in UAC. Without a suspended section,
 * or with another word, it does nothing.
 */
static inline void glaze_resume(uint32_t word)
{
    glaze_call(GLAZE_HOLD, 0, word, 0);
}

/*
 * Fills in *count: frames, pages, messages and slots in use on this node. Errors: none;
 * what cannot be written stays as it was.
 */
static inline void glaze_count(struct glaze_count *count)
{
    glaze_call(GLAZE_COUNT, (uintptr_t)count, 0, 0);
}

/*
 * Fills in *measure: what this process has sent, received and used on this
 * node. With `anew`, `buffer_pages_most` then starts again from the present
 * number of pages. Returns 0. Errors: -EFAULT if it cannot be written.
 */
static inline int32_t glaze_measure(struct glaze_measure *measure, bool anew)
{
    return glaze_call(GLAZE_MEASURE, (uintptr_t)measure, anew, 0);
}

/*
 * glaze_fp_save() stores the FPU's registers in *fp and sets valid there.
 * glaze_fp_load() loads them from *fp and clears valid, but does nothing if
 * valid is not set. `fp` must be a multiple of 8. Return 0. Errors: -EINVAL for
 * another address, -EFAULT if it cannot be read and written.
 */
static inline int32_t glaze_fp_save(struct glaze_fp *fp)
{
    return glaze_call(GLAZE_FP_SAVE, (uintptr_t)fp, 0, 0);
}

static inline int32_t glaze_fp_load(struct glaze_fp *fp)
{
    return glaze_call(GLAZE_FP_LOAD, (uintptr_t)fp, 0, 0);
}

/* ---- For the scheduler's server alone (docs/scheduler.md) ------------------ */

/*
 * Installs a table of slots, which holds from table->origin on. Returns 0. Errors:
 * -EPERM for other programs than the server, -EFAULT, -EINVAL for a table that is wrong
 * (docs/scheduler.md); the tables before it then stay.
 */
static inline int32_t glaze_schedule(const struct glaze_table *table)
{
    return glaze_call(GLAZE_SCHEDULE, (uintptr_t)table, 0, 0);
}

/*
 * Takes the events of one process that are in `mask` (GLAZE_E_*). Returns 1
 * with *event filled in. If there are none, waits until there are some, a
 * message or a plan comes, or the node's clock reaches `until` (GLAZE_NEVER: no time),
 * and returns 0. Returns 0 at once if a message waits, or a plan that the server has
 * not taken. Errors: -EPERM, -EFAULT.
 */
static inline int32_t glaze_event(uint32_t mask, struct glaze_event *event,
                                  uint64_t until)
{
    return glaze_call4(GLAZE_EVENT, mask, (uintptr_t)event, until >> 32,
                       until);
}

/*
 * Describes a job of the command line in *job, by its `number` from 1 on. Returns
 * 0. Errors: -ENOENT if there is no such job, -EPERM, -EFAULT.
 */
static inline int32_t glaze_job(uint32_t number, struct glaze_job *job)
{
    return glaze_call(GLAZE_JOB, number, (uintptr_t)job, 0);
}

/*
 * Starts the job of that `number`, which waits. For the server on node 0. Returns the
 * job's GID: the kernels make a process on each node; then GLAZE_E_BEGUN comes, or
 * GLAZE_E_GONE if a node has too little memory. Errors: -EINVAL on another node,
 * -ENOENT as glaze_job(), -EEXIST if the job has been started, -EAGAIN if no GID is
 * free until the server takes another GLAZE_E_GONE, -EPERM.
 */
static inline int32_t glaze_start(uint32_t number)
{
    return glaze_call(GLAZE_START, number, 0, 0);
}

/*
 * For the server on node 0: sends a plan to the servers of all other nodes, by the
 * network of the kernels. A newer plan may replace one that is on its way. Returns
 * 0. Errors: -EINVAL on another node, -EPERM, -EFAULT.
 */
static inline int32_t glaze_announce(const struct glaze_plan *plan)
{
    return glaze_call(GLAZE_ANNOUNCE, (uintptr_t)plan, 0, 0);
}

/*
 * Takes the newest plan that has come from node 0. Returns 1 with *plan filled in;
 * 0 if none has come since the last call. Errors: -EPERM, -EFAULT.
 */
static inline int32_t glaze_plan(struct glaze_plan *plan)
{
    return glaze_call(GLAZE_PLAN, (uintptr_t)plan, 0, 0);
}

/* ---- Windows ------------------------------------------------------------ */

/*
 * Stores all register windows except the current one to the stack. The
 * processor loads them again when their functions return. Errors: a stack that cannot
 * be written ends the job.
 */
static inline void glaze_flush_windows(void)
{
    asm volatile ("ta %0" : : "i" (GLAZE_TRAP_FLUSH) : "memory");
}

/* ---- Information page --------------------------------------------------- */

/*
 * Returns the word at an `offset` GLAZE_I_* of the information page. The kernel may
 * change the word at any time. Errors: an offset that is no multiple of 4 ends the job;
 * one of 4096 or more reads what is behind the page.
 */
static inline uint32_t glaze_info(uint32_t offset)
{
    return *(volatile const uint32_t *)(uintptr_t)(GLAZE_INFO + offset);
}

#ifdef __cplusplus
}
#endif

#endif /* GLAZE_CALLS_H */
