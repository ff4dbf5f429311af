/*
 * Overflow control: suspends a job on all nodes when its buffer is about to
 * exhaust a node's memory, while that buffer goes to backing store (paper,
 * section 4.2, "guaranteed delivery").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_OVERFLOW_H
#define GLAZE_OVERFLOW_H

#include <stdint.h>

#include "machine/process.h"

/* Notes a message of another kernel. */
void overflow_message(uint32_t operation, const uint32_t *words);

/* The job of p has gone. Ends the suspension that p has asked for: the next process
 * of the GID would not know of it. */
void overflow_gone(struct process *p);

/* A chore: acts on such messages and on buffers that are too large. */
void overflow_step(void);

#endif /* GLAZE_OVERFLOW_H */
