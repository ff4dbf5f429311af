/*
 * Multicasts that are under way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "services/mbcf/agents.h"
#include "services/mbcf/casts.h"
#include "services/mbcf/patterns.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/replies.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "machine/pending.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/*
 * A ticket of a command to a copy: number of the multicast, its place, and the
 * copy, from the highest bit down.
 */
#define COPY_BITS       2
#define PLACE_BITS      4
#define NUMBER_MASK     (UINT32_MAX >> (COPY_BITS + PLACE_BITS))

struct cast {
    struct packet command;      /* body: a frame of its own; 0 */
    uint32_t number;            /* 0: the place is free */
    uint32_t delay;             /* the longest that a copy asks for (load.h) */
    uint32_t status;            /* of the first copy that failed, in the
                                   pattern's order */
    uint8_t first_failed;       /* MBCF_COPIES: none */
    uint8_t copies, sent;       /* of the copies, so many have the command */
    uint8_t waits;              /* a bit for each copy that has not replied */
    struct mbcf_copy copy[MBCF_COPIES];
};

/*
 * Multicasts that the task has passed on, by a slot of the first requester: the
 * last one of each, modulo SEEN. A slot has one command under way. So on up to
 * SEEN / MBCF_SLOTS nodes a task passes each multicast of a job on once, however
 * many are under way. On larger machines two slots share an entry.
 */
#define SEEN            224

struct casts {
    struct cast cast[MBCF_CASTS];
    uint16_t unsent;            /* a bit for each place with copies that have not the
                                   command yet */
    uint16_t answered;          /* and for each of which all copies have replied */
    uint32_t seen[SEEN][2];     /* operands of the packet: set_origin() */
};

_Static_assert(sizeof(struct casts) <= GLAZE_PAGE, "one frame");
_Static_assert(MBCF_COPIES == 1 << COPY_BITS, "a copy fits into a ticket");
_Static_assert(MBCF_CASTS == 1 << PLACE_BITS, "a place fits into a ticket");
_Static_assert(MBCF_CASTS <= 16, "each place has a bit");

static uint32_t numbers;        /* of multicasts so far */

static struct casts *casts_of(const struct process *p)
{
    return (struct casts *)p->mbcf->casts;
}

/* Returns the entry of the requester's slot that a multicast has. */
static uint32_t *seen_by(const struct process *p, const struct packet *c)
{
    uint32_t node = c->word[PACKET_DATA] >> 8, ticket = c->word[PACKET_DATA + 1];

    return casts_of(p)->seen[(node * MBCF_SLOTS + ticket % MBCF_SLOTS) % SEEN];
}

/*
 * Returns a free place: one that has been free for long, as circles() looks at
 * free places too.
 */
static struct cast *free_place(const struct process *p)
{
    struct cast *cast = casts_of(p)->cast;

    for (unsigned k = 0; k < MBCF_CASTS; k++) {
        struct cast *next = &cast[(numbers + k) % MBCF_CASTS];

        if (!next->number) {
            return next;
        }
    }
    return NULL;
}

/* Notes in a multicast that comes from its requester which one it is. */
static void set_origin(struct packet *c)
{
    if (!packet_depth(c)) {
        c->word[PACKET_DATA] = c->node << 8 | packet_source(c);
        c->word[PACKET_DATA + 1] = c->word[PACKET_TICKET];
    }
}

/*
 * Returns whether p has passed this multicast on before. While it is under way,
 * its place says so. That ends each circle. Later, the table of those that have
 * been seen says so. That keeps patterns in which many ways lead to a task from
 * multiplying commands.
 */
static bool circles(const struct process *p, const struct packet *c)
{
    const struct cast *cast = casts_of(p)->cast;

    if (packet_depth(c) && !memcmp(seen_by(p, c), &c->word[PACKET_DATA],
                                   2 * sizeof(uint32_t))) {
        return true;
    }
    for (unsigned k = 0; packet_depth(c) && k < MBCF_CASTS; k++) {
        if (!memcmp(&cast[k].command.word[PACKET_DATA], &c->word[PACKET_DATA],
                    2 * sizeof(uint32_t))) {
            return true;
        }
    }
    return false;
}

static const struct mbcf_pattern *pattern_of(const struct process *p,
                                             const struct packet *c)
{
    return patterns_of(p->mbcf, packet_address(c) & ~PAGE_MASK);
}

