/*
 * The M-Machine's message interface: extraction
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_EXTRACT_H
#define FUGU_MM_EXTRACT_H

#include "hw/fugu/ni/m-machine/mm.h"

void mm_extraction_init(MMachineNI *ni);
void mm_extraction_reset(MMachineNI *ni);

/*
 * Gets the word that MsgHead (@head) or MsgBody of a priority gives, for an
 * instruction that has begun at @start. Returns true and sets *@word, or returns
 * false if the word has not come: then an event comes when the caller should try
 * again. If the caller reads MsgHead, the rest of the current message is lost.
 */
bool mm_peek(MMachineNI *ni, unsigned priority, bool head, int64_t start,
             uint32_t *word);

/* Returns how many words of a message have come, or of one that is no stream will
 * have. */
unsigned mm_words(const FuguPacket *message);

/* Takes the word that mm_peek() has just given. */
void mm_pop(MMachineNI *ni, unsigned priority, bool head);

/* The slot of a priority handles its current message, from the instruction on that has
 * just taken it. */
void mm_began(MMachineNI *ni, unsigned priority);

/* The slot of a priority stops at a trap of type @tt, and interrupts. */
void mm_stop(MMachineNI *ni, unsigned priority, int tt);

/* Whether MsgHead would give a word at @time. */
bool mm_has_message(const MMachineNI *ni, unsigned priority, int64_t time);

/* Returns when MsgBody gives its next word; the past, if it is null; FUGU_NEVER, if
 * it has not been written yet. */
int64_t mm_body_time(const MMachineNI *ni, unsigned priority);

/* Updates which priorities have a message that interrupts. To be called after a
 * change of queues or of FUGU_K_MM_IRQ, before fugu_system_update(). */
void mm_extraction_rearm(MMachineNI *ni);

/* Returns NULL, or what does not hold. */
const char *mm_extraction_check(MMachineNI *ni, unsigned priority);

extern const VMStateDescription vmstate_mm_extraction;

#endif /* FUGU_MM_EXTRACT_H */
