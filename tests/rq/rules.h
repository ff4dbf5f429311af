/*
 * What the files of rq-rules share. README.md lists the rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RQ_RULES_H
#define RQ_RULES_H

#include "check.h"
#include "rq.h"
#include "udm-collective.h"

enum { PLAIN = 1, OTHER, INTERRUPT, SECOND_INTERRUPT, MANY = 100 };

extern bool by_ni, by_fetch;            /* the back end; neither: by memory */
extern uint32_t next_node, previous;
extern volatile uint32_t handled, wrong;

/* The first word of each item. */
#define HEAD 1234567

/* Polls until an item waits, but not for ever. */
#define AWAIT(queue) \
    for (uint64_t start = udm_cycles(); \
         udm_cycles() - start < 20000000 && !rq_read_queue(queue);) { \
    }

/* Waits until what all nodes have sent by now must have arrived. */
void settle_all(void);

/* A handler of RQ_NI: counts messages in `handled`, and those that are not in
 * order in `wrong`. */
void counting(void);

/* Cases. All nodes call them. */
void words(void);
void order(void);
void shorter(void);
void reads(void);
void bodies(void);
void committed(void);
void queues(void);
void counts(void);
void polling(void);
void system_messages(void);
void inlined(void);
void active(void);
void interrupts(void);
void independent(void);
void forgets(void);
void drains(void);
void memory(void);
void blocks(void);
void full(void);

#endif /* RQ_RULES_H */
