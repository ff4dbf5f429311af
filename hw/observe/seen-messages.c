/*
 * What an observer sees of a node's messages, slots and updates: figures, and events of
 * a timeline
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/observe/seen-messages.h"

FuguSeenJob *fugu_seen_job(FuguSeen *s, uint32_t gid)
{
    FuguSeenJob **job = &s->job[fugu_seen_index(gid)];

    if (!*job) {
        *job = g_new0(FuguSeenJob, 1);
        g_queue_init(&(*job)->buffer);
    }
    return *job;
}

/* ---- Messages on a timeline --------------------------------------------- */

/* Returns a number that the message shares with no other one. */
static uint64_t flow_of(const FuguPacket *p)
{
    return (uint64_t)(p->source + 1) << 32 | p->sequence;
}

/* Returns a number for the way of a node's @number-th update to its launch, where
 * it gets flow_of(). No message has a flow of this kind. */
static uint64_t way_out(const FuguSeen *s, uint32_t number)
{
    return 1ull << 62 | (uint64_t)(s->track.node + 1) << 32 | number;
}

/* Returns a number for the engine's command of time @asked. */
static uint64_t transfer_of(const FuguSeen *s, int64_t asked)
{
    return 1ull << 63 | (uint64_t)(s->track.node + 1) << 48 | asked;
}

static uint32_t gid_of(const FuguPacket *p)
{
    return (p->words[0] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
}

/* Whether it is a message between users, and not between kernels. */
static bool is_users(const FuguPacket *p)
{
    return p->network != FUGU_SECOND_NETWORK && !p->mode &&
           !(p->words[0] & FUGU_HDR_KERNEL);
}

/* Return the counters of the input queue's words and of source space, or 0. */
static uint32_t queue_of(int network)
{
    return network == FUGU_MAIN_NETWORK ? FUGU_TRACK_QUEUE
           : network == FUGU_URGENT_NETWORK ? FUGU_TRACK_URGENT_QUEUE : 0;
}

static uint32_t space_of(int network)
{
    return network == FUGU_MAIN_NETWORK ? FUGU_TRACK_SPACE
           : network == FUGU_URGENT_NETWORK ? FUGU_TRACK_URGENT_SPACE : 0;
}

/* Returns the name of the handler that the message asks for. */
static uint32_t handler_of(FuguSeen *s, const FuguPacket *p)
{
    return is_users(p) && p->length > 1
           ? fugu_timeline_code(s->timeline, gid_of(p), p->words[1]) : 0;
}

static FuguSlice slice_of(FuguSeen *s, const FuguPacket *p, uint32_t path)
{
    return (FuguSlice) {
        .name = handler_of(s, p),
        .path = path,
        .flow = flow_of(p),
    };
}

void fugu_seen_begin_handler(FuguSeen *s, FuguSeenJob *job,
                             const FuguPacket *next)
{
    FuguSlice *oldest = g_queue_peek_head(&job->buffer);

    job->runs = next || oldest;
    if (next) {
        job->handler = slice_of(s, next, FUGU_PATH_FAST);
    } else if (oldest) {
        job->handler = *oldest;
    }
}

/* Whether the way of this message has ended at the start of a handler that is
 * on the timeline. */
static bool is_handlers(FuguSeen *s, uint32_t gid, uint64_t flow)
{
    const FuguSlice *handler = &fugu_seen_job(s, gid)->handler;

    return flow == handler->flow && handler->again &&
           s->timeline->kinds & FUGU_KIND_RUNS;
}

/* The same for the handlers of message slots. */
static bool is_slots(const FuguSeen *s, uint64_t flow)
{
    for (unsigned i = 0; i < FUGU_SEEN_SLOTS; i++) {
        if (s->slot[i].handler.name && flow == s->slot[i].handler.flow &&
            s->timeline->kinds & FUGU_KIND_RUNS) {
            return true;
        }
    }
    return false;
}

void fugu_seen_disposed(FuguSeen *s, int64_t now, uint64_t flow,
                        uint32_t path, uint32_t counter, uint32_t words)
{
    fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
        .name = FUGU_NAME_DISPOSED,
        .path = path,
        .flow = is_handlers(s, s->gid, flow) || is_slots(s, flow) ? 0 : flow,
        .ends = true,
        .counter = counter,
        .value = words,
    });
}

