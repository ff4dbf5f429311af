/*
 * The rules of waiting, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_waits_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* The call looks at each source before the process sleeps: wait_for_upcall(). */
#define LOOKS_AT_HEAD       1   /* one: a message at the head of the network */
#define LOOKS_AT_BUFFER     2   /* one: a message in the buffer */
#define LOOKS_AT_PAGES      3   /* one: a page that has come */
#define LOOKS_AT_SIGNALS    4   /* one: an invocation of MBCF */
#define LOOKS_AT_ALARM      5   /* one: an alarm that is due */
#define LOOKS_AT_WAKES      6   /* wakes: MBCF_WAIT: the count of wakes */

/* What comes later wakes the process. */
#define HEAD_WAKES          11  /* one: poll() */
#define BUFFER_WAKES        12  /* one: an insertion */
#define PAGES_WAKE          13  /* one: fault_came() */
#define SIGNALS_WAKE        14  /* one: signals_do() */
#define WAKES_WAKE          16  /* wakes: a command with MBCF_WAKES */

/* The program. */
#define READS_COUNT_FIRST   20  /* wakes: it reads the count of wakes before it looks at the word */
#define OPENS_THE_SECTION   21  /* one: it ends its atomic section after the call, so that upcalls come */

/* Signals that come before the program takes them. */
#define EARLY_ONES_COME     30  /* early: MBCF_SIGNALS makes the upcall of what has come before */

/* Suspended sections keep messages back. */
#define PAGES_ALONE         31  /* held: a process that can take nothing but pages waits for them alone */
