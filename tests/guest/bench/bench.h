/*
 * A benchmark: a computation that knows nothing of the machine, so that the
 * same object code runs on a FUGU node and on QEMU's leon3_generic.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

extern const char bench_name[];
extern const uint32_t bench_reps;       /* how often, unless told otherwise */

/* Computes it so often; a checksum of all results. */
uint32_t bench_run(uint32_t reps);

#endif
