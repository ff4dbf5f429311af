/*
 * Messages of several lengths, and null handlers that read all of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANTS_H
#define VARIANTS_H

#include "udm.h"

/* Arguments of the messages that are measured. */
#define VARIANTS(X) X(0) X(1) X(2) X(6) X(14)

struct variant {
    unsigned arguments;
    void (*send)(uint32_t node, udm_handler_t handler, uint32_t word);
    udm_handler_t handler;
};

/* The one with so many arguments, which the command line says; else NULL. */
const struct variant *variant_of(const char *text);

/* direct_code.S */
void watch(uint32_t *gaps, uint32_t count, uint32_t usual);
uint32_t poll_null(udm_handler_t handler);
void section(void);

/* ---- One node sends, one receives ----------------------------------------- */

#define SENDER          0
#define RECEIVER        1
#define MESSAGES_MAX    256

/* Cycles that each message took; who measures reads it when the run ends. */
extern uint32_t gaps[MESSAGES_MAX];

/* Tells the sender to begin, and notes what each of its messages takes, which
 * interrupt this node. `described`: they find a message half described. */
void watch_messages(unsigned count, bool described);

/* A number of messages, 1 to MESSAGES_MAX; else 0. */
unsigned messages_of(const char *text);

/* The receiver says once more that it is ready; the sender waits until it has
 * said so more than `times`. */
void say_ready(void);
void wait_ready(unsigned times);

/* Lets so many cycles pass: until a message has come, has been handled. */
void let_pass(uint32_t cycles);
#define ARRIVAL         1000
#define HANDLING        20000   /* an insertion may take half of it */

#endif /* VARIANTS_H */
