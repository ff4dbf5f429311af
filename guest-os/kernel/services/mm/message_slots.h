/*
 * Message slots: how they begin, and what stops them (docs/m-machine.md, "Under
 * Glaze").
 *
 * A slot is a context of the processor. It runs trusted handlers of any process,
 * whether that runs or not, and the kernel has no part in that until the slot stops at
 * a fault, which interrupts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MESSAGE_SLOTS_H
#define GLAZE_MESSAGE_SLOTS_H

#include "machine/process.h"

/* On a machine with the M-Machine's interface: lets the slots begin. */
void message_slots_init(void);

/* The interrupt: serves what has stopped slots. */
void message_slots_interrupt(void);

/* The trap of a SEND by the current process, which has an operand that the interface
 * does not know: it is tried again, or ends the job. */
void message_slots_miss(void);

/* A process ends: none of its handlers runs any more, and no message of it leaves.
 * Messages for it that still come are dropped and counted. */
void message_slots_end(struct process *p);

#endif /* GLAZE_MESSAGE_SLOTS_H */
