/*
 * Messages of several lengths, and null handlers that read all their words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANTS_H
#define VARIANTS_H

#include "udm.h"

/* Numbers of arguments of the messages that are measured. */
#define VARIANTS(X) X(0) X(1) X(2) X(6) X(14)

struct variant {
    unsigned arguments;
    void (*send)(uint32_t node, udm_handler_t handler, uint32_t word);
    udm_handler_t handler;
};

/* Returns the variant whose number of arguments is `text`, or NULL. */
const struct variant *variant_of(const char *text);

/* Defined in direct_code.S. */
void watch(uint32_t *gaps, uint32_t count, uint32_t usual);
uint32_t poll_null(udm_handler_t handler);
void section(void);
void library(void);

/* ---- One node sends, one receives ---------------------------------------- */

#define SENDER          0
#define RECEIVER        1
#define MESSAGES_MAX    256

/* Cycles that each message took. The launcher reads them at the end of the
 * run. */
extern uint32_t gaps[MESSAGES_MAX];

/*
 * Tells the sender to begin, and measures how long each of `count` messages
 * interrupts this node. If `described`, a message is half described meanwhile.
 */
void watch_messages(unsigned count, bool described);

/* Returns a number of messages from 1 to MESSAGES_MAX, or 0 if `text` is
 * not one. */
unsigned messages_of(const char *text);

/* say_ready() tells the sender that the receiver is ready. wait_ready()
 * waits until the receiver has said so more than `times` times. */
void say_ready(void);
void wait_ready(unsigned times);

/* Lets this many cycles pass: so that a message has arrived, or been
 * handled. */
void let_pass(uint32_t cycles);
#define ARRIVAL         1000
#define HANDLING        20000   /* an insertion may take half of this */

#endif /* VARIANTS_H */
