/*
 * A benchmark on QEMU's leon3_generic, for comparison: the same object code of
 * the computation. The program repeats the computation bench_reps times, or as
 * often as the word above the stack says. RAM is zero at the start, so only
 * QEMU's command line can have stored that word
 * (-device loader,addr=0x40400000,data=...,data-len=4).
 *
 * Prints the result and the number of instructions, and ends QEMU.
 */
#include "bench.h"
#include "console.h"

#define REPS      (*(volatile uint32_t *)0x40400000)    /* in start.S */
#define UART_DATA (*(volatile uint32_t *)0x80000100)    /* GRLIB APBUART */

int putchar(int c)
{
    UART_DATA = c;
    return c;
}

int main(void)
{
    uint32_t reps = REPS ? REPS : bench_reps;
    uint32_t result = bench_run(reps);

    printf("%s: %u repetitions, result 0x%08x\n", bench_name, reps, result);
    printf("  %'llu instructions\n", (uint64_t)reps * bench_instructions);
    return 0;
}
