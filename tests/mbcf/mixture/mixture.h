/*
 * What the files of mbcf-mixture share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_MIXTURE_H
#define MBCF_MIXTURE_H

#include "mbcf.h"

#define NODES           4       /* at most */
#define STREAMS         (NODES + 1)     /* FIFOs of a node: one for each source alone,
                                           and one for all */
#define SIGNALS         (NODES + 1)     /* signals of a node, in the same way */
#define PACKET          6       /* commands of a combined packet, at most */
#define TOPICS          5       /* lanes to each node: memory, FIFOs, signals, bursts,
                                   multicasts */
#define VISIT_WORDS     3

/* Commands that are under way, and what becomes of them. */
struct lane {
    struct mbcf_request request[PACKET];
    volatile uint32_t status[PACKET];
    uint32_t count;             /* of commands; 0: none is under way */
    bool ordered;               /* in packets of their own, done in their order */
    void (*ended)(struct lane *);
    uint32_t bytes;             /* that come back to got + shift, as want[] says */
    uint32_t shift;
    uint32_t k, number;         /* which stream, signal or guest */
    uint8_t from[MBCF_BYTES_MAX + 64] __attribute__((aligned(8)));
    uint8_t got[MBCF_BYTES_MAX + 64] __attribute__((aligned(8)));
    uint8_t want[MBCF_BYTES_MAX + 64] __attribute__((aligned(8)));
};

/* What a guest says in its first message, and gets as an answer. */
struct hello {
    uint32_t magic, guest;
    uint64_t key;
};
struct invitation {
    uint64_t key;               /* of the host's agent */
    uint32_t task;
    uint32_t valid;
};
#define MAGIC   0x68656c6c

/* An entry that a guest sends. The last one before its end has `leaves`. */
struct visit {
    uint32_t guest, number, leaves, signals;
};

/* ---- host.c --------------------------------------------------------------- */

extern uint32_t seed, me, nodes;
extern uint32_t random_state;
extern struct lane lanes[NODES][TOPICS];

/* Returns a random number below another one. */
uint32_t pick(uint32_t below);

/* Ends the job with a line that names node and operation. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Sends the commands of a lane, and does not wait. */
void launch(struct lane *lane);

/* Waits for a lane, serves others meanwhile, and sends again what was refused for now. */
void finish(struct lane *lane);

/* Waits for what is under way in a lane, and clears it for one command. Returns the lane. */
struct lane *empty(struct lane *lane);

/* Sends a command that is sent again by itself. Returns false if none can be kept. For
 * handlers too. `data` are up to MBCF_INLINE_MAX bytes. */
bool send_later(struct mbcf_request request, const void *data);

/* Does some of what others wait for. */
void serve(void);

/* ---- memory.c ------------------------------------------------------------- */

/* Fill in a lane's commands on another node's memory, and of multicasts from a root. */
void use_memory(struct lane *lane, uint32_t node);
void send_cast(struct lane *lane, uint32_t root);

void casts_set_up(void);

/* Read all of it, and compare. After everything has settled. */
void check_memory(void);
void check_casts(void);

/* ---- structures.c ----------------------------------------------------------- */

extern uint32_t entries, invocations;   /* that have come here, of bursts too */

void structures_set_up(void);
mbcf_program on_scheduler;      /* that of mbcf_scheduler() */
void send_entry(struct lane *lane, uint32_t node);
void send_signal(struct lane *lane, uint32_t node);
void take_entries(void);        /* some, that have come */
bool structures_settled(const uint32_t *expected);      /* STREAMS + SIGNALS counts */
uint32_t structures_sent(uint32_t node, uint32_t k);

/* ---- bursts.c --------------------------------------------------------------- */

void send_burst(struct lane *lane, uint32_t node);
/* Does `work` again and again, for some ten thousand cycles. */
void stay_in_a_section(void (*work)(void));
bool bursts_settled(uint32_t expected);
uint32_t bursts_sent(uint32_t node);

/* ---- guest.c ------------------------------------------------------------------ */

extern uint32_t guests_left;    /* that have to come and to leave */

int guest(uint32_t index, uint32_t operations);

void guests_set_up(uint32_t jobs);
void take_guests(void);
void use_guest(struct lane *lane);
bool guests_settled(void);      /* after all have left */

#endif /* MBCF_MIXTURE_H */
