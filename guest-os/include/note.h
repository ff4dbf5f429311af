/*
 * Notes for the launcher: which kind of network interface a program needs
 * (docs/machine.md, "What every network interface has").
 *
 * Code that launches messages, or uses registers of FUGU's message part, leaves a
 * note in its object file. So does code that maps memory over SHRIMP's interface,
 * or shares it for the M-Machine's messages.
 * The note is tied to the code's section, so the linker drops both together, or
 * neither. The notes of a program are in its section NOTE_SECTION: each is an
 * ELF note with the name NOTE_OWNER, of type NOTE_NETIF. It holds a word, the kind
 * FUGU_NETIF_* and, in the bytes above it, other kinds that will do or 0, and the name
 * of the library whose code it is, in NOTE_LIBRARY
 * bytes that end with zeros.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef NOTE_H
#define NOTE_H

#include "fugu-regs.h"

#define NOTE_SECTION            ".note.netif"
#define NOTE_OWNER              "FUGU"
#define NOTE_NETIF              1
#define NOTE_LIBRARY            20      /* bytes */

/* The library that a file is part of. Libraries define another name. */
#ifndef NOTE_WHOSE
#define NOTE_WHOSE              "UDM"
#endif

#define NOTE_TEXT_(value)       #value
#define NOTE_NUMBER_(value)     NOTE_TEXT_(value)

/* Another kind with which that library works as well; 0: none. A third one is added 256
 * times. It has other code for them, without notes. */
#ifndef NOTE_OR
#define NOTE_OR                 0
#endif

/*
 * An `instruction`, as a string for an asm statement, with a note that it needs FUGU's
 * message part; "" is none. Errors: none. The assembler has a macro for it, because
 * the compiler takes each line of a statement for an instruction, and would make other
 * code.
 */
#define NOTE_NEEDS_MESSAGES(instruction) \
    "needs_kind " NOTE_NUMBER_(FUGU_NETIF_FUGU) " + 256 * (" NOTE_NUMBER_(NOTE_OR) \
    "), \"" instruction "\""

/* The same, NOTE_NEEDS_SHRIMP(instruction), for code that needs SHRIMP's message part.
 * Errors: none. */
#define NOTE_NEEDS_SHRIMP(instruction) \
    "needs_kind " NOTE_NUMBER_(FUGU_NETIF_SHRIMP) ", \"" instruction "\""

/* The same, NOTE_NEEDS_SLOTS(instruction), for code that needs the M-Machine's. Errors:
 * none. */
#define NOTE_NEEDS_SLOTS(instruction) \
    "needs_kind " NOTE_NUMBER_(FUGU_NETIF_M_MACHINE) ", \"" instruction "\""

asm (".macro needs_kind kind, instruction\n"
     ".Lnetif\\@: .pushsection " NOTE_SECTION ", \"o\", @note, .Lnetif\\@\n"
     "\t.long 5, 4 + " NOTE_NUMBER_(NOTE_LIBRARY) ", "
     NOTE_NUMBER_(NOTE_NETIF) "\n"
     "\t.asciz \"" NOTE_OWNER "\"\n"
     "\t.balign 4\n"
     "\t.long \\kind\n"
     ".Lwhose\\@: .asciz \"" NOTE_WHOSE "\"\n"
     "\t.skip " NOTE_NUMBER_(NOTE_LIBRARY) " - (. - .Lwhose\\@)\n"
     "\t.popsection\n"
     "\t\\instruction\n"
     ".endm");

#endif /* NOTE_H */
