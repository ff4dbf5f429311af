/*
 * Pages in pieces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/message.h"
#include "memory/pieces.h"

static unsigned piece_words(unsigned piece)
{
    return piece == PIECES - 1 ? PAGE_WORDS - piece * PIECE_WORDS
                               : PIECE_WORDS;
}

void piece_send(uint32_t node, uint32_t operation, uint32_t frame,
                unsigned piece)
{
    const uint32_t *from = (const uint32_t *)frame + piece * PIECE_WORDS;
    uint32_t words[1 + PIECE_WORDS] = { piece };
    unsigned count = piece_words(piece);

    for (unsigned i = 0; i < count; i++) {
        words[1 + i] = from[i];
    }
    message_send(node, operation, words, 1 + count);
}

bool pieces_wait(unsigned piece)
{
    return piece + PIECES_AHEAD < PIECES;
}

void piece_take(uint32_t frame, const uint32_t *words)
{
    uint32_t *to = (uint32_t *)frame + words[0] * PIECE_WORDS;

    for (unsigned i = 0; i < piece_words(words[0]); i++) {
        to[i] = words[1 + i];
    }
}
