/*
 * The board of triangular peg solitaire: its jumps and its symmetries.
 *
 * A board is a word with a bit for each hole, which is set if the hole has a
 * peg. Holes are numbered row by row: row r has holes r (r + 1) / 2 to
 * r (r + 3) / 2, and hole 0 is the top corner.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

enum {
    SIDE_MIN = 3,
    SIDE_MAX = 7,               /* 28 holes: a level's bit is left in a word */
    HOLES_MAX = SIDE_MAX * (SIDE_MAX + 1) / 2,
    JUMPS_MAX = 6 * HOLES_MAX,  /* six directions from each hole */
};

/*
 * A jump takes pegs from two holes and puts one into a third. It is possible if
 * the board, in the three holes, equals `before`.
 */
struct jump {
    uint32_t holes;             /* all three */
    uint32_t before;            /* the two that must have pegs */
};

extern struct jump board_jumps[JUMPS_MAX];
extern unsigned board_jump_count, board_holes;

/* Sets the variables above, and the symmetries, for a side of `side` holes. */
void board_init(unsigned side);

/* Returns the smallest of the six images of a board. No multiplication. */
uint32_t board_least(uint32_t board);

/*
 * Returns a hash of a board: the last steps of Jenkins' one-at-a-time. (XORs of
 * shifted boards alone would not do: some of their bits are the same for all
 * boards that one start leads to.)
 */
static inline uint32_t board_hash(uint32_t board)
{
    board += board << 10;
    board ^= board >> 6;
    board += board << 3;
    board ^= board >> 11;
    board += board << 15;
    return board;
}

#endif
