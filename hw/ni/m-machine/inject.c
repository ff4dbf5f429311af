/*
 * The M-Machine's message interface: injection (paper, "Injection")
 *
 * SEND takes the message from the registers as a whole, or not at all. The network
 * controller retrieves a word a cycle; then the Ack bit is valid, and the context
 * may send again. Registers are copied at SEND, since a window may be spilled
 * meanwhile (docs/caveats.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/m-machine/inject.h"
#include "hw/fugu/ni/m-machine/tables.h"
#include "hw/fugu/ni/system/channel.h"

#define ALL_ACKS        ((1u << FUGU_MM_ACKS) - 1)

/* ---- Ack ------------------------------------------------------------------ */

uint32_t mm_acks(MMachineNI *ni, unsigned context)
{
    const MMInjection *in = &ni->injection[context];

    return in->acks |
           (in->free <= fugu_node_time(ni->node) ? 1u << in->ack : 0);
}

/* Waits for the network controller to retrieve the last message. */
static int wait_for_buffer(MMachineNI *ni, MMInjection *in)
{
    fugu_event_set(ni->node, &in->event, in->free);
    return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_ACK);
}

int mm_await(MMachineNI *ni, unsigned context, uint32_t acks)
{
    return acks & ALL_ACKS & ~mm_acks(ni, context)
           ? wait_for_buffer(ni, &ni->injection[context]) : 0;
}

/* ---- SEND ----------------------------------------------------------------- */

/* Returns the priority at which @context sends, or -1 if it may not send. */
static int priority_of(const MMachineNI *ni, unsigned context)
{
    if (context == 0) {
        return ni->main_priority;
    }
    if (!(ni->rules & FUGU_MM_RULE_REPLIES)) {
        return context - 1;
    }
    return context == 1 ? 1 : -1;
}

static uint32_t gid_of(const MMachineNI *ni, unsigned context)
{
    return context == 0 ? ni->parent_obj.gid : ni->extraction[context - 1].gid;
}

/* The kernel finds the operands where it looks for the context's traps. */
static int refuse(MMachineNI *ni, unsigned context, uint32_t dest,
                  uint32_t handler, int tt)
{
    if (context == 0) {
        ni->tables.miss_dest = dest;
        ni->tables.miss_ip = handler;
    } else {
        ni->extraction[context - 1].fault_address = dest;
        ni->extraction[context - 1].fault_cause = handler;
    }
    return tt;
}

/* Makes a message with @length words of body, which are still 0. */
static FuguPacket *message_new(MMachineNI *ni, uint32_t gid,
                               const MMTarget *target, unsigned length)
{
    FuguNode *node = ni->node;
    FuguPacket *p = fugu_packet_new(node->machine->parts.hub);

    p->dest = target->node;
    p->length = FUGU_MM_HEAD + length;
    p->words[MM_HEADER] = gid << FUGU_HDR_GID_SHIFT | node->number;
    p->words[MM_HANDLER] = target->pc;
    p->words[MM_DEST] = target->address;
    fugu_meter_sent(&node->meter, gid, false, 0);
    return p;
}

/* The message with these words leaves at @time. */
static void inject(MMachineNI *ni, FuguChannel *c, uint32_t gid,
                   const MMTarget *target, unsigned length,
                   const uint32_t *words, int64_t time)
{
    FuguPacket *p = message_new(ni, gid, target, length);

    memcpy(p->words + MM_BODY, words, length * sizeof(words[0]));
    fugu_channel_send(c, p, time, true);
}

/* Ack bit @ack becomes valid when the network has retrieved @length words, from
 * @time on. */
static void take_buffer(MMInjection *in, unsigned ack, unsigned length,
                        int64_t time)
{
    in->acks = (in->acks | 1u << in->ack) & ~(1u << ack);
    in->ack = ack;
    in->free = time + length;
}

/* Whether a message of @words can leave at @priority: no stream keeps the channel, and
 * there is space. */
static bool may_leave(const MMachineNI *ni, int priority, unsigned words)
{
    return !ni->holder[priority] && ni->channel[priority].space >= words;
}

int mm_send(MMachineNI *ni, unsigned context, uint32_t dest, uint32_t handler,
            const SparcleSend *s, const uint32_t *words)
{
    MMInjection *in = &ni->injection[context];
    uint32_t gid = gid_of(ni, context);
    int priority = priority_of(ni, context);
    int64_t now = fugu_node_time(ni->node);
    MMTarget target;
    int tt;

    /* A context does not send behind the stream that it keeps open itself. */
    if (priority < 0 || s->length > FUGU_MM_BODY_MAX ||
        ni->holder[priority] == 1 + context) {
        return refuse(ni, context, dest, handler,
                      FUGU_TT_PROTECTION_VIOLATION);
    }
    tt = mm_translate(&ni->tables, gid,
                      ni->node->machine->options.node_count, dest, handler,
                      &target);
    if (tt) {
        return refuse(ni, context, dest, handler, tt);
    }
    if (in->free > now) {
        return wait_for_buffer(ni, in);
    }
    in->needs = FUGU_MM_HEAD + s->length;
    if (!may_leave(ni, priority, in->needs)) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_SPACE);
    }
    inject(ni, &ni->channel[priority], gid, &target, s->length, words, now);
    take_buffer(in, s->ack, s->length, now);
    return 0;
}

