/*
 * A benchmark: a computation that does not depend on the machine, so that the
 * same object code runs on a FUGU node and on QEMU's leon3_generic.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

extern const char bench_name[];
extern const uint32_t bench_reps;       /* default number of repetitions */

/*
 * Instructions of one repetition, as our GCC compiles it with -O2: counted
 * with QEMU's plugin `insn`, as the difference between 300 and 200
 * repetitions. If this number becomes wrong, the cycles that test_bench.py
 * expects change too.
 */
extern const uint32_t bench_instructions;

/* Repeats the computation `reps` times. Returns a checksum of all results. */
uint32_t bench_run(uint32_t reps);

#endif
