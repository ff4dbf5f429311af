/*
 * MARK: a place in the code at which the simulator counts something.
 *
 * Each mark names what it counts (FUGU_MARK_* of hw/observe/names.h, in lower
 * case) and up to two operands: the GID of the process that it is about, and
 * the cause or the number. Without operands, it is about the GID that the
 * network interface serves. Marks of shared memory have other operands. The
 * operands are registers, or words of memory at a register plus a constant.
 * QEMU reads them when the processor is about to execute the instruction after
 * the mark, if the run is observed (docs/observing.md).
 *
 * Marks go to a section of the ELF file that is not loaded, so they cost
 * nothing. The section's name begins with .debug, so that the linker keeps it.
 * An instruction that waits for the network may follow a mark, which counts
 * once, however often the instruction is tried.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MARKS_H
#define MARKS_H

#ifdef __ASSEMBLER__

        .macro  MARK name
.Lmark\@:
        .pushsection .debug_marks, "", %progbits
        .long   .Lmark\@
        .asciz  "\name"
        .balign 4
        .popsection
        .endm

#else

#define MARK_TEXT(name, operands)               \
    "9:\n"                                      \
    ".pushsection .debug_marks,\"\",%%progbits\n" \
    ".long 9b\n"                                \
    ".asciz \"" name operands "\"\n"            \
    ".balign 4\n"                               \
    ".popsection\n"

#define MARK(name, gid) \
    asm volatile(MARK_TEXT(name, " %0") : : "rm"(gid))
#define MARK_VALUE(name, gid, value) \
    asm volatile(MARK_TEXT(name, " %0 %1") : : "rm"(gid), "rm"(value))
#define MARK_VALUES(name, value0, value1, value2) \
    asm volatile(MARK_TEXT(name, " %0 %1 %2") : : "rm"(value0), \
                 "rm"(value1), "rm"(value2))
#define MARK_PLAIN(name) \
    asm volatile(MARK_TEXT(name, "") : :)

#endif /* __ASSEMBLER__ */

#endif /* MARKS_H */
