/* Straight code of some 60,000 cycles, and what it does at its end. */
#ifndef AHEAD_H
#define AHEAD_H

#include <stdint.h>

/* A look at the receive record: whether a message is there, and when. */
struct look {
    uint32_t available, time;
};

/* Sends a message of three words, the last one the time of its launch, which
 * is also the result. */
uint32_t ahead_send(uint32_t header, uint32_t handler);

void ahead_look(struct look *look);
/* The same after 200 cycles. */
void ahead_look_soon(struct look *look);

/* Disposes of a message. Returns when. */
uint32_t ahead_dispose(void);

/* Stores `value` to a device's register. */
void ahead_stop(uint32_t value, uint32_t address);

/* The same, but not in a delay slot. */
void ahead_store(uint32_t value, uint32_t address);

/* Waits at the end until an interrupt is pending. */
void ahead_wait(void);

#endif
