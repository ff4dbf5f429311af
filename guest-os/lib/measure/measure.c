/*
 * Measured sections (udm-measure.h).
 *
 * Each node reads its counters at its begin and at its end. The collective
 * operations come before the first and after the second reading.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>

#include "glaze-calls.h"
#include "library.h"
#include "udm-collective.h"
#include "udm-measure.h"

static struct glaze_measure begun;
static uint64_t begun_at;
static bool open;

void udm_measure_begin(void)
{
    if (open) {
        library_abort("udm_measure_begin(): a section has begun already");
    }
    open = true;
    glaze_measure(&begun, true);        /* now `begun` has a page frame */
    udm_barrier();
    glaze_measure(&begun, true);
    begun_at = udm_cycles();
}

static uint64_t sum(uint64_t value)
{
    return udm_reduce_all_int(UDM_SUM, value);
}

struct udm_measured udm_measure_end(void)
{
    uint64_t ended_at = udm_cycles(), total[FUGU_METER_COUNTERS];
    struct udm_measured measured;
    struct glaze_measure ended;

    if (!open) {
        library_abort("udm_measure_end(): no section has begun");
    }
    open = false;
    glaze_measure(&ended, false);
    for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
        total[k] = sum(ended.counter[k] - begun.counter[k]);
    }
    measured = (struct udm_measured) {
        .cycles = udm_reduce_all_int(UDM_MAX, ended_at - begun_at),
        .charged = total[FUGU_METER_CYCLES],
        .sent = total[FUGU_METER_SENT],
        .bodies = total[FUGU_METER_BODIES],
        .bytes = total[FUGU_METER_BYTES],
        .received = total[FUGU_METER_RECEIVED],
        .handled = total[FUGU_METER_HANDLED],
        .handling = total[FUGU_METER_HANDLING],
        .inserted = total[FUGU_METER_INSERTED],
        .buffer_pages = udm_reduce_all_int(UDM_MAX, ended.buffer_pages_most),
    };
    return measured;
}

static void print(const char *name, const char *key, uint64_t value)
{
    printf("measured %s: %s %llu\n", name, key, (unsigned long long)value);
}

/* Prints a quotient; "none" if there is nothing to divide by. */
static void print_share(const char *name, const char *key, double part,
                        double whole)
{
    if (whole) {
        printf("measured %s: %s %.4f\n", name, key, part / whole);
    } else {
        printf("measured %s: %s none\n", name, key);
    }
}

void udm_measure_print(const char *name, const struct udm_measured *m)
{
    if (udm_node()) {
        return;
    }
    print(name, "nodes", udm_nodes());
    print(name, "cycles", m->cycles);
    print(name, "charged", m->charged / udm_nodes());
    print(name, "messages", m->sent);
    print(name, "bodies", m->bodies);
    print(name, "body_bytes", m->bytes);
    print_share(name, "t_betw", (double)m->cycles * udm_nodes(), m->sent);
    print_share(name, "t_hand", m->handling, m->handled);
    print_share(name, "share_buffered", m->inserted, m->received);
    print(name, "buffer_pages", m->buffer_pages);
}
