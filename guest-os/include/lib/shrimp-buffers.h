/*
 * Message passing on memory that is mapped over the network: the primitives of the
 * paper's section 5.2, with single and double buffers. docs/shrimp.md has an example,
 * and says how many instructions each one takes. "Paper" means Blumrich et al.,
 * Virtual Memory Mapped Network Interface for the SHRIMP Multicomputer, ISCA 1994.
 *
 * A message goes from a send buffer to the receive buffer to which it is mapped. Each
 * has a word nbytes, and the two are mapped to each other for single-write: 0 while
 * the buffer is empty, and the bytes of the message while it is full. The sender
 * stores data, then nbytes; updates stay in order. Data that are mapped for
 * deliberate update are sent first, by shrimp_send() and shrimp_wait_sent().
 *
 * All that waits looks once, which is what the counted instructions do. If the other
 * end is not ready it calls shrimp_wait(), which needs no processor for long.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHRIMP_BUFFERS_H
#define SHRIMP_BUFFERS_H

#include "shrimp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHRIMP_BUFFER_BYTES     4088    /* most data of a message */

/* A buffer, a page: data in whatever mode, and behind them nbytes. */
struct shrimp_buffer {
    volatile uint32_t data[SHRIMP_BUFFER_BYTES / 4];
    volatile uint32_t nbytes;
    uint32_t unused;
} __attribute__((aligned(4096)));

/*
 * How `count` send buffers are connected with as many receive buffers, under a number
 * that both ends name. The receiver exports its buffers by shrimp_offer(). Then, in
 * any order, the sender calls shrimp_connect_send() with the receiver's node and a
 * mode for the data, and the receiver calls shrimp_connect_receive() with the sender's
 * node. Each waits for what the other one has to export; a process that is both
 * offers, then connects as a sender, then as a receiver. Before that, all nbytes are 0.
 *
 *   buffers  `count` of them, each a page
 *   node     the other end's
 *   number   below SHRIMP_SENDS, the same at both ends
 *   mode     SHRIMP_SINGLE, SHRIMP_BLOCKED or SHRIMP_DELIBERATE, for the data
 *
 * They return 0 or more, or below 0 -errno. Errors: those of shrimp_export() and
 * shrimp_map(); what has been mapped stays.
 *
 * The receive buffers are exported as `number`, the send buffers as number +
 * SHRIMP_SENDS.
 */
#define SHRIMP_SENDS            0x80000000

int32_t shrimp_offer(struct shrimp_buffer *buffers, uint32_t count, uint32_t number);
int32_t shrimp_connect_send(struct shrimp_buffer *buffers, uint32_t count,
                            uint32_t node, uint32_t number, uint32_t mode);
int32_t shrimp_connect_receive(struct shrimp_buffer *buffers, uint32_t count,
                               uint32_t node, uint32_t number);

/* ---- Single buffering (paper, figure 5) ----------------------------------- */

/*
 * Sender: waits until the buffer of *nbytes is empty. Then the program stores its
 * message. Errors: those of shrimp_wait().
 */
static inline void shrimp_single_begin(const volatile uint32_t *nbytes)
{
    uint32_t now;

    asm volatile goto ("ld      %1, %0\n\t"
                       "tst     %0\n\t"
                       "bne,a   %l2\n\t"
                       " nop"
                       : "=r" (now) : "m" (*nbytes) : "cc", "memory" : full);
    return;
full:
    shrimp_wait(nbytes, 0);
}

/*
 * Sender: the message of so many `bytes`, 1 to SHRIMP_BUFFER_BYTES, is complete:
 * stores them in *nbytes. Errors: 0 bytes are no message; nothing is checked.
 */
static inline void shrimp_single_send(volatile uint32_t *nbytes, uint32_t bytes)
{
    asm volatile ("" : : : "memory");
    *nbytes = bytes;
}

/*
 * Receiver: waits for a message in the buffer of *nbytes. Returns its bytes. Errors:
 * those of shrimp_wait().
 */
static inline uint32_t shrimp_single_receive(const volatile uint32_t *nbytes)
{
    uint32_t now;

    asm volatile goto ("ld      %1, %0\n\t"
                       "tst     %0\n\t"
                       "be,a    %l2\n\t"
                       " nop"
                       : "=r" (now) : "m" (*nbytes) : "cc", "memory" : empty);
    return now;
empty:
    return shrimp_wait_change(nbytes, 0);
}

