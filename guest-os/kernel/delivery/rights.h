/*
 * Upcalls for libraries that manage the rights to their pages: rights upcalls
 * and alarm upcalls (docs/glaze.md, "Views").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_RIGHTS_H
#define GLAZE_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * rights_settle() begins the rights upcall of the current process if an access
 * was denied, its alarm upcall if the time has come, or its signal upcall if an
 * invocation of MBCF waits. The scheduler calls it before each return to user
 * mode. rights_work() is its rare part.
 */
void rights_work(void);

static inline void rights_settle(void)
{
    if (current->rights) {
        rights_work();
    }
}

/*
 * Returns when the cycle timer has to interrupt the current process, if its
 * slot ends at the given cycle: then, or earlier for its alarm.
 */
static inline uint64_t rights_timer(uint64_t slot_end)
{
    return current->rights & RIGHTS_ALARM && current->alarm < slot_end
           ? current->alarm : slot_end;
}

#endif /* GLAZE_RIGHTS_H */
