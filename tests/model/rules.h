/*
 * The rules of two-case delivery that the model can be told to forget.
 *
 * KEEP(RULE) holds unless the environment variable BROKEN names that number.
 * One line each: name, number, the bounds (test_model.py) within which the
 * checker has to find that something goes wrong without it, and the rule.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* Into buffered mode */
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
#define INSERT_OWNER        14  /* threads: a suspended section does not keep messages from the owner */
#define INSERT_BY_GID       15  /* switch: the message's GID says whose buffer it is */
#define STARVED_STAYS       16  /* starved: without a free page frame, the message stays at the head */
#define STARVED_WAITS       17  /* starved: until that message has been moved, no process goes on */
#define STARVED_SETTLES     18  /* starved: then %g6, atomicity-extend and upcall are settled anew */

/* Upcall from the buffer */
#define UPCALL_SETS_DP      20  /* mistakes: a handler from the buffer has to extract, too */
#define UPCALL_SETS_AE      21  /* threads: its early end has to be noticed */
#define UPCALL_SETS_G6      22  /* request: it finds its message at %g6 */
#define UPCALL_ASKS_FIRST   23  /* paging: the upcall asks for the stack's page before it changes anything */
#define PAGE_UPCALLS        24  /* paging: an upcall whose page was out is made when the page has come */

/* dispose-extend */
#define DISPOSE_CLEARS_DP   30  /* threads: the emulated dispose clears dispose-pending */
#define DISPOSE_SETS_G6     31  /* threads: %g6 goes to the next record */
#define DISPOSE_LEAVES      32  /* threads: the one that empties the buffer leaves buffered mode */
#define DISPOSE_WAITS       33  /* threads: but not while a section is suspended */
#define DISPOSE_EMPTY       34  /* threads: %g6 is the empty record behind the last one */
#define DISPOSE_CHECKS      35  /* mistakes: bad-dispose for who does not read the buffer */

/* Out of buffered mode */
#define LEAVE_SETS_G6       40  /* threads: %g6 goes to the NI's record */
#define LEAVE_CLEARS_DIVERT 41  /* threads: divert-mode is cleared */
#define LEAVE_CLEARS_AE     42  /* threads: atomicity-extend is cleared */
#define LEAVE_SETS_TIMER    43  /* threads: the atomicity timer is preset again */
#define LEAVE_ASKS_NO_PAGE  44  /* paging: leave() reads no memory that can be out */
#define LEAVE_KEEPS_AE      45  /* fpu: atomicity-extend stays set while FPU values are put aside */

/* atomicity-extend */
#define EXTEND_COMPLETES    50  /* threads: the endatom is completed */
#define EXTEND_AGAIN        51  /* threads: ID still set: atomicity-extend is set again */
#define EXTEND_UPCALLS      52  /* threads: the buffer holds something: the next handler */
#define EXTEND_LEAVES       53  /* threads: it does not: out */
#define EXTEND_WAITS        54  /* threads: no upcall while a section is suspended */
#define EXTEND_STAYS        55  /* threads: and no way out */
#define EXTEND_HIDES        56  /* threads: then %g6 is the empty record */
#define EXTEND_KEEPS_AE     57  /* fpu: FPU values are put aside: atomicity-extend is set again */
#define EXTEND_CLEARS_AE    58  /* fpu: without a reason, atomicity-extend is not set again */

/* End of a handler */
#define RETURN_CHECKS_DP    60  /* mistakes: dispose-failure */
#define RETURN_UPCALLS      61  /* request: the buffer holds something: the next handler */
#define RETURN_LEAVES       62  /* threads: it does not: out */
#define RETURN_WAITS        63  /* threads: no upcall while a section is suspended */
#define RETURN_STAYS        64  /* threads: and no way out */
#define RETURN_HIDES        65  /* threads: then %g6 is the empty record */
#define RETURN_ASKS_FIRST   69  /* paging: TRAP_RETURN asks for the stack's page before it changes anything */
#define NEXT_CHECKS_DP      66  /* mistakes: dispose-failure */
#define NEXT_WAITS          67  /* threads: no next handler while a section is suspended */
#define NEXT_LOOKS          68  /* threads: none without a message or outside of a section */

/* Suspended sections */
#define HOLD_ENTERS         70  /* threads: buffered mode, so that messages wait */
#define HOLD_CLEARS_UAC     71  /* threads: the thread that comes starts outside of sections */
#define HOLD_SAVES_DP       72  /* mistakes: dispose-pending goes with the thread */
#define HOLD_HIDES          73  /* threads: %g6 is the empty record for all others */
#define HOLD_NAMES_OWNER    74  /* threads: the thread that reads the buffer stays the one */
#define BACK_CHECKS_DP      75  /* mistakes: a handler cannot end by it without having extracted */
#define BACK_SETS_AE        76  /* threads: its end has to be noticed */
#define BACK_SETS_G6        77  /* threads: %g6 is the head again */

/* Process switch */
#define SWITCH_SAVES_UAC    80  /* switch: UAC goes with the thread */
#define SWITCH_DIVERTS      81  /* switch: divert-mode is that of the process that comes */
#define SWITCH_UPCALLS      82  /* switch: messages wait and ID is clear: upcall at once */
#define SWITCH_SETS_G6      83  /* switch: %g6 is computed, not restored */
#define SWITCH_SETS_AE      84  /* away: messages have come meanwhile and ID is set */

/* FPU */
#define FPU_PUTS_ASIDE      91  /* fpu: a handler's first use puts the interrupted code's values aside */
#define FPU_SETS_AE         92  /* fpu: it sets atomicity-extend, so that TRAP_RETURN comes to C */
#define RETURN_LOADS_FPU    93  /* fpu: TRAP_RETURN brings the values back */
#define HANDLER_KEEPS_FPU   94  /* fpu: a handler interrupts a handler: the library keeps the values of the code below both */
#define DETACH_KEEPS_FPU    95  /* fpu: a handler becomes a thread: the library keeps the values of the code below it */
#define KEEP_TAKES_ASIDE    96  /* fpu: the library takes what the kernel has put aside, not the registers */
#define KEEP_ONCE           97  /* fpu: the library does not replace values that it has kept */
#define KEEP_FORGETS_ASIDE  98  /* fpu: it then forgets what has been put aside since */
#define RESTORE_FORGETS_ASIDE 99  /* fpu: so it does when it brings the kept values back */
#define RETURN_LOOKS_AGAIN  100 /* fpu: a handler that was interrupted at its end looks again for kept values */

/* Library */
#define POLL_GIVES_WAY      89  /* threads: who polls beside a suspended reader lets that one run */
#define LIBRARY_NEW_STACK   90  /* threads: who enables interrupts in a handler gives up its stack */
