/*
 * Markers of a flush (policy/flush.h) among the M-Machine's messages. A marker has
 * GID_NONE and no words. Its handler is an instruction of the kernel that stops the
 * slot, and the interrupt counts it in message_marks (machine/message.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MARKERS_H
#define GLAZE_MARKERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Enters what markers need into the interface's tables, where a miss of a process may
 * replace it. To be called in each entry into the kernel before markers_send(). Takes
 * some 1,500 cycles.
 */
void markers_begin(void);

/* Sends a marker at each priority to a node. Returns false, and has sent none, if there
 * is no space for both now. */
bool markers_send(uint32_t node);

/* Whether a slot that has stopped here has a marker, if its message has GID_NONE. */
bool markers_at(uint32_t pc);

#endif /* GLAZE_MARKERS_H */
