/*
 * The M-Machine's message interface: extraction (paper, "Extraction")
 *
 * A queue's head is the current message once MsgHead has given its handler, and
 * stays in the queue until its last word is taken, or MsgHead is read again. A
 * message enters the queue as its first word comes; word K is there K words later.
 *
 * A context that waits for a message discards the current one, whose words would take
 * the room that the next one needs. The room is free when the tail has come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/system/check.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/flags.h"

/* When word @i of @p can be read. A packet in the queue has the time at which it
 * has entered in @arrival: see entered(). */
static int64_t word_time(const MMachineNI *ni, const FuguPacket *p, unsigned i)
{
    return p->arrival + (int64_t)ni->word * i;
}

/* A stream has the length of the longest message, and its words join it as they
 * come. */
static bool is_stream(const FuguPacket *p)
{
    return fugu_packet_stream(p) == FUGU_STREAM_OPENS;
}

unsigned mm_words(const FuguPacket *p)
{
    return is_stream(p)
           ? FUGU_MM_HEAD + (p->joined & ~FUGU_STREAM_ENDED) : p->length;
}

/* Whether no more words come than mm_words(). */
static bool has_ended(const FuguPacket *p)
{
    return !is_stream(p) || (p->joined & FUGU_STREAM_ENDED);
}

static int64_t tail_time(const MMachineNI *ni, const FuguPacket *p)
{
    return has_ended(p) ? word_time(ni, p, mm_words(p) - 1) : FUGU_NEVER;
}

/* When MsgHead can give the handler of @p. */
static int64_t head_time(const MMachineNI *ni, const FuguPacket *p)
{
    return ni->rules & FUGU_MM_RULE_WHOLE
           ? tail_time(ni, p) : word_time(ni, p, MM_HANDLER);
}

static FuguPacket *current(const MMachineNI *ni, unsigned priority)
{
    return ni->extraction[priority].reads
           ? QTAILQ_FIRST(&ni->channel[priority].queue) : NULL;
}

/* Returns the message whose handler MsgHead gives next, or NULL. */
static FuguPacket *next_message(const MMachineNI *ni, unsigned priority)
{
    FuguPacket *p = current(ni, priority);

    return p ? QTAILQ_NEXT(p, next)
             : QTAILQ_FIRST(&ni->channel[priority].queue);
}

/* Wants the event at @time, unless it comes earlier. */
static void arm(MMachineNI *ni, unsigned priority, int64_t time)
{
    MMExtraction *x = &ni->extraction[priority];

    if (time < x->event.time) {
        x->armed = time;
        fugu_event_set(ni->node, &x->event, time);
    }
}

static void forget(MMExtraction *x)
{
    x->reads = false;
    x->drops = false;
    x->left++;
}

/*
 * The current message leaves the queue at @time, which is in this round: messages
 * that wait for its room enter then, and their credits leave.
 */
static void leave(MMachineNI *ni, unsigned priority, int64_t time)
{
    FuguChannel *c = &ni->channel[priority];
    FuguPacket *p = QTAILQ_FIRST(&c->queue);

    forget(&ni->extraction[priority]);
    if (ni->node->seen) {
        fugu_seen_dispose(ni->node->seen, time, p, true,
                          c->queue_words - p->length);
    }
    fugu_channel_drain_head(c, time);
}

/* The current message is to leave by itself, at @time; FUGU_NEVER: when it has
 * ended, see joins(). */
static void leave_later(MMachineNI *ni, unsigned priority, int64_t time)
{
    MMExtraction *x = &ni->extraction[priority];

    x->drops = true;
    x->drop_time = time;
    arm(ni, priority, time);
}

/*
 * The current message is lost, for an instruction that has begun at @start. It leaves
 * the queue by itself when its tail has come, in an event: the instruction may not
 * have its turn yet.
 */
static void discard(MMachineNI *ni, unsigned priority, int64_t start)
{
    MMExtraction *x = &ni->extraction[priority];
    FuguPacket *p = current(ni, priority);

    if (p && !x->drops) {
        leave_later(ni, priority, MAX(MAX(start, tail_time(ni, p)),
                                      ni->node->machine->time.round_start));
    }
}

