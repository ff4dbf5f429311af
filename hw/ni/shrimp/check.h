/*
 * Checks of the SHRIMP network interface, for tests and for snapshots
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_CHECK_H
#define FUGU_SHRIMP_CHECK_H

#include "hw/fugu/ni/shrimp/shrimp.h"

/* Checks one interface, between any two instructions. Returns NULL, or the text
 * of the first condition that does not hold. Changes nothing. */
const char *shrimp_check(ShrimpNI *ni);

#endif /* FUGU_SHRIMP_CHECK_H */
