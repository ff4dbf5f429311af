/*
 * Timeline: writes what happens on the nodes as a trace for Perfetto
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "hw/fugu/observe/perfetto.h"
#include "hw/fugu/observe/timeline.h"

/* ---- Packets ------------------------------------------------------------ */

typedef struct Packet {
    size_t packet, event;
} Packet;

/* Begins a packet. Hardware may act some cycles before an instruction that has been
 * written already. An event without a duration has its time by another clock then;
 * a slice gets the time of the last packet. */
static Packet packet_begin(FuguTimeline *l, uint32_t sequence, int64_t *time,
                           int64_t now, unsigned type, uint64_t track)
{
    FuguProto *p = l->proto;
    bool late = now < *time && (type == PERFETTO_TYPE_INSTANT ||
                                type == PERFETTO_TYPE_COUNTER);
    int64_t delta = MAX(now - *time, 0);
    Packet packet;

    *time += delta;
    fugu_proto_room(p);
    packet.packet = fugu_proto_begin(p, PERFETTO_TRACE_PACKET);
    fugu_proto_number(p, PERFETTO_PACKET_TIMESTAMP, late ? now : delta);
    if (late) {
        fugu_proto_number(p, PERFETTO_PACKET_CLOCK, FUGU_CLOCK_LATE);
    }
    fugu_proto_number(p, PERFETTO_PACKET_SEQUENCE, sequence);
    fugu_proto_number(p, PERFETTO_PACKET_FLAGS,
                      PERFETTO_FLAGS_NEEDS_STATE);
    packet.event = fugu_proto_begin(p, PERFETTO_PACKET_EVENT);
    fugu_proto_number(p, PERFETTO_EVENT_TYPE, type);
    fugu_proto_number(p, PERFETTO_EVENT_TRACK, track);
    return packet;
}

static void end(FuguTimeline *l, Packet packet)
{
    fugu_proto_end(l->proto, packet.event);
    fugu_proto_end(l->proto, packet.packet);
}

static Packet begin_on(FuguTimeline *l, FuguTrack *t, int64_t now,
                       unsigned type, uint32_t track)
{
    return packet_begin(l, FUGU_SEQUENCE_NODE + t->node, &t->time, now, type,
                        FUGU_TRACK_NODE * (t->node + 1) + track);
}

static void put_slice_end(FuguTimeline *l, FuguTrack *t, int64_t now,
                          uint32_t track)
{
    end(l, begin_on(l, t, now, PERFETTO_TYPE_END, track));
}

static void put_slice(FuguTimeline *l, FuguTrack *t, int64_t now,
                      uint32_t track, const FuguSlice *slice)
{
    Packet packet = begin_on(l, t, now, PERFETTO_TYPE_BEGIN, track);

    fugu_proto_number(l->proto, PERFETTO_EVENT_NAME, slice->name);
    if (slice->path) {
        fugu_proto_number(l->proto, PERFETTO_EVENT_CATEGORY, slice->path);
    }
    if (slice->begins) {
        fugu_proto_fixed(l->proto, PERFETTO_EVENT_FLOW, slice->flow);
    } else if (slice->flow && !slice->again) {
        fugu_proto_fixed(l->proto, PERFETTO_EVENT_FLOW_END, slice->flow);
    }
    end(l, packet);
}

/* An argument whose value is a number, or the number of a text. */
static void put_argument(FuguTimeline *l, uint32_t name, unsigned kind,
                         uint32_t value)
{
    size_t start = fugu_proto_begin(l->proto, PERFETTO_EVENT_ANNOTATION);

    fugu_proto_number(l->proto, PERFETTO_ANNOTATION_NAME, name);
    fugu_proto_number(l->proto, kind, value);
    fugu_proto_end(l->proto, start);
}

static void put_launch(FuguTimeline *l, const FuguInstant *i)
{
    put_argument(l, FUGU_ARGUMENT_TO, PERFETTO_ANNOTATION_NUMBER, i->to);
    put_argument(l, FUGU_ARGUMENT_WORDS, PERFETTO_ANNOTATION_NUMBER, i->words);
    if (i->bytes) {
        put_argument(l, FUGU_ARGUMENT_BYTES, PERFETTO_ANNOTATION_NUMBER,
                     i->bytes);
    }
    if (i->network) {
        put_argument(l, FUGU_ARGUMENT_NETWORK, PERFETTO_ANNOTATION_TEXT,
                     FUGU_NAME_NETWORK + i->network);
    }
    if (i->handler) {
        put_argument(l, FUGU_ARGUMENT_HANDLER, PERFETTO_ANNOTATION_TEXT,
                     i->handler);
    }
}

