/*
 * What the files of mbcf-casts share.
 *
 * The nodes form a binary tree: node 1 is the root, and the children of the
 * r-th node after node 1 are number 2r + 1 and 2r + 2. Each node's copy is at
 * another place of its memory. Node 0 requests; with two nodes or more, it is a
 * leaf.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_CASTS_TEST_H
#define MBCF_CASTS_TEST_H

#include "mbcf.h"
#include "udm-collective.h"

#define PAGES   5

/* On each node, memory[place(node)] is the copy. */
extern uint8_t memory[PAGES][GLAZE_PAGE];
extern uint8_t expected[PAGES][GLAZE_PAGE];     /* what compare() expects */
extern uint32_t local[GLAZE_PAGE / 4 + 1];      /* the bytes that update() sends */
extern volatile uint32_t flag;

/* Returns the r-th node after node 1. */
uint32_t node_of(uint32_t r);

/* Return which page of its memory a node's copy is, and the page's address. */
uint32_t place(uint32_t node);
uint32_t copy_on(uint32_t node);

/* Sets this node's part of the tree, and makes its page. */
void plant(void);

/* Each sends a command and waits for it. They return the status. */
uint32_t now(struct mbcf_request request);
uint32_t update(uint32_t task, uint32_t address, uint32_t bytes);
uint32_t invalidate(uint32_t task, uint32_t page);

/* Fills `local`. */
void fill(uint32_t seed);

/* All nodes call this: checks that memory is as expected on each. */
void compare(const char *name);

/* Runs for so many cycles. */
void wait(uint32_t cycles);

/* Sets the flag of a node, and wakes it. */
void tell(uint32_t node);

/* A handler that does nothing. */
void ignore(void);

/* Cases. All nodes call them. */
void case_mistakes(void);
void case_refusals(void);
void case_first(void);
void case_circles(void);
void case_ways(void);
void case_chain(void);
void case_places(void);
void case_frames(void);
void case_ended(void);
void case_leaves(void);

#endif /* MBCF_CASTS_TEST_H */
