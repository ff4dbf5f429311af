/*
 * What always holds of the network interfaces, for tests to ask, and for
 * what has been loaded
 *
 * Each function returns NULL, or the text of the first condition that does
 * not hold. Nothing is changed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_CHECK_H
#define FUGU_NI_CHECK_H

#include "hw/fugu/ni/ni.h"

/* Of one interface, between any two instructions. */
const char *fugu_ni_check(FuguNI *ni);

/*
 * Of all of them together: each source's space and what it has in the network
 * come to what it started with. Caller must be between two rounds, with all
 * nodes in this process: what the hub holds is not looked at.
 */
const char *fugu_ni_check_balance(struct FuguMachineState *machine);

#endif /* FUGU_NI_CHECK_H */
