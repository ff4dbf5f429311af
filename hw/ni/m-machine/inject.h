/*
 * The M-Machine's message interface: injection
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_INJECT_H
#define FUGU_MM_INJECT_H

#include "hw/fugu/ni/m-machine/mm.h"

void mm_injection_init(MMachineNI *ni);
void mm_injection_reset(MMachineNI *ni);

/*
 * SEND and AWAIT of context @context. Both return 0, a trap type, or SPARCLE_WAIT;
 * in the last two cases nothing has happened. @words has @send->length words, if
 * that is at most FUGU_MM_BODY_MAX.
 */
int mm_send(MMachineNI *ni, unsigned context, uint32_t dest, uint32_t handler,
            const SparcleSend *send, const uint32_t *words);
int mm_await(MMachineNI *ni, unsigned context, uint32_t acks);

/* Returns the Ack bits of @context that are valid now. */
uint32_t mm_acks(MMachineNI *ni, unsigned context);

extern const VMStateDescription vmstate_mm_injection;

#endif /* FUGU_MM_INJECT_H */
