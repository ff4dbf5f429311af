/*
 * The ABI between Glaze, the kernel of a node, and the programs on it.
 *
 * Included by the kernel, by the library operating system and by whoever
 * prepares a boot image; plain constants come first, so that assembly can
 * include it too. docs/glaze.md is the reference that explains it. "paper"
 * means Mackenzie et al., Exploiting Two-Case Delivery for Fast Protected
 * Messaging, HPCA 1998.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_H
#define GLAZE_H

#include "fugu-regs.h"

/* ---- Virtual addresses of a process ------------------------------------- */

/*
 *  0x00000000  boot image                    kernel only
 *  0x10000000  program: text, data, heap     (text in place, read-only)
 *  0x3ff00000    stack of the first thread, up to 0x40000000
 *  0x40000000  RAM                           kernel only
 *  0x80000000  stacks of handlers and threads, one each GLAZE_STACK_SIZE
 *  0x90000000  input files of the boot image (read-only, in place)
 *  0xc0000000  message buffer: records       user reads
 *  0xd0000000  message buffer: bodies        kernel only
 *  0xf0000000  information page              user reads
 *  0xf0001000  upcall page                   user reads and writes, pinned
 *  0xf0002000  kernel's page of the process  kernel only
 *  0xffffa000  devices                       kernel only
 *  0xfffff000  network interface, user page  user
 *
 * Whatever the kernel's first instructions in a trap look at lies at a fixed
 * address of the running process, so it needs no pointer to it.
 */
#define GLAZE_PROGRAM           0x10000000
#define GLAZE_PROGRAM_END       0x3ff00000
#define GLAZE_MAIN_STACK        0x3ff00000
#define GLAZE_MAIN_STACK_TOP    0x40000000
#define GLAZE_STACKS            0x80000000
#define GLAZE_STACKS_END        0x90000000
#define GLAZE_STACK_SIZE        0x10000
#define GLAZE_FILES             0x90000000
#define GLAZE_FILES_END         0xa0000000
#define GLAZE_BUFFER            0xc0000000
#define GLAZE_BUFFER_END        0xd0000000
#define GLAZE_BODIES            0xd0000000
#define GLAZE_BODIES_END        0xe0000000
#define GLAZE_INFO              0xf0000000
#define GLAZE_UPCALL            0xf0001000
#define GLAZE_PROCESS           0xf0002000

#define GLAZE_PAGE              0x1000

/* ---- Registers that the ABI reserves ------------------------------------ */

/*
 * %g6  receive record ("known base register", paper, section 4.3): computed
 *      by whoever resumes a thread, never saved nor restored
 * %g7  the library's; Glaze starts a process with GLAZE_UPCALL in it
 * %g5  nobody's: undefined whenever an upcall may have come between
 * The compiler uses none of the three for a 32-bit SPARC.
 */

/* ---- Information page: kernel writes, user reads ------------------------- */

#define GLAZE_I_HEAD            0x00    /* record that is read next, or ... */
#define GLAZE_I_STOP            0x04    /* kernel's: the record where its fast
                                           path of dispose-extend ends */
#define GLAZE_I_MODE            0x08    /* GLAZE_FAST or GLAZE_BUFFERED */
#define GLAZE_I_HOLD            0x0c    /* atomic sections now suspended */
#define GLAZE_I_NODE            0x10
#define GLAZE_I_NODES           0x14
#define GLAZE_I_GID             0x18
#define GLAZE_I_JOBS            0x1c    /* jobs of this machine */
#define GLAZE_I_INSERTED        0x20    /* messages put into the buffer */
#define GLAZE_I_ENTRIES         0x24    /* times that buffered mode began */
#define GLAZE_I_CAUSES          0x28    /* the same by cause, GLAZE_IN_* */
#define GLAZE_I_GANG            0x40    /* 1: overflow control advises to
                                           gang-schedule the job */
