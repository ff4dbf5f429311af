/*
 * The rules of waits for memory, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_frames_model.py) within which the checker must find an error without
 * the rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

#define GRANTS          1   /* calls: a process that waits for a frame gets that frame, and no other process can take it */
#define TURN_LASTS      2   /* pages: the pager goes on with a process until its page is on its way */
#define SPARES          3   /* pages: the pages that have come last stay until their process has run with them */
#define FIRST_TAKES     4   /* pages: the first of the processes that wait may take pages that others spare */
#define FIRST_CHANGES   5   /* pages: after some pages, another process is the first */
#define LEAVES          6   /* pages: a process that runs loses the processor if only its pages could go */
#define NOTES_LEAVING   7   /* pages: when a process leaves the processor, the pager looks again */
#define NOTES_ARRIVAL   8   /* pages: when a transfer is over, the pager looks again */
#define SLOT_FORGETS    9   /* pages: the end of a slot ends the sparing too, if the job goes on */
#define NOTES_WAIT      10  /* waits: when a process waits for a message, the pager looks again: its newest pages may go */
