/*
 * Pages in pieces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "machine/debts.h"
#include "machine/message.h"
#include "memory/pieces.h"
#include "memory/quick_memory.h"

/* The place in a page of the last piece that the sender waits to hear of, and of the
 * last piece, which is shorter. */
#define LAST_AWAITED    ((PIECES - PIECES_AHEAD - 1) * PIECE_BYTES)
#define LAST            ((PIECES - 1) * PIECE_BYTES)

unsigned pieces_payer;
uint32_t pieces_way_back;

/* About as many cycles as the interrupt takes before second.S notes the time and after
 * it has noted it again: a quarter as many instructions. */
#define WAY_REST        (pieces_way_back / 4)

/* Pages that are sent. */
static struct source {
    uint32_t from;              /* the next piece; 0: all are on their way */
    uint32_t node;
    uint32_t operation;
    unsigned gid;
} sources[PIECES_ENDS];

/* Frames into which pages come; 0: none does. */
static struct place {
    uint32_t frame;
    uint32_t node;
    unsigned gid;
} places[PIECES_ENDS];

static INLINE uint32_t in_page(uint32_t address)
{
    return address & (GLAZE_PAGE - 1);
}

__attribute__((cold)) void pieces_send(enum piece_end end, uint32_t node,
                                       enum operation operation, uint32_t frame,
                                       unsigned gid)
{
    sources[end] = (struct source) { frame, node, operation, gid };
}

__attribute__((cold)) void pieces_expect(enum piece_end end, uint32_t node,
                                         uint32_t frame, unsigned gid)
{
    places[end] = (struct place) { frame, node, gid };
}

static unsigned words_at(uint32_t place)
{
    return place == LAST ? PAGE_WORDS - LAST / 4 : PIECE_WORDS;
}

/*
 * The message may wait for space, and the kernel takes others meanwhile: pieces_quick()
 * may send the next piece before this one. So this one leaves the list before that.
 */
void piece_send(enum piece_end end)
{
    struct source *s = &sources[end];
    const uint32_t *from = (const uint32_t *)s->from;
    uint32_t words[1 + PIECE_WORDS] = { in_page(s->from) };
    unsigned count = words_at(words[0]);

    s->from = words[0] == LAST ? 0 : s->from + PIECE_BYTES;
    for (unsigned i = 0; i < count; i++) {
        words[1 + i] = from[i];
    }
    message_send(s->node, s->operation, words, 1 + count);
}

bool pieces_sent(enum piece_end end)
{
    return !sources[end].from;
}

bool piece_is_last(const uint32_t *words)
{
    return words[0] == LAST;
}

bool piece_take(enum piece_end end, const uint32_t *words)
{
    uint32_t *to = (uint32_t *)(places[end].frame + words[0]);
    unsigned count = words_at(words[0]);

    for (unsigned i = 0; i < count; i++) {
        to[i] = words[1 + i];
    }
    if (words[0] == LAST) {
        places[end].frame = 0;
    }
    return words[0] <= LAST_AWAITED;
}

/* ---- Fast path ----------------------------------------------------------- */

/* Word k of the head of the second network, and of its output window. */
#define HEAD(ni, k)     ((ni)[(FUGU_K_SECOND_HEAD + FUGU_HEAD_WORDS) / 4 + (k)])
#define OUT(ni, k)      ((ni)[FUGU_K_SECOND_OUT / 4 + (k)])

#define SLOW            (-1u)   /* in place of a GID: the message has to take the way
                                   through C */

/* Stores a piece of such a page from a node, and tells that node. Returns who pays, or
 * SLOW. */