#define GLAZE_I_SUSPENSIONS     0x44    /* times that it suspended the job */
#define GLAZE_I_RESUMPTIONS     0x48    /* times that the job went on */
#define GLAZE_I_ARRIVALS        0x4c    /* pages that have come which a fault
                                           upcall was made for, in its order */
#define GLAZE_I_EMPTY           0x80    /* empty record: zeros */
#define GLAZE_I_ARGS_LENGTH     0xfc    /* bytes, final zero not counted */
#define GLAZE_I_ARGS            0x100   /* the job's words: name, arguments,
                                           separated by single spaces */
#define GLAZE_I_ARGS_MAX        0xeff

#define GLAZE_FAST              0
#define GLAZE_BUFFERED          1

/* Why a process entered buffered mode (paper, section 4.3, and tests). */
#define GLAZE_IN_FAULT          0       /* page fault in an atomic section */
#define GLAZE_IN_TIMEOUT        1       /* atomicity-timeout */
#define GLAZE_IN_QUANTUM        2       /* end of the quantum */
#define GLAZE_IN_MISMATCH       3       /* a message while not scheduled */
#define GLAZE_IN_REQUEST        4       /* system call */
#define GLAZE_IN_HOLD           5       /* library suspends an atomic section */
#define GLAZE_IN_CAUSES         6

/* ---- Upcall page: the user's --------------------------------------------- */

/*
 * Upcalls: a stack pointer and an entry, 64. The new window starts at the
 * entry with that stack pointer; %fp is the interrupted one.
 */
#define GLAZE_U_MESSAGE         0x00    /* message-available, fast mode */
#define GLAZE_U_BUFFERED        0x08    /* the same from the buffer */
#define GLAZE_U_FAULT           0x10    /* page on its way; and its arrival */
#define GLAZE_U_EXCEPTION       0x18    /* entry 0: the job ends */
#define GLAZE_U_FP              0x20    /* address of a struct glaze_fp */
#define GLAZE_U_ARRIVALS        0x24    /* GLAZE_I_ARRIVALS that the library
                                           has seen */
#define GLAZE_U_LIBRARY         0x40    /* from here on the library's own */

/*
 * A process starts in an atomic section (UAC: interrupt-disable), so that no
 * message comes before its upcalls are in place; the library ends it.
 */

/*
 * A message upcall begins, in a window of its own, with
 *
 *   %l0 PSR, %l1 pc, %l2 npc of the interrupted code; its outs are the ins;
 *   %g6 the record; %g1 to %g4, %g7 and %y as they were; the FPU off;
 *   UAC: interrupt-disable, timer-force and dispose-pending set;
 *
 * and ends with TRAP_RETURN in that window, %l0 to %l2 and the ins in place.
 *
 * The FPU, once the process has used it, holds values of the interrupted code
 * if EF is set in %l0. A handler that uses the FPU traps; the kernel then
 * stores those values in the struct glaze_fp that GLAZE_U_FP names, sets its
 * valid, and brings them back at the upcall's end. A library that goes to
 * another thread from within an upcall sees to the FPU itself: GLAZE_FP_SAVE
 * and GLAZE_FP_LOAD, and EF in %l0.
 */

/*
 * A fault upcall (GLAZE_U_FAULT, if its entry is not 0) begins with %l0 to
 * %l2, ins, globals and FPU as a message upcall does, UAC: interrupt-disable
 * alone set, and
 *
 *   %o0 the page that is on its way; 0: one has come (GLAZE_I_ARRIVALS has
 *       changed);
 *   %o1 what GLAZE_HOLD (1, 0) has said of the interrupted atomic section,
 *       which the kernel has suspended; 0: there was none.
 *
 * It may be left for other threads. GLAZE_TRAP_RESUME, in a window with %l0
 * to %l2 and the ins in place, goes back to the interrupted code: with that
 * word in %o0 to its section, with 0 as TRAP_RETURN does, but that
 * dispose-pending and GLAZE_U_FP do not matter.
 */

/* ---- Software traps (ta N) ------------------------------------------------ */

