/*
 * Packets of MBCF on the fast path: those that need no decision are done with
 * traps disabled and in one register window, without a save of the user's
 * windows. All others take the slow path, through trap_slow and arrive().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUICK_PACKET_H
#define GLAZE_QUICK_PACKET_H

/* What quick_packet() has done. */
#define QUICK_NOT       0       /* nothing: the packet takes the slow path */
#define QUICK_DONE      1
#define QUICK_UPCALL    2       /* and the signal upcall of the current process
                                   begins now, in an atomic section */

#ifndef __ASSEMBLER__

#include <stdbool.h>

/*
 * Does what the head message, a packet of MBCF, says, and takes it off the
 * network. Returns QUICK_NOT, with nothing changed, if the packet has to take
 * the slow path (docs/mbcf.md, "The fast path", has the reasons). `interrupted`:
 * the packet has interrupted a user. Otherwise the result is never
 * QUICK_UPCALL.
 *
 * quick_ways.S calls this in the middle of the interrupted code's windows. So
 * this function has one register window: it may call only functions that use
 * none, and it must neither change %y nor trap. tests/glaze/test_windows.py
 * checks that in the compiled code.
 */
unsigned quick_packet(bool interrupted);

/*
 * Does a command of a combined packet that has come from a node: words 2 to 15 of a
 * packet. Returns false, with nothing changed, if the command needs execute(). Replies
 * at once if a reply is wanted.
 */
bool quick_part(const uint32_t *part, uint32_t node);

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_QUICK_PACKET_H */
