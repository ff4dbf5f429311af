/*
 * Checks of the network interfaces, for tests and for snapshots
 *
 * The conditions follow docs/machine.md. The checks call as little as possible
 * of the code that they check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/check.h"
#include "hw/fugu/ni/flags.h"

#define REQUIRE(condition)              \
    do {                                \
        if (!(condition)) {             \
            return #condition;          \
        }                               \
    } while (0)

/* Returns from the caller if a condition of @check does not hold. */
#define REQUIRE_ALL(check)              \
    do {                                \
        const char *broken = (check);   \
        if (broken) {                   \
            return broken;              \
        }                               \
    } while (0)

/* ---- Packets ------------------------------------------------------------ */

static const char *check_packet(const FuguChannel *c, const FuguPacket *p)
{
    REQUIRE(p->network == c->network);
    REQUIRE(p->source < c->ni->node->machine->options.node_count);
    REQUIRE(p->dest < c->ni->node->machine->options.node_count);
    if (p->kind == FUGU_PACKET_CREDIT) {
        REQUIRE(p->words[0] >= 1 && p->words[0] <= FUGU_MSG_WORDS);
        return NULL;
    }
    REQUIRE(p->kind == FUGU_PACKET_MESSAGE);
    REQUIRE(p->length >= 1 && p->length <= FUGU_MSG_WORDS);
    REQUIRE((p->words[0] & FUGU_HDR_NODE_MASK) == p->source);
    REQUIRE(p->body_len <= FUGU_BODY_MAX && p->body_len % 4 == 0);
    REQUIRE(p->has_body || !p->body);
    REQUIRE(p->body || p->body_len == 0);
    if (c->network == FUGU_MAIN_NETWORK) {
        REQUIRE(!(p->words[0] & FUGU_HDR_OWN_GID));
    } else {
        REQUIRE(!p->has_body);
    }
    return NULL;
}

static const char *check_incoming(const FuguChannel *c,
                                  const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        REQUIRE_ALL(check_packet(c, p));
        REQUIRE(p->dest == c->ni->node->number);
        REQUIRE(p->arrival >= p->time);
    }
    return NULL;
}

static const char *check_flight(const FuguChannel *c)
{
    const FuguPacket *first = QTAILQ_FIRST(&c->flight);
    const FuguPacket *p;

    REQUIRE_ALL(check_incoming(c, &c->flight));
    QTAILQ_FOREACH(p, &c->flight, next) {
        const FuguPacket *next = QTAILQ_NEXT(p, next);

        REQUIRE(!next || p->arrival <= next->arrival);
    }
    REQUIRE(c->arrival.time == (first ? first->arrival : FUGU_NEVER));
    return NULL;
}

static const char *check_departing(const FuguChannel *c)
{
    const FuguPacket *first = QTAILQ_FIRST(&c->departing);
    const FuguPacket *p;

    QTAILQ_FOREACH(p, &c->departing, next) {
        const FuguPacket *next = QTAILQ_NEXT(p, next);

        REQUIRE_ALL(check_packet(c, p));
        REQUIRE(p->source == c->ni->node->number);
        REQUIRE(p->time <= (next ? next->time : c->depart_time));
    }
    REQUIRE(c->departure.time == (first ? first->time : FUGU_NEVER));
    return NULL;
}

/* ---- Channels ----------------------------------------------------------- */

static const char *check_queue(const FuguChannel *c)
{
    const FuguPacket *waiting = QTAILQ_FIRST(&c->blocked);
    const FuguPacket *p;
    uint32_t words = 0;

    REQUIRE_ALL(check_incoming(c, &c->queue));
    REQUIRE_ALL(check_incoming(c, &c->blocked));
    QTAILQ_FOREACH(p, &c->queue, next) {
        words += p->length;
    }
    REQUIRE(words == c->queue_words);
    REQUIRE(c->queue_words <= c->queue_max);
    REQUIRE(!waiting || c->queue_words + waiting->length > c->queue_max);
    return NULL;
}

/* Checks the order of messages from each source. @last is the last message of
 * each source. Sequence numbers may wrap. */
static const char *follow(const FuguPacket **last, const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        if (p->kind == FUGU_PACKET_MESSAGE) {
            const FuguPacket *before = last[p->source];

            REQUIRE(!before || (int32_t)(p->sequence - before->sequence) > 0);
            last[p->source] = p;
        }
    }
    return NULL;
}

static const char *check_order(const FuguChannel *c)
{
    g_autofree const FuguPacket **last =
        g_new0(const FuguPacket *, c->ni->node->machine->options.node_count);

    REQUIRE_ALL(follow(last, &c->queue));
    REQUIRE_ALL(follow(last, &c->blocked));
    REQUIRE_ALL(follow(last, &c->flight));
    return NULL;
}

static const char *check_channel(const FuguChannel *c)
{
    REQUIRE(c->space <= c->space_max);
    REQUIRE(!c->body_out || c->network == FUGU_MAIN_NETWORK);
    REQUIRE_ALL(check_queue(c));
    REQUIRE_ALL(check_flight(c));
    REQUIRE_ALL(check_departing(c));
    return check_order(c);
}

/* ---- One interface ------------------------------------------------------ */