bool mm_send_waits(const MMachineNI *ni, unsigned context, FuguWait why)
{
    const MMInjection *in = &ni->injection[context];
    int priority = priority_of(ni, context);

    if (why == FUGU_WAIT_ACK) {
        return in->free > fugu_node_time(ni->node);
    }
    /* The main context may have changed who sends at which priority. */
    return priority >= 0 && !may_leave(ni, priority, in->needs);
}

/* ---- PUT: the interfaces that SEND is compared with ------------------------- */

/* Words of the message buffer. */
enum { PUT_DEST, PUT_HANDLER, PUT_BODY };

/* A context that copies a word: what it needs to send. */
typedef struct Sender {
    MMachineNI *ni;
    MMInjection *in;
    FuguChannel *channel;
    uint32_t gid;
    unsigned context, priority;
    int64_t time;               /* when the word is in the buffer */
} Sender;

static int wait_for_space(const Sender *s, unsigned words)
{
    s->in->needs = words;
    return fugu_system_wait(&s->ni->parent_obj, FUGU_WAIT_SPACE);
}

static int translate(const Sender *s, uint32_t handler, MMTarget *target)
{
    uint32_t dest = s->in->put[PUT_DEST];
    int tt = mm_translate(&s->ni->tables, s->gid,
                          s->ni->node->machine->options.node_count, dest,
                          handler, target);

    return tt ? refuse(s->ni, s->context, dest, handler, tt) : 0;
}

/* Sends the message whose last word is @word, at @index: PUT_HANDLER or later. */
static int put_last(const Sender *s, unsigned index, uint32_t word)
{
    MMInjection *in = s->in;
    MMTarget target;
    int tt = translate(s, index == PUT_HANDLER ? word : in->put[PUT_HANDLER],
                       &target);

    if (tt) {
        return tt;
    }
    if (!may_leave(s->ni, s->priority, index + 2)) {
        return wait_for_space(s, index + 2);
    }
    in->put[index] = word;
    inject(s->ni, s->channel, s->gid, &target, index + 1 - PUT_BODY,
           in->put + PUT_BODY, s->time);
    take_buffer(in, 0, index + 1 - PUT_BODY, s->time);
    return 0;
}

static int put_buffered(const Sender *s, unsigned index, bool last,
                        uint32_t word)
{
    if (s->in->free > fugu_node_time(s->ni->node)) {
        return wait_for_buffer(s->ni, s->in);
    }
    if (last) {
        return put_last(s, index, word);
    }
    s->in->put[index] = word;
    return 0;
}

/* The channel is this context's until the last word. Room for the longest message
 * is taken at both ends. */
static int stream_open(const Sender *s, uint32_t handler)
{
    FuguPacket *p;
    MMTarget target;
    int tt = translate(s, handler, &target);

    if (tt) {
        return tt;
    }
    if (!may_leave(s->ni, s->priority, FUGU_MM_HEAD + FUGU_MM_BODY_MAX)) {
        return wait_for_space(s, FUGU_MM_HEAD + FUGU_MM_BODY_MAX);
    }
    p = message_new(s->ni, s->gid, &target, FUGU_MM_BODY_MAX);
    p->words[MM_HEADER] |= FUGU_STREAM_OPENS << FUGU_HDR_TYPE_SHIFT;
    fugu_channel_send(s->channel, p, s->time, true);
    s->ni->holder[s->priority] = 1 + s->context;
    s->in->stream_dest = target.node;
    s->in->stream_priority = s->priority;
    return 0;
}

/* A word of the stream that @in has open leaves at @time. */
static void stream_word(MMachineNI *ni, MMInjection *in, bool last,
                        uint32_t word, int64_t time)
{
    FuguNode *node = ni->node;
    FuguPacket *p = fugu_packet_new(node->machine->parts.hub);
    unsigned part = last ? FUGU_STREAM_ENDS : FUGU_STREAM_WORD;

    p->dest = in->stream_dest;
    p->length = 2;
    p->words[0] = part << FUGU_HDR_TYPE_SHIFT |
                  in->put_gid << FUGU_HDR_GID_SHIFT | node->number;
    p->words[1] = word;
    fugu_channel_send(&ni->channel[in->stream_priority], p, time, true);
    if (last) {
        ni->holder[in->stream_priority] = 0;
        /* Who waits for the channel tries again. */
        fugu_event_set(node, &in->event, time + 1);
    }
}

