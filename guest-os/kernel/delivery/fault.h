/*
 * Page-fault upcalls (docs/glaze.md, "Page-fault upcalls").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FAULT_H
#define GLAZE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * Handles an access of the current process to a page that is out. Returns true
 * if the process goes on with an upcall, and the page is on its way. Returns
 * false if the process has to wait for the page.
 */
bool fault_reflect(uint32_t address);

/*
 * Counts the pages that have come for which p has got upcalls, and wakes p.
 * Called after each page that comes.
 */
void fault_came(struct process *p);

/* Returns whether pages have come that the library does not know of. */
bool fault_arrived(const struct process *p);

/*
 * Returns whether p can only wait for pages: its suspended atomic sections
 * keep messages back.
 */
static inline bool fault_is_all(const struct process *p)
{
    return p->info->hold && p->faults;
}

/*
 * Makes p, the current process, wait for its next page, because there is no
 * frame for the page while p runs. Returns false if p waits already or does
 * not run.
 */
bool fault_stop(struct process *p);

/*
 * Tells the current process, which is about to go on, of pages that have come.
 */
void fault_settle(void);

/* GLAZE_TRAP_RESUME: goes back to the code that has faulted. */
void fault_resume(void);

#endif /* GLAZE_FAULT_H */
