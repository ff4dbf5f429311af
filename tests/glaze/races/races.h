/*
 * What the cases of races.c share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RACES_H
#define RACES_H

#include "glaze-calls.h"
#include "udm-thread.h"

/*
 * A case. In each round, something happens on node 0. Meanwhile either handlers
 * of messages from node 1 run, or node 1 acts itself.
 */
struct race {
    const char *name;           /* NULL ends a list */
    void (*happens)(void);      /* on node 0 */
    void (*comes)(void);        /* the handler of the messages; it calls
                                   note_launch() and adds 1 to `handled` */
    uint32_t messages;          /* of a round */
    void (*acts)(void);         /* in place of these: node 1's part */
    bool meets;                 /* neither part may end before both began */
    void (*opens)(void);        /* on both nodes, before the first round */
};

extern const struct race kernel_races[], library_races[];
extern const struct race *race;

extern volatile uint32_t done;      /* 0 at the start of each round */
extern volatile uint32_t handled;   /* messages of all rounds */
extern volatile uint32_t wrong;     /* what is as it must not be, in all rounds */
extern udm_thread_t *volatile sleeper;      /* the thread of main() */

/* Takes `cycles` and a constant (delay.S). */
void delay(uint32_t cycles);

/* Notes when a message was sent: its first argument. */
void note_launch(uint32_t at);

#endif /* RACES_H */
