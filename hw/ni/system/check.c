/*
 * Checks of the system part of network interfaces, for tests and for snapshots
 *
 * The conditions follow docs/machine.md. The checks call as little as possible
 * of the code that they check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/system/check.h"
#include "hw/fugu/ni/system/flags.h"

/* ---- Packets ------------------------------------------------------------ */

/* Returns the words that a message counts. */
static uint32_t counted(const FuguChannel *c, const FuguPacket *p)
{
    return fugu_netif_counted(&c->limits, p);
}

static const char *check_packet(const FuguChannel *c, const FuguPacket *p)
{
    const FuguNetifLimits *l = &c->limits;

    FUGU_REQUIRE(p->network == c->network);
    FUGU_REQUIRE(p->source < c->ni->node->machine->options.node_count);
    FUGU_REQUIRE(p->dest < c->ni->node->machine->options.node_count);
    FUGU_REQUIRE(!p->has_body || l->body);
    if (p->kind == FUGU_PACKET_CREDIT) {
        FUGU_REQUIRE(p->words[0] >= 1);
        FUGU_REQUIRE(p->words[0] <= l->words +
                     (l->counts_bodies ? l->body / 4 : 0));
        return NULL;
    }
    FUGU_REQUIRE(p->kind == FUGU_PACKET_MESSAGE);
    FUGU_REQUIRE(p->length >= 1 && p->length <= l->words);
    FUGU_REQUIRE(p->body_len <= l->body && p->body_len % 4 == 0);
    FUGU_REQUIRE(p->has_body || !p->body);
    FUGU_REQUIRE(p->body || p->body_len == 0);
    if (c->network == FUGU_SECOND_NETWORK) {
        FUGU_REQUIRE((p->words[0] & FUGU_HDR_NODE_MASK) == p->source);
    }
    return NULL;
}

static const char *check_incoming(const FuguChannel *c,
                                  const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        FUGU_REQUIRE_ALL(check_packet(c, p));
        FUGU_REQUIRE(p->dest == c->ni->node->number);
        FUGU_REQUIRE(p->arrival >= p->time);
    }
    return NULL;
}

static const char *check_flight(const FuguChannel *c)
{
    const FuguPacket *first = QTAILQ_FIRST(&c->flight);
    const FuguPacket *p;

    FUGU_REQUIRE_ALL(check_incoming(c, &c->flight));
    QTAILQ_FOREACH(p, &c->flight, next) {
        const FuguPacket *next = QTAILQ_NEXT(p, next);

        FUGU_REQUIRE(!next || p->arrival <= next->arrival);
    }
    FUGU_REQUIRE(c->arrival.time == (first ? first->arrival : FUGU_NEVER));
    return NULL;
}

static const char *check_departing(const FuguChannel *c)
{
    const FuguPacket *first = QTAILQ_FIRST(&c->departing);
    const FuguPacket *p;

    QTAILQ_FOREACH(p, &c->departing, next) {
        const FuguPacket *next = QTAILQ_NEXT(p, next);

        FUGU_REQUIRE_ALL(check_packet(c, p));
        FUGU_REQUIRE(p->source == c->ni->node->number);
        FUGU_REQUIRE(p->time <= (next ? next->time : c->depart_time));
    }
    FUGU_REQUIRE(c->departure.time == (first ? first->time : FUGU_NEVER));
    return NULL;
}

/* ---- Channels ----------------------------------------------------------- */

static const char *check_queue(const FuguChannel *c)
{
    const FuguPacket *waiting = QTAILQ_FIRST(&c->blocked);
    const FuguPacket *p;
    uint32_t words = 0;

    FUGU_REQUIRE_ALL(check_incoming(c, &c->queue));
    FUGU_REQUIRE_ALL(check_incoming(c, &c->blocked));
    QTAILQ_FOREACH(p, &c->queue, next) {
        words += counted(c, p);
    }
    FUGU_REQUIRE(words == c->queue_words);
    FUGU_REQUIRE(c->queue_words <= c->queue_max);
    FUGU_REQUIRE(!waiting || c->queue_words + counted(c, waiting) > c->queue_max);
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

            FUGU_REQUIRE(!before || (int32_t)(p->sequence - before->sequence) > 0);
            last[p->source] = p;
        }
    }
    return NULL;
}

static const char *check_order(const FuguChannel *c)
{
    g_autofree const FuguPacket **last =
        g_new0(const FuguPacket *, c->ni->node->machine->options.node_count);

    FUGU_REQUIRE_ALL(follow(last, &c->queue));
    FUGU_REQUIRE_ALL(follow(last, &c->blocked));
    FUGU_REQUIRE_ALL(follow(last, &c->flight));
    return NULL;
}

static const char *check_channel(const FuguChannel *c)
{
    FUGU_REQUIRE(c->space <= c->limits.space);
    FUGU_REQUIRE(!c->bodies_out || c->limits.body);
    FUGU_REQUIRE_ALL(check_queue(c));
    FUGU_REQUIRE_ALL(check_flight(c));
    FUGU_REQUIRE_ALL(check_departing(c));
    return check_order(c);
}

/* ---- One interface ------------------------------------------------------ */

