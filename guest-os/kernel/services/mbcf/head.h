/*
 * A packet at the head of the network that is done in parts.
 *
 * To shift 4,096 bytes takes some 13,400 cycles, which is too long beside all else that
 * an entry into the kernel does for a packet. So each entry does as many bytes as it
 * has time for, and the packet stays at the head until the last ones: it interrupts
 * again as soon as the program goes on. Nothing has to be kept but their number, and no
 * other packet comes meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_HEAD_H
#define GLAZE_HEAD_H

#include "services/mbcf/packet.h"

/* Returns how many bytes of the packet at the head have been done before. */
uint32_t head_done(const struct packet *head);

/*
 * Returns how many of its bytes can be done now: all that are left, or a multiple of 4.
 * There is time for them, or they are few.
 */
uint32_t head_part(const struct packet *head);

/*
 * So many of its bytes have been done: all, or it stays at the head. After the last of
 * several parts, MBCF's chore begins, which has waited for that.
 */
void head_note(const struct packet *head, uint32_t done);

/* Returns whether some bytes of the packet at the head have been done. */
bool head_is_in_parts(void);

#endif /* GLAZE_HEAD_H */
