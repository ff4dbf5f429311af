/*
 * Listed jobs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>

#include "machine/directory.h"
#include "policy/listed.h"
#include "glaze.h"
#include "machine/hardware.h"
#include "machine/process.h"

static struct {
    uint16_t first;             /* offset in the command line */
    uint16_t length;
} jobs[GLAZE_JOBS_LISTED];
static unsigned count;

#define LINE    ((const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE))

/*
 * Reads the time of a first word NAME@CYCLES. Returns the length of NAME, and
 * sets *begins. If the word has no time, returns the length of the word and
 * sets *begins to 0.
 */
static unsigned name_length(const char *word, unsigned length, uint64_t *begins)
{
    uint64_t sum = 0, digit_value = 1;
    unsigned at;

    *begins = 0;
    for (at = length; at && word[at - 1] >= '0' && word[at - 1] <= '9'; at--) {
        sum += (word[at - 1] - '0') * digit_value;
        digit_value *= 10;
    }
    if (!at || at == length || word[at - 1] != '@') {
        return length;
    }
    *begins = sum;
    return at - 1;
}

static struct listed read(const char *words, unsigned length)
{
    struct listed job = { .name = words };
    unsigned first = 0;

    while (first < length && words[first] != ' ') {
        first++;
    }
    job.name_length = name_length(words, first, &job.begins);
    job.program = directory_program(words, job.name_length);
    job.rest = words + first;
    job.rest_length = length - first;
    return job;
}

const char *listed_add(const char *words, unsigned length)
{
    struct listed job = read(words, length);

    if (count == GLAZE_JOBS_LISTED) {
        return "there are too many";
    }
    if (!job.program) {
        return "there is no such program";
    }
    if (job.name_length + job.rest_length > GLAZE_I_ARGS_MAX) {
        return "its arguments are too long";
    }
    jobs[count].first = words - LINE;
    jobs[count].length = length;
    count++;
    return NULL;
}

unsigned listed_count(void)
{
    return count;
}

struct listed listed_job(unsigned number)
{
    return read(LINE + jobs[number - 1].first, jobs[number - 1].length);
}
