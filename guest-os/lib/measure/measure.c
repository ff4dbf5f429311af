/*
 * Measured sections (udm-measure.h).
 *
 * Each node reads its counters at its begin and at its end. The collective
 * operations come before the first and after the second reading.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

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

/* ---- What is printed ----------------------------------------------------- */

/*
 * The lines of a section. They go out in one write: the kernel lets no other
 * job print between the bytes of a write of up to this many.
 */
struct lines {
    char text[1024];
    size_t length;
};

static void flush(struct lines *lines)
{
    for (size_t done = 0; done < lines->length; ) {
        ssize_t bytes = write(fileno(stdout), lines->text + done,
                              lines->length - done);

        if (bytes <= 0) {
            break;
        }
        done += bytes;
    }
    lines->length = 0;
}

static void __attribute__((format(printf, 2, 3)))
add(struct lines *lines, const char *format, ...)
{
    for (int tries = 0; tries < 2; tries++) {
        size_t room = sizeof(lines->text) - lines->length;
        va_list values;
        int length;

        va_start(values, format);
        length = vsnprintf(lines->text + lines->length, room, format, values);
        va_end(values);
        if (length >= 0 && (size_t)length < room) {
            lines->length += length;
            return;
        }
        flush(lines);           /* a long name: more than one write */
    }
}

static void print(struct lines *lines, const char *name, const char *key,
                  uint64_t value)
{
    add(lines, "measured %s: %s %llu\n", name, key,
        (unsigned long long)value);
}

/* Prints a quotient; "none" if there is nothing to divide by. */
static void print_share(struct lines *lines, const char *name, const char *key,
                        double part, double whole)
{
    if (whole) {
        add(lines, "measured %s: %s %.4f\n", name, key, part / whole);
    } else {
        add(lines, "measured %s: %s none\n", name, key);
    }
}

void udm_measure_print(const char *name, const struct udm_measured *m)
{
    struct lines lines = { .length = 0 };

    if (udm_node()) {
        return;
    }
    print(&lines, name, "job", glaze_info(GLAZE_I_JOB));
    print(&lines, name, "nodes", udm_nodes());
    print(&lines, name, "cycles", m->cycles);
    print(&lines, name, "charged", m->charged / udm_nodes());
    print(&lines, name, "messages", m->sent);
    print(&lines, name, "bodies", m->bodies);
    print(&lines, name, "body_bytes", m->bytes);
    print_share(&lines, name, "t_betw", (double)m->cycles * udm_nodes(),
                m->sent);
    print_share(&lines, name, "t_hand", m->handling, m->handled);
    print(&lines, name, "buffered", m->inserted);
    print_share(&lines, name, "share_buffered", m->inserted, m->received);
    print(&lines, name, "buffer_pages", m->buffer_pages);
    fflush(stdout);             /* what was printed before comes before */
    flush(&lines);
}
