/*
 * A benchmark on QEMU's leon3_generic, for comparison: the same object code
 * of the computation, with its usual number of repetitions.
 */
#include "bench.h"
#include "console.h"

#define UART_DATA (*(volatile uint32_t *)0x80000100)    /* GRLIB APBUART */

int putchar(int c)
{
    UART_DATA = c;
    return c;
}

int main(void)
{
    uint32_t result = bench_run(bench_reps);

    printf("%s: %u repetitions, result 0x%08x\n", bench_name, bench_reps,
           result);
    printf("  %'llu instructions\n",
           (uint64_t)bench_reps * bench_instructions);
    return 0;
}
