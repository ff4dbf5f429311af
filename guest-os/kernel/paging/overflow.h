/*
 * Overflow control: a job on the verge of exhausting a node's memory is
 * suspended on all nodes while its buffer there goes to backing store (paper,
 * section 4.2, "guaranteed delivery").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_OVERFLOW_H
#define GLAZE_OVERFLOW_H

#include <stdint.h>

/* A message of the second network: notes it. */
void overflow_message(uint32_t operation, const uint32_t *words);

/* A chore. */
void overflow_step(void);

#endif /* GLAZE_OVERFLOW_H */