void mm_close_stream(MMachineNI *ni, unsigned context)
{
    MMInjection *in = &ni->injection[context];

    if (in->next >= PUT_BODY) {
        stream_word(ni, in, true, 0, fugu_node_time(ni->node));
    }
    in->next = 0;
}

void mm_rules_changed(MMachineNI *ni)
{
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        mm_close_stream(ni, i);
    }
    /* The main context changes the rules, so it does not wait for its buffer. */
    fugu_event_set(ni->node, &ni->injection[0].event,
                   fugu_node_time(ni->node) + 1);
}

static int put_streaming(const Sender *s, unsigned index, bool last,
                         uint32_t word)
{
    MMInjection *in = s->in;
    int tt = 0;

    /* Until a stream is open it may have another DestAddr. It ends with the longest
     * message at the latest. */
    if ((index != in->next &&
         (index != PUT_DEST || in->next != PUT_HANDLER)) ||
        (index == FUGU_MM_PUT_WORDS - 1 && !last)) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    if (index == PUT_DEST) {
        in->put[PUT_DEST] = word;
    } else if (index == PUT_HANDLER) {
        tt = last ? put_last(s, index, word) : stream_open(s, word);
    } else {
        stream_word(s->ni, in, last, word, s->time);
    }
    if (!tt) {
        in->next = last ? 0 : index + 1;
    }
    return tt;
}

int mm_put(MMachineNI *ni, unsigned context, unsigned index, uint32_t word,
           unsigned pins)
{
    bool last = index & FUGU_MM_LAST;
    int priority = priority_of(ni, context);
    Sender s;

    index &= ~FUGU_MM_LAST;
    if (!(ni->rules & FUGU_MM_RULE_COPIES) || priority < 0 ||
        index >= FUGU_MM_PUT_WORDS || (last && index == PUT_DEST)) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    s = (Sender) {
        .ni = ni,
        .in = &ni->injection[context],
        .channel = &ni->channel[priority],
        .gid = gid_of(ni, context),
        .context = context,
        .priority = priority,
        .time = fugu_node_time(ni->node) + pins,
    };
    if (s.in->put_gid != s.gid) {
        mm_close_stream(ni, context);
        memset(s.in->put, 0, sizeof(s.in->put));
        s.in->put_gid = s.gid;
    }
    return ni->rules & FUGU_MM_RULE_STREAMS
           ? put_streaming(&s, index, last, word)
           : put_buffered(&s, index, last, word);
}

/* ---- Set-up --------------------------------------------------------------- */

/* After the event, the node asks whether the context still waits. */
static void buffer_is_free(void *opaque)
{
}

void mm_injection_init(MMachineNI *ni)
{
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        fugu_event_init(ni->node, &ni->injection[i].event, buffer_is_free, ni);
    }
}

/* All Ack bits are valid, so a program that has sent nothing does not wait. */
void mm_injection_reset(MMachineNI *ni)
{
    memset(ni->holder, 0, sizeof(ni->holder));
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        MMInjection *in = &ni->injection[i];

        in->free = 0;
        in->ack = 0;
        in->acks = ALL_ACKS;
        memset(in->put, 0, sizeof(in->put));
        in->next = 0;
        in->stream_dest = 0;
        in->stream_priority = 0;
        in->put_gid = 0;
        in->needs = 0;
        fugu_event_set(ni->node, &in->event, FUGU_NEVER);
    }
}

static int injection_post_load(void *opaque, int version)
{
    const MMInjection *in = opaque;

    /* Only the bit of the last SEND becomes valid by itself. */
    return in->ack < FUGU_MM_ACKS && (in->acks | 1u << in->ack) == ALL_ACKS
           ? 0 : -EINVAL;
}

const VMStateDescription vmstate_mm_injection = {
    .name = "m-machine-ni/injection",
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = injection_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(free, MMInjection),
        VMSTATE_UINT8(ack, MMInjection),
        VMSTATE_UINT32(acks, MMInjection),
        VMSTATE_UINT32_ARRAY(put, MMInjection, FUGU_MM_PUT_WORDS),
        VMSTATE_UINT8(next, MMInjection),
        VMSTATE_UINT16(stream_dest, MMInjection),
        VMSTATE_UINT8(stream_priority, MMInjection),
        VMSTATE_UINT32(put_gid, MMInjection),
        VMSTATE_UINT32(needs, MMInjection),
        VMSTATE_END_OF_LIST()
    }
};