static const char *check_timer(FuguSystemNI *ni)
{
    bool available = ni->part->message(ni);
    bool enabled = (ni->uac & FUGU_UAC_TIMER_FORCE) ||
                   (available && (ni->uac & FUGU_UAC_INTERRUPT_DISABLE));

    FUGU_REQUIRE(ni->timer_left >= 0);
    /* The processor has got back the cycles of an instruction that awaits its turn.
     * Local time is then before the end of the round that is over, and events of
     * that round came after it. Otherwise the past is over. */
    FUGU_REQUIRE(ni->timer_mark <= MAX(fugu_node_time(ni->node),
                                       ni->node->machine->time.round_start - 1));
    FUGU_REQUIRE(enabled || ni->timer_left == ni->timeout);
    FUGU_REQUIRE(ni->timer_runs == (enabled && ni->timeout && ni->timer_left > 0));
    FUGU_REQUIRE(ni->timer_event.time == (ni->timer_runs
            ? ni->timer_mark + ni->timer_left : FUGU_NEVER));
    return NULL;
}

/* Compares the interrupt requests with those that the state calls for. */
static const char *check_lines(FuguSystemNI *ni)
{
    static const struct { uint32_t pending; unsigned level; } lines[] = {
        { FUGU_PEND_MESSAGE | FUGU_PEND_ARRIVAL, FUGU_IRQ_MESSAGE },
        { FUGU_PEND_MISMATCH | FUGU_PEND_OUTGOING | FUGU_PEND_ROOM |
          FUGU_PEND_DROPPED | FUGU_PEND_FAULT, FUGU_IRQ_MISMATCH },
        { FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT },
        { FUGU_PEND_SECOND, FUGU_IRQ_SECOND },
    };
    bool expiring = ni->timer_event.time <= fugu_node_time(ni->node);

    for (int i = 0; i < ARRAY_SIZE(lines); i++) {
        bool up = ni->node->interrupts & (1u << lines[i].level);
        bool pending = fugu_system_pending(ni) & lines[i].pending;

        /* The event that raises the line may be due, but not fired yet. */
        FUGU_REQUIRE(up == pending ||
                (expiring && lines[i].pending == FUGU_PEND_TIMEOUT));
    }
    return NULL;
}

/* With soft atomicity the timer must be off and must not interrupt. */
static const char *check_soft(FuguSystemNI *ni)
{
    if (ni->node->machine->options.atomicity == FUGU_ATOMICITY_SOFT) {
        FUGU_REQUIRE(ni->timeout == 0 && ni->timer_left == 0);
        FUGU_REQUIRE(!(fugu_system_pending(ni) & FUGU_PEND_TIMEOUT));
    }
    return NULL;
}

static const char *check_meter(FuguSystemNI *ni)
{
    const FuguMeter *meter = &ni->node->meter;

    FUGU_REQUIRE(meter->served == MIN(ni->gid, FUGU_METER_GIDS));
    FUGU_REQUIRE(meter->mark <= fugu_node_time(ni->node));
    return NULL;
}

static const char *check_channels(FuguSystemNI *ni)
{
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        const FuguChannel *c = ni->channel[i];

        if (c) {
            FUGU_REQUIRE_ALL(check_channel(c));
        }
    }
    return NULL;
}

const char *fugu_system_check(FuguSystemNI *ni)
{
    FUGU_REQUIRE(ni->uac <= FUGU_UAC_ALL);
    FUGU_REQUIRE(ni->gid <= FUGU_GID_MAX);
    FUGU_REQUIRE_ALL(check_meter(ni));
    FUGU_REQUIRE_ALL(check_channels(ni));
    FUGU_REQUIRE_ALL(check_timer(ni));
    FUGU_REQUIRE_ALL(check_soft(ni));
    return check_lines(ni);
}

/* ---- All of them -------------------------------------------------------- */

/* What a node has sent and has not yet got a credit for. */
typedef struct Account {
    uint32_t words;
    uint32_t bodies;
} Account;

static void book(Account *accounts, const FuguChannel *c,
                 const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        bool message = p->kind == FUGU_PACKET_MESSAGE;
        Account *account = &accounts[message ? p->source : p->dest];

        account->words += message ? counted(c, p) : p->words[0];
        account->bodies += p->has_body;
    }
}

static const FuguChannel *channel_at(FuguMachineState *m, uint32_t node,
                                     int network)
{
    return FUGU_SYSTEM_NI(m->parts.nodes[node]->ni)->channel[network];
}

static const char *check_network(FuguMachineState *m, int network)
{
    g_autofree Account *accounts = g_new0(Account, m->options.node_count);

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        const FuguChannel *c = channel_at(m, i, network);

        book(accounts, c, &c->departing);
        book(accounts, c, &c->flight);
        book(accounts, c, &c->blocked);
    }
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        const FuguChannel *c = channel_at(m, i, network);

        FUGU_REQUIRE(c->space + accounts[i].words == c->limits.space);
        FUGU_REQUIRE(accounts[i].bodies == c->bodies_out);
    }
    return NULL;
}

const char *fugu_system_check_balance(FuguMachineState *m)
{
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        if (channel_at(m, m->parts.first, i)) {
            FUGU_REQUIRE_ALL(check_network(m, i));
        }
    }
    return NULL;
}
