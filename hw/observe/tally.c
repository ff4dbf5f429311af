/*
 * Tally: what a node's jobs have done that its meter does not count
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/observe/tally.h"

QEMU_BUILD_BUG_ON(FUGU_SEEN_GIDS != FUGU_METER_GIDS + 1);

FuguTallyJob *fugu_tally_job(FuguTally *t, uint32_t gid)
{
    uint32_t i = MIN(gid, FUGU_SEEN_GIDS - 1);

    if (!t->job[i]) {
        t->job[i] = g_new0(FuguTallyJob, 1);
    }
    return t->job[i];
}

void fugu_tally_start(FuguTally *t, const FuguMeter *meter, int64_t now,
                      const uint64_t *misses)
{
    t->start = now;
    memcpy(t->misses, misses, sizeof(t->misses));
    for (uint32_t gid = 0; gid < FUGU_SEEN_GIDS; gid++) {
        for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
            t->base[gid][k] = fugu_meter_read(meter, now, gid, k);
        }
    }
}

void fugu_tally_clear(FuguTally *t, const FuguMeter *meter, int64_t now,
                      uint32_t gid)
{
    FuguTallyJob *job = fugu_tally_job(t, gid);

    for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
        job->cleared[k] += fugu_meter_read(meter, now, gid, k);
    }
}

/* ---- Writing ------------------------------------------------------------ */

typedef struct Lines {
    FILE *file;
    uint32_t node, gid;
} Lines;

static void tally_put(const Lines *l, const char *name, unsigned index,
                      uint64_t value)
{
    if (value) {
        fprintf(l->file, "%u %u %s %u %" PRIu64 "\n", l->node, l->gid, name,
                index, value);
    }
}

static void put_all(const Lines *l, const char *name, const uint64_t *values,
                    unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        tally_put(l, name, k, values[k]);
    }
}

static void put_job(const Lines *l, const FuguTallyJob *job)
{
    tally_put(l, "user", 0, job->user);
    tally_put(l, "handler", 0, job->handler);
    tally_put(l, "start", 0, job->start);
    tally_put(l, "ended", 0, job->ended);
    put_all(l, "trap", job->trap, FUGU_TALLY_TRAPS);
    put_all(l, "traps", job->traps, FUGU_TALLY_TRAPS);
    put_all(l, "wait", job->wait, FUGU_WAITS);
    put_all(l, "waits", job->waits, FUGU_WAITS);
    tally_put(l, "buffered_at_start", 0, job->buffered_at_start);
    tally_put(l, "handled", 0, job->handled);
    put_all(l, "launched", job->launched, FUGU_NETWORKS);
    put_all(l, "mark", &job->mark[0][0], FUGU_MARKS * FUGU_TALLY_CAUSES);
}

void fugu_tally_write(FuguTally *t, const FuguMeter *meter, int64_t now,
                      const uint64_t *misses, uint32_t node, FILE *file)
{
    Lines l = { .file = file, .node = node };

    tally_put(&l, "time", 0, now - t->start);
    tally_put(&l, "miss", 0, misses[0] - t->misses[0]);
    tally_put(&l, "miss", 1, misses[1] - t->misses[1]);
    for (l.gid = 0; l.gid < FUGU_SEEN_GIDS; l.gid++) {
        const FuguTallyJob *job = t->job[l.gid];

        for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
            tally_put(&l, "meter", k, fugu_meter_read(meter, now, l.gid, k) +
                                (job ? job->cleared[k] : 0) -
                                t->base[l.gid][k]);
        }
        if (job) {
            put_job(&l, job);
        }
    }
}
