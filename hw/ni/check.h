/*
 * Checks of the network interfaces, for tests and for snapshots
 *
 * Each function checks conditions that always hold. It returns NULL, or the
 * text of the first condition that does not hold. It changes nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_CHECK_H
#define FUGU_NI_CHECK_H

#include "hw/fugu/ni/ni.h"

/* Checks one interface, between any two instructions. */
const char *fugu_ni_check(FuguNI *ni);

/*
 * Checks all interfaces together: for each node, its space and the words that
 * it has in the network add up to the space that it started with. Caller must
 * be between two rounds, with all nodes in this process. The function does not
 * look at packets in the hub.
 */
const char *fugu_ni_check_balance(struct FuguMachineState *machine);

#endif /* FUGU_NI_CHECK_H */
