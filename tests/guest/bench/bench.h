/*
 * A benchmark: a computation that knows nothing of the machine, so that the
 * same object code runs on a FUGU node and on QEMU's leon3_generic.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

extern const char bench_name[];
extern const uint32_t bench_reps;       /* how often, unless told otherwise */

/*
 * Instructions of one repetition, as our GCC compiles it with -O2: counted
 * with QEMU's plugin `insn`, as the difference between 300 and 200 of them.
 * Its cycles (test_bench.py) say whether this number is still true.
 */
extern const uint32_t bench_instructions;

/* Computes it so often; a checksum of all results. */
uint32_t bench_run(uint32_t reps);

#endif
