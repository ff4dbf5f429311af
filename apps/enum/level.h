/*
 * The boards of a level on this node, with their counts: a hash table.
 *
 * Handlers add to a level while the thread goes through another one. So there
 * are two levels, and memory of a level is used again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LEVEL_H
#define LEVEL_H

#include <stdint.h>

/* A board, and the number of sequences of jumps that lead to it: one line of
   the cache. */
struct entry {
    uint64_t count;
    struct entry *next;         /* in the same bucket */
    uint32_t board;
};

enum {
    BUCKETS = 4096,
    ENTRIES = 256,              /* in a block */
};

struct block {
    struct block *next;         /* NULL: the last one */
    struct entry entry[ENTRIES];
};

struct level {
    struct entry *bucket[BUCKETS];
    struct block *first, *last; /* blocks are filled in this order */
    uint32_t in_last;           /* entries in the last block */
    uint32_t boards;
};

/*
 * Adds `count` to that of a board, which becomes `count` if the level has not
 * had the board. `hash` is any number that depends on the board alone. Ends the
 * job if memory is used up. To be called in atomic sections.
 */
void level_add(struct level *level, uint32_t board, uint32_t hash,
               uint64_t count);

/* Calls visit() for each entry of a level that does not change meanwhile. */
void level_visit(const struct level *level,
                 void (*visit)(const struct entry *entry));

/* Removes all boards, and keeps the memory. */
void level_clear(struct level *level);

#endif
