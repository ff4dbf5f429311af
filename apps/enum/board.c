/*
 * Holes, jumps and symmetries of the triangle. See board.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "board.h"

/*
 * Symmetries map a board seven holes at a time: tables give the image of each
 * combination of pegs in these holes. Seven holes make the tables of a board of
 * 21 holes 7.5 KiB, which leaves room in the cache for the boards.
 */
enum {
    PIECE = 7,                  /* holes */
    PIECES = (HOLES_MAX + PIECE - 1) / PIECE,
    IMAGES = 5,                 /* the sixth one is the board itself */
};

struct jump board_jumps[JUMPS_MAX];
unsigned board_jump_count, board_holes;

static uint32_t image_of[IMAGES][PIECES][1 << PIECE];
static unsigned pieces;

/* Returns the number of the hole in row r, column c. */
static unsigned hole(unsigned r, unsigned c)
{
    return r * (r + 1) / 2 + c;
}

static bool on_board(int side, int r, int c)
{
    return r >= 0 && r < side && c >= 0 && c <= r;
}

static void find_jumps(int side)
{
    static const struct { int r, c; } direction[] = {
        { 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 }, { 1, 1 }, { -1, -1 },
    };

    board_jump_count = 0;
    for (int r = 0; r < side; r++) {
        for (int c = 0; c <= r; c++) {
            for (unsigned i = 0; i < 6; i++) {
                int dr = direction[i].r, dc = direction[i].c;
                uint32_t before;

                if (!on_board(side, r + 2 * dr, c + 2 * dc)) {
                    continue;
                }
                before = 1u << hole(r, c) | 1u << hole(r + dr, c + dc);
                board_jumps[board_jump_count++] = (struct jump) {
                    .holes = before | 1u << hole(r + 2 * dr, c + 2 * dc),
                    .before = before,
                };
            }
        }
    }
}

/*
 * Returns where symmetry `image` maps the hole in row r, column c. The hole's
 * distances from the three sides of the triangle add up to side - 1, and each
 * symmetry is a permutation of the three.
 */
static unsigned mapped(unsigned side, unsigned image, unsigned r, unsigned c)
{
    static const uint8_t permutation[IMAGES][3] = {
        { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 },
    };
    unsigned distance[3] = { side - 1 - r, c, r - c };
    const uint8_t *to = permutation[image];

    return hole(side - 1 - distance[to[0]], distance[to[1]]);
}

static void find_images(unsigned side)
{
    uint8_t to[HOLES_MAX];

    pieces = (board_holes + PIECE - 1) / PIECE;
    for (unsigned image = 0; image < IMAGES; image++) {
        for (unsigned r = 0; r < side; r++) {
            for (unsigned c = 0; c <= r; c++) {
                to[hole(r, c)] = mapped(side, image, r, c);
            }
        }
        for (unsigned k = 0; k < board_holes; k++) {
            uint32_t *table = image_of[image][k / PIECE], bit = 1u << k % PIECE;

            for (unsigned pegs = 0; pegs < 1 << PIECE; pegs++) {
                if (pegs & bit) {
                    table[pegs] |= 1u << to[k];
                }
            }
        }
    }
}

void board_init(unsigned side)
{
    board_holes = hole(side, 0);
    find_jumps(side);
    find_images(side);
}

uint32_t board_least(uint32_t board)
{
    uint32_t least = board;

    for (unsigned image = 0; image < IMAGES; image++) {
        const uint32_t (*table)[1 << PIECE] = image_of[image];
        uint32_t rest = board, mapped_board = 0;

        for (unsigned piece = 0; piece < pieces; piece++) {
            mapped_board |= table[piece][rest & ((1 << PIECE) - 1)];
            rest >>= PIECE;
        }
        if (mapped_board < least) {
            least = mapped_board;
        }
    }
    return least;
}
