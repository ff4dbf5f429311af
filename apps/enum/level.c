/*
 * The boards of a level. See level.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "level.h"

static struct entry *new_entry(struct level *level)
{
    if (!level->last || level->in_last == ENTRIES) {
        struct block **to = level->last ? &level->last->next : &level->first;

        if (!*to) {
            *to = malloc(sizeof(**to));
            if (!*to) {
                fprintf(stderr, "enum: the boards need more memory; start the "
                        "run with more nodes\n");
                exit(1);
            }
            (*to)->next = NULL;
        }
        level->last = *to;
        level->in_last = 0;
    }
    level->boards++;
    return &level->last->entry[level->in_last++];
}

void level_add(struct level *level, uint32_t board, uint32_t hash,
               uint64_t count)
{
    struct entry **bucket = &level->bucket[hash % BUCKETS], *entry;

    for (entry = *bucket; entry; entry = entry->next) {
        if (entry->board == board) {
            entry->count += count;
            return;
        }
    }
    entry = new_entry(level);
    *entry = (struct entry) {
        .count = count,
        .next = *bucket,
        .board = board,
    };
    *bucket = entry;
}

void level_visit(const struct level *level,
                 void (*visit)(const struct entry *entry))
{
    if (!level->last) {
        return;
    }
    for (const struct block *block = level->first; ; block = block->next) {
        uint32_t entries = block == level->last ? level->in_last : ENTRIES;

        for (uint32_t i = 0; i < entries; i++) {
            visit(&block->entry[i]);
        }
        if (block == level->last) {
            return;
        }
    }
}

void level_clear(struct level *level)
{
    memset(level->bucket, 0, sizeof(level->bucket));
    level->last = NULL;
    level->boards = 0;
}
