/*
 * What a program may rely on, rule by rule: ../README.md says which test shows
 * which rule.
 *
 * A case records its own state at the instants in question, with loads only,
 * and compares it later: code that prints may fault or trap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CONTRACT_H
#define CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define TIMEOUT         10000   /* the kernel's default, in cycles */
#define TIMESLICE       500000  /* the kernel's default, cycles */
#define RECORD_SIZE     0x50    /* docs/glaze.md, "Where messages are" */
#define RECORDS_A_PAGE  51

/* ---- State --------------------------------------------------------------- */

struct state {
    uint32_t uac, g6, head, mode, hold;
};

UDM_INLINE uint32_t g6(void)
{
    uint32_t value;

    asm volatile ("mov %%g6, %0" : "=r" (value));
    return value;
}

UDM_INLINE void look(struct state *s)
{
    s->uac = udm_uac();
    s->g6 = g6();
    s->head = glaze_info(GLAZE_I_HEAD);
    s->mode = glaze_info(GLAZE_I_MODE);
    s->hold = glaze_info(GLAZE_I_HOLD);
}

/*
 * Compares a recorded state with "UAC RECORD MODE HOLD": UAC as letters (i
 * interrupt-disable, t timer-force, d dispose-pending, e atomicity-extend; -
 * if no bit is set), the record that %g6 points to (ni, head, empty), the mode
 * (fast, buffered), and the number of suspended sections if there are any.
 */
void expect(const char *name, const struct state *s, const char *want);

/*
 * expect_counts() compares what the information page has counted since
 * counts_begin(), as "CAUSE N ... inserted N"; "" means nothing. Then it calls
 * counts_begin(). inserted_since() returns the number of insertions since
 * then.
 */
void expect_counts(const char *name, const char *want);
void counts_begin(void);
uint32_t inserted_since(void);

/* ---- Actions ------------------------------------------------------------- */

/* Waits for a condition. The job ends if that takes too long. */
#define UNTIL(condition) \
    do { \
        uint32_t start_ = udm_cycles32(); \
        while (!(condition)) { \
            if (udm_cycles32() - start_ > 20000000) { \
                too_long(#condition); \
            } \
        } \
    } while (0)

void too_long(const char *condition) __attribute__((noreturn));

static inline void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
        /* only spends time */
    }
}

static inline bool buffered(void)
{
    return glaze_info(GLAZE_I_MODE) == GLAZE_BUFFERED;
}

static inline uint32_t inserted(void)
{
    return glaze_info(GLAZE_I_INSERTED);
}

/* A page of the program's data that has not been touched yet. */
volatile uint8_t *fresh_page(void);

UDM_INLINE void page_fault(void)
{
    *fresh_page() = 1;
}

/*
 * Sends `count` messages to this node, with arguments 0, 1, ..., and waits
 * until all are in the buffer. The caller must be in buffered mode and in an
 * atomic section.
 */
void fill(udm_handler_t handler, uint32_t count);

/*
 * looks() is a handler that records the state before and after its dispose,
 * and its argument, for the first STATES calls. calls_begin() resets these
 * records and the counts.
 */
#define STATES 8
extern struct state before[STATES], behind[STATES];
extern uint32_t argument[STATES];
extern volatile uint32_t calls;
void looks(void);
void calls_begin(void);

/* ---- Cases --------------------------------------------------------------- */

void record_cases(void);
void enter_cases(void);
void force_cases(void);
void during_cases(void);
void out_cases(void);
void hold_cases(void);
void quick_cases(void);
void pages_cases(void);
void bodies_cases(void);
void parts_cases(void);
void start_cases(void);
void uac_cases(void);
int two_jobs(const char *what);
int nodes_cases(const char *what);
void misuse(const char *what);

#endif
