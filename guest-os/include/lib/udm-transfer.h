/*
 * Transfers: memory of any length and alignment, from one node to another.
 *
 * A transfer is cut into messages with bodies, which the receiver's handlers
 * store where they belong. Like all messages from one node to another, they
 * stay in order. So the receiver has all bytes of a transfer when it handles a
 * message that the sender has sent after the transfer. docs/udm.md is the
 * reference.
 *
 *     #include <stdio.h>
 *     #include <string.h>
 *     #include "udm.h"
 *     #include "udm-transfer.h"
 *
 *     static char text[1000];                 // at the same address on both nodes
 *     static volatile bool done;
 *
 *     static void on_done(void)               // comes after all bytes
 *     {
 *         udm_dispose();
 *         done = true;
 *     }
 *
 *     int main(void)
 *     {
 *         if (udm_node() == 0) {
 *             memset(text, 'x', sizeof(text) - 1);
 *             udm_transfer(1, text, text, sizeof(text));
 *             udm_inject(1, on_done);
 *         } else {
 *             while (!done) {
 *                 // the handler will set it
 *             }
 *             printf("%u bytes\n", (unsigned)strlen(text));
 *         }
 *         return 0;
 *     }
 *
 * On two nodes it prints "999 bytes".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_TRANSFER_H
#define UDM_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "udm-work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transfer of at most this many bytes is one message without a body. */
#define UDM_TRANSFER_WORDS_MAX 48

/*
 * Copies `bytes` bytes at `from` to the address `to` of the same job's process
 * on `node`, which may be this node. Returns when all messages have been
 * launched: the memory at `from` may change then. Sends nothing if `bytes` is
 * 0.
 *
 * For threads only, because it waits: a node has one body in the network at a
 * time, some 4,700 cycles for each 4096 bytes. A call in a handler ends the
 * job. In an atomic section the call holds up the network, and the kernel
 * revokes the section if it has to.
 *
 * If `from` and `to` have the same two low bits, the network interface reads
 * all bytes where they are, except up to 3 at each end. Otherwise the processor
 * copies each body first, some 13 cycles a word, to a buffer on the caller's
 * stack (4096 bytes). The receiver copies nothing in either case.
 *
 *   node   0 to udm_nodes() - 1
 *   to     an address in that node's process; of any alignment
 *   from   an address in this process; of any alignment
 *   bytes  any number
 *
 * Errors: ends the job (118) in a handler. Ends it with protection-violation if the
 * node does not exist, and with a memory fault if this process cannot read `from`, or
 * that one cannot write `to`.
 */
void udm_transfer(uint32_t node, void *to, const void *from, size_t bytes);

/*
 * A transfer that the thread of deferred work (udm-work.h) does. The program
 * supplies the memory and fills in all members but `work`, which is zero at
 * first.
 */
struct udm_transfer {
    struct udm_work work;
    uint32_t node;
    void *to;
    const void *from;
    size_t bytes;
    void (*sent)(struct udm_transfer *transfer);        /* or NULL */
};

/*
 * Begins a transfer, from handlers too. When udm_transfer() has returned for
 * it, the thread of deferred work calls sent(): there a program sends the
 * message that has to come after the bytes. From that call on, the structure is
 * the program's again. Returns false, and changes nothing, if the `transfer` has
 * begun and has not been sent; otherwise true.
 *
 * Errors: those of udm_defer(), and later those of udm_transfer().
 */
bool udm_transfer_later(struct udm_transfer *transfer);

#ifdef __cplusplus
}
#endif

#endif /* UDM_TRANSFER_H */
