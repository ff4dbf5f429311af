/*
 * Process control: how processes begin, take the processor, and end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CONTROL_H
#define GLAZE_CONTROL_H

#include <stdbool.h>

#include "image.h"
#include "machine/process.h"
#include "memory/memory.h"

/*
 * Takes the pages in which the kernel keeps the processes of a GID on this node.
 * Returns a process for process_prepare(); NULL if too few frames are free. For
 * the start only, because these frames are adjacent.
 */
struct process *process_alloc(unsigned gid);

/*
 * Clears a part of the pages of a process that has ended, for the next one of its GID:
 * call it for each part from 0 on. Some 6,500 cycles each. The process's memory must
 * have been given back (process_is_freed()), and its GID be drained (policy/flush.h).
 */
#define PROCESS_PARTS   3
void process_clear_part(struct process *p, unsigned part);

/*
 * Notes the program and the words of a process, for process_make(). The words
 * are `name` and `rest`, which begins with a space or is empty: at most
 * GLAZE_I_ARGS_MAX bytes together. If p has been a process of another job before, its
 * pages must have been cleared.
 */
void process_prepare(struct process *p, const struct image_program *program,
                     const char *name, unsigned name_length, const char *rest,
                     unsigned length);

/*
 * Makes a part of the process. MEMORY_OK: it is made. It can get messages now, and
 * process_begin() lets it run its program's first instruction. MEMORY_LATER: another
 * call goes on. MEMORY_NO_FRAME: another call may go on, with p->granted or when a
 * frame is free.
 */
enum memory_result process_make(struct process *p);

/* Ends a process that cannot be made. */
void process_give_up(struct process *p);

/*
 * Makes the idle process, which becomes current. Returns false if no frames
 * are free for it.
 */
bool process_create_idle(void);

/*
 * Makes a process current: switches address space, FPU and network interface.
 * Either process may be the idle one.
 */
void process_switch(struct process *p);

/*
 * Ends the sparing of the pages that have come last for a process (evict.h),
 * unless it waits for another one. Each process_switch() does so; the scheduler
 * does so for a process that goes on after its slot.
 */
void process_spare_no_more(struct process *p);

/*
 * Returns whether process_switch() has been called since the last call of this
 * function.
 */
bool process_switched(void);

/*
 * Gives back a part of the memory of processes that have ended, if the last part is
 * some time ago or the node `idles`, and notes CHORE_FREE for the rest. If frames have
 * become free, notes CHORE_PAGER and CHORE_OVERFLOW. If a process has no memory
 * left, notes CHORE_JOBS as well. Returns false if there was nothing to give back.
 */
bool process_free_part(bool idles);

/* Returns whether process_free_part() may have something to give back later. */
bool process_frees(void);

/*
 * Returns whether the last process of p's GID, if there was one, has no memory left,
 * so that process_clear_part() may be called. If not, process_free_part() notes
 * CHORE_JOBS when that becomes so.
 */
bool process_is_freed(const struct process *p);

/*
 * Ends all processes that process_doom() has marked, and notes CHORE_FREE,
 * which gives their memory back. If the current process is among them, the idle
 * process becomes current. Caller must be the scheduler or the code that makes
 * room, with nothing else under way.
 */
void process_reap_doomed(void);

/* The mappings of a process that has ended have ended, too (maps_end()): its memory can
 * be given back. */
void process_end_goes_on(struct process *p);

static inline void process_reap(void)
{
    if (process_doomed) {
        process_reap_doomed();
    }
}

#endif /* GLAZE_CONTROL_H */
