/*
 * FIFOs in the memory of tasks (struct mbcf_fifo). The task can write to them,
 * so the kernel checks a structure whenever it uses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FIFO_H
#define GLAZE_FIFO_H

#include "mbcf/task.h"

/*
 * Checks that an entry of `bytes` can be appended to the FIFO at an address,
 * by a command (MBCF_FIFO, MBCF_FIFOE, MBCF_FIFOE_RETRY; MBCF_SIGNAL: a signal
 * structure names the FIFO). Returns a status as
 * execute_check() does. Changes nothing, except that MBCF_STOPS has stopped the
 * FIFO.
 */
uint32_t fifo_check(struct process *p, uint32_t agent, uint32_t address,
                    uint32_t bytes, uint32_t command);

/*
 * Appends an entry that has been checked: `before` bytes from `head`, and
 * `bytes` from `data`. A FIFO that was stopped goes on. `before` is a multiple
 * of 4.
 */
void fifo_put(struct process *p, uint32_t address, const void *head,
              uint32_t before, const void *data, uint32_t bytes);

/*
 * MBCF_TAKE of the current process: moves the oldest entry to memory of at most
 * `most` bytes. Returns its number of bytes, or -EAGAIN: there is none,
 * -EMSGSIZE: it has more than `most`, -EINVAL: the structure makes no sense, or
 * the results of io_error().
 */
int32_t fifo_take(uint32_t address, uint32_t to, uint32_t most);

#endif /* GLAZE_FIFO_H */
