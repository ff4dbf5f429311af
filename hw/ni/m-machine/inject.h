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

/* Ends the stream of @context, if one is open, with a null word. */
void mm_close_stream(MMachineNI *ni, unsigned context);

/* To be called when the rules change: ends all streams of the node. An event follows,
 * after which each context that waits is asked whether it still has to. */
void mm_rules_changed(MMachineNI *ni);

/* Whether a SEND or an AWAIT of @context that has waited for @why, FUGU_WAIT_ACK or
 * FUGU_WAIT_SPACE, would wait again. */
bool mm_send_waits(const MMachineNI *ni, unsigned context, FuguWait why);

/*
 * Context @context copies @word to word @index, with or without FUGU_MM_LAST, of its
 * message buffer, where it is @pins cycles later. Returns as mm_send().
 */
int mm_put(MMachineNI *ni, unsigned context, unsigned index, uint32_t word,
           unsigned pins);

/* Returns the Ack bits of @context that are valid now. */
uint32_t mm_acks(MMachineNI *ni, unsigned context);

extern const VMStateDescription vmstate_mm_injection;

#endif /* FUGU_MM_INJECT_H */