/* ---- Words ---------------------------------------------------------------- */

/* Whether a stream that has not ended keeps the channel: MsgHead gives no message. */
static bool is_taken(const MMachineNI *ni, unsigned priority)
{
    const FuguPacket *p = current(ni, priority);

    return p && !has_ended(p);
}

bool mm_has_message(const MMachineNI *ni, unsigned priority, int64_t time)
{
    const FuguPacket *p = next_message(ni, priority);

    return p && !is_taken(ni, priority) && head_time(ni, p) <= time;
}

static bool peek_head(MMachineNI *ni, unsigned priority, int64_t start,
                      uint32_t *word)
{
    const FuguPacket *p;

    if (!mm_has_message(ni, priority, start)) {
        discard(ni, priority, start);
    }
    p = next_message(ni, priority);
    if (!p || is_taken(ni, priority)) {
        return false;
    }
    if (head_time(ni, p) > start) {
        arm(ni, priority, head_time(ni, p));
        return false;
    }
    *word = p->words[MM_HANDLER];
    return true;
}

/* Beyond the tail MsgBody is null: a message of unexpected length confuses no
 * handler (paper, "Protection"). */
static bool peek_body(MMachineNI *ni, unsigned priority, int64_t start,
                      uint32_t *word)
{
    const MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p = current(ni, priority);

    /* Another process may send messages that are shorter than any here. */
    if (!p || x->drops || (x->next >= mm_words(p) && has_ended(p))) {
        *word = 0;
        return true;
    }
    if (x->next >= mm_words(p)) {
        return false;
    }
    *word = p->words[x->next];
    if (word_time(ni, p, x->next) > start) {
        arm(ni, priority, word_time(ni, p, x->next));
        return false;
    }
    return true;
}

/*
 * The instruction has its turn now. When its effect is done, a miss of the cache may
 * have taken it past the round, so what it takes leaves now.
 */
bool mm_peek(MMachineNI *ni, unsigned priority, bool head, int64_t start,
             uint32_t *word)
{
    ni->extraction[priority].read_time = fugu_node_time(ni->node);
    ni->extraction[priority].read_begin = start;
    return head ? peek_head(ni, priority, start, word)
                : peek_body(ni, priority, start, word);
}

