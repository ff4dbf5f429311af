/*
 * A packet at the head of the network that is done in parts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/chores.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "services/mbcf/head.h"

/* What tells packets of the same source apart: their tickets do, above all. */
#define WORDS           (PACKET_DATA - 2)

/* Cycles for a byte that has to be shifted: 3.3 if neither source nor target is in the
 * cache. */
#define CYCLES          4

/* Bytes that are done even if there is no time: where an access to memory takes
 * hundreds of cycles, there is never enough. */
#define LEAST           1024

/* Bytes that are done at most: so there is time for pieces of pages in between, which
 * would wait for the end of the entry otherwise (message_look()). */
#define MOST            2048

static struct {
    uint32_t node, word[WORDS];
    uint32_t done;              /* 0: no packet is done in parts */
} noted;

static bool is_noted(const struct packet *head)
{
    return noted.done && noted.node == head->node &&
           !memcmp(noted.word, &head->word[PACKET_HEAD], sizeof(noted.word));
}

uint32_t head_done(const struct packet *head)
{
    return is_noted(head) ? noted.done : 0;
}

uint32_t head_part(const struct packet *head)
{
    uint32_t rest = packet_bytes(head) - head_done(head);
    uint32_t part = kernel_time_left() / CYCLES & ~7u;

    part = part < MOST ? part : MOST;
    part = part > LEAST ? part : LEAST;
    return rest < part ? rest : part;
}

void head_note(const struct packet *head, uint32_t done)
{
    if (is_noted(head) && done == packet_bytes(head)) {
        chores_wait |= CHORE_MBCF;
    }
    noted.node = head->node;
    memcpy(noted.word, &head->word[PACKET_HEAD], sizeof(noted.word));
    noted.done = done < packet_bytes(head) ? done : 0;
}

bool head_is_in_parts(void)
{
    struct packet head;

    if (!noted.done) {
        return false;
    }
    if (ni_head_present() && ni_head_of_kernel() &&
        ni_head_word(1) == (uint32_t)packet_handler) {
        packet_peek(&head);
        if (is_noted(&head)) {
            return true;
        }
    }
    noted.done = 0;             /* the fast path has taken it */
    return false;
}
