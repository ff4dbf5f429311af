/*
 * Replies to commands. A reply that finds no space in the network waits in a
 * queue, until a chore sends it. The queue is as long as there are slots for
 * requests in the whole machine, at most, because each reply frees one. It has
 * frames of its own, one for REPLIES_A_FRAME replies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_REPLIES_H
#define GLAZE_REPLIES_H

#include "services/mbcf/packet.h"

#define REPLIES_A_FRAME (GLAZE_PAGE / sizeof(struct packet))

/*
 * Makes sure that `count` replies, at most REPLIES_A_FRAME, can be sent or can
 * wait. Returns false if that takes a frame and none is free. Call this before
 * a packet is taken off the network.
 */
bool replies_room(unsigned count);

/* Returns whether no reply waits. */
bool replies_none(void);

/*
 * Returns the reply to a command, with a status and no bytes. If the command is a
 * FIFOE that is refused, replies_epoch is the epoch of its FIFO: fifo_check() notes
 * that of each FIFO.
 */
extern uint32_t replies_epoch;
struct packet reply_to(const struct packet *c, uint32_t status);

/* Sends a reply, or lets it wait. It has no body. */
void reply_send(const struct packet *reply);

/* A chore: sends replies that wait, as many as there is time for if other work takes
 * `others` cycles. */
void replies_step(uint32_t others);

#endif /* GLAZE_REPLIES_H */
