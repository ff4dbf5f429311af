/*
 * Waits of a process for a word that a message's handler stores.
 *
 * The page of the word is closed while the process waits: it is *guarded*. A handler's
 * store there stops its slot, and the interrupt opens the page, wakes the process and
 * lets the slot store. While a process runs, or waits for something else, stores of its
 * handlers cause no interrupt. So each wait causes one interrupt at most.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_GUARD_H
#define GLAZE_GUARD_H

#include "machine/process.h"

/*
 * The first part of MM_WAIT for the current process: guards the page of an address.
 * Returns 1 if the word there is this one: the process is to wait. Otherwise returns
 * as system calls do, and guards no page: -EINVAL if the address is not that of a word
 * in a segment.
 */
int32_t guard_look(uint32_t address, uint32_t word);

/*
 * A handler of p has stopped at an access to an address. If p guards its page, this
 * opens the page, and wakes p.
 */
void guard_access(struct process *p, uint32_t address);

#endif /* GLAZE_GUARD_H */
