/*
 * A node: all that devices and kinds of network interface may ask of it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NODE_H
#define FUGU_NODE_H

#include "hw/fugu/node/digest.h"
#include "hw/fugu/node/events.h"
#include "hw/fugu/node/run.h"
#include "hw/fugu/node/state.h"
#include "hw/fugu/node/turns.h"

/* Gives the processor message slots, all off. A kind of network interface that
 * has word(), taken() and so on calls it once (machine/netif.h). */
void fugu_node_use_slots(FuguNode *node);

#endif /* FUGU_NODE_H */
