/*
 * A node and its devices, saved and loaded
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NODE_STATE_H
#define FUGU_NODE_STATE_H

#include "hw/fugu/node/node.h"

/*
 * Makes the node, its processor's cycles and all its devices part of every
 * saved state, under its number. Caller must have created the devices.
 */
void fugu_node_register_state(FuguNode *node);

#endif /* FUGU_NODE_STATE_H */
