/*
 * The command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "policy/listed.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "policy/command.h"
#include "delivery/upcall.h"
#include "buffer/end.h"
#include "policy/job_begin.h"
#include "machine/ni.h"
#include "policy/parameter.h"
#include "machine/print.h"
#include "policy/skew.h"
#include "memory/frames.h"
#include "buffer/server.h"

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

static void refuse_job(unsigned number, const char *why)
{
    if (ni_node() == 0) {
        print("glaze: job %u cannot be started: %s\n", number, why);
    }
    jobs_refuse(NULL);
}

void jobs_create(void)
{
    const char *words = (const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE);
    const char *wrong;
    unsigned number;

    words = parameters_take(words);
    if (!words) {
        jobs_refuse(NULL);
    }
    if (!kind->messages) {
        atomicity_timeout = 0;  /* no message waits: nothing to bound */
    }
    skew_init();
    for (number = 1; *words; number++) {
        unsigned length = job_length(words);

        wrong = listed_add(words, length);
        if (wrong) {
            refuse_job(number, wrong);
        }
        words += length;
        words += *words ? sizeof(separator) - 1 : 0;
    }
    wrong = jobs_begin(&number);
    if (wrong) {
        refuse_job(number, wrong);
    }
    if (!job_add_server()) {
        jobs_refuse("a node's RAM is too small for the scheduler's server and "
                    "the jobs (--scheduler none does without a server)");
    }
    if (frames_free() < SERVER_FRAMES) {
        jobs_refuse("a node's RAM is too small for so many jobs");
    }
    if (!listed_count()) {
        machine_stop(0);
    }
}
