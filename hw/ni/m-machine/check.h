/*
 * The M-Machine's message interface: what always holds
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_CHECK_H
#define FUGU_MM_CHECK_H

#include "hw/fugu/ni/m-machine/mm.h"

/* Checks conditions that hold between any two instructions. Returns NULL, or the
 * text of the first that does not hold. */
const char *mm_check(MMachineNI *ni);

#endif /* FUGU_MM_CHECK_H */
