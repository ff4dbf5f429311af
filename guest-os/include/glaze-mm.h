/*
 * The ABI of shared segments, with the M-Machine's interface: what the kernel and the
 * library mm.h share. docs/m-machine.md is the reference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MM_H
#define GLAZE_MM_H

#include "glaze.h"

/* ---- Operations of the system call GLAZE_MM ------------------------------- */

/* (operation, ...): the arguments that follow the operation. */
#define MM_SHARE        0       /* (struct glaze_segment *) lets the process send to a
                                   range of the memory of its job's processes. Returns
                                   the segment's number */
#define MM_UNSHARE      1       /* (segment) ends that */
#define MM_WAIT         2       /* (address, word) waits, without the processor, until a
                                   handler stores to the page of the address, if the
                                   word there, of a shared page, is this one. Returns
                                   0; it may return earlier */
#define MM_OPERATIONS   3

/*
 * A segment: node N has the bytes from window + N * bytes on, which are the range of
 * that size from `address` on in the memory of the job's process there.
 */
struct glaze_segment {
    uint32_t window;            /* in MM_WINDOW, a multiple of GLAZE_PAGE */
    uint32_t address;           /* of program or heap, a multiple of GLAZE_PAGE */
    uint32_t bytes;             /* a power of two, GLAZE_PAGE to MM_SEGMENT_MOST */
};

/* DestAddr of all messages is in this window, of 1 GiB. */
#define MM_WINDOW       0x40000000
#define MM_WINDOW_SIZE  0x40000000

#define MM_SEGMENTS     8               /* of a process */
#define MM_SEGMENT_MOST 0x100000        /* bytes of a node: 1 MiB */

#endif /* GLAZE_MM_H */