/*
 * Receiver: the message has been consumed; the buffer is empty: *nbytes becomes 0.
 * Errors: none.
 */
static inline void shrimp_single_end(volatile uint32_t *nbytes)
{
    asm volatile ("" : : : "memory");
    *nbytes = 0;
}

/*
 * Copies words `from` an address `to` another one: so many `bytes`, 1 or more, rounded
 * up. Both addresses are multiples of 4. Errors: other addresses end the job; of 0
 * bytes it copies 4 GiB, and so ends the job.
 */
static inline void shrimp_copy(void *to, const volatile void *from, uint32_t bytes)
{
    uint32_t left = (bytes + 3) & ~3u, word;

    asm volatile ("1:\n\t"
                  "subcc   %0, 4, %0\n\t"
                  "ld      [%3 + %0], %1\n\t"
                  "bne     1b\n\t"
                  " st     %1, [%2 + %0]"
                  : "+&r" (left), "=&r" (word) : "r" (to), "r" (from)
                  : "cc", "memory");
}

/*
 * Receiver, single buffering with copy, all of it: waits for a message in the buffer of
 * *nbytes, copies it from its `data` to `to`, rounded up to words, and lets the sender
 * send the next one. Returns its bytes. Errors: those of shrimp_wait() and
 * shrimp_copy(): `to` has room for SHRIMP_BUFFER_BYTES.
 */
static inline uint32_t shrimp_single_receive_copy(volatile uint32_t *nbytes, void *to,
                                                  const volatile void *data)
{
    uint32_t bytes = shrimp_single_receive(nbytes);

    shrimp_copy(to, data, bytes);
    shrimp_single_end(nbytes);
    return bytes;
}

/* ---- Double buffering (paper, figure 6) ----------------------------------- */

/*
 * Two buffers, one for odd iterations and one for even ones. SHRIMP_PAIR(one, other),
 * their addresses, is `pair`, computed before the loop. shrimp_double_swap() changes
 * `buffer`, a pointer to one of the two, to the other one. Errors: none.
 */
#define SHRIMP_PAIR(one, other) ((uintptr_t)(one) ^ (uintptr_t)(other))
#define shrimp_double_swap(buffer, pair) \
    ((buffer) = (__typeof__(buffer))((uintptr_t)(buffer) ^ (pair)))

/*
 * Case 1: an iteration uses what the one before it has sent, and a barrier is between
 * them. Both ends swap their `buffer` of a `pair`; nothing else has to be done. Errors:
 * none.
 */
#define shrimp_double1_next(buffer, pair) shrimp_double_swap(buffer, pair)

/*
 * Case 2: a receiver uses what is sent in the same iteration, so it waits for it. The
 * barrier between iterations lets the sender use a buffer again.
 * shrimp_double2_send() sends `bytes`, 1 to SHRIMP_BUFFER_BYTES, in its `buffer`,
 * shrimp_double2_receive(buffer) -> uint32_t waits for them and returns how many they
 * are, and shrimp_double2_end() empties the buffer. Both ends swap theirs in a `pair`.
 * Errors: those of shrimp_wait().
 */
#define shrimp_double2_send(buffer, pair, bytes) do { \
        shrimp_single_send(&(buffer)->nbytes, (bytes)); \
        shrimp_double_swap(buffer, pair); \
    } while (0)
#define shrimp_double2_receive(buffer) shrimp_single_receive(&(buffer)->nbytes)
#define shrimp_double2_end(buffer, pair) do { \
        shrimp_single_end(&(buffer)->nbytes); \
        shrimp_double_swap(buffer, pair); \
    } while (0)

/*
 * Case 3: messages are all that orders iterations, so the sender waits, too, until a
 * buffer has been consumed that it uses again, by shrimp_double3_begin(buffer). The
 * others, with `pair` and `bytes`, are those of case 2. Errors: those of shrimp_wait().
 */
#define shrimp_double3_begin(buffer) shrimp_single_begin(&(buffer)->nbytes)
#define shrimp_double3_send(buffer, pair, bytes) \
    shrimp_double2_send(buffer, pair, bytes)
#define shrimp_double3_receive(buffer) shrimp_double2_receive(buffer)
#define shrimp_double3_end(buffer, pair) shrimp_double2_end(buffer, pair)

#ifdef __cplusplus
}
#endif

#endif /* SHRIMP_BUFFERS_H */