static void put_update(FuguTimeline *l, const FuguInstant *i)
{
    put_argument(l, FUGU_ARGUMENT_TO, PERFETTO_ANNOTATION_NUMBER, i->to);
    put_argument(l, FUGU_ARGUMENT_SOURCE, PERFETTO_ANNOTATION_ADDRESS, i->from);
    put_argument(l, FUGU_ARGUMENT_ADDRESS, PERFETTO_ANNOTATION_ADDRESS,
                 i->address);
    put_argument(l, FUGU_ARGUMENT_DATA, PERFETTO_ANNOTATION_NUMBER, i->data);
}

/* ---- Slices ------------------------------------------------------------- */

/* Makes the slices of a track with at most one slice at a time what they are
 * to be. */
static void put_change(FuguTimeline *l, FuguTrack *t, int64_t now,
                       uint32_t track, uint32_t *open, uint32_t name)
{
    if (*open != name) {
        if (*open) {
            put_slice_end(l, t, now, track);
        }
        if (name) {
            put_slice(l, t, now, track, &(FuguSlice) { .name = name });
        }
        *open = name;
    }
}

/* The engine's slice begins the flow of its transfer. */
static void put_engine(FuguTimeline *l, FuguTrack *t, int64_t now, uint32_t name)
{
    if (!t->engine_open && name) {
        put_slice(l, t, now, FUGU_TRACK_ENGINE, &(FuguSlice) {
            .name = name,
            .flow = t->engine_flow,
            .begins = true,
        });
        t->engine_open = name;
    } else {
        put_change(l, t, now, FUGU_TRACK_ENGINE, &t->engine_open, name);
    }
}

static void put_depth(FuguTimeline *l, FuguTrack *t, int64_t now,
                      uint32_t track, FuguStack *stack, unsigned depth)
{
    for (; stack->depth > depth; stack->depth--) {
        put_slice_end(l, t, now, track);
    }
}

/* Ends all slices. */
static void put_ends(FuguTimeline *l, FuguTrack *t, int64_t now)
{
    put_depth(l, t, now, FUGU_TRACK_RUNS, &t->runs, 0);
    for (unsigned i = 0; i < FUGU_SEEN_SLOTS; i++) {
        put_depth(l, t, now, FUGU_TRACK_SLOT + i, &t->slot[i], 0);
    }
    put_change(l, t, now, FUGU_TRACK_SECTION, &t->section_open, 0);
    put_engine(l, t, now, 0);
    for (uint32_t gid = 0; gid < FUGU_SEEN_GIDS; gid++) {
        put_change(l, t, now, FUGU_TRACK_MODE + gid, &t->mode_open[gid], 0);
    }
}

/* Starts the slices of a track that go on, of which some may be open. */
static void put_open(FuguTimeline *l, FuguTrack *t, int64_t now, uint32_t track,
                     FuguStack *stack)
{
    for (; stack->depth < stack->goes_on; stack->depth++) {
        stack->open[stack->depth] = stack->now[stack->depth];
        put_slice(l, t, now, track, &stack->open[stack->depth]);
    }
}

/* Starts at the first cycle what has begun before it: a message's way has ended
 * there already. */
static void put_rest(FuguTimeline *l, FuguTrack *t, FuguStack *stack,
                     uint32_t track)
{
    for (unsigned i = 0; i < stack->goes_on; i++) {
        stack->now[i].again = true;
    }
    put_open(l, t, l->first, track, stack);
}

static void enter(FuguTimeline *l, FuguTrack *t)
{
    put_rest(l, t, &t->runs, FUGU_TRACK_RUNS);
    for (unsigned i = 0; i < FUGU_SEEN_SLOTS; i++) {
        put_rest(l, t, &t->slot[i], FUGU_TRACK_SLOT + i);
    }
    put_change(l, t, l->first, FUGU_TRACK_SECTION, &t->section_open, t->section);
    put_engine(l, t, l->first, t->engine);
    for (uint32_t gid = 0; gid < FUGU_SEEN_GIDS; gid++) {
        put_change(l, t, l->first, FUGU_TRACK_MODE + gid, &t->mode_open[gid],
                   t->mode[gid]);
    }
}

