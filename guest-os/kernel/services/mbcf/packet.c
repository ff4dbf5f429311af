/*
 * Packets of MBCF.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "services/mbcf/packet.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "buffer/backing.h"

/* Words of a packet with a body in one piece and in two, pieces not counted. */
#define WITH_BODY       (PACKET_DATA + 2)
#define ONE_PIECE       PACKET_BODY_WORDS
#define TWO_PIECES      (WITH_BODY + 4)

void (*packet_handler)(void);
uint32_t packets_sent;

void packet_init(void (*handler)(void))
{
    packet_handler = handler;
}

unsigned packet_operands(uint32_t command)
{
    switch (command) {
    case MBCF_SWAP:
    case MBCF_FETCH_ADD:
    case MBCF_FIFOE:
    case MBCF_SIGNAL:
        return 1;
    case MBCF_COMP_SWAP:
    case MBCF_UPDATE:
    case MBCF_INVALIDATE:
        return 2;
    default:
        return 0;
    }
}

/* Returns whether bytes follow the operands. */
static bool has_bytes(const struct packet *p)
{
    return packet_command(p) != MBCF_READ;
}

bool packet_moves_bytes(uint32_t command)
{
    return !packet_is_of_word(command) && command != MBCF_INVALIDATE &&
           command != MBCF_CANCEL;
}

bool packet_has_body(const struct packet *p)
{
    return has_bytes(p) &&
           (packet_bytes(p) > packet_inline_max(packet_command(p)) ||
            packet_command(p) == PACKET_COMBINED);
}

const void *packet_data(const struct packet *p)
{
    if (packet_has_body(p)) {
        return (const void *)p->body;
    }
    return &p->word[PACKET_DATA + packet_operands(packet_command(p))];
}

/* Returns the words of a packet that are in use, without a body. */
static unsigned words_of(const struct packet *p)
{
    return PACKET_DATA + packet_operands(packet_command(p)) +
           (has_bytes(p) ? (packet_bytes(p) + 3) / 4 : 0);
}

/* Sends the words and one or two pieces of a body. */
static void launch_body(const struct packet *p, bool two)
{
    uint32_t bytes = (packet_bytes(p) + 3) & ~3u;
    uint32_t first = two ? GLAZE_PAGE - (p->body & (GLAZE_PAGE - 1)) : bytes;

    ni_out(WITH_BODY, p->body);
    ni_out(WITH_BODY + 1, first);
    if (two) {
        ni_out(WITH_BODY + 2, p->body_rest);
        ni_out(WITH_BODY + 3, bytes - first);
        NI_LAUNCH(TWO_PIECES, 2);
    } else {
        NI_LAUNCH(ONE_PIECE, 1);
    }
}

bool packet_send(const struct packet *p)
{
    bool body = packet_has_body(p), two = body && p->body_rest;
    unsigned words = body ? WITH_BODY : words_of(p);
    unsigned all = two ? TWO_PIECES : body ? ONE_PIECE : words;

    if (ni_space() < all || (body && !ni_body_space())) {
        return false;
    }
    packets_sent++;
    ni_out(0, FUGU_HDR_KERNEL | p->node);
    ni_out(1, (uint32_t)packet_handler);
    for (unsigned k = 2; k < words; k++) {
        ni_out(k, p->word[k]);
    }
    if (body) {
        launch_body(p, two);
    } else {
        NI_LAUNCH_MORE(0, words);
    }
    return true;
}

void packet_peek(struct packet *p)
{
    unsigned words = ni_head_length();

    for (unsigned k = 2; k < words; k++) {
        p->word[k] = ni_head_word(k);
    }
    for (unsigned k = words; k < FUGU_MSG_WORDS; k++) {
        p->word[k] = 0;
    }
    p->node = ni_head_source();
    p->body = p->body_rest = 0;
}

bool packet_must_stay(void)
{
    return !frames_free() && backing_usable();
}

void packet_take_part(uint32_t to, uint32_t offset, uint32_t bytes)
{
    uint32_t user = ni_user_storeback(), user_offset = ni_user_storeback_offset();

    ni_storeback(to + offset, offset, bytes);
    ni_set_user_storeback(user, user_offset);
}

void packet_take(uint32_t to)
{
    static uint32_t words[FUGU_MSG_WORDS];

    if (to) {
        ni_store_words((uint32_t)words);
        ni_store_body(to);
    }
    ni_dispose();
}
