/*
 * Runs a benchmark on every node of the machine, each node by itself.
 * Argument: reps. Node 0 prints its result, instructions, cycles and misses.
 * Its exit status is 1 if another node has a different result, else 0.
 */
#include "am.h"
#include "bench.h"
#include "console.h"
#include "cycles.h"

static volatile uint32_t others, wrong;
static uint32_t result;

static void result_arrives(void)
{
    others++;
    wrong += am_arg(0) != result;
}

static uint32_t misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_FETCH_MISS) +
           REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);
}

int main(void)
{
    uint32_t reps = argument("reps", bench_reps);
    uint64_t start = cycles(), took;
    uint32_t missed = misses();

    result = bench_run(reps);
    took = cycles() - start;
    missed = misses() - missed;
    am_send(0, result_arrives, 1, &result, true);
    if (ni_node() != 0) {
        return 0;
    }
    printf("%s: %u repetitions, result 0x%08x\n", bench_name, reps, result);
    printf("  %'llu instructions, %'llu cycles, %'u misses\n",
           (uint64_t)reps * bench_instructions, took, missed);
    am_wait(&others, ni_nodes());
    if (wrong) {
        printf("%u of %u nodes differ\n", wrong, ni_nodes());
    }
    return wrong != 0;
}