static void pop_head(MMachineNI *ni, unsigned priority)
{
    MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p;

    if (x->reads) {
        leave(ni, priority, x->read_time);
    }
    p = QTAILQ_FIRST(&ni->channel[priority].queue);
    x->reads = true;
    x->next = MM_DEST;
    x->gid = (p->words[MM_HEADER] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
    fugu_meter_taken(&ni->node->meter, x->gid);
}

/* A load that waits on the bus ends when its word comes, maybe in a later round. */
static void pop_body(MMachineNI *ni, unsigned priority)
{
    MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p = current(ni, priority);

    if (!p || x->drops || ++x->next < mm_words(p) || !has_ended(p)) {
        return;
    }
    if (x->read_time < fugu_machine_round_end(ni->node->machine)) {
        leave(ni, priority, x->read_time);
    } else {
        leave_later(ni, priority, x->read_time);
    }
}

int64_t mm_body_time(const MMachineNI *ni, unsigned priority)
{
    const MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p = current(ni, priority);

    if (!p || x->drops) {
        return 0;
    }
    return x->next < mm_words(p) || has_ended(p)
           ? word_time(ni, p, x->next) : FUGU_NEVER;
}

void mm_pop(MMachineNI *ni, unsigned priority, bool head)
{
    if (head) {
        pop_head(ni, priority);
    } else {
        pop_body(ni, priority);
    }
    mm_extraction_rearm(ni);
    fugu_system_update(&ni->parent_obj);
}

void mm_began(MMachineNI *ni, unsigned priority)
{
    const MMExtraction *x = &ni->extraction[priority];
    FuguSeen *seen = ni->node->seen;

    fugu_meter_slot(&ni->node->meter, x->read_begin, x->gid);
    if (seen) {
        fugu_seen_slot_runs(seen, x->read_begin, priority, x->gid);
        fugu_seen_slot_takes(seen, x->read_begin, priority,
                             QTAILQ_FIRST(&ni->channel[priority].queue));
    }
}

/* What the kernel needs to know of a slot's fault: the main context and the other slot
 * may trap before it looks. Of a SEND, inject.c has noted it. */
static void note_fault(MMExtraction *x, const SparcleBank *b, int tt)
{
    bool has_address = tt != FUGU_TT_MM_WATCHDOG;

    x->fault = tt;
    if (tt != FUGU_TT_MM_MISS && tt != FUGU_TT_PROTECTION_VIOLATION) {
        x->fault_address = has_address ? b->fault_address : 0;
        x->fault_cause = has_address ? b->fault_status : 0;
    }
}

void mm_stop(MMachineNI *ni, unsigned priority, int tt)
{
    FuguNode *node = ni->node;
    MMExtraction *x = &ni->extraction[priority];

    x->state = FUGU_MM_SLOT_FAULT;
    note_fault(x, sparcle_bank(&node->cpu.env, priority + 1), tt);
    fugu_node_set_slot(node, priority + 1, false);
    if (node->seen) {
        fugu_seen_slot_does(node->seen, fugu_node_time(node), priority,
                            FUGU_NAME_FAULT);
    }
    fugu_system_update(&ni->parent_obj);
}

/* ---- Events --------------------------------------------------------------- */

/* The processor may be ahead, even in a later round: what is dropped leaves at its
 * time, which an event for a word may precede. */
static void extraction_event(MMachineNI *ni, unsigned priority)
{
    MMExtraction *x = &ni->extraction[priority];

    if (x->drops && x->drop_time <= x->armed) {
        leave(ni, priority, x->drop_time);
    } else if (x->drops) {
        arm(ni, priority, x->drop_time);
    }
    mm_extraction_rearm(ni);
    fugu_system_update(&ni->parent_obj);
}

static void event_0(void *opaque)
{
    extraction_event(opaque, 0);
}

static void event_1(void *opaque)
{
    extraction_event(opaque, 1);
}

/* What interrupts changes at the events of this file alone, so that the requests
 * of the processor and this state always agree. */
void mm_extraction_rearm(MMachineNI *ni)
{
    int64_t now = fugu_node_time(ni->node);

    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        const FuguPacket *p = next_message(ni, i);
        int64_t time = p && !is_taken(ni, i) ? head_time(ni, p) : FUGU_NEVER;

        ni->extraction[i].present = (ni->irqs >> i & 1) && time <= now;
        if ((ni->irqs >> i & 1) && time > now) {
            arm(ni, i, time);
        }
    }
}

/* The first word has come, and there is room for all. Of messages that have waited
 * for room, one comes after the other: the words come over one link. */
static void entered(FuguSystemNI *system, FuguPacket *p, int64_t time)
{
    MMachineNI *ni = mm_of(system);
    MMExtraction *x = &ni->extraction[p->network == FUGU_URGENT_NETWORK];

    p->arrival = MAX(time, x->tail + ni->word);
    x->tail = has_ended(p) ? tail_time(ni, p)
                           : word_time(ni, p, mm_words(p) - 1);
    mm_extraction_rearm(ni);
}

/* Returns the stream in @list that @word belongs to, or NULL. */
static FuguPacket *stream_of(const FuguPacketList *list, const FuguPacket *word)
{
    FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        if (p->source == word->source && !has_ended(p)) {
            return p;
        }
    }
    return NULL;
}

/*
 * A word of a stream has come, at @time. The stream may still wait for room. A
 * process that has sent more words than its stream has room for, or none that opened
 * it, has lost them.
 */
