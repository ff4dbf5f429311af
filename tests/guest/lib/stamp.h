/*
 * Exact times: pieces of code that read the clock and do one thing, laid out
 * in one line of the cache so that nothing is fetched in between.
 *
 * All times are lower halves of U_CYCLES. Kernel mode.
 */
#ifndef GUEST_STAMP_H
#define GUEST_STAMP_H

#include <stdint.h>

/*
 * Sends a message of so many words, 3 at least, from the kernel's window.
 * Word 2 is the time at which its launch starts, which is the result too;
 * the last word, should there be more than three, is arg.
 */
uint32_t stamp_send(uint32_t header, uint32_t handler, uint32_t words,
                    uint32_t arg);

/* Launches a kernel's descriptor with a body (N words, D = 1), which may
 * wait: when the instruction started, and when it was over. */
uint32_t stamp_launch_body(uint32_t n);
uint32_t stamp_launch_body_over(uint32_t n);

/* The same on the second network: it must have the space. */
uint32_t stamp_second_send(uint32_t header, uint32_t handler, uint32_t words,
                           uint32_t arg);

/* Waits until an interrupt is pending (masked): when that was. */
uint32_t stamp_wait(void);

/* Disposes of the head: when the instruction started. */
uint32_t stamp_dispose(void);

/* One access, which may wait: when it was over. */
uint32_t stamp_store(uint32_t address, uint32_t value);
uint32_t stamp_load(uint32_t address);

/* What a store to a register costs that does not wait. */
#define STORE_CYCLES    3
#define LOAD_CYCLES     2
#define LAUNCH_CYCLES   1

#endif
