/*
 * The rules of soft atomicity, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_soft_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* Who owns COMPARE */
#define UPCALL_SETS_TIMER       1   /* small: a handler of the fast path begins with its end in COMPARE */
#define HOLD_SETS_TIMER         2   /* small: so does a section that a message meets */
#define CHOICE_WRITES_NOTHING   3   /* small: a decision of the scheduler leaves COMPARE alone */
#define SETTLE_SETS_TIMER       4   /* small: at PIL 0, C leaves with the slot's end in COMPARE */
#define CLEANUP_SETS_TIMER      5   /* small: so does the end of a handler on the fast path */
#define FAST_HOLD_SETS_TIMER    6   /* small: a section that a message meets on the fast path has its end in COMPARE, too */
#define END_SETS_TIMER          7   /* small: the end of a section at PIL 10 on the fast path leaves the slot's end in COMPARE */
#define WORD_HOLD_SETS_TIMER    8   /* small: so has a section that the library has opened by its word */

/* PIL and divert-mode */
#define SWITCH_REVOKES          10  /* small: a process that leaves the processor in a section enters buffered mode */
#define WAIT_LOWERS             11  /* small: a process that waits leaves PIL 10 */
#define TIMEOUT_REVOKES         12  /* small: the timer at PIL 10 revokes a handler, and a section that a message waits for */
#define TIMEOUT_LOWERS          13  /* small: and leaves PIL 10 in any case */
#define SETTLE_LOWERS           14  /* small: outside of sections and in buffered mode, C leaves at PIL 0 */
#define CLEANUP_LOWERS          15  /* small: so does the end of a handler on the fast path */
#define SECTION_DIVERTS         16  /* small: a section that begins at PIL 0 sets divert-mode */
#define HOLD_SHOWS              17  /* small: a section that a message meets can read it */
#define FAST_HOLD_SHOWS         18  /* small: the same on the fast path */
#define END_LOWERS              19  /* small: the end of a section on the fast path leaves PIL 10 */

/* The word by which a library opens a section */
#define UPCALL_ASKS_WORD        20  /* small: a message that finds the word set makes no upcall */
#define WORD_INTO_UAC           21  /* small: but the section that it meets is in UAC from then on */
#define ENTRY_TAKES_WORD        22  /* small: the kernel's C code takes the section into UAC first, */
#define ENTRY_CLEARS_WORD       23  /* small: and clears the word: the section may be suspended */
#define SIGNAL_ASKS_WORD        25  /* small: nor does a signal of MBCF */
#define CLOSE_ASKS_UAC          24  /* small: a library that has cleared the word ends a section that the kernel has taken */
