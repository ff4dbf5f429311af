/*
 * Signals: commands that store bytes and invoke a program of the target, in
 * the target's own time (struct mbcf_signal).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SIGNALS_H
#define GLAZE_SIGNALS_H

#include "services/mbcf/task.h"

static inline bool signals_make_sense(const struct mbcf_signal *s)
{
    return s->invoke <= MBCF_INVOKE_CLIENT && s->during <= MBCF_WHILE_INVOKE &&
           s->store <= (MBCF_STORE_FIFO | MBCF_STORE_SOURCE) &&
           (s->store & ~MBCF_STORE_SOURCE) <= MBCF_STORE_FIFO;
}

/* Check and do MBCF_SIGNAL, as execute_check() and execute() do. */
uint32_t signals_check(struct process *p, const struct packet *c);
void signals_do(struct process *p, const struct packet *c);

/* Return where the bytes of a signal that has been checked go, if anywhere, and store
 * some of them, as execute_target() and execute_part() do. */
uint32_t signals_target(struct process *p, const struct packet *c);
void signals_part(struct process *p, const struct packet *c, uint32_t bytes);

/*
 * MBCF_NEXT of the current process: ends an invocation of the signal at an
 * address, if it is not 0, and stores the next one. Returns 1, or 0 if there is
 * none, or the results of io_error().
 */
int32_t signals_next(uint32_t to, uint32_t ended);

/* Fills in who has sent a command. */
struct mbcf_source signals_source(const struct process *p,
                                  const struct packet *c);

#endif /* GLAZE_SIGNALS_H */
