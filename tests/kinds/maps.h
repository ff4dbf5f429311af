/*
 * What the cases of maps.c share: two pages for data and two for flags, which a node
 * maps to the next one, and a barrier.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>

#include "check.h"
#include "shrimp.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

/* This node, how many there are, the next one and the one before. */
extern uint32_t node, nodes, next, before;

/* In the program's data: they are touched for the first time when they are mapped. */
extern volatile uint32_t out[4 * WORDS], in[4 * WORDS];
extern volatile uint32_t flag_out[WORDS], flag_in[WORDS];

/* Numbers of exports. */
enum { DATA = 10, FLAGS = 50 };

static inline void check_true(const char *name, bool holds)
{
    check(name, holds, true);
}

static inline uint32_t address_of(const volatile void *at)
{
    return (uintptr_t)at;
}

/* Returns how many words have come for pages without an export. */
uint32_t dropped(void);

/* Returns what a node sends as word i in a turn. */
uint32_t value(uint32_t of, uint32_t turn, uint32_t i);

/* Sends a word of flag_out to the next node. */
void tell(uint32_t word, uint32_t what);

/* Exports flags and maps them to the next node. */
void make_flags(void);

/* Waits for all nodes. Uses word 1 of the flags. */
void ring_barrier(void);

/* Cases: maperrors.c, */
void errors(void);
void pins(void);

/* mapends.c. */
void ends(void);
void lets(void);
void uses(void);
void grants(void);
void exits(void);
void halves(void);

#endif /* MAPS_H */
