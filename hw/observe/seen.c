/*
 * What an observer has seen of a node: figures, and events of a timeline
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/observe/seen.h"

static uint32_t index_of(uint32_t gid)
{
    return MIN(gid, FUGU_SEEN_GIDS - 1);
}

static FuguSeenJob *job_of(FuguSeen *s, uint32_t gid)
{
    FuguSeenJob **job = &s->job[index_of(gid)];

    if (!*job) {
        *job = g_new0(FuguSeenJob, 1);
        g_queue_init(&(*job)->buffer);
    }
    return *job;
}

/* ---- What the processor does -------------------------------------------- */

static bool in_handler(const FuguSeen *s)
{
    return s->meter->counts[s->meter->served].handling;
}

/* Returns the counter of the cycles that pass now. */
static uint64_t *counter(FuguSeen *s, FuguTallyJob *job)
{
    if (s->ended) {
        return &job->ended;
    }
    if (s->wait >= 0) {
        return &job->wait[s->wait];
    }
    if (s->user) {
        return in_handler(s) ? &job->handler : &job->user;
    }
    return s->trap < 0 ? &job->start : &job->trap[s->trap];
}

/* To be called before any change of what counter() looks at. */
static void charge(FuguSeen *s, int64_t now)
{
    *counter(s, fugu_tally_job(&s->tally, s->gid)) += now - s->mark;
    if (s->wait >= 0 && !s->ended) {
        s->waited += now - s->mark;
        s->waited_for = s->wait;
    }
    s->mark = now;
}

/* Tells the timeline what the processor does from now on. */
static void show(FuguSeen *s, int64_t now)
{
    FuguSlice slices[FUGU_TIMELINE_DEPTH];
    unsigned depth = 0;

    if (!s->timeline) {
        return;
    }
    if (!s->ended) {
        slices[depth++].name = FUGU_NAME_JOB + index_of(s->gid);
        if (in_handler(s) && job_of(s, s->gid)->handler.name) {
            slices[depth++] = job_of(s, s->gid)->handler;
            job_of(s, s->gid)->handler.again = true;
        }
        if (!s->user) {
            slices[depth++].name = s->trap < 0 ? FUGU_NAME_START
                                               : FUGU_NAME_TRAP + s->trap;
        }
        if (s->wait >= 0) {
            slices[depth++].name = FUGU_NAME_WAIT + s->wait;
        }
    }
    fugu_timeline_runs(s->timeline, &s->track, now, slices, depth);
}

