/*
 * The segments of a process: ranges of memory at all nodes of its job to which it may
 * send (docs/m-machine.md).
 *
 * The pages of the own node's range stay in memory as long as it is shared: each
 * frame's word (frame_note()) counts the segments that have it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SEGMENTS_H
#define GLAZE_SEGMENTS_H

#include "machine/process.h"

/*
 * The operations of GLAZE_MM, for the current process. Return as system calls do.
 * segments_share() does a part of its pages in each call, and IO_AGAIN lets the call be
 * made again.
 */
int32_t segments_share(uint32_t wanted);
int32_t segments_end(uint32_t number);

/* Returns how many bytes of a range of whole pages come before the first shared one. */
uint32_t segments_before(struct process *p, uint32_t address, uint32_t bytes);

/* A process ends, whose memory is given back later: none of its pages counts as pinned
 * any more. */
void segments_forget(struct process *p);

#endif /* GLAZE_SEGMENTS_H */
