/*
 * Checks of the system part of network interfaces, for tests and for snapshots
 *
 * Each function checks conditions that always hold. It returns NULL, or the
 * text of the first condition that does not hold. It changes nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_CHECK_H
#define FUGU_SYSTEM_CHECK_H

#include "hw/fugu/ni/system/system.h"

/* Returns the text of a condition that does not hold from the caller. */
#define FUGU_REQUIRE(condition)         \
    do {                                \
        if (!(condition)) {             \
            return #condition;          \
        }                               \
    } while (0)

/* Returns from the caller if a condition of @check does not hold. */
#define FUGU_REQUIRE_ALL(check)         \
    do {                                \
        const char *broken = (check);   \
        if (broken) {                   \
            return broken;              \
        }                               \
    } while (0)

/* Checks the system part and all channels of one interface, between any two
 * instructions. */
const char *fugu_system_check(FuguSystemNI *ni);

/*
 * Checks all interfaces together: for each node, its space and the words that
 * it has in the network add up to the space that it started with. Caller must
 * be between two rounds, with all nodes in this process. The function does not
 * look at packets in the hub.
 */
const char *fugu_system_check_balance(struct FuguMachineState *machine);

#endif /* FUGU_SYSTEM_CHECK_H */
