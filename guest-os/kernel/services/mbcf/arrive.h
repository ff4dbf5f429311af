/*
 * Packets of MBCF that arrive.
 *
 * A command is done when its packet comes, whether or not its target runs. If it
 * cannot be done then, it is refused or set aside (aside.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_ARRIVE_H
#define GLAZE_ARRIVE_H

#include <stdbool.h>

#include "machine/process.h"

/* Returns whether the head message of the first network is a packet of MBCF. */
bool arrive_is_head(void);

/*
 * Takes that packet off the network and does what it says. The packet stays there while
 * commands wait for the chore alone (aside_hurry), and between its parts (head.h).
 * Returns false, with the packet still there, if that needs a frame and none is free.
 */
bool arrive(void);

/* Returns the GID of the task for which the packet at the head is. */
uint32_t arrive_gid(void);

#endif /* GLAZE_ARRIVE_H */
