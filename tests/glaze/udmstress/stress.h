/*
 * A random program that uses all of UDM at once, and checks what it gets.
 *
 * Messages belong to streams: one for each pair of nodes and each kind of
 * sender (below), since only those stay in the order in which they were
 * numbered. A message is a function of its stream and of its place in it, so
 * the receiver knows every word of the one that must come next. Which
 * messages there are at all is a function of the seed, but for what a node
 * does in between: that is as random, and no part of the plan.
 * test_udmstress.py works out the same plan in Python.
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
    STREAM_OPEN,                /* main(), outside of atomic sections */
    STREAM_ATOMIC,              /* anybody in an atomic section */
    STREAM_WORKERS,             /* each worker has its own */
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

/* A start that is never 0, from three numbers and the seed. */
uint32_t random_start(uint32_t a, uint32_t b, uint32_t c);

/* Everything is ready for messages behind this. */
void begin(void);

/* For what is no part of the plan: 0 to below - 1, a power of two. */
uint32_t chance(uint32_t below);

/* ---- What a message is (message.c) --------------------------------------- */

struct message {
    uint32_t value;             /* all else follows from it */
    unsigned args, kind;
    bool request;               /* of one message back */
    bool body;                  /* it has one, perhaps of length 0 */
    bool pieces;                /* it is sent in two */
    uint32_t body_bytes;
};

#define ARG_STEP        0x9e3779b9u     /* from one argument to the next */
#define BODY_STEP       0x85ebca6bu     /* from one word of a body on */

struct message message_of(uint32_t value);

void streams_init(uint32_t seed);

/* Sends the next message of a stream; the caller is who may send there. */
void message_send(uint32_t node, enum stream stream);

/*
 * Reads the message that is there, in an atomic section, and disposes of it:
 * it must be the next one of this stream, with a handler of this kind.
 * True: one message back is wanted by `*source`.
 */
bool message_receive(enum stream stream, unsigned kind, uint32_t *source);

udm_handler_t handler_of(enum stream stream, unsigned kind);

struct counts {
    uint32_t received;
    uint32_t out[NODES_MAX][STREAMS];   /* sent, by destination */
    uint32_t in[NODES_MAX][STREAMS];    /* received, by source */
    uint32_t sum[NODES_MAX][STREAMS];   /* of what was received */
    uint32_t bodies;
};

extern struct counts counts;
uint32_t counts_sent(void);
extern bool with_bodies;

/* ---- Atomic sections (section.c) ----------------------------------------- */

/* Outside of handlers. They check that nobody else is in one. */
void section_open(void);
void section_close(void);

/* Calls what waits for other threads, which run while our section, if there
 * is one, stays open. */
void section_suspend(void (*wait)(void));

/* Extracts up to so many messages, in an open section. */
unsigned section_poll(unsigned most);

/* A handler begins, and leaves its atomic section. polled: it is part of a
 * section. */
bool handler_enter(void);
void handler_poll(unsigned most, uint32_t wait);
void handler_leave(bool polled);

/* Notes how buffered mode is left: to be called often by main(). */
void exits_note(void);

/* In place of udm_dispose() and udm_endatom(). */
void dispose(void);
void endatom(void);

struct exits {
    uint32_t dispose, endatom, handler;
};

extern struct exits exits;

/* ---- What to do meanwhile (action.c) ------------------------------------- */

void spin(uint32_t loops);
void do_something(void);                /* main() and workers */
void do_recursion(void);
void do_registers(void);
void do_dispose(void);          /* udm_dispose(), which keeps them too */
void do_float(void);                    /* handlers too */
void do_float_registers(void);
void do_memory(void);
void do_fresh_page(void);
void do_mutex(void);
void do_yields(void);

/* A page that has not been touched; page_check() that it is zero. */
uint32_t *fresh_page(void);

extern bool workers_running;
extern uint32_t long_time;              /* loops beyond the timeout */

/* code.S; 0: nothing has changed */
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

/* Returns when all nodes have got all that was sent to them. */
void end_wait(void);

/* The main thread has seen something happen; else it gives up after a while. */
void progress(void);
void progress_check(void);

/* ---- Failure ------------------------------------------------------------- */

/* Ends the job with a text as printf has it. */
void fail(const char *format, ...)
    __attribute__((noreturn, format (printf, 1, 2)));

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fail("%s:%d: %s is not so", __func__, __LINE__, #condition); \
        } \
    } while (0)

#endif /* STRESS_H */
