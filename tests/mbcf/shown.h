/*
 * A page at the address of views: an access to the view after it was taken away, as
 * INVALIDATE does, is an upcall, which shows the page again.
 *
 * Needs the stubs of tests/glaze/rights/code.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_SHOWN_H
#define MBCF_SHOWN_H

#include <stdint.h>

#include "glaze.h"

#define SHOWN   ((volatile uint32_t *)GLAZE_VIEWS)

/* The upcalls so far. */
extern volatile uint32_t shown_upcalls;

/* Lets the page at this address be read at SHOWN, too. Call it once. */
void shown_begin(uint32_t page);

#endif /* MBCF_SHOWN_H */
