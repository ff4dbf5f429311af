/*
 * Kinds of network interface: what the kernel does differently for each
 * (docs/machine.md, "What every network interface has").
 *
 * A kind without FUGU's message part reads its registers as 0 and ignores
 * stores. So code that the fast paths share asks for no kind: it finds no
 * message. A process that never has any is in the mode GLAZE_MESSAGELESS, which
 * it neither enters nor leaves.
 *
 * FUGU's trap table (entry/vectors.S) serves a kind without a message part as well: the
 * interrupts and traps of messages never occur, and all others are the same. SHRIMP's
 * interface and the M-Machine's interrupt at the levels of FUGU's messages, so a table
 * in RAM leads these to C (entry/table_in_ram.c). A switch of processes saves nothing
 * of either: updates for a process that does not run land in its memory, and its
 * handlers run in message slots. What it has sent has left its registers by then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_KIND_H
#define GLAZE_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct kind {
    uint32_t number;            /* FUGU_NETIF_* */
    bool messages;              /* FUGU's message part is there. Without it,
                                   calls that need it return -ENOSYS, and the
                                   atomicity timer stays off */
    unsigned markers;           /* of a flush, from each node to each: one for each
                                   network that has messages of jobs. 0: none of a
                                   GID can be left when its job has gone */
    unsigned pages_for;         /* chore that goes on when a page has come that no
                                   process waits for (process.remote) */
    uint32_t mode;              /* of a process when it begins, */
    uint32_t record;            /* and its receive record */
};

/* The machine's, from kind_init() on. All nodes have the same one. */
extern const struct kind *kind;

/* Finds the machine's kind. Panics if the kernel does not know it. */
void kind_init(void);

#endif /* GLAZE_KIND_H */
