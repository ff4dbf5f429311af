/*
 * Progress: how far a run is, on a terminal
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/machine/line.h"
#include "hw/fugu/report/progress.h"

/* Microseconds of host time. */
#define AFTER           2000000         /* the run's first line */
#define EVERY           500000          /* the next ones */

#define MCYCLES         1000000.0

/* When the last line was shown, or the run has begun. */
typedef struct Moment {
    int64_t host;                       /* microseconds; 0: never */
    int64_t cycle;
    int64_t *waited;                    /* by node, from the first one on */
} Moment;

static uint64_t messages(const FuguMachineState *m)
{
    uint64_t sum = 0;

    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        const FuguMeter *meter = &m->parts.nodes[i]->meter;

        for (uint32_t gid = 0; gid <= FUGU_METER_GIDS; gid++) {
            sum += meter->counts[gid].counter[FUGU_METER_SENT];
        }
    }
    return sum;
}

/* Returns the node that has waited least since the last line. */
static uint32_t busiest(const FuguMachineState *m, const Moment *last)
{
    uint32_t best = m->parts.first;
    int64_t least = INT64_MAX;

    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        int64_t waited = m->parts.nodes[i]->waited -
                         last->waited[i - m->parts.first];

        if (waited < least) {
            least = waited;
            best = i;
        }
    }
    return best;
}

static void note(const FuguMachineState *m, Moment *last, int64_t now)
{
    last->host = now;
    last->cycle = m->time.round_start;
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        last->waited[i - m->parts.first] = m->parts.nodes[i]->waited;
    }
}

static char *text(const FuguMachineState *m, const Moment *last, int64_t now)
{
    int64_t cycles = MAX(m->time.round_start - last->cycle, 1);
    uint32_t node = busiest(m, last);
    int64_t waited = m->parts.nodes[node]->waited -
                     last->waited[node - m->parts.first];

    return g_strdup_printf("%.1f M cycles, %.1f M/s; %" PRIu64 " messages; "
                           "node %u waits least, %d %%",
                           m->time.round_start / MCYCLES,
                           (double)cycles / (now - last->host), messages(m),
                           node, (int)MIN(100 * waited / cycles, 100));
}

void fugu_progress_update(FuguMachineState *m)
{
    static Moment last;
    static bool shown;
    int64_t now;

    /* The program may be asking something in the middle of a line. */
    if (!m->options.progress || m->terminal.mid_line ||
        m->terminal.error_mid_line) {
        return;
    }
    now = g_get_monotonic_time();
    if (!last.host) {
        last.waited = g_new(int64_t, m->parts.end - m->parts.first);
        note(m, &last, now);
    }
    if (now - last.host >= (shown ? EVERY : AFTER)) {
        g_autofree char *line = text(m, &last, now);

        shown = true;
        fugu_line_show(m, line);
        note(m, &last, now);
    }
}
