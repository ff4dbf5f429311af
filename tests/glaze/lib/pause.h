/*
 * Pauses of programs on Glaze, in which handlers run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PAUSE_H
#define GLAZE_PAUSE_H

#include <stdint.h>

#include "udm.h"

/* Runs for so many cycles. */
static inline void spin_for(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
        /* handlers run */
    }
}

#endif
