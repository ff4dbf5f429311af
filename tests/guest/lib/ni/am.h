/*
 * Active messages in kernel mode: the second word of a message is a handler's
 * address, which is the same on all nodes since they run the same image.
 *
 * Handlers do not send, and never wait: a barrier or another send of the
 * interrupted code may be half described.
 */
#ifndef GUEST_AM_H
#define GUEST_AM_H

#include <stdbool.h>
#include <stdint.h>

#include "ni.h"

#define AM_ARGS (FUGU_MSG_WORDS - 2)    /* arguments of the longest message */

/* Reads its message with ni_in() and so on; the caller disposes of it. */
typedef void am_handler(void);

/* Argument k of the message at hand. */
static inline uint32_t am_arg(unsigned k)
{
    return ni_in(2 + k);
}

static inline uint32_t am_source(void)
{
    return header_node(ni_in(0));
}

/* Makes message-available interrupts run the handlers. */
void am_init(void);

/* Runs the handler of the message at hand, if there is one. */
bool am_poll(void);

/* How many messages have been taken by interrupt. */
uint32_t am_interrupts(void);

/* Lets messages come until *flag is at least this much: by polling, if the
 * caller masks their interrupt, else by interrupt. Between them it waits. */
void am_wait(volatile uint32_t *flag, uint32_t value);

/*
 * Sends a message with so many arguments. Polls while the network has no
 * space for it: two nodes that flood each other go on. With polling false
 * the store waits instead, and interrupts are taken meanwhile.
 */
void am_send(uint32_t node, am_handler *handler, unsigned args,
             const uint32_t *arg, bool polling);

/* Returns when all nodes have called it, as often as this one. */
void barrier(void);

#endif
