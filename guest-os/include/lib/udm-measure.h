/*
 * Measured sections: what a part of a program costs, on all nodes of a job.
 *
 *      udm_measure_begin();
 *      ...                             // the section
 *      measured = udm_measure_end();
 *      udm_measure_print("lu", &measured);
 *
 * The machine counts, so that the section costs what it would cost without
 * being measured. All nodes make both calls; they are collective operations
 * (udm-collective.h), and the same rules hold for them. Sections do not nest.
 * A program may measure several sections, one after the other. docs/udm.md is
 * the reference.
 *
 * A node's section lasts from the end of its udm_measure_begin() to the start
 * of its udm_measure_end(). The messages of these two calls do not count. A
 * message belongs to the sender's section if it is sent in it, and to the
 * receiver's if it is received in it: when nodes enter or leave the section at
 * different times, a few messages may be sent in it and received outside of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_MEASURE_H
#define UDM_MEASURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A section. Sums are over all nodes. */
struct udm_measured {
    uint64_t cycles;            /* of the node that has taken longest, from its
                                   begin to its end */
    uint64_t charged;           /* sum: cycles charged to the job, which are
                                   those of its own slots, and of insertions
                                   into its buffers at any time */
    uint64_t sent;              /* sum: messages */
    uint64_t bodies;            /* sum: of those, with a body */
    uint64_t bytes;             /* sum: bytes of these bodies */
    uint64_t received;          /* sum: messages disposed of, in handlers or by
                                   polling */
    uint64_t handled;           /* sum: of those, in handlers */
    uint64_t handling;          /* sum: cycles of handlers, from interrupt to
                                   resumption */
    uint64_t inserted;          /* sum: messages put into buffers */
    uint32_t buffer_pages;      /* most pages of message buffer on a node at a
                                   time */
};

/*
 * Begins the section, on all nodes at about the same time. Errors: ends the job (118)
 * if a section has begun already; and those of udm_barrier().
 */
void udm_measure_begin(void);

/*
 * Ends the section, and returns it, the same on all nodes. Errors: ends the job (118)
 * if no section has begun; and those of udm_reduce_all_int().
 */
struct udm_measured udm_measure_end(void);

/*
 * Prints a section on node 0, one line for each number:
 *
 *      measured lu: job 1
 *      measured lu: cycles 13412345
 *
 * `name` is one word. With a name of up to 60 bytes, all lines are one write,
 * which no other job's output interrupts. docs/udm.md lists the lines.
 * tools/fugu/measured.py reads them. `measured` is what udm_measure_end() has returned.
 * On other nodes it does nothing. Errors: none.
 */
void udm_measure_print(const char *name, const struct udm_measured *measured);

#ifdef __cplusplus
}
#endif

#endif /* UDM_MEASURE_H */
