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
#include "process/control.h"
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

        const char *wrong = gid > JOBS_MAX ? "there are too many" :
                            process_create(gid, words, length);

        if (wrong) {
            refuse_job(gid, wrong);
        }
        job_begin(gid);
        gid++;
        words += length;
        words += *words ? sizeof(separator) - 1 : 0;
    }
    if (frames_free() < SERVER_FRAMES) {
        jobs_refuse("a node's RAM is too small for so many jobs");
    }
    if (gid == 1) {
        machine_stop(0);
    }
}
