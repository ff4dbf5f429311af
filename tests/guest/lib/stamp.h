/*
 * Exact times: pieces of code that read the clock and do one thing, laid out
 * in one line of the cache so that nothing is fetched in between.
 *
 * What an instruction does to a device happens at its end: at a local time
 * that has its own cycles in it. All times are lower halves of U_CYCLES, and
 * all pieces are for kernel mode.
 */
#ifndef GUEST_STAMP_H
#define GUEST_STAMP_H

#include <stdint.h>

/*
 * Sends a message of so many words, 3 at least, from the kernel's window.
 * Word 2 is the time of its launch, which is the result too; the last word,
 * should there be more than three, is arg. It must not have to wait.
 */
uint32_t stamp_send(uint32_t header, uint32_t handler, uint32_t words,
                    uint32_t arg);

/* The same on the second network. */
uint32_t stamp_second_send(uint32_t header, uint32_t handler, uint32_t words,
                           uint32_t arg);

/* Launches a kernel's descriptor with a body (N words, D = 1), not having to
 * wait; and perhaps having to. */
uint32_t stamp_launch_body(uint32_t n);
uint32_t stamp_launch_body_waits(uint32_t n);

/* Disposes of the head. */
uint32_t stamp_dispose(void);

/* Waits until an interrupt is pending (masked): when that was. */
uint32_t stamp_wait(void);

/* A store to a register, which may have to wait. */
uint32_t stamp_store(uint32_t address, uint32_t value);

/* What these cost besides their wait. */
#define STORE_CYCLES    3
#define LAUNCH_CYCLES   1

#endif
