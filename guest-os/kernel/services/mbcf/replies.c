/*
 * Replies to commands.
 *
 * A frame of the queue is an array of packets. The frame's note links it to the
 * next frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "services/mbcf/load.h"
#include "services/mbcf/replies.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "memory/frames.h"

static struct end {
    uint32_t frame;             /* 0: the queue has no frame */
    unsigned index;             /* in that frame */
} queue_first, queue_next;      /* the oldest reply; where the next one goes */
static uint32_t spare;          /* a frame that comes after queue_next's; 0 */

static struct packet *at(const struct end *end)
{
    return (struct packet *)end->frame + end->index;
}

bool replies_none(void)
{
    return queue_first.frame == queue_next.frame &&
           queue_first.index == queue_next.index;
}

bool replies_room(unsigned count)
{
    if (!queue_next.frame) {
        queue_next.frame = frame_alloc_to_fill(FRAME_COLOUR_ANY);
        queue_first = queue_next;
    }
    if (queue_next.frame && !spare &&
        queue_next.index + count >= REPLIES_A_FRAME) {
        spare = frame_alloc_to_fill(FRAME_COLOUR_ANY);
    }
    return queue_next.frame &&
           (spare || queue_next.index + count < REPLIES_A_FRAME);
}

uint32_t replies_epoch;

/* Returns a status with the epoch that a FIFOE has to know, if it has named one. */
static uint32_t with_epoch(const struct packet *c, uint32_t status)
{
    bool refused = status == MBCF_STOPS || status == MBCF_STOPPED;

    return refused && c->word[PACKET_DATA]
         ? status | replies_epoch << MBCF_EPOCH_SHIFT : status;
}

struct packet reply_to(const struct packet *c, uint32_t status)
{
    uint32_t kind = packet_depth(c) ? PACKET_CAST_REPLY : PACKET_REPLY;
    struct packet reply = {
        .word[PACKET_HEAD] = packet_head(kind, 0, packet_source(c)),
        .word[PACKET_STATUS] = with_epoch(c, status),
        .word[PACKET_DELAY] = load_delay(),
        .word[PACKET_TICKET] = c->word[PACKET_TICKET],
        .node = c->node,
    };

    return reply;
}

/* Moves an end of the queue by one reply, to another frame if need be. */
static void advance(struct end *end, uint32_t frame)
{
    if (++end->index == REPLIES_A_FRAME) {
        end->frame = frame;
        end->index = 0;
    }
}

void reply_send(const struct packet *reply)
{
    if (replies_none() && packet_send(reply)) {
        return;
    }
    *at(&queue_next) = *reply;
    if (queue_next.index + 1 == REPLIES_A_FRAME) {
        *frame_note(queue_next.frame) = spare;
    }
    advance(&queue_next, spare);
    spare = queue_next.index ? spare : 0;
}

/* The most cycles to send one. */
#define SEND_MOST       600

void replies_step(uint32_t others)
{
    bool first = true;          /* it needs no time */

    while (!replies_none() && (first || kernel_has_time(now(), SEND_MOST + others)) &&
           packet_send(at(&queue_first))) {
        uint32_t frame = queue_first.frame;

        first = false;
        advance(&queue_first, *frame_note(frame));
        if (queue_first.frame != frame) {
            frame_free(frame);
        }
    }
    if (replies_none()) {
        queue_first.index = queue_next.index = 0;
    }
}
