/*
 * The block, and its messages: what the C and the assembly share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BLOCK_H
#define BLOCK_H

#define BLOCK_WORDS     1024
#define BLOCK_BODY      10      /* words of a message */
#define BLOCK_TAIL      4       /* and of the last one */

#endif /* BLOCK_H */
