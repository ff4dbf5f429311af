/*
 * The time that commands of other tasks take from this node's programs.
 *
 * Commands are done when they arrive. Requesters that send as fast as the node
 * can do them would leave its programs no time at all (receive livelock: Mogul
 * and Ramakrishnan, ACM TOCS 15(3), 1997). So each reply says for how long the
 * requester's kernel has to let its task wait before it requests something of
 * this node again. It is the time that packets owe to programs: as much as they
 * have taken, or half of it if only one job is on the node, which has let others
 * reach its memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_LOAD_H
#define GLAZE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Counts the cycles from one time to another, which went to a packet, and those
 * of its way into the kernel and back, as time that programs have lost. It also
 * counts while no program runs: the scheduler gets no time either while packets
 * come.
 */
void load_add(uint64_t from, uint64_t to, uint32_t way);

/*
 * About as many cycles as the slow path into the kernel and back takes, for a
 * packet of which load_left_at says nothing: a trap for another one led to it.
 */
#define LOAD_SLOW_PATH  1200

/*
 * When the fast path has left the packet at the head of the network to C, which
 * takes this time and sets 0.
 */
extern uint64_t load_left_at;

/*
 * The same for a packet that has taken the slow path: C had it from `from` on.
 * The way back into the program takes about as long as the way from `left_at`
 * to there. No estimate would do: with a small cache the ways take several
 * times as long, and a node whose programs are owed too little stops.
 */
void load_add_long(uint64_t left_at, uint64_t from, uint64_t to);

/*
 * The cycles that packets have taken so far, rounded up by a way for each packet. It
 * wraps. What is left of a time is what programs have had of it at least.
 */
extern uint32_t load_taken;

/* Requesters may have to wait: load_wait() finds out how long. */
extern bool load_high;
uint32_t load_wait(void);

/* Returns for how many cycles a requester has to wait; mostly 0. */
static inline uint32_t load_delay(void)
{
    return load_high ? load_wait() : 0;
}

#endif /* GLAZE_LOAD_H */
