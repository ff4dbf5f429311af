/*
 * How a handler of a kernel's message leaves the message to C (insert.S).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_HANDLER_H
#define GLAZE_HANDLER_H

/*
 * A handler that leaves to %l3 - MESSAGE_TO_C, with %g1 to %g4 as it found
 * them and the message still there, leaves the message to C.
 */
#define MESSAGE_TO_C    24

#endif /* GLAZE_HANDLER_H */
