/*
 * Kinds of network interface: what the kernel does differently for each
 * (docs/machine.md, "What every network interface has").
 *
 * A kind without FUGU's message part reads its registers as 0 and ignores
 * stores. So code that the fast paths share asks for no kind: it finds no
 * message. A process that never has any is in the mode GLAZE_MESSAGELESS, which
 * it neither enters nor leaves.
 *
 * A kind has no trap table of its own. FUGU's (entry/vectors.S) serves all
 * kinds: without FUGU's message part the interrupts and traps of messages never
 * occur, and all others are the same, so a second table would hold the same
 * vectors. SHRIMP's interface interrupts only where pages are mapped over the
 * network, and this kernel maps none. The first kind whose interrupts or traps
 * mean something else needs a table: add it to struct kind, and let
 * trap_table_init() (entry/main.c) select it, as it selects the one for soft
 * atomicity. What a switch of processes saves for that kind belongs into struct
 * kind then, too: the registers that a switch saves for FUGU are not there with
 * `none`, and read 0.
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
                                   calls that need it return -ENOSYS, the
                                   atomicity timer stays off, and no message of
                                   a GID can be left when its job has gone */
    uint32_t mode;              /* of a process when it begins, */
    uint32_t record;            /* and its receive record */
};

/* The machine's, from kind_init() on. All nodes have the same one. */
extern const struct kind *kind;

/* Finds the machine's kind. Panics if the kernel does not know it. */
void kind_init(void);

#endif /* GLAZE_KIND_H */