static INLINE unsigned take_quick(volatile uint32_t *ni, const struct place *p,
                                  uint32_t node, uint32_t answer)
{
    uint32_t place = HEAD(ni, 2);
    uint32_t *to = (uint32_t *)(p->frame + place);

    if (p->node != node || !p->frame || place >= LAST ||
        QUICK_K(ni, SECOND_SPACE) < 2) {
        return SLOW;
    }
    if (place <= LAST_AWAITED) {
        OUT(ni, 0) = node;
        OUT(ni, 1) = answer;
        QUICK_K(ni, SECOND_LAUNCH) = 2;
    }
    /* PIECE_WORDS: a loop would double the time. */
#pragma GCC unroll 13
    for (unsigned k = 0; k < PIECE_WORDS; k++) {
        to[k] = HEAD(ni, 3 + k);
    }
    return p->gid;
}

/* Sends the next piece of such a page to a node. Returns who pays, or SLOW. */
static INLINE unsigned send_quick(volatile uint32_t *ni, struct source *s,
                                  uint32_t node)
{
    const uint32_t *from = (const uint32_t *)s->from;
    uint32_t place = in_page(s->from);

    if (s->node != node || !from || place >= LAST ||
        QUICK_K(ni, SECOND_SPACE) < 3 + PIECE_WORDS) {
        return SLOW;
    }
    OUT(ni, 0) = node;
    OUT(ni, 1) = s->operation;
    OUT(ni, 2) = place;
#pragma GCC unroll 13
    for (unsigned k = 0; k < PIECE_WORDS; k++) {
        OUT(ni, 3 + k) = from[k];
    }
    QUICK_K(ni, SECOND_LAUNCH) = 3 + PIECE_WORDS;
    s->from += PIECE_BYTES;
    return s->gid;
}

/* Returns which of the server's buffers takes a page of this node, or the last one. */
static INLINE const struct place *place_for(uint32_t node)
{
    const struct place *p = &places[PIECES_OF_SERVER];

    while (p != &places[PIECES_ENDS - 1] && (p->node != node || !p->frame)) {
        p++;
    }
    return p;
}

/* The same for a page that the server sends to this node. */
static INLINE struct source *source_to(uint32_t node)
{
    struct source *s = &sources[PIECES_OF_SERVER];

    while (s != &sources[PIECES_ENDS - 1] && (s->node != node || !s->from)) {
        s++;
    }
    return s;
}

/* Returns whether an interrupt below the second network's waits, which code with that
 * PSR does not mask. */
static INLINE bool other_waits(volatile uint32_t *ni, uint32_t psr)
{
    return QUICK_K(ni, PENDING) & (psr & PSR_PIL ? FUGU_PEND_TIMEOUT
                                                 : ~FUGU_PEND_SECOND) ||
           read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS);
}

/* Does what the head says. Returns who pays, or SLOW. */
static INLINE unsigned serve_head(volatile uint32_t *ni)
{
    uint32_t node = HEAD(ni, 0) & FUGU_HDR_NODE_MASK;

    switch (HEAD(ni, 1)) {
    case OPERATION_STORE:
        return take_quick(ni, place_for(node), node, OPERATION_NEXT);
    case OPERATION_PIECE:
        return take_quick(ni, &places[PIECES_OF_CLIENT], node, OPERATION_MORE);
    case OPERATION_NEXT:
        return send_quick(ni, &sources[PIECES_OF_CLIENT], node);
    case OPERATION_MORE:
        return send_quick(ni, source_to(node), node);
    default:
        return SLOW;
    }
}

uint32_t pieces_quick(uint32_t psr, uint32_t since)
{
    volatile uint32_t *ni = quick_ni();
    unsigned gid = serve_head(ni);
    uint32_t until, back = 0;
    bool leaves = false;

    debts_trapped = since;          /* for debts_arrive(), if this is an interrupt */
    if (gid == SLOW) {
        return 0;
    }
    QUICK_K(ni, SECOND_DISPOSE) = 0;
    pieces_payer = gid;
    until = now();
    if (psr != PIECES_FROM_C) {
        leaves = other_waits(ni, psr);
        back = leaves ? 0 : pieces_way_back + WAY_REST;
    }
    debts_charge_page_quick(gid, until - since + back);
    if (leaves) {
        debts_trapped = until;
        return 0;
    }
    return until | 1;
}
