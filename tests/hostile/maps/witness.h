/*
 * The numbers of witness.c's exports, which intruder.c knows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WITNESS_H
#define WITNESS_H

enum { WITNESS_DATA = 1, WITNESS_FLAGS, WITNESS_KEYED, WITNESS_FOREIGN };

#endif /* WITNESS_H */