/*
 * Returns where a node is at a time. To be called before what goes on changes: starts
 * at the first cycle that is written what goes on behind it, and ends it at the last
 * one. Hardware may act some cycles earlier than what has been written: no node goes
 * back.
 */
static FuguPart part_of(FuguTimeline *l, FuguTrack *t, int64_t now)
{
    if (unlikely(t->part == FUGU_BEFORE && now > l->first)) {
        enter(l, t);
        t->part = FUGU_INSIDE;
    }
    if (unlikely(t->part == FUGU_INSIDE && now > l->last)) {
        put_ends(l, t, l->last);
        t->part = FUGU_BEHIND;
    }
    return t->part;
}

/* Whether an event without a duration is written. */
static bool inside(FuguTimeline *l, FuguTrack *t, int64_t now)
{
    part_of(l, t, now);
    return now >= l->first && now <= l->last;
}

void fugu_timeline_finish(FuguTimeline *l, FuguTrack *t, int64_t now)
{
    if (part_of(l, t, now) == FUGU_INSIDE) {
        put_ends(l, t, now);
    }
}

static bool is_same(const FuguSlice *a, const FuguSlice *b)
{
    return a->name == b->name && a->flow == b->flow;
}

/* Makes the slices of a track that are open what they are to be. */
static void put_stack(FuguTimeline *l, FuguTrack *t, int64_t now,
                      uint32_t track, FuguStack *stack, const FuguSlice *slices,
                      unsigned depth)
{
    FuguPart part = part_of(l, t, now);
    unsigned same = 0;

    if (!(l->kinds & FUGU_KIND_RUNS)) {
        return;
    }
    stack->goes_on = depth;
    memcpy(stack->now, slices, depth * sizeof(*slices));
    if (part != FUGU_INSIDE) {
        return;
    }
    while (same < stack->depth && same < depth &&
           is_same(&stack->open[same], &slices[same])) {
        same++;
    }
    put_depth(l, t, now, track, stack, same);
    put_open(l, t, now, track, stack);
}

void fugu_timeline_runs(FuguTimeline *l, FuguTrack *t, int64_t now,
                        const FuguSlice *slices, unsigned depth)
{
    put_stack(l, t, now, FUGU_TRACK_RUNS, &t->runs, slices, depth);
}

void fugu_timeline_slot(FuguTimeline *l, FuguTrack *t, int64_t now,
                        unsigned priority, const FuguSlice *slices,
                        unsigned depth)
{
    put_stack(l, t, now, FUGU_TRACK_SLOT + priority, &t->slot[priority], slices,
              depth);
}

void fugu_timeline_section(FuguTimeline *l, FuguTrack *t, int64_t now,
                           uint32_t name)
{
    FuguPart part = part_of(l, t, now);

    t->section = l->kinds & FUGU_KIND_SECTIONS ? name : 0;
    if (part == FUGU_INSIDE) {
        put_change(l, t, now, FUGU_TRACK_SECTION, &t->section_open,
                   t->section);
    }
}

void fugu_timeline_mode(FuguTimeline *l, FuguTrack *t, int64_t now,
                        uint32_t gid, uint32_t name)
{
    FuguPart part = part_of(l, t, now);
    uint32_t i = MIN(gid, FUGU_SEEN_GIDS - 1);

    t->mode[i] = l->kinds & FUGU_KIND_MODES ? name : 0;
    if (part == FUGU_INSIDE) {
        put_change(l, t, now, FUGU_TRACK_MODE + i, &t->mode_open[i],
                   t->mode[i]);
    }
}

void fugu_timeline_engine(FuguTimeline *l, FuguTrack *t, int64_t now, bool busy,
                          uint64_t flow)
{
    FuguPart part = part_of(l, t, now);

    t->engine = busy && l->kinds & FUGU_KIND_MESSAGES ? FUGU_NAME_ENGINE : 0;
    t->engine_flow = flow;
    if (part == FUGU_INSIDE) {
        put_engine(l, t, now, t->engine);
    }
}

/* ---- Instants and counters ---------------------------------------------- */

