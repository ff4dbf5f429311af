/*
 * What the files of slots.c share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-calls.h"
#include "mm.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

/* Two pages of each node: what others store there, and what they add to. */
extern volatile uint32_t memory[2 * WORDS];
extern struct mm_shared all;

enum { CAME = 0, BLOCK = 8, REPLY = 16, SUM = 24, READY = 32, OLD = 40 };

#define FAR     0x30000000      /* offsets in the window that nothing else uses */
#define HEAP    0x20000000      /* pages that can be given back */

/* Counts a check, and says what is wrong. */
void check(const char *what, uint32_t found, uint32_t expected);

/* Waits until all nodes have come here so often. */
void meet(uint32_t times);

/* Lets so many cycles pass. */
void pass(uint64_t cycles);

/* ---- The cases: slots.c says what they do --------------------------------- */

void fresh(void);
void fills(uint64_t cycles);
void pinned(void);
void out(void);

void waits(void);
void sleeper(void);
void wakes(uint64_t cycles);
void computes(uint64_t count);

void gather(void);
void exits(void);
void brief(uint64_t cycles);
void asleep(void);
void stray(uint64_t cycles);
void replies(uint64_t cycles);
void late(uint64_t cycles);
void dropped(void);

void mistake(const char *which, const char *number);

#endif /* SLOTS_H */
