/*
 * Actions on SHRIMP's network interfaces, compared with a model
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_SHRIMP_PLAY_H
#define TESTS_SHRIMP_PLAY_H

#include "shrimp-model.h"

typedef struct ShrimpPlay {
    QTestState *qts;
    ShrimpModel *m;
    const char *options;        /* of the machine, for messages */
    /* Returns the next choice: a number below @count, or any if @count is 0. */
    uint32_t (*draw)(void *source, uint32_t count);
    void *source;
    /* shrimp_damage(), or what does the same. */
    void (*damage)(QTestState *qts, unsigned node, const char *what);
    /* Returns a node's RAM if this process has it. May be NULL: it is loaded. */
    const uint8_t *(*memory)(unsigned node);
    unsigned node;              /* the one that acts */
    const char *doing;
    int step;
} ShrimpPlay;

/*
 * Each of these functions ends the program with a message if machine and model
 * differ. The two must have begun together, with all of RAM 0.
 */

/* Maps each page of each node out to one of another node, and in. */
void shrimp_play_map(ShrimpPlay *r);
/* One action, whose kind and operands are drawn. */
void shrimp_play_act(ShrimpPlay *r);
/* Lets time pass for some cycles, which are drawn. */
void shrimp_play_advance(ShrimpPlay *r);
/* Waits until nothing is under way, and compares all of memory. */
void shrimp_play_finish(ShrimpPlay *r);

/* The machine to play bytes on, and what the model is to know of it. */
#define SHRIMP_PLAY_MACHINE \
    MODEL_MACHINE ",packet-max=64,dma-word=1,incoming-word=7"
#define SHRIMP_PLAY_OPTIONS \
    { .packet_max = 64, .dma_word = 1, .incoming_word = 7, .mesh_word = 4 }

/*
 * Plays actions on SHRIMP_PLAY_MACHINE until @data is used up, and finishes. The
 * machine must have been reset. @p says what it is: qts, damage, memory.
 */
void shrimp_play_bytes(ShrimpPlay p, const uint8_t *data, size_t size);

#endif /* TESTS_SHRIMP_PLAY_H */
