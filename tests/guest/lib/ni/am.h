/*
 * Active messages in kernel mode. The second word of a message is the address
 * of its handler. All nodes run the same image, so a handler has the same
 * address on every node.
 *
 * A handler must not send and must not wait: the code that it interrupts, such
 * as barrier(), may have half described a message.
 */
#ifndef GUEST_AM_H
#define GUEST_AM_H

#include <stdbool.h>
#include <stdint.h>

#include "ni.h"

#define AM_ARGS (FUGU_MSG_WORDS - 2)    /* arguments in the longest message */

/* A handler reads its message with am_arg() and ni_in(). am_poll() disposes
 * of the message after the handler returns. */
typedef void am_handler(void);

/* Argument k of the current message. */
static inline uint32_t am_arg(unsigned k)
{
    return ni_in(2 + k);
}

static inline uint32_t am_source(void)
{
    return header_node(ni_in(0));
}

/* Installs the interrupt handler for message-available, which calls
 * am_poll(). */
void am_init(void);

/* If there is a message: runs its handler, disposes of it and returns true. */
bool am_poll(void);

/* Returns how many messages the interrupt handler has taken. */
uint32_t am_interrupts(void);

/* Waits until *flag is at least `value`, and handles messages meanwhile: by
 * polling if the caller has masked their interrupt, by interrupt if not. */
void am_wait(volatile uint32_t *flag, uint32_t value);

/*
 * Sends a message with `args` arguments. With `polling` true, am_send()
 * handles incoming messages while the network has no space, so that two nodes
 * that flood each other make progress. With `polling` false, the store to the
 * window waits for space, and interrupts are taken meanwhile.
 */
void am_send(uint32_t node, am_handler *handler, unsigned args,
             const uint32_t *arg, bool polling);

/* Returns when every node has called barrier() as often as this node has. */
void barrier(void);

#endif
