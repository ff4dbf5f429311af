/*
 * Which row of the paper's tables an instruction's cycles belong to.
 *
 * Table 4 splits the way of a message by purpose, and instructions of several
 * purposes stand side by side where one fills the delay of another. So the
 * code says for itself what it is for: all instructions from a ROW to the
 * next one, in the order of addresses, are counted in that row. This is for
 * whoever measures (docs/paper.md). It goes to a section of the ELF file that
 * no node ever sees, named so that the linker keeps it, and costs nothing.
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