/* The kernel has disposed of a message: one of its own, or a user's. */
static void show_taken(FuguSeen *s, int64_t now, const FuguPacket *p,
                       uint32_t words)
{
    FuguInstant i = {
        .name = FUGU_NAME_DISPOSED,
        .flow = flow_of(p),
        .ends = true,
        .counter = p->network == FUGU_MAIN_NETWORK ? FUGU_TRACK_QUEUE : 0,
        .value = words,
    };

    if (is_users(p) && s->dropping) {
        i.name = FUGU_NAME_DROPPED;
    } else if (is_users(p) && s->has_buffers) {
        FuguSlice slice = slice_of(s, p, FUGU_PATH_BUFFERED);

        i.name = FUGU_NAME_INSERTED;
        i.path = FUGU_PATH_BUFFERED;
        i.ends = false;
        /* A handler that has begun may lose its message to the buffer. */
        i.flow = is_handlers(s, gid_of(p), i.flow) ? 0 : i.flow;
        g_queue_push_tail(&fugu_seen_job(s, gid_of(p))->buffer,
                          g_memdup2(&slice, sizeof(slice)));
    }
    fugu_timeline_instant(s->timeline, &s->track, now, &i);
}

/* ---- Messages ----------------------------------------------------------- */

void fugu_seen_launch(FuguSeen *s, int64_t now, const FuguPacket *p, bool user,
                      uint32_t space)
{
    if (s->races && user && is_users(p)) {
        fugu_races_launch(s->races, fugu_seen_in_handler(s), p);
    }
    if (!user) {
        fugu_tally_job(&s->tally, s->gid)->launched[p->network]++;
    }
    if (s->timeline) {
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = FUGU_NAME_LAUNCH,
            .flow = flow_of(p),
            .before = s->leaving,
            .to = p->dest,
            .words = p->length,
            .bytes = p->body_len,
            .handler = handler_of(s, p),
            .network = p->network,
            .counter = space_of(p->network),
            .value = space,
        });
        s->leaving = 0;
    }
}

void fugu_seen_blocked(FuguSeen *s, int64_t now, const FuguPacket *p)
{
    if (s->timeline) {
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = FUGU_NAME_BLOCKED,
            .flow = flow_of(p),
        });
    }
}

void fugu_seen_accept(FuguSeen *s, int64_t now, const FuguPacket *p,
                      uint32_t words)
{
    if (s->timeline) {
        s->timeline->flight--;
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = p->arrival < now ? FUGU_NAME_ACCEPTED : FUGU_NAME_ARRIVAL,
            .flow = flow_of(p),
            .counter = queue_of(p->network),
            .value = words,
        });
    }
}

void fugu_seen_dispose(FuguSeen *s, int64_t now, const FuguPacket *p,
                       bool user, uint32_t words)
{
    if (s->races && is_users(p) && user) {
        fugu_races_dispose(s->races, fugu_seen_in_handler(s), p);
    } else if (s->races && is_users(p) && !s->dropping && s->has_buffers) {
        fugu_races_insert(s->races, p);
    }
    if (user && s->timeline) {
        fugu_seen_disposed(s, now, flow_of(p), FUGU_PATH_FAST,
                           queue_of(p->network), words);
        fugu_seen_job(s, s->gid)->pending = false;
    } else if (s->timeline) {
        show_taken(s, now, p, words);
    }
    s->dropping = false;
}

void fugu_seen_body(FuguSeen *s, uint32_t pc, uint32_t address, uint32_t bytes,
                    bool stores)
{
    if (s->races && s->user) {
        fugu_races_body(s->races, s->gid, fugu_seen_in_handler(s), pc, address,
                        bytes, stores);
    }
}

