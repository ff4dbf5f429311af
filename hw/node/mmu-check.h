/*
 * A check of the guest's flushes of the MMU (-machine check=mmu)
 *
 * Follows what a TLB of any size may hold that has contexts, as that of SPARC's
 * reference MMU: an entry stays until the guest flushes it. When the tables
 * are looked up and say something else than such an entry, a flush is missing,
 * and the machine ends.
 *
 * QEMU looks up the tables again whenever the context changes, as its own TLB
 * has no contexts. With this check it also does when the processor goes back to
 * user mode and a word of the tables is not what it was, so nothing that a kernel
 * changes meanwhile is missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MMU_CHECK_H
#define FUGU_MMU_CHECK_H

struct FuguNode;

/* Begins the check of a node. It is never freed: a node stays. */
void fugu_mmu_check_init(struct FuguNode *node);

/* Forgets all entries. Does nothing if the node is not checked. */
void fugu_mmu_check_reset(struct FuguNode *node);

#endif /* FUGU_MMU_CHECK_H */
