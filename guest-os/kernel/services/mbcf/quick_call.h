/*
 * Calls of MBCF on the fast path (quick_packet.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUICK_CALL_H
#define GLAZE_QUICK_CALL_H

/* The call has to take the slow path. No operation of MBCF returns this. */
#define QUICK_LONG      0x80000000

#ifndef __ASSEMBLER__

#include <stdint.h>

/*
 * GLAZE_MBCF of the current process: MBCF_REQUEST, MBCF_TAKE,
 * MBCF_NEXT. Returns what services_call() returns; or QUICK_LONG, with nothing
 * changed. It is compiled under the same rules as quick_packet().
 */
uint32_t quick_call(uint32_t operation, uint32_t a, uint32_t b, uint32_t c);

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_QUICK_CALL_H */