static void show_section(FuguSeen *s, int64_t now, uint32_t uac)
{
    bool section = (uac & FUGU_UAC_INTERRUPT_DISABLE) &&
                   !(uac & FUGU_UAC_TIMER_FORCE);

    if (s->timeline) {
        fugu_timeline_section(s->timeline, &s->track, now,
                              section ? FUGU_NAME_SECTION : 0);
    }
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
    return p->network == FUGU_MAIN_NETWORK && !p->mode &&
           !(p->words[0] & FUGU_HDR_KERNEL);
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

/* The handler of the next message runs from now on. */
static void begin_handler(FuguSeen *s, FuguSeenJob *job,
                          const FuguPacket *next)
{
    FuguSlice *oldest = g_queue_peek_head(&job->buffer);

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
    const FuguSlice *handler = &job_of(s, gid)->handler;

    return flow == handler->flow && handler->again &&
           s->timeline->kinds & FUGU_KIND_RUNS;
}

/* A user's message has been disposed of. */
static void show_disposed(FuguSeen *s, int64_t now, uint64_t flow,
                          uint32_t path, uint32_t words)
{
    fugu_timeline_instant(s->timeline, &s->track, now, &(FuguInstant) {
        .name = FUGU_NAME_DISPOSED,
        .path = path,
        .flow = is_handlers(s, s->gid, flow) ? 0 : flow,
        .ends = true,
        .counter = path == FUGU_PATH_FAST ? FUGU_TRACK_QUEUE : 0,
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
        g_queue_push_tail(&job_of(s, gid_of(p))->buffer,
                          g_memdup2(&slice, sizeof(slice)));
    }
    fugu_timeline_instant(s->timeline, &s->track, now, &i);
}

/* ---- What node and network interface report ----------------------------- */

void fugu_seen_mode(FuguSeen *s, int64_t now, bool user, uint32_t uac,
                    const FuguPacket *next)
{
    FuguSeenJob *job;
    bool pending = uac & FUGU_UAC_DISPOSE_PENDING;

    charge(s, now);
    s->from_user = s->user && !user;
    s->user = user;
    if (!user || !s->timeline) {
        return;
    }
    job = job_of(s, s->gid);
    if (pending && !job->pending) {
        begin_handler(s, job, next);
    }
    job->pending = pending;
    show(s, now);
    show_section(s, now, uac);
}

void fugu_seen_trap(FuguSeen *s, int64_t now, int tt)
{
    unsigned k = tt & (FUGU_TALLY_TRAPS - 1);

    fugu_tally_job(&s->tally, s->gid)->traps[k]++;
    if (s->from_user) {
        s->from_user = false;
        s->trap = k;
        show(s, now);
    }
    fugu_seen_masked(s, now, true);
}

void fugu_seen_serve(FuguSeen *s, int64_t now, uint32_t gid)
{
    charge(s, now);
    s->gid = gid;
    show(s, now);
    show_section(s, now, 0);
}

void fugu_seen_before_uac(FuguSeen *s, int64_t now)
{
    charge(s, now);
}

void fugu_seen_uac(FuguSeen *s, int64_t now, uint32_t uac)
{
    show(s, now);
    show_section(s, now, uac);
}

void fugu_seen_yield(FuguSeen *s, uint32_t pc)
{
    s->again = true;
    s->yielded = pc;
}

bool fugu_seen_again(FuguSeen *s, uint32_t pc)
{
    bool again = s->again && s->yielded == pc;

    s->again = s->again && !again;
    return again;
}

void fugu_seen_wait(FuguSeen *s, int64_t now, int why)
{
    charge(s, now);
    s->wait = why;
    if (why == FUGU_WAIT_INTERRUPT) {
        fugu_masked_pause(&s->masked, now, s->trap);
    }
    fugu_tally_job(&s->tally, s->gid)->waits[why]++;
    show(s, now);
}

void fugu_seen_go(FuguSeen *s, int64_t now)
{
    charge(s, now);
    if (s->wait == FUGU_WAIT_INTERRUPT) {
        fugu_masked_go(&s->masked, now);
    }
    s->wait = -1;
    show(s, now);
}

void fugu_seen_end(FuguSeen *s, int64_t now)
{
    charge(s, now);
    fugu_seen_masked(s, now, false);
    s->ended = true;
    show(s, now);
}

void fugu_seen_clear(FuguSeen *s, int64_t now, uint32_t gid)
{
    FuguSeenJob *job = s->job[index_of(gid)];

    fugu_tally_clear(&s->tally, s->meter, now, index_of(gid));
    if (job) {
        g_queue_clear_full(&job->buffer, g_free);
    }
}

/* ---- Messages ----------------------------------------------------------- */

void fugu_seen_launch(FuguSeen *s, int64_t now, const FuguPacket *p, bool user,
                      uint32_t space)
{
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
            .counter = p->network == FUGU_MAIN_NETWORK ? FUGU_TRACK_SPACE : 0,
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
            .counter = p->network == FUGU_MAIN_NETWORK ? FUGU_TRACK_QUEUE : 0,
            .value = words,
        });
    }
}

void fugu_seen_dispose(FuguSeen *s, int64_t now, const FuguPacket *p,
                       bool user, uint32_t words)
{
    if (user && s->timeline) {
        show_disposed(s, now, flow_of(p), FUGU_PATH_FAST, words);
        job_of(s, s->gid)->pending = false;
    } else if (s->timeline) {
        show_taken(s, now, p, words);
    }
    s->dropping = false;
}

