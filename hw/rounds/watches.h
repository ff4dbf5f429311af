/*
 * Whose memory a debugger's watchpoints are about
 *
 * Watchpoints are at virtual addresses, which several programs have. A
 * debugger can say which context of the MMU is meant; stores in other contexts
 * then do not stop the machine, on its way forward and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_WATCHES_H
#define FUGU_WATCHES_H

#include "hw/fugu/node/node.h"

/*
 * Adds to the class of the scheduler of rounds the property
 *
 * "watches": write-only, NODE:CONTEXT:ADDRESS:LENGTH for each range of
 *            addresses that has a context, with commas between, or "none".
 *            Takes the place of what was said before.
 */
void fugu_watches_init(ObjectClass *rounds);

/*
 * After a debug stop of @node: forgets the watchpoint that it has hit, if that
 * is about other contexts than the one that is on. Returns whether there is
 * nothing left to stop for.
 */
bool fugu_watches_pass(FuguNode *node);

#endif /* FUGU_WATCHES_H */
