/*
 * The report of `ring`: what the nodes have counted, gathered at node 0.
 */
#ifndef RING_REPORT_H
#define RING_REPORT_H

#include <stdint.h>

/* Sent as the arguments of one message, word for word. */
struct ring_row {
    uint32_t messages;          /* received in both exchanges */
    uint32_t interrupts;        /* of these, taken by interrupt */
    uint32_t words;             /* in these */
    uint32_t cycles;            /* from the start to the last one's arrival */
    uint32_t latency_sum;       /* from before its description to its handler */
    uint32_t latency_max;
    uint32_t checks, failures;  /* of what arrived, word by word */
};

void ring_heading(uint32_t nodes, uint32_t seed);
void ring_token_line(uint32_t laps, uint32_t nodes, uint32_t cycles);

/* All nodes call it; node 0 prints, when all rows have come. At most
 * `shown` of them are printed one by one. */
void ring_report(const struct ring_row *own, uint32_t shown);

#endif
