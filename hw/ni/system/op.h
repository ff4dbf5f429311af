/*
 * The system part of a network interface: beginatom, endatom; operations of
 * the second network
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_OP_H
#define FUGU_SYSTEM_OP_H

#include "hw/fugu/ni/system/system.h"

/* All functions return 0, a trap type, or SPARCLE_WAIT. */

/* Executes beginatom and endatom. To all other operations it returns the trap
 * of an undefined one: the message part executes those that it has. */
int fugu_system_op(FuguSystemNI *ni, SparcleOp op, uint32_t mask, bool user);

/* Sends the first @n words of the second network's window. */
int fugu_system_launch_second(FuguSystemNI *ni, uint32_t n);
/* Drops the head of the second network's queue. */
int fugu_system_dispose_second(FuguSystemNI *ni);

/* Returns the node that a header names, which may not exist. */
static inline uint32_t fugu_header_node(uint32_t header)
{
    return header & FUGU_HDR_NODE_MASK;
}

#endif /* FUGU_SYSTEM_OP_H */