static void joins(FuguSystemNI *system, const FuguPacket *word, int64_t time)
{
    MMachineNI *ni = mm_of(system);
    unsigned i = word->network == FUGU_URGENT_NETWORK;
    MMExtraction *x = &ni->extraction[i];
    FuguPacket *p = stream_of(&ni->channel[i].queue, word);

    if (!p) {
        p = stream_of(&ni->channel[i].blocked, word);
    }
    if (!p) {
        return;
    }
    if (mm_words(p) < p->length) {
        p->words[mm_words(p)] = word->words[1];
        p->joined++;
    }
    fugu_digest(ni->node, FUGU_DIGEST_DELIVERY,
                (uint64_t)word->words[1] << 32 | word->words[0]);
    if (fugu_packet_stream(word) == FUGU_STREAM_ENDS) {
        p->joined |= FUGU_STREAM_ENDED;
    }
    x->tail = MAX(x->tail, time);
    if (x->drops && p == current(ni, i) && has_ended(p)) {
        leave_later(ni, i, MAX(time, tail_time(ni, p)));
    }
    mm_extraction_rearm(ni);
}

/* ---- Set-up --------------------------------------------------------------- */

void mm_extraction_init(MMachineNI *ni)
{
    static void (*const fire[FUGU_MM_PRIORITIES])(void *) = {
        event_0, event_1
    };

    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        ni->channel[i].entered = entered;
        ni->channel[i].joins = joins;
        fugu_event_init(ni->node, &ni->extraction[i].event, fire[i], ni);
    }
}

void mm_extraction_reset(MMachineNI *ni)
{
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        MMExtraction *x = &ni->extraction[i];

        fugu_event_set(ni->node, &x->event, FUGU_NEVER);
        x->state = FUGU_MM_SLOT_OFF;
        x->fault = 0;
        x->fault_address = 0;
        x->fault_cause = 0;
        x->reads = false;
        x->drops = false;
        x->drop_time = 0;
        x->armed = 0;
        x->read_time = 0;
        x->read_begin = 0;
        x->tail = -(int64_t)ni->word;
        x->next = MM_DEST;
        x->present = false;
        x->gid = 0;
        x->left = 0;
    }
}

/* No stream has more words than a packet. */
static const char *check_streams(const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        FUGU_REQUIRE(!is_stream(p) || mm_words(p) <= FUGU_PACKET_WORDS);
    }
    return NULL;
}

const char *mm_extraction_check(MMachineNI *ni, unsigned priority)
{
    const MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p = QTAILQ_FIRST(&ni->channel[priority].queue);

    FUGU_REQUIRE_ALL(check_streams(&ni->channel[priority].queue));
    FUGU_REQUIRE_ALL(check_streams(&ni->channel[priority].blocked));
    FUGU_REQUIRE(x->state <= FUGU_MM_SLOT_HELD);
    FUGU_REQUIRE(x->gid <= FUGU_GID_MAX);
    FUGU_REQUIRE(!x->reads || p);
    FUGU_REQUIRE(!x->reads || (x->next >= MM_DEST && x->next <= FUGU_PACKET_WORDS));
    FUGU_REQUIRE(!x->drops || (x->reads && (x->event.time != FUGU_NEVER ||
                                            is_taken(ni, priority))));
    return NULL;
}

const VMStateDescription vmstate_mm_extraction = {
    .name = "m-machine-ni/extraction",
    .version_id = 3,
    .minimum_version_id = 3,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(state, MMExtraction),
        VMSTATE_UINT32(fault, MMExtraction),
        VMSTATE_UINT32(fault_address, MMExtraction),
        VMSTATE_UINT32(fault_cause, MMExtraction),
        VMSTATE_BOOL(reads, MMExtraction),
        VMSTATE_BOOL(drops, MMExtraction),
        VMSTATE_INT64(drop_time, MMExtraction),
        VMSTATE_INT64(armed, MMExtraction),
        VMSTATE_INT64(tail, MMExtraction),
        VMSTATE_BOOL(present, MMExtraction),
        VMSTATE_UINT8(next, MMExtraction),
        VMSTATE_UINT32(gid, MMExtraction),
        VMSTATE_UINT32(left, MMExtraction),
        VMSTATE_UINT32(began, MMExtraction),
        VMSTATE_END_OF_LIST()
    }
};