#define GLAZE_TRAP_CALL         0       /* system call: number in %g1,
                                           arguments in %o0 to %o4, result in
                                           %o0; %g1 to %g5 and %o1 lost */
#define GLAZE_TRAP_BREAK        1       /* breakpoint: ends the job */
#define GLAZE_TRAP_DIVIDE       2       /* division by zero (libgcc): ends it */
#define GLAZE_TRAP_FLUSH        3       /* all other windows to the stack */
#define GLAZE_TRAP_COMPILER     5       /* __builtin_trap(): ends the job */
#define GLAZE_TRAP_NEXT         24      /* sets dispose-pending: the next
                                           handler from the buffer starts */
#define GLAZE_TRAP_RESUME       26      /* end of a fault upcall */
#define GLAZE_TRAP_RETURN       127     /* end of a message upcall */

/* ---- System calls ---------------------------------------------------------- */

/* Results below 0 are errors: -errno, numbers as in newlib's <errno.h>. */
#define GLAZE_EXIT              0       /* (status) ends the process */
#define GLAZE_ABORT             1       /* (status, text, bytes) ends the job */
#define GLAZE_WRITE             2       /* (address, bytes) console */
#define GLAZE_READ              3       /* (address, bytes) console; 0: none */
#define GLAZE_MAP               4       /* (address, bytes) zero pages */
#define GLAZE_UNMAP             5       /* (address, bytes) */
#define GLAZE_FILE              6       /* (index, struct glaze_file *) */
#define GLAZE_YIELD             7       /* () the rest of the quantum */
#define GLAZE_WAIT              8       /* () until a message waits, or
                                           GLAZE_I_ARRIVALS has changed */
#define GLAZE_DIVERT            9       /* () buffered mode, at once */
#define GLAZE_HOLD              10      /* (1, 0): an atomic section is
                                           suspended; (0, word): it goes on */
#define GLAZE_COUNT             11      /* (struct glaze_count *) */
#define GLAZE_FP_SAVE           12      /* (struct glaze_fp *) */
#define GLAZE_FP_LOAD           13      /* (struct glaze_fp *) */
#define GLAZE_PING              14      /* (node) a null message to a kernel */
#define GLAZE_CALLS             15

/*
 * GLAZE_HOLD is for a library that leaves a thread with an open atomic
 * section. (1, 0) gives a word that says what the section had: bits of UAC,
 * and whether it was its turn to read messages. UAC is clear afterwards, and
 * no handler starts, until (0, word) has brought every such section back.
 */
#define GLAZE_HOLD_READER       0x10    /* in the word, beside bits of UAC */

#ifndef __ASSEMBLER__

#include <stdint.h>

/* Registers of the FPU, at a multiple of 8. */
struct glaze_fp {
    uint32_t valid;             /* they are somebody's */
    uint32_t fsr;
    uint32_t f[32];
} __attribute__((aligned(8)));

/* GLAZE_FILE: an input file of the boot image, mapped at an address. */
struct glaze_file {
    char name[64];              /* zero-terminated */
    uint32_t address;           /* virtual, read-only */
    uint32_t size;              /* bytes */
};

/* GLAZE_COUNT: what a node holds, for whoever looks for leaks. */
struct glaze_count {
    uint32_t frames;            /* page frames of the node, kernel's excepted */
    uint32_t frames_free;
    uint32_t frames_clean;      /* of those, known to be zero */
    uint32_t process_pages;     /* of the calling process: its own pages */
    uint32_t buffer_pages;      /* of those, pages of its message buffer */
    uint32_t buffer_messages;   /* messages in the buffer */
    uint32_t buffer_pages_most; /* highest value that buffer_pages has had */
    uint32_t dropped;           /* messages for processes that had ended */
    uint32_t slots;             /* of backing store for this node; 0 also as
                                   long as none has been needed */
    uint32_t slots_free;
    uint32_t pages_out;         /* of the calling process: in backing store */
    uint32_t outs;              /* pages that this node has put there */
    uint32_t ins;               /* and brought back */
    uint32_t processes;         /* on this node that have not ended */
};

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_H */
