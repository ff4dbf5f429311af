/*
 * The rules of two-case delivery, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* The beginning of buffered mode */
#define ENTRY_MOVES_HEAD    1   /* threads: a matching head is moved to the buffer first */
#define ENTRY_KEEPS_DP      2   /* mistakes: dispose-pending stays set when a message is moved */
#define ENTRY_SETS_AE       3   /* threads: atomicity-extend is set when a section is revoked */
#define ENTRY_SETS_G6       4   /* threads: %g6 goes from the NI's record to the buffer's */
#define ENTRY_DIVERTS       5   /* threads: divert-mode is set */

/* Insertion */
#define INSERT_UPCALLS      10  /* request: with ID clear, insertion makes the upcall */
#define INSERT_SETS_G6      11  /* threads: with ID set, %g6 goes from the empty record to the head */
#define INSERT_SETS_AE      12  /* request: with ID set, insertion sets atomicity-extend */
#define INSERT_WAITS        13  /* threads: no upcall while a section is suspended */
#define INSERT_OWNER        14  /* threads: a suspended section does not keep messages from the owner of the buffer */
#define INSERT_BY_GID       15  /* switch: the message's GID determines the buffer */
#define STARVED_STAYS       16  /* starved: without a free page frame, the message stays at the head */
#define STARVED_WAITS       17  /* starved: its process does not continue until that message has been moved */
#define STARVED_SETTLES     18  /* starved: when the message has been moved, %g6, atomicity-extend and upcall are settled anew */

/* Upcall from the buffer */
#define UPCALL_SETS_DP      20  /* mistakes: a handler from the buffer must extract too */
#define UPCALL_SETS_AE      21  /* threads: the kernel must notice the handler's early end */
#define UPCALL_SETS_G6      22  /* request: the handler finds its message at %g6 */
#define UPCALL_ASKS_FIRST   23  /* paging: the upcall asks for the stack's page before it changes anything */
#define PAGE_UPCALLS        24  /* paging: an upcall whose page was out is made when the page has arrived */

/* dispose-extend */
#define DISPOSE_CLEARS_DP   30  /* threads: the emulated dispose clears dispose-pending */
#define DISPOSE_SETS_G6     31  /* threads: %g6 goes to the next record */
#define DISPOSE_LEAVES      32  /* threads: a dispose that empties the buffer leaves buffered mode */
#define DISPOSE_WAITS       33  /* threads: a dispose does not leave buffered mode while a section is suspended */
#define DISPOSE_EMPTY       34  /* threads: after the last record, %g6 is the empty record */
#define DISPOSE_CHECKS      35  /* mistakes: bad-dispose for a thread that does not read the buffer */

/* The end of buffered mode */
#define LEAVE_SETS_G6       40  /* threads: %g6 goes to the NI's record */
#define LEAVE_CLEARS_DIVERT 41  /* threads: divert-mode is cleared */
#define LEAVE_CLEARS_AE     42  /* threads: atomicity-extend is cleared */
#define LEAVE_SETS_TIMER    43  /* threads: the atomicity timer is preset again */
#define LEAVE_ASKS_NO_PAGE  44  /* paging: leave() reads no memory that may be out */
#define LEAVE_KEEPS_AE      45  /* fpu: atomicity-extend stays set while FPU values are put aside */

/* atomicity-extend */
#define EXTEND_COMPLETES    50  /* threads: the kernel completes the endatom */
#define EXTEND_AGAIN        51  /* threads: if ID is still set, atomicity-extend is set again */
#define EXTEND_UPCALLS      52  /* threads: if the buffer holds a message, its handler starts */
#define EXTEND_LEAVES       53  /* threads: if the buffer is empty, buffered mode ends */
#define EXTEND_WAITS        54  /* threads: no upcall while a section is suspended */
#define EXTEND_STAYS        55  /* threads: buffered mode does not end while a section is suspended */
#define EXTEND_HIDES        56  /* threads: while a section is suspended, %g6 is then the empty record */
#define EXTEND_KEEPS_AE     57  /* fpu: while FPU values are put aside, atomicity-extend is set again */
#define EXTEND_CLEARS_AE    58  /* fpu: atomicity-extend is not set again unless one of these reasons holds */