/* ---- Commands ------------------------------------------------------------ */

/*
 * An invalidation waits for no page: a page that is not in memory has no view.
 */
static uint32_t check_invalidate(struct process *p, const struct packet *c)
{
    uint32_t page = packet_address(c), agent = packet_agent(c);

    if (page & PAGE_MASK) {
        return MBCF_UNALIGNED;
    }
    if ((agent && !agents_cover(p->mbcf, agent, page, GLAZE_PAGE,
                                MBCF_RANGE_WRITE | MBCF_RANGE_CAST)) ||
        memory_look(p, page, true) == MEMORY_NOT_THERE) {
        return MBCF_BAD_ADDRESS;
    }
    return MBCF_DONE;
}

uint32_t casts_check(struct process *p, const struct packet *c)
{
    uint32_t status = packet_command(c) == MBCF_INVALIDATE
                    ? check_invalidate(p, c)
                    : reach_check(p, packet_agent(c), packet_address(c),
                                  packet_bytes(c), REACH_CAST);

    if (status != MBCF_DONE || !casts_goes_on(p, c)) {
        return status;
    }
    if (circles(p, c)) {
        return MBCF_CIRCLE;
    }
    if (packet_depth(c) == MBCF_DEPTH_MAX) {
        return MBCF_TOO_DEEP;
    }
    return free_place(p) ? MBCF_DONE : MBCF_BUSY;
}

bool casts_goes_on(const struct process *p, const struct packet *c)
{
    return pattern_of(p, c) != NULL;
}

static void do_here(struct process *p, const struct packet *c)
{
    uint32_t page = packet_address(c);

    if (packet_command(c) == MBCF_UPDATE) {
        if (c->body || !packet_has_body(c)) {
            reach_store(p, packet_address(c) + c->body_done,
                        (const char *)packet_data(c) + c->body_done,
                        packet_bytes(c) - c->body_done);
        }
    } else {
        space_view_end(p, page);
    }
}

/* ---- Multicasts under way ------------------------------------------------ */

/* Returns the bit of a place. */
static uint16_t bit(const struct casts *t, const struct cast *cast)
{
    return 1u << (cast - t->cast);
}

/* Notes how the command to a copy has ended. */
static void note(struct casts *t, struct cast *cast, unsigned k, uint32_t status)
{
    cast->waits &= ~(1u << k);
    if (status != MBCF_DONE && k < cast->first_failed) {
        cast->first_failed = k;
        cast->status = status;
    }
    if (!cast->waits) {
        t->answered |= bit(t, cast);
    }
}

/* The next copy of a multicast has the command, or will not get it. */
static void sent(struct casts *t, struct cast *cast)
{
    if (++cast->sent < cast->copies) {
        return;
    }
    t->unsent &= ~bit(t, cast);
    if (cast->command.body) {
        frame_free(cast->command.body);
        cast->command.body = 0;
    }
}

/*
 * Passes a multicast on to its next copy. Returns false if the network has no
 * space.
 */
static bool send(struct process *p, struct cast *cast)
{
    struct casts *t = casts_of(p);
    unsigned k = cast->sent, place = cast - t->cast;
    const struct packet *c = &cast->command;
    struct packet next = *c;
    struct mbcf_entry to;

    if (!task_find(p, cast->copy[k].task, &to)) {
        note(t, cast, k, MBCF_NO_TASK);
        sent(t, cast);
        return true;
    }
    next.node = to.node;
    next.word[PACKET_HEAD] =
        packet_head(packet_command(c), (packet_options(c) & MBCF_WAKES) | PACKET_LOUD |
                    (packet_depth(c) + 1) << PACKET_DEPTH_SHIFT, to.task);
    next.word[PACKET_KEY_HIGH] = to.key >> 32;
    next.word[PACKET_KEY_LOW] = to.key;
    next.word[PACKET_ADDRESS] = cast->copy[k].page + (packet_address(c) & PAGE_MASK);
    next.word[PACKET_TICKET] = (cast->number << PLACE_BITS | place) << COPY_BITS | k;
    next.word[PACKET_FROM] = p->gid << 24 | packet_bytes(c);
    if (!packet_send(&next)) {
        return false;
    }
    sent(t, cast);
    return true;
}

/*
 * Replies for all copies, which have, and frees the place. Leaves room for the replies
 * to a packet that is being handled: returns false if there is no more.
 */