static const char *check_descriptors(FuguNI *ni)
{
    REQUIRE(ni->user.length <= FUGU_MSG_WORDS);
    REQUIRE(ni->kernel.length <= FUGU_MSG_WORDS);
    REQUIRE(ni->user.reserved <= ni->user.length);
    REQUIRE(ni->kernel.reserved <= ni->kernel.length);
    REQUIRE(ni->user.reserved + ni->kernel.reserved <=
            ni->channel[FUGU_MAIN_NETWORK].space);
    return NULL;
}

static const char *check_timer(FuguNI *ni)
{
    bool available = fugu_ni_message_available(ni);
    bool enabled = (ni->uac & FUGU_UAC_TIMER_FORCE) ||
                   (available && (ni->uac & FUGU_UAC_INTERRUPT_DISABLE));

    REQUIRE(ni->timer_left >= 0);
    REQUIRE(ni->timer_mark <= fugu_node_time(ni->node));
    REQUIRE(enabled || ni->timer_left == ni->timeout);
    REQUIRE(ni->timer_runs == (enabled && ni->timeout && ni->timer_left > 0));
    REQUIRE(ni->timer_event.time == (ni->timer_runs
            ? ni->timer_mark + ni->timer_left : FUGU_NEVER));
    return NULL;
}

/* Compares the interrupt requests with those that the state calls for. */
static const char *check_lines(FuguNI *ni)
{
    static const struct { uint32_t pending; unsigned level; } lines[] = {
        { FUGU_PEND_MESSAGE, FUGU_IRQ_MESSAGE },
        { FUGU_PEND_MISMATCH, FUGU_IRQ_MISMATCH },
        { FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT },
        { FUGU_PEND_SECOND, FUGU_IRQ_SECOND },
    };
    bool expiring = ni->timer_event.time <= fugu_node_time(ni->node);

    for (int i = 0; i < ARRAY_SIZE(lines); i++) {
        bool up = ni->node->interrupts & (1u << lines[i].level);
        bool pending = fugu_ni_pending(ni) & lines[i].pending;

        /* The event that raises the line may be due, but not fired yet. */
        REQUIRE(up == pending ||
                (expiring && lines[i].pending == FUGU_PEND_TIMEOUT));
    }
    return NULL;
}

static const char *check_dma(FuguNI *ni)
{
    REQUIRE(!ni->dma_hides || ni->dma_event.time == ni->dma_until);
    REQUIRE(ni->dma_event.time == FUGU_NEVER ||
            ni->dma_event.time == ni->dma_until);
    REQUIRE(ni->dma_addr % 4 == 0 && ni->dma_body % 4 == 0);
    return NULL;
}

/* With soft atomicity the timer must be off and must not interrupt. */
static const char *check_soft(FuguNI *ni)
{
    if (ni->node->machine->options.atomicity == FUGU_ATOMICITY_SOFT) {
        REQUIRE(ni->timeout == 0 && ni->timer_left == 0);
        REQUIRE(!(fugu_ni_pending(ni) & FUGU_PEND_TIMEOUT));
    }
    return NULL;
}

static const char *check_meter(FuguNI *ni)
{
    const FuguMeter *meter = &ni->node->meter;

    REQUIRE(meter->served == MIN(ni->gid, FUGU_METER_GIDS));
    REQUIRE(meter->mark <= fugu_node_time(ni->node));
    return NULL;
}

const char *fugu_ni_check(FuguNI *ni)
{
    REQUIRE(ni->uac <= FUGU_UAC_ALL);
    REQUIRE(ni->gid <= FUGU_GID_MAX);
    REQUIRE_ALL(check_meter(ni));
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        REQUIRE_ALL(check_channel(&ni->channel[i]));
    }
    REQUIRE_ALL(check_descriptors(ni));
    REQUIRE_ALL(check_dma(ni));
    REQUIRE_ALL(check_timer(ni));
    REQUIRE_ALL(check_soft(ni));
    return check_lines(ni);
}

/* ---- All of them -------------------------------------------------------- */

/* What a node has sent and has not yet got a credit for. */
typedef struct Account {
    uint32_t words;
    uint32_t bodies;
} Account;

static void book(Account *accounts, const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        bool message = p->kind == FUGU_PACKET_MESSAGE;
        Account *account = &accounts[message ? p->source : p->dest];

        account->words += message ? p->length : p->words[0];
        account->bodies += p->has_body;
    }
}

static const FuguChannel *channel_of(FuguMachineState *m, uint32_t node,
                                     int network)
{
    return &FUGU_NI(m->parts.nodes[node]->ni)->channel[network];
}

static const char *check_network(FuguMachineState *m, int network)
{
    g_autofree Account *accounts = g_new0(Account, m->options.node_count);

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        const FuguChannel *c = channel_of(m, i, network);

        book(accounts, &c->departing);
        book(accounts, &c->flight);
        book(accounts, &c->blocked);
    }
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        const FuguChannel *c = channel_of(m, i, network);

        REQUIRE(c->space + accounts[i].words == c->space_max);
        REQUIRE(accounts[i].bodies == c->body_out);
    }
    return NULL;
}

const char *fugu_ni_check_balance(FuguMachineState *m)
{
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        REQUIRE_ALL(check_network(m, i));
    }
    return NULL;
}
