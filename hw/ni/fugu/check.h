/*
 * Checks of the FUGU network interface, for tests and for snapshots
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_CHECK_H
#define FUGU_NI_CHECK_H

#include "hw/fugu/ni/fugu/ni.h"

/* Checks one interface, between any two instructions. Returns NULL, or the text
 * of the first condition that does not hold. Changes nothing. */
const char *fugu_ni_check(FuguNI *ni);

#endif /* FUGU_NI_CHECK_H */
