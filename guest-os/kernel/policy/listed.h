/*
 * Listed jobs: those of the command line, by number, from 1 on.
 *
 * The first JOBS_MAX have their number as GID. A later one gets the GID of a
 * job that has gone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_LISTED_H
#define GLAZE_LISTED_H

#include <stdint.h>

#include "image.h"

/* A listed job. The words are those of the command line. */
struct listed {
    const struct image_program *program;
    const char *name;
    unsigned name_length;
    const char *rest;           /* the other words, with a space first */
    unsigned rest_length;
    uint64_t begins;            /* when to start it; 0: at once */
};

/*
 * Adds a job: `length` bytes of the boot parameters' command line, which begin
 * with NAME or NAME@CYCLES. Returns NULL, or a text that says why the job
 * cannot be run.
 */
const char *listed_add(const char *words, unsigned length);

/* Returns the number of jobs. */
unsigned listed_count(void);

/* Describes the job of a number from 1 to listed_count(). */
struct listed listed_job(unsigned number);

#endif /* GLAZE_LISTED_H */
