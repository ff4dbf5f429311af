/*
 * The handler of packets of MBCF (handler.S). Its address marks a message as
 * such a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_HANDLER_H
#define GLAZE_HANDLER_H

/*
 * A handler of a kernel's message that leaves to %l3 - MESSAGE_TO_C, before it
 * has changed a register, leaves the message to C (insert.S).
 */
#define MESSAGE_TO_C    24

#ifndef __ASSEMBLER__

void message_mbcf(void);

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_HANDLER_H */
