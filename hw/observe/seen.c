/*
 * What an observer has seen of a node's processor: figures, and events of a timeline
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/observe/seen.h"

/* ---- What the processor does -------------------------------------------- */

/* Returns the counter of the cycles that pass now. */
static uint64_t *counter(FuguSeen *s, FuguTallyJob *job)
{
    if (s->ended) {
        return &job->ended;
    }
    if (s->runs >= 0) {
        return &job->handler;
    }
    if (s->wait >= 0) {
        return &job->wait[s->wait];
    }
    if (s->user) {
        return fugu_seen_in_handler(s) ? &job->handler : &job->user;
    }
    return s->trap < 0 ? &job->start : &job->trap[s->trap];
}

/* To be called before any change of what counter() looks at. */
static void charge(FuguSeen *s, int64_t now)
{
    uint32_t gid = s->runs >= 0 ? s->runs_for : s->gid;

    *counter(s, fugu_tally_job(&s->tally, gid)) += now - s->mark;
    if (s->wait >= 0 && !s->ended) {
        s->waited += now - s->mark;
        s->waited_for = s->wait;
    }
    s->mark = now;
}

/* Tells the timeline what the processor does from now on. */
static void show(FuguSeen *s, int64_t now)
{
    FuguSlice slices[FUGU_TIMELINE_DEPTH] = { };
    unsigned depth = 0;

    if (!s->timeline) {
        return;
    }
    if (!s->ended) {
        FuguSeenJob *job = fugu_seen_job(s, s->gid);

        slices[depth++].name = FUGU_NAME_JOB + fugu_seen_index(s->gid);
        if (fugu_seen_in_handler(s)) {
            if (!job->runs) {       /* an alarm, or one that ran at a snapshot */
                job->handler = (FuguSlice) { .name = FUGU_NAME_UPCALL };
            }
            job->runs = true;
            slices[depth++] = job->handler;
            job->handler.again = true;
        } else {
            job->runs = false;
        }
        if (!s->user) {
            slices[depth++].name = s->trap < 0 ? FUGU_NAME_START
                                               : FUGU_NAME_TRAP + s->trap;
        }
        if (s->runs >= 0) {
            slices[depth++].name = FUGU_NAME_SLOT + s->runs;
        } else if (s->wait >= 0) {
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

/* ---- What the node reports of its processor ----------------------------- */

void fugu_seen_mode(FuguSeen *s, int64_t now, bool user, uint32_t uac,
                    const FuguPacket *next)
{
    FuguSeenJob *job;
    bool pending = uac & FUGU_UAC_DISPOSE_PENDING;

    charge(s, now);
    if (s->races) {
        fugu_races_mode(s->races, s->gid, user, uac, next);
    }
    s->from_user = s->user && !user;
    s->user = user;
    if (!user || !s->timeline) {
        return;
    }
    job = fugu_seen_job(s, s->gid);
    if (pending && !job->pending) {
        fugu_seen_begin_handler(s, job, next);
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
    if (s->races) {
        fugu_races_uac(s->races, uac);
    }
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

void fugu_seen_main_waits(FuguSeen *s, int64_t now, bool waits)
{
    s->main_waits = waits;
    if (waits) {
        fugu_masked_pause(&s->masked, now, s->trap);
    } else {
        fugu_masked_go(&s->masked, now);
    }
}

void fugu_seen_go(FuguSeen *s, int64_t now)
{
    charge(s, now);
    if (s->wait == FUGU_WAIT_INTERRUPT && !s->main_waits) {
        fugu_masked_go(&s->masked, now);
    }
    s->wait = -1;
    show(s, now);
}

void fugu_seen_slot_runs(FuguSeen *s, int64_t now, int priority, uint32_t gid)
{
    if (s->runs != priority || s->runs_for != gid) {
        charge(s, now);
        s->runs = priority;
        s->runs_for = gid;
        show(s, now);
    }
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
    FuguSeenJob *job = s->job[fugu_seen_index(gid)];

    fugu_tally_clear(&s->tally, s->meter, now, fugu_seen_index(gid));
    if (job) {
        g_queue_clear_full(&job->buffer, g_free);
    }
}

/* ---- Marks -------------------------------------------------------------- */

static void take_from_buffer(FuguSeen *s, int64_t now, uint32_t gid)
{
    if (fugu_seen_in_handler(s)) {
        fugu_tally_job(&s->tally, gid)->handled++;
    }
    if (s->races) {
        fugu_races_take(s->races, gid, fugu_seen_in_handler(s));
    }
    if (s->timeline) {
        g_autofree FuguSlice *slice =
            g_queue_pop_head(&fugu_seen_job(s, gid)->buffer);

        if (slice) {
            fugu_seen_disposed(s, now, slice->flow, FUGU_PATH_BUFFERED, 0, 0);
        }
    }
}

static void change_pages(FuguSeen *s, int64_t now, uint32_t gid,
                         uint32_t pages)
{
    uint32_t *old = &s->pages[fugu_seen_index(gid)];

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
    FuguSharing **sharing = &s->sharing[fugu_seen_index(s->gid)];

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
    s->runs = -1;
    s->timeline = timeline;
    s->has_buffers = has_buffers;
    fugu_masked_init(&s->masked);
    s->track.node = node;
    return s;
}

void fugu_seen_start(FuguSeen *s, int64_t now, uint32_t gid, bool user,
                     uint32_t uac, bool masked, int wait, bool ended,
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
    show_section(s, now, uac);
}

void fugu_seen_is_buffered(FuguSeen *s, int64_t now, uint32_t gid)
{
    fugu_tally_job(&s->tally, gid)->buffered_at_start = 1;
    if (s->timeline) {
        fugu_timeline_mode(s->timeline, &s->track, now, gid, FUGU_NAME_BUFFERED);
    }
}

void fugu_seen_finish(FuguSeen *s, int64_t now)
{
    charge(s, now);
    if (s->timeline) {
        fugu_timeline_finish(s->timeline, &s->track, now);
    }
}
