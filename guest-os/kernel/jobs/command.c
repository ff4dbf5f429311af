/*
 * The command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hardware.h"
#include "jobs/command.h"
#include "jobs/end.h"
#include "jobs/job.h"
#include "ni.h"
#include "parameter.h"
#include "print.h"
#include "process/skew.h"
#include "space/frames.h"
#include "store/server.h"

static const char separator[] = " + ";

static bool starts_with(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

/* Returns the length of a job's words, up to the next separator or the end. */
static unsigned job_length(const char *words)
{
    unsigned length = 0;

    while (words[length] && !starts_with(words + length, separator)) {
        length++;
    }
    return length;
}

void jobs_refuse(const char *why)
{
    if (ni_node() == 0) {
        if (why) {
            print("glaze: %s\n", why);
        }
        machine_stop(STATUS_COMMAND);
    }
    for (;;) {
        wait_for_interrupt();
    }
}

static void refuse_job(unsigned gid, const char *why)
{
    if (ni_node() == 0) {
        print("glaze: job %u cannot be started: %s\n", gid, why);
    }
    jobs_refuse(NULL);
}

/*
 * Reads the time of a job "NAME@CYCLES ...". Returns the length of NAME, and
 * sets *begins to 0 if the first word has no time; *skip is the length of the
 * first word.
 */
static unsigned name_length(const char *words, unsigned length,
                            unsigned *skip, uint64_t *begins)
{
    uint64_t sum = 0, digit_value = 1;
    unsigned n = 0, at;

    while (n < length && words[n] != ' ') {
        n++;
    }
    *skip = n;
    *begins = 0;
    for (at = n; at && words[at - 1] >= '0' && words[at - 1] <= '9'; at--) {
        sum += (words[at - 1] - '0') * digit_value;
        digit_value *= 10;
    }
    if (!at || at == n || words[at - 1] != '@') {
        return n;
    }
    *begins = sum;
    return at - 1;
}

/* Adds a job, whose first word may be NAME@CYCLES. */
static const char *add(unsigned gid, const char *words, unsigned length)
{
    unsigned skip, name;
    uint64_t begins;

    if (gid > JOBS_MAX) {
        return "there are too many";
    }
    name = name_length(words, length, &skip, &begins);
    return job_add(gid, words, name, words + skip, length - skip, begins);
}

void jobs_create(void)
{
    const char *words = (const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE);
    unsigned gid = 1;

    words = parameters_take(words);
    if (!words) {
        jobs_refuse(NULL);
    }
    skew_init();
    while (*words) {
        unsigned length = job_length(words);
        const char *wrong = add(gid, words, length);

        if (wrong) {
            refuse_job(gid, wrong);
        }
        gid++;
        words += length;
        words += *words ? sizeof(separator) - 1 : 0;
    }
    if (!job_add_server()) {
        jobs_refuse("a node's RAM is too small for the scheduler's server and "
                    "the jobs (--scheduler none does without a server)");
    }
    if (frames_free() < SERVER_FRAMES) {
        jobs_refuse("a node's RAM is too small for so many jobs");
    }
    if (gid == 1) {
        machine_stop(0);
    }
}
