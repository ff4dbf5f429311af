/*
 * The M-Machine's message interface: what debuggers ask of it
 *
 * The property "slots" of the device is text in JSON, for a machine that does not run:
 *
 *   active     the number of the context whose registers the processor has
 *   contexts   a list, by number: the main context and both message slots
 *     state      "on", "off" or "fault"; the main context is on
 *     waits      FuguWait: why it waits; absent if it does not
 *     pc, gid, fault (type of a trap); g, o, l, i: lists of 8 registers
 *     acks       Ack bits that are valid
 *     reads      of a slot: the current message's words, and "next", the number of the
 *                word that MsgBody gives; absent if there is none
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_INSPECT_H
#define FUGU_MM_INSPECT_H

#include "hw/fugu/ni/m-machine/mm.h"

void mm_class_init_inspect(ObjectClass *klass);

#endif /* FUGU_MM_INSPECT_H */
