/*
 * A wait for messages, in which the processor is free for other jobs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PAGING_WAIT_H
#define PAGING_WAIT_H

#include "glaze-calls.h"
#include "udm.h"

/*
 * Waits until handlers have raised *count to at least `least`. The function
 * tests *count in a section, so that no handler runs between the test and the
 * wait.
 */
static inline void wait_for_count(const volatile uint32_t *count,
                                  uint32_t least)
{
    udm_beginatom();
    while (*count < least) {
        glaze_wait();
        udm_endatom();          /* the handler runs here */
        udm_beginatom();
    }
    udm_endatom();
}

#endif