void fugu_seen_space(FuguSeen *s, int64_t now, uint32_t space)
{
    if (s->timeline) {
        fugu_timeline_counter(s->timeline, &s->track, now, FUGU_TRACK_SPACE,
                              space);
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

/* ---- Marks -------------------------------------------------------------- */

static void take_from_buffer(FuguSeen *s, int64_t now, uint32_t gid)
{
    if (in_handler(s)) {
        fugu_tally_job(&s->tally, gid)->handled++;
    }
    if (s->timeline) {
        g_autofree FuguSlice *slice =
            g_queue_pop_head(&job_of(s, gid)->buffer);

        if (slice) {
            show_disposed(s, now, slice->flow, FUGU_PATH_BUFFERED, 0);
        }
    }
}

static void change_pages(FuguSeen *s, int64_t now, uint32_t gid,
                         uint32_t pages)
{
    uint32_t *old = &s->pages[index_of(gid)];

    s->pages_sum += pages - *old;
    *old = pages;
    if (s->timeline) {
        fugu_timeline_counter(s->timeline, &s->track, now, FUGU_TRACK_PAGES,
                              s->pages_sum);
    }
}

void fugu_seen_mark(FuguSeen *s, int64_t now, unsigned kind, uint32_t gid,
                    uint32_t value)
{
    FuguTallyJob *job = fugu_tally_job(&s->tally, gid);
    unsigned cause = kind == FUGU_MARK_BUFFERED
                     ? MIN(value, FUGU_TALLY_CAUSES - 1) : 0;

    job->mark[kind][cause]++;
    switch (kind) {
    case FUGU_MARK_BUFFERED:
    case FUGU_MARK_FAST:
        if (s->timeline) {
            fugu_timeline_mode(s->timeline, &s->track, now, gid,
                               kind == FUGU_MARK_FAST ? 0
                               : FUGU_NAME_MODE + cause);
        }
        break;
    case FUGU_MARK_DROPPED:
        s->dropping = true;
        break;
    case FUGU_MARK_BUFFER_PAGES:
        change_pages(s, now, gid, value);
        break;
    case FUGU_MARK_TAKEN:
        take_from_buffer(s, now, gid);
        break;
    }
}

/* ---- Shared memory ------------------------------------------------------ */

FuguSharing *fugu_seen_sharing(FuguSeen *s)
{
    FuguSharing **sharing = &s->sharing[index_of(s->gid)];

    if (!*sharing) {
        *sharing = fugu_sharing_new();
    }
    return *sharing;
}

void fugu_seen_write_sharing(const FuguSeen *s, uint32_t node, FILE *file)
{
    for (uint32_t gid = 0; gid < FUGU_SEEN_GIDS; gid++) {
        if (s->sharing[gid]) {
            fugu_sharing_write(s->sharing[gid], node, gid, file);
        }
    }
}

/* ---- Start and end ------------------------------------------------------ */

FuguSeen *fugu_seen_new(uint32_t node, const FuguMeter *meter,
                        FuguTimeline *timeline, bool has_buffers)
{
    FuguSeen *s = g_new0(FuguSeen, 1);

    s->meter = meter;
    s->timeline = timeline;
    s->has_buffers = has_buffers;
    fugu_masked_init(&s->masked);
    s->track.node = node;
    return s;
}

void fugu_seen_start(FuguSeen *s, int64_t now, uint32_t gid, bool user,
                     bool masked, int wait, bool ended,
                     const uint64_t *misses)
{
    fugu_masked_start(&s->masked, now, masked && !ended);
    fugu_tally_start(&s->tally, s->meter, now, misses);
    s->mark = now;
    s->gid = gid;
    s->user = user;
    s->trap = -1;
    s->wait = wait;
    s->ended = ended;
    show(s, now);
}

void fugu_seen_finish(FuguSeen *s, int64_t now)
{
    charge(s, now);
    if (s->timeline) {
        fugu_timeline_finish(s->timeline, &s->track, now);
    }
}