/* End of a handler */
#define RETURN_CHECKS_DP    60  /* mistakes: dispose-failure if the handler has not extracted */
#define RETURN_UPCALLS      61  /* request: if the buffer holds a message, its handler starts */
#define RETURN_LEAVES       62  /* threads: if the buffer is empty, buffered mode ends */
#define RETURN_WAITS        63  /* threads: no upcall while a section is suspended */
#define RETURN_STAYS        64  /* threads: buffered mode does not end while a section is suspended */
#define RETURN_HIDES        65  /* threads: while a section is suspended, %g6 is then the empty record */
#define RETURN_ASKS_FIRST   69  /* paging: TRAP_RETURN asks for the stack's page before it changes anything */
#define NEXT_CHECKS_DP      66  /* mistakes: dispose-failure if the handler has not extracted */
#define NEXT_WAITS          67  /* threads: no next handler while a section is suspended */
#define NEXT_LOOKS          68  /* threads: no next handler without a message, or outside of a section */

/* Suspended sections (BACK: when one is resumed) */
#define HOLD_ENTERS         70  /* threads: buffered mode begins, so that messages wait */
#define HOLD_CLEARS_UAC     71  /* threads: the next thread starts outside of sections */
#define HOLD_SAVES_DP       72  /* mistakes: dispose-pending is saved with the thread */
#define HOLD_HIDES          73  /* threads: %g6 is the empty record for all other threads */
#define HOLD_NAMES_OWNER    74  /* threads: the thread that reads the buffer remains its owner */
#define BACK_CHECKS_DP      75  /* mistakes: a handler that has not extracted cannot resume another section */
#define BACK_SETS_AE        76  /* threads: the kernel must notice the section's end */
#define BACK_SETS_G6        77  /* threads: %g6 is the head again */

/* Process switch */
#define SWITCH_SAVES_UAC    80  /* switch: UAC belongs to the thread */
#define SWITCH_DIVERTS      81  /* switch: divert-mode is set as for the process that gets the processor */
#define SWITCH_UPCALLS      82  /* switch: if messages wait and ID is clear, an upcall follows at once */
#define SWITCH_SETS_G6      83  /* switch: %g6 is computed, not restored */
#define SWITCH_SETS_AE      84  /* away: if messages have arrived meanwhile and ID is set, atomicity-extend is set */

/* FPU */
#define FPU_PUTS_ASIDE      91  /* fpu: a handler's first use puts the interrupted code's values aside */
#define FPU_SETS_AE         92  /* fpu: putting values aside sets atomicity-extend, so that TRAP_RETURN enters C */
#define RETURN_LOADS_FPU    93  /* fpu: TRAP_RETURN restores the values */
#define HANDLER_KEEPS_FPU   94  /* fpu: when a handler interrupts a handler, the library keeps the values of the code below both */
#define DETACH_KEEPS_FPU    95  /* fpu: when a handler becomes a thread, the library keeps the values of the code below it */
#define KEEP_TAKES_ASIDE    96  /* fpu: the library takes the values that the kernel has put aside, not the registers */
#define KEEP_ONCE           97  /* fpu: the library does not replace values that it has kept */
#define KEEP_FORGETS_ASIDE  98  /* fpu: if the library has kept values already, it discards what the kernel puts aside */
#define RESTORE_FORGETS_ASIDE 99  /* fpu: when the library restores kept values, it discards what the kernel has put aside */
#define RETURN_LOOKS_AGAIN  100 /* fpu: a handler that was interrupted at its end looks again for kept values */

#define ALARM_LOADS_NONE    102 /* fpu: the end of an alarm in a handler that has ended its section leaves the values aside */
#define END_ASKS_FPU        101 /* fpu: a handler ends without the kernel only if the interrupted code has no values in the FPU */

/* Library */
#define POLL_GIVES_WAY      89  /* threads: a thread that polls beside a suspended reader lets the reader run */
#define LIBRARY_NEW_STACK   90  /* threads: a handler that enables interrupts gives up its stack */