static bool settle(struct casts *t, struct cast *cast)
{
    struct packet reply;

    if (!replies_room(1 + MBCF_COMBINED_MAX)) {
        return false;
    }
    reply = reply_to(&cast->command, cast->first_failed == MBCF_COPIES
                     ? MBCF_DONE : cast->status | MBCF_AT_COPY);
    if (reply.word[PACKET_DELAY] < cast->delay) {
        reply.word[PACKET_DELAY] = cast->delay;
    }
    reply_send(&reply);
    cast->number = 0;
    t->answered &= ~bit(t, cast);
    return true;
}

/* Returns the oldest multicast that has to be passed on; NULL: none. */
static struct cast *first_unsent(struct casts *t)
{
    struct cast *first = NULL;

    for (unsigned k = 0, left = t->unsent; left; k++, left >>= 1) {
        struct cast *cast = &t->cast[k];

        if (left & 1 && (!first || ((first->number - cast->number) & NUMBER_MASK) <=
                                   NUMBER_MASK / 2)) {
            first = cast;
        }
    }
    return first;
}

/* The most cycles to send a packet. */
#define SEND_MOST       800

/* Returns whether casts_step() may send one more. The first one needs no time. */
static bool may_send(unsigned *sent, uint32_t others)
{
    return !(*sent)++ || kernel_has_time(now(), SEND_MOST + others);
}

bool casts_step(struct process *p, uint32_t others)
{
    struct casts *t = casts_of(p);
    struct cast *unsent;
    unsigned packets = 0;

    while ((unsent = first_unsent(t)) != NULL && may_send(&packets, others) &&
           send(p, unsent)) {
    }
    for (unsigned k = 0, left = t->answered; left; k++, left >>= 1) {
        if (left & 1 && !(may_send(&packets, others) && settle(t, &t->cast[k]))) {
            break;
        }
    }
    return t->unsent || t->answered;
}

bool casts_do(struct process *p, struct packet *c)
{
    const struct mbcf_pattern *pattern = pattern_of(p, c);
    struct cast *cast;

    do_here(p, c);
    if (!pattern) {
        return true;
    }
    numbers = (numbers + 1) & NUMBER_MASK ? (numbers + 1) & NUMBER_MASK : 1;
    cast = free_place(p);
    casts_of(p)->unsent |= bit(casts_of(p), cast);
    cast->command = *c;
    cast->command.body_rest = 0;        /* it has been body_done */
    set_origin(&cast->command);
    memcpy(seen_by(p, &cast->command), &cast->command.word[PACKET_DATA],
           2 * sizeof(uint32_t));
    cast->number = numbers;
    cast->first_failed = MBCF_COPIES;
    cast->copies = pattern->copies;
    cast->sent = 0;
    cast->delay = 0;
    cast->waits = (1u << pattern->copies) - 1;
    memcpy(cast->copy, pattern->copy, sizeof(cast->copy));
    c->body = 0;
    return false;
}

void casts_reply(struct process *p, const struct packet *reply)
{
    uint32_t ticket = reply->word[PACKET_TICKET];
    unsigned k = ticket % MBCF_COPIES;
    struct casts *t = p ? casts_of(p) : NULL;
    struct cast *cast;

    if (!t) {
        return;                 /* the task is gone */
    }
    cast = &t->cast[(ticket >> COPY_BITS) % MBCF_CASTS];
    if (cast->number == ticket >> (COPY_BITS + PLACE_BITS) &&
        cast->waits & 1u << k) {
        note(t, cast, k, reply->word[PACKET_STATUS] & ~MBCF_AT_COPY);
        cast->delay = reply->word[PACKET_DELAY] > cast->delay
                      ? reply->word[PACKET_DELAY] : cast->delay;
    }
}

void casts_close(uint32_t casts)
{
    struct cast *cast = ((struct casts *)casts)->cast;

    for (unsigned k = 0; casts && k < MBCF_CASTS; k++) {
        struct packet reply;

        if (!cast[k].number) {
            continue;
        }
        if (cast[k].command.body) {
            frame_free(cast[k].command.body);
        }
        if (replies_room(1)) {
            reply = reply_to(&cast[k].command, MBCF_NO_TASK);
            reply_send(&reply);
        }
    }
    if (casts) {
        frame_free(casts);
    }
}
