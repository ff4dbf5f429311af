/*
 * udmstress: a random program that uses all parts of UDM at once, and checks
 * what it receives.
 *
 * Messages belong to streams: one for each pair of nodes and each kind of
 * sender (enum stream), since only such messages stay in the order of their
 * numbers. A message is a function of its stream and of its number there, so
 * the receiver knows every word of the next message that must come.
 *
 * The seed determines which messages each node sends: this is the plan. What a
 * node does between its messages is also random, but no part of the plan.
 * test_udmstress.py computes the same plan in Python (stress_model.py).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-calls.h"
#include "udm.h"
#include "udm-thread.h"

#define NODES_MAX       16

enum stream {
    STREAM_OPEN,                /* from main(), outside of atomic sections */
    STREAM_ATOMIC,              /* from any code in an atomic section */
    STREAM_WORKERS,             /* one for each worker */
    STREAMS = STREAM_WORKERS + 2,
};

#define WORKERS         (STREAMS - STREAM_WORKERS)
#define KINDS           16      /* of handlers */

/* ---- Numbers ------------------------------------------------------------- */

static inline uint32_t next_random(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

/* Returns the start value of a random stream, never 0, from three numbers. */
uint32_t random_start(uint32_t a, uint32_t b, uint32_t c);

/* Sets up everything that messages need, unless that was done before.
 * main() and each handler call begin() first. */
void begin(void);

/* Returns a random number below `below`, a power of two, for what is no
 * part of the plan. */
uint32_t chance(uint32_t below);

/* ---- What a message is (message.c) --------------------------------------- */

struct message {
    uint32_t value;             /* all other fields follow from it */
    unsigned args, kind;
    bool request;               /* the receiver sends one message back */
    bool body;                  /* has a body, perhaps of length 0 */
    bool pieces;                /* its body is sent in two pieces */
    uint32_t body_bytes;
};

#define ARG_STEP        0x9e3779b9u     /* from one argument to the next */
#define BODY_STEP       0x85ebca6bu     /* from one body word to the next */

struct message message_of(uint32_t value);

void streams_init(uint32_t seed);

/* Sends the next message of a stream. The caller must be the stream's
 * sender. */
void message_send(uint32_t node, enum stream stream);

/*
 * Receives a message and disposes of it. The message must be the next one of
 * this stream, with a handler of this kind. Returns true if `*source` wants
 * one message back. The caller must be in an atomic section.
 */
bool message_receive(enum stream stream, unsigned kind, uint32_t *source);

udm_handler_t handler_of(enum stream stream, unsigned kind);

struct counts {
    uint32_t received;
    uint32_t out[NODES_MAX][STREAMS];   /* sent, by destination */
    uint32_t in[NODES_MAX][STREAMS];    /* received, by source */
    uint32_t sum[NODES_MAX][STREAMS];   /* checksum of what was received */
    uint32_t bodies;
};

extern struct counts counts;
uint32_t counts_sent(void);
extern bool with_bodies;

/* ---- Atomic sections (section.c) ----------------------------------------- */

/* Open and close a section outside of handlers, and check that no other
 * section is open. */
void section_open(void);
void section_close(void);

/* An empty section of a library, where atomicity is soft. */
void section_quick(void);

/* Calls `wait`, which waits for other threads. The other threads run while the
 * caller's section, if there is one, stays open. */
void section_suspend(void (*wait)(void));

/* Extracts up to `most` messages in an open section. Returns how many. */
unsigned section_poll(unsigned most);

/*
 * A handler calls these where it begins, extracts further messages, and ends.
 * handler_enter() returns true if the handler was called by polling code, so
 * that it belongs to that code's section.
 */
bool handler_enter(void);
void handler_poll(unsigned most, uint32_t wait);
void handler_leave(bool polled);

/* Counts an end of buffered mode that a handler caused. main() must call it
 * often. */
void exits_note(void);

/* Replacements for udm_dispose() and udm_endatom() that count how buffered
 * mode ends. */
void dispose(void);
void endatom(void);

struct exits {
    uint32_t dispose, endatom, handler;
};

extern struct exits exits;

/* ---- Actions between messages (action.c) --------------------------------- */

void spin(uint32_t loops);
void do_something(void);                /* main() and workers only */
void do_recursion(void);
void do_registers(void);
void do_dispose(void);  /* udm_dispose(), with a check of the registers */
void do_float(void);                    /* handlers too */
void do_float_registers(void);
void do_memory(void);
void do_fresh_page(void);
void do_mutex(void);
void do_yields(void);

/* Maps and returns a page that has not been touched: it must read as zero. */
uint32_t *fresh_page(void);

extern bool workers_running;
extern uint32_t long_time;      /* loops that take longer than the timeout */

/* Defined in code.S. Each returns 0 if no register has changed. */
uint32_t check_windows(uint32_t depth, uint32_t seed, uint32_t loops);
uint32_t check_registers(uint32_t seed, uint32_t a, uint32_t b, uint32_t icc);
uint32_t check_dispose(uint32_t seed, uint32_t a, uint32_t b, uint32_t icc);
uint32_t check_float(const uint64_t *in, uint64_t *out, uint32_t loops,
                     uint32_t fsr);

/* ---- Threads (worker.c) -------------------------------------------------- */

void workers_start(uint32_t seed, uint32_t messages);
void workers_wake(void);
void workers_join(void);

/* ---- The end (end.c) ----------------------------------------------------- */

/* Returns when all nodes have received all that was sent to them. */
void end_wait(void);

/* progress() notes that the main thread has made progress. progress_check()
 * fails if there was none for a long time. */
void progress(void);
void progress_check(void);

/* ---- Failure ------------------------------------------------------------- */

/* Ends the job with a text, formatted as by printf(). */
void fail(const char *format, ...)
    __attribute__((noreturn, format (printf, 1, 2)));

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fail("%s:%d: %s is not so", __func__, __LINE__, #condition); \
        } \
    } while (0)

#endif /* STRESS_H */