void fugu_seen_space(FuguSeen *s, int64_t now, int network, uint32_t space)
{
    if (s->timeline && space_of(network)) {
        fugu_timeline_counter(s->timeline, &s->track, now, space_of(network),
                              space);
    }
}

/* ---- Message slots ------------------------------------------------------- */

/* Tells the timeline what a slot does from now on. */
static void show_slot(FuguSeen *s, int64_t now, unsigned priority)
{
    FuguSeenSlot *slot = &s->slot[priority];
    FuguSlice slices[FUGU_TIMELINE_DEPTH] = { };
    unsigned depth = 0;

    if (!s->timeline) {
        return;
    }
    if (slot->handles) {
        slices[depth++] = slot->handler;
        slot->handler.again = true;
    }
    if (slot->does) {
        slices[depth++].name = slot->does;
    }
    fugu_timeline_slot(s->timeline, &s->track, now, priority, slices, depth);
}

void fugu_seen_slot_takes(FuguSeen *s, int64_t now, unsigned priority,
                          const FuguPacket *p)
{
    if (s->timeline) {
        s->slot[priority].handler = slice_of(s, p, FUGU_PATH_FAST);
        s->slot[priority].handles = true;
        show_slot(s, now, priority);
    }
}

void fugu_seen_slot_does(FuguSeen *s, int64_t now, unsigned priority,
                         uint32_t does)
{
    if (s->slot[priority].does != does) {
        s->slot[priority].does = does;
        show_slot(s, now, priority);
    }
}

void fugu_seen_slot_ends(FuguSeen *s, int64_t now, unsigned priority)
{
    FuguSeenSlot *slot = &s->slot[priority];

    if (slot->handles || slot->does) {
        slot->handles = false;
        slot->does = 0;
        show_slot(s, now, priority);
    }
}

/* ---- Updates ------------------------------------------------------------ */

void fugu_seen_merged(FuguSeen *s, int64_t now, uint32_t number)
{
    if (s->timeline) {
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = FUGU_NAME_MERGED,
            .flow = way_out(s, number),
        });
    }
}

void fugu_seen_update(FuguSeen *s, int64_t now, const FuguUpdate *update)
{
    const FuguPacket *p = update->packet;

    if (s->timeline) {
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = FUGU_NAME_UPDATE + p->mode,
            .flow = way_out(s, update->number),
            .transfer = p->mode == FUGU_NIPT_DELIBERATE
                        ? transfer_of(s, p->issued) : 0,
            .to = p->dest,
            .from = p->from,
            .address = update->address,
            .data = update->bytes,
            .counter = FUGU_TRACK_OUTGOING,
            .value = update->words,
        });
    }
}

void fugu_seen_leaves(FuguSeen *s, int64_t now, uint32_t number, uint32_t words)
{
    if (s->timeline) {
        s->leaving = way_out(s, number);
        fugu_timeline_counter(s->timeline, &s->track, now, FUGU_TRACK_OUTGOING,
                              words);
    }
}

void fugu_seen_stored(FuguSeen *s, int64_t now, const FuguPacket *p,
                      bool dropped, uint32_t words)
{
    if (s->timeline) {
        fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
            .name = dropped ? FUGU_NAME_DROPPED : FUGU_NAME_STORED,
            .flow = flow_of(p),
            .ends = true,
            .counter = FUGU_TRACK_QUEUE,
            .value = words,
        });
    }
}

void fugu_seen_engine(FuguSeen *s, int64_t now, int64_t asked, bool busy)
{
    if (s->timeline) {
        fugu_timeline_engine(s->timeline, &s->track, now, busy,
                             transfer_of(s, asked));
    }
}

void fugu_seen_update_wait(FuguSeen *s, int64_t now, uint32_t address,
                           bool waits)
{
    if (s->timeline) {
        fugu_timeline_mode(s->timeline, &s->track, now, s->gid, waits
                           ? fugu_timeline_code(s->timeline, s->gid, address)
                           : 0);
    }
}
