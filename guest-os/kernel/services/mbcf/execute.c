/*
 * Commands in the memory of their target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/end.h"
#include "memory/memory.h"
#include "services/mbcf/casts.h"
#include "services/mbcf/execute.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/signals.h"
#include "services/mbcf/queue.h"
#include "services/mbcf/replies.h"
#include "machine/ni.h"

/* Returns whether the reply to a READ needs a body. */
static bool is_long(const struct packet *c)
{
    return packet_bytes(c) > MBCF_INLINE_MAX;
}

static uint32_t check_read(struct process *p, const struct packet *c)
{
    uint32_t status = reach_check(p, packet_agent(c), packet_address(c),
                                  packet_bytes(c), REACH_READ);

    if (status == MBCF_DONE && is_long(c) &&
        (!replies_none() || !ni_body_space() ||
         ni_space() < FUGU_MSG_WORDS)) {
        return EXECUTE_LATER;
    }
    return status;
}

static uint32_t check_word(struct process *p, const struct packet *c)
{
    if (packet_address(c) & 3) {
        return MBCF_UNALIGNED;
    }
    return reach_check(p, packet_agent(c), packet_address(c), sizeof(uint32_t),
                       REACH_WRITE);
}

uint32_t execute_check(struct process *p, const struct packet *c)
{
    switch (packet_command(c)) {
    case MBCF_WRITE:
        return reach_check(p, packet_agent(c), packet_address(c), packet_bytes(c),
                           REACH_WRITE);
    case MBCF_READ:
        return check_read(p, c);
    case MBCF_UPDATE:
    case MBCF_INVALIDATE:
        return casts_check(p, c);
    case MBCF_FIFO:
    case MBCF_FIFOE:
    case MBCF_FIFOE_RETRY:
        return fifo_check(p, packet_agent(c), packet_address(c), packet_bytes(c),
                          packet_command(c), c->word[PACKET_DATA]);
    case MBCF_SIGNAL:
        return signals_check(p, c);
    case MBCF_WRITE_QUEUE:
        return queue_check(p, c);
    case MBCF_CANCEL:
        return MBCF_DONE;
    default:
        return check_word(p, c);
    }
}

uint32_t execute_place(struct process *p, const struct packet *c)
{
    uint32_t address = c->word[PACKET_ADDRESS], bytes = packet_bytes(c);

    if ((packet_command(c) != MBCF_WRITE && packet_command(c) != MBCF_UPDATE) ||
        (address | bytes) & 3 ||
        (address & (GLAZE_PAGE - 1)) + bytes > GLAZE_PAGE) {
        return 0;
    }
    return reach_physical_to_write(p, address);
}

uint32_t execute_target(struct process *p, const struct packet *c)
{
    if (packet_command(c) == MBCF_SIGNAL) {
        return signals_target(p, c);
    }
    return packet_is_pointed(c) ? fifo_end(p, packet_address(c)) : packet_address(c);
}

bool execute_part(struct process *p, struct packet *c, uint32_t bytes)
{
    const char *from = (const char *)c->body + c->body_done;

    switch (packet_command(c)) {
    case MBCF_WRITE:
    case MBCF_UPDATE:
        reach_store(p, packet_address(c) + c->body_done, from, bytes);
        break;
    case MBCF_FIFO:
    case MBCF_FIFOE:
    case MBCF_FIFOE_RETRY:
        fifo_part(p, packet_address(c), c->body_done, from, bytes);
        break;
    case MBCF_SIGNAL:
        signals_part(p, c, bytes);
        break;
    default:
        return false;
    }
    c->body_done += bytes;
    return true;
}

bool execute_keeps_body(const struct process *p, const struct packet *c)
{
    return packet_command(c) == MBCF_UPDATE && casts_goes_on(p, c);
}

/* Replies to a READ of more bytes than fit into the words of a packet. */
static void send_bytes(struct process *p, const struct packet *c,
                       struct packet *reply)
{
    uint32_t address = packet_address(c), bytes = packet_bytes(c);
    uint32_t last = address + bytes - 1;

    if (c->body) {
        reply->body = c->body;
        reach_load(p, (void *)(c->body + c->body_done), address + c->body_done,
                   bytes - c->body_done);
    } else if (address & 3) {
        reply->body = task_scratch_beside(p, address);
        memory_read(p, (void *)reply->body, address, bytes);
    } else {
        reply->body = reach_physical(p, address);
        if ((address ^ last) >= GLAZE_PAGE) {
            reply->body_rest = reach_physical(p, last & ~(GLAZE_PAGE - 1));
        }
    }
    packet_send(reply);
}

static uint32_t new_value(const struct packet *c, uint32_t old)
{
    const uint32_t *operand = &c->word[PACKET_DATA];

    switch (packet_command(c)) {
    case MBCF_SWAP:
        return operand[0];
    case MBCF_FETCH_ADD:
        return old + operand[0];
    default:
        return old == operand[0] ? operand[1] : old;
    }
}

bool execute(struct process *p, struct packet *c, struct packet *reply)
{
    uint32_t address = packet_address(c), bytes = packet_bytes(c), *word;

    switch (packet_command(c)) {
    case MBCF_WRITE:
        if (c->body || !packet_has_body(c)) {
            reach_store(p, address + c->body_done,
                        (const char *)packet_data(c) + c->body_done,
                        bytes - c->body_done);
        }
        return true;
    case MBCF_READ:
        reply->word[PACKET_FROM] = bytes;
        if (is_long(c)) {
            send_bytes(p, c, reply);
            return false;
        }
        reach_load(p, &reply->word[PACKET_DATA], address, bytes);
        return true;
    case MBCF_FIFO:
    case MBCF_FIFOE:
    case MBCF_FIFOE_RETRY:
        fifo_put(p, packet_command(c), address, NULL, 0, packet_data(c), bytes,
                 c->body_done);
        return true;
    case MBCF_SIGNAL:
        signals_do(p, c);
        return true;
    case MBCF_WRITE_QUEUE:
        queue_put(p, c);
        return true;
    case MBCF_CANCEL:
        job_cancel(p, c->node, packet_source(c));
        return true;
    case MBCF_UPDATE:
    case MBCF_INVALIDATE:
        return casts_do(p, c);
    default:
        word = (uint32_t *)reach_physical_to_write(p, address);
        reply->word[PACKET_OLD] = *word;
        *word = new_value(c, *word);
        return true;
    }
}
