/*
 * ROW: the row of the paper's tables to which instructions' cycles belong.
 *
 * Table 4 of the paper splits the cost of a message by purpose. In the code,
 * instructions for several purposes stand side by side, because one fills the
 * delay slot of another. So the code names the row of each instruction: a
 * measurement (docs/paper.md) counts all instructions from one ROW to the next
 * one, in the order of addresses, in the row that the first ROW names.
 *
 * The names go to a section of the ELF file that is not loaded, so they cost
 * nothing. The section's name begins with .debug, so that the linker keeps it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ROWS_H
#define ROWS_H

        .macro  ROW name
.Lrow\@:
        .pushsection .debug_rows, "", %progbits
        .long   .Lrow\@
        .asciz  "\name"
        .balign 4
        .popsection
        .endm

#endif /* ROWS_H */
