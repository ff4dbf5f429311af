/*
 * Page-fault upcalls (docs/glaze.md, "Page-fault upcalls").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FAULT_H
#define GLAZE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/*
 * The current process has touched a page that is out. True: it goes on with
 * an upcall, and the page is on its way. False: it has to wait for it.
 */
bool fault_reflect(uint32_t address);

/* A page has come: perhaps one of those that upcalls have been made for. */
void fault_came(struct process *p);

/* Pages have come that the library has not seen yet. */
bool fault_arrived(const struct process *p);

/* No message can come to it before they do: atomic sections are suspended. */
static inline bool fault_is_all(const struct process *p)
{
    return p->info->hold && p->faults;
}

/* No frame is to be had for the next page while p runs: so it waits after
 * all. False: it does already. */
bool fault_stop(struct process *p);

/* The current process is about to go on: does it know of all arrivals? */
void fault_settle(void);

/* GLAZE_TRAP_RESUME: back to what has faulted. */
void fault_resume(void);

#endif /* GLAZE_FAULT_H */
