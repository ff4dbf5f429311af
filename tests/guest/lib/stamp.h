/*
 * Exact times: routines that read the clock and perform one operation. The
 * timed part of each lies in one cache line, so that no fetch comes in
 * between.
 *
 * An operation takes effect in a device when its instruction ends, so its time
 * includes the instruction's own cycles. All times are lower halves of
 * U_CYCLES. All routines are for kernel mode.
 */
#ifndef GUEST_STAMP_H
#define GUEST_STAMP_H

#include <stdint.h>

/*
 * Sends a message of `words` words, at least 3, from the kernel's window. Word
 * 2 is the time of its launch, which is also the result. If there are more
 * than three words, the last one is `arg`. The caller must make sure that
 * there is space, so that no store waits.
 */
uint32_t stamp_send(uint32_t header, uint32_t handler, uint32_t words,
                    uint32_t arg);

/* stamp_send() for the second network. */
uint32_t stamp_second_send(uint32_t header, uint32_t handler, uint32_t words,
                           uint32_t arg);

/*
 * Launches the descriptor in the kernel's window, of n words and with one
 * piece of a body (D = 1). Both return the time of the launch. The first is
 * for a launch that does not have to wait, the second for one that may.
 */
uint32_t stamp_launch_body(uint32_t n);
uint32_t stamp_launch_body_waits(uint32_t n);

/* Disposes of the head message. Returns the time of the dispose. */
uint32_t stamp_dispose(void);

/* Waits until a masked interrupt is pending. Returns when that was. */
uint32_t stamp_wait(void);

/* Stores `value` to a register; the store may have to wait. Returns the
 * time of the end of the store. */
uint32_t stamp_store(uint32_t address, uint32_t value);

/* Cycles of a store and of a launch that do not wait. */
#define STORE_CYCLES    3
#define LAUNCH_CYCLES   1

#endif
