/*
 * The report of `ring`: node 0 gathers what all nodes have counted.
 */
#ifndef RING_REPORT_H
#define RING_REPORT_H

#include <stdint.h>

/* Counts of a node: sent as the arguments of one message, word by word. */
struct ring_row {
    uint32_t messages;          /* received, in both exchanges */
    uint32_t interrupts;        /* of these messages, taken by interrupt */
    uint32_t words;             /* words in these messages */
    uint32_t cycles;            /* from the start to the last arrival */
    /* The time from before a message is described to the start of its
     * handler. */
    uint32_t latency_sum;
    uint32_t latency_max;
    uint32_t checks, failures;  /* comparisons of arrived words */
};

void ring_heading(uint32_t nodes, uint32_t seed);
void ring_token_line(uint32_t laps, uint32_t nodes, uint32_t cycles);

/* All nodes call it. Node 0 prints when all rows have arrived, and shows
 * the first `shown` rows one by one. */
void ring_report(const struct ring_row *own, uint32_t shown);

#endif
