/*
 * Going back: a machine that remembers its run, for debuggers
 *
 * With the machine's option history=BYTES, the machine takes checkpoints while
 * it runs, and GDB can go back. docs/going-back.md describes it to users.
 *
 *   place.c       points of a run
 *   pages.c       versions of memory
 *   outside.c     console and disks
 *   checkpoint.c  states of the machine, within the given bytes
 *   held.c        breakpoints out of the way
 *   forward.c     running
 *   travel.c      to a place
 *   search.c      what happened last
 *   history.c     what debuggers ask for
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_HISTORY_H
#define FUGU_HISTORY_H

struct FuguMachineState;

/*
 * Lets the machine go back, as its option says; else does nothing. For the
 * board, when all parts of the machine exist.
 *
 * Adds properties to the scheduler of rounds (tools/gdb/fugu_debug/history.py):
 *
 * "place": where the machine is, as JSON
 * "history": what it can go back to, as JSON. With "by-hand", the bytes before,
 *            if "store" has ended at a change by the debugger; "update", if it
 *            has ended where an update of another node came; "begins" is true
 *            if the last goal was not found
 * "goto": write-only, "CYCLE NODE": when the machine is resumed, it goes to the
 *         first place of the node at or after that cycle of its local time
 * "before": write-only, "CYCLE NODE": when the machine is resumed, it goes back
 *           to the start of the last instruction that the node had completed by
 *           that cycle
 * "store": write-only, "ADDRESS BYTES NODE": when the machine is resumed, it
 *          goes back to the start of the last instruction of the node that has
 *          stored there, at whatever virtual address, or has started DMA. The
 *          present tables of the node's MMU translate ADDRESS.
 *          "ADDRESS BYTES NODE MASK": to the last one that has changed any of
 *          these bits; MASK is "all", or two hexadecimal digits for each byte
 * "step": write-only, "NODE" or "none": each time that the machine is resumed
 *         without a goal, that node executes one instruction. For GDB, which
 *         steps SPARC by breakpoints, and would run over a trap
 */
void fugu_history_init(struct FuguMachineState *machine);

#endif /* FUGU_HISTORY_H */
