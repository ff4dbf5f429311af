/*
 * Memory of a task, as a command reaches it: whether or not the task runs. A
 * command first checks all that it will touch. The copies then cannot fail.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_REACH_H
#define GLAZE_REACH_H

#include "services/mbcf/task.h"

/* Beside MBCF_*: the command has to wait for a page. From here on up, all
 * statuses mean that a command has to wait. */
#define REACH_LATER     0x100

/* What a command does with the memory. */
enum reach {
    REACH_READ,
    REACH_WRITE,
    REACH_CAST,                 /* writes, there and in copies */
    REACH_STRUCTURE,            /* uses it as the structure that the command
                                   names */
    REACH_INNER,                /* as a structure that this structure names */
    REACH_POINTED,              /* writes where a structure points */
};

/*
 * Checks that a range of at least one byte is mapped and in memory, that the
 * task has the right to it, and that the agent has (0: no agent). Returns
 * MBCF_DONE or MBCF_BAD_ADDRESS; MBCF_BAD_STRUCTURE: an agent's client must not
 * use the structure that points there (agents.h). Returns REACH_LATER, and
 * notes the page in p->remote, if a page is not in memory; MBCF_NO_MEMORY or
 * MBCF_LOST if the page cannot come.
 */
uint32_t reach_check(struct process *p, uint32_t agent, uint32_t address,
                     uint32_t bytes, enum reach how);

/*
 * Return the physical address of an address that has been checked. The second
 * one is for the caller that writes there: it records that the page has changed.
 */
uint32_t reach_physical(struct process *p, uint32_t address);
uint32_t reach_physical_to_write(struct process *p, uint32_t address);

/* Copy from and to a range that has been checked. */
void reach_load(struct process *p, void *to, uint32_t from, uint32_t bytes);
void reach_store(struct process *p, uint32_t to, const void *from,
                 uint32_t bytes);

#endif /* GLAZE_REACH_H */