void fugu_timeline_instant(FuguTimeline *l, FuguTrack *t, int64_t now,
                           const FuguInstant *i)
{
    FuguProto *p = l->proto;
    Packet packet;

    if (!inside(l, t, now)) {
        return;
    }
    if (!(l->kinds & FUGU_KIND_MESSAGES)) {
        if (i->counter) {
            fugu_timeline_counter(l, t, now, i->counter, i->value);
        }
        return;
    }
    packet = begin_on(l, t, now, PERFETTO_TYPE_INSTANT, FUGU_TRACK_NI);
    fugu_proto_number(p, PERFETTO_EVENT_NAME, i->name);
    if (i->path) {
        fugu_proto_number(p, PERFETTO_EVENT_CATEGORY, i->path);
    }
    if (i->flow) {
        fugu_proto_fixed(p, i->ends ? PERFETTO_EVENT_FLOW_END
                                    : PERFETTO_EVENT_FLOW, i->flow);
    }
    if (i->before) {
        fugu_proto_fixed(p, PERFETTO_EVENT_FLOW_END, i->before);
    }
    if (i->transfer) {
        fugu_proto_fixed(p, PERFETTO_EVENT_FLOW, i->transfer);
    }
    if (i->words) {
        put_launch(l, i);
    }
    if (i->data) {
        put_update(l, i);
    }
    if (i->counter && (l->kinds & FUGU_KIND_COUNTERS)) {
        fugu_proto_number(p, PERFETTO_EVENT_EXTRA_TRACK, FUGU_TRACK_NODE *
                          (t->node + 1) + i->counter);
        fugu_proto_number(p, PERFETTO_EVENT_EXTRA_VALUE, i->value);
    }
    end(l, packet);
}

void fugu_timeline_counter(FuguTimeline *l, FuguTrack *t, int64_t now,
                           uint32_t counter, int64_t value)
{
    if (inside(l, t, now) && (l->kinds & FUGU_KIND_COUNTERS)) {
        Packet packet = begin_on(l, t, now, PERFETTO_TYPE_COUNTER, counter);

        fugu_proto_number(l->proto, PERFETTO_EVENT_COUNTER, value);
        end(l, packet);
    }
}

void fugu_timeline_round(FuguTimeline *l, int64_t now)
{
    if (l->flight != l->flight_shown && (l->kinds & FUGU_KIND_COUNTERS) &&
        now >= l->first && now <= l->last) {
        Packet packet = packet_begin(l, FUGU_SEQUENCE_PROCESS + l->process, &l->time,
                                     now, PERFETTO_TYPE_COUNTER,
                                     FUGU_TRACK_FLIGHT + l->process);

        fugu_proto_number(l->proto, PERFETTO_EVENT_COUNTER, l->flight);
        end(l, packet);
        l->flight_shown = l->flight;
    }
}

/* ---- Names -------------------------------------------------------------- */

uint32_t fugu_timeline_code(FuguTimeline *l, uint32_t gid, uint32_t address)
{
    int64_t key = (int64_t)gid << 32 | address;
    gpointer name = g_hash_table_lookup(l->codes, &key);

    if (!name) {
        name = GUINT_TO_POINTER(FUGU_NAME_CODE +
                                g_hash_table_size(l->codes));
        g_hash_table_insert(l->codes, g_memdup2(&key, sizeof(key)), name);
    }
    return GPOINTER_TO_UINT(name);
}

void fugu_timeline_write_codes(FuguTimeline *l, FILE *file)
{
    GHashTableIter i;
    gpointer key, name;

    g_hash_table_iter_init(&i, l->codes);
    while (g_hash_table_iter_next(&i, &key, &name)) {
        int64_t code = *(int64_t *)key;

        fprintf(file, "name %u %u %u\n", GPOINTER_TO_UINT(name),
                (uint32_t)(code >> 32), (uint32_t)code);
    }
}

/* ---- Start and end ------------------------------------------------------ */

FuguTimeline *fugu_timeline_new(const char *path, uint32_t process,
                                unsigned kinds, int64_t first, int64_t last)
{
    FuguProto *proto = fugu_proto_open(path);
    FuguTimeline *l;

    if (!proto) {
        return NULL;
    }
    l = g_new0(FuguTimeline, 1);
    l->proto = proto;
    l->process = process;
    l->kinds = kinds;
    l->first = first;
    l->last = last;
    l->codes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                     NULL);
    return l;
}

bool fugu_timeline_close(FuguTimeline *l)
{
    bool written = fugu_proto_close(l->proto);

    g_hash_table_destroy(l->codes);
    g_free(l);
    return written;
}
