/*
 * The ABI between Glaze, the kernel of a node, and the programs on it.
 *
 * The kernel and the library operating system include this header, in C and in
 * assembly. docs/glaze.md is the reference. "Paper" means Mackenzie et al.,
 * Exploiting Two-Case Delivery for Fast Protected Messaging, HPCA 1998. Sizes
 * and lengths are in bytes unless a comment says otherwise.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_H
#define GLAZE_H

#include "fugu-regs.h"

/* ---- Virtual addresses of a process ------------------------------------- */

/*
 *   0x00000000  boot image                    kernel only
 *   0x10000000  program: text, data, heap     (text read-only, in the image)
 *   0x3ff00000    stack of the first thread, up to 0x40000000
 *   0x40000000  RAM                           kernel only
 *   0x80000000  stacks of handlers and threads, GLAZE_STACK_SIZE each
 *   0x90000000  input files of the boot image (read-only, in the image)
 *   0xa0000000  views of the process's own pages  user, with the rights that
 *                                             the library has set
 *   0xc0000000  message buffer: records       user reads
 *   0xd0000000  message buffer: bodies        kernel only
 *   0xf0000000  information page              user reads
 *   0xf0001000  upcall page                   user reads and writes, pinned
 *   0xf0002000  kernel's page of the process  kernel only
 *   0xf0003000  MBCF's page of the process    user reads, once it is a task
 *   0xffff9000  devices                       kernel only
 *   0xfffff000  network interface, user page  user
 *
 * The data that the kernel's first instructions in a trap need lie at fixed
 * virtual addresses of the running process. So these instructions need no
 * pointer to the process. Each _END and _TOP is the first address after its
 * range.
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
#define GLAZE_VIEWS             0xa0000000
#define GLAZE_VIEWS_END         0xc0000000
#define GLAZE_VIEWS_BITS        5       /* the three highest bits of all
                                           addresses of views */
#define GLAZE_BUFFER            0xc0000000
#define GLAZE_BUFFER_END        0xd0000000
#define GLAZE_BODIES            0xd0000000
#define GLAZE_BODIES_END        0xe0000000
#define GLAZE_INFO              0xf0000000
#define GLAZE_UPCALL            0xf0001000
#define GLAZE_PROCESS           0xf0002000
#define GLAZE_MBCF_PAGE         0xf0003000

#define GLAZE_PAGE              0x1000  /* bytes of a page */

/* ---- Registers that the ABI reserves ------------------------------------ */

/*
 *   %g6  address of the receive record ("known base register", paper, section
 *        4.3). The kernel sets it whenever it resumes the process. Neither the
 *        kernel nor the library saves or restores it.
 *   %g7  for the library; holds GLAZE_UPCALL when a process starts
 *   %g5  not for programs: an upcall may change it
 *
 * GCC for a 32-bit SPARC uses none of the three.
 */

/* ---- Information page: kernel writes, user reads ------------------------- */

/* Offsets of 32-bit words in the page. Counts start at 0 with the process. */
#define GLAZE_I_HEAD            0x00    /* address of the receive record: the
                                           NI's in fast mode, the oldest of the
                                           buffer in buffered mode, or the
                                           empty one */
#define GLAZE_I_STOP            0x04    /* for the kernel: address of the record
                                           at which its fast path of
                                           dispose-extend stops */
#define GLAZE_I_MODE            0x08    /* GLAZE_FAST, GLAZE_BUFFERED or
                                           GLAZE_MESSAGELESS */
#define GLAZE_I_HOLD            0x0c    /* number of atomic sections that are
                                           suspended now */
#define GLAZE_I_NODE            0x10
#define GLAZE_I_NODES           0x14
#define GLAZE_I_GID             0x18
#define GLAZE_I_TIMESLICE       0x1c    /* cycles of a slot (--timeslice) */
#define GLAZE_I_INSERTED        0x20    /* messages put into the buffer */
#define GLAZE_I_ENTRIES         0x24    /* times that the process has entered
                                           buffered mode */
#define GLAZE_I_CAUSES          0x28    /* GLAZE_IN_CAUSES words, one for each
                                           cause GLAZE_IN_*: times that the
                                           cause has led to buffered mode */
#define GLAZE_I_GANG            0x40    /* 1: overflow control advises to
                                           gang-schedule the job */
#define GLAZE_I_SUSPENSIONS     0x44    /* times that overflow control has
                                           suspended the job here */
#define GLAZE_I_RESUMPTIONS     0x48    /* times that overflow control has
                                           resumed the job here */
#define GLAZE_I_ARRIVALS        0x4c    /* number of pages that have come, of
                                           those for which the kernel has made
                                           a fault upcall. Pages come in the
                                           order of their upcalls */
#define GLAZE_I_SEED            0x50    /* the run's --seed */
#define GLAZE_I_GANGED          0x54    /* 1: the job is gang-scheduled now: it
                                           runs in its own slots alone */
#define GLAZE_I_AHEAD           0x58    /* cycles that the node's clock is ahead
                                           of other nodes' (--skew) */
#define GLAZE_I_SOFT            0x5c    /* 1: atomicity is soft: beginatom and
                                           endatom are traps */
#define GLAZE_I_JOB             0x60    /* the job's number on the command line,
                                           from 1; 0: the scheduler's server */
#define GLAZE_I_SHM_ORDER       0x64    /* shared memory (docs/shm.md): --shm-order; 0
                                           if the user has not given it */
#define     GLAZE_ORDER_KEEP        1
#define     GLAZE_ORDER_DROP        2
#define GLAZE_I_SHM_VISITS      0x68    /* --shm-visits: 1 on, 0 off */
#define GLAZE_I_NETIF           0x6c    /* the kind of network interface:
                                           FUGU_NETIF_* */
#define GLAZE_I_AWAY            0x7c    /* for the kernel: views whose pages are
                                           in backing store */
#define GLAZE_I_EMPTY           0x80    /* the empty receive record: zeros */
#define GLAZE_I_ARGS_LENGTH     0xfc    /* bytes, final zero not counted */
#define GLAZE_I_ARGS            0x100   /* text: name and arguments of the job,
                                           separated by single spaces */
#define GLAZE_I_ARGS_MAX        0xeff   /* highest GLAZE_I_ARGS_LENGTH */
/* In this text, a byte for a blank within a word, and one for an empty word.
 * The kernel passes them on, and libos replaces them. */
#define GLAZE_ARGS_BLANK         0x1f
#define GLAZE_ARGS_NOTHING        0x1e

#define GLAZE_FAST              0
#define GLAZE_BUFFERED          1
#define GLAZE_MESSAGELESS       2       /* the machine has no messages for users */

/*
 * Why a process has entered buffered mode. The paper (section 4.3) has the
 * first four causes; GLAZE_DIVERT is for tests, and GLAZE_HOLD for threads.
 */
#define GLAZE_IN_FAULT          0       /* page fault in an atomic section */
#define GLAZE_IN_TIMEOUT        1       /* atomicity-timeout */
#define GLAZE_IN_QUANTUM        2       /* the slot has ended in an atomic
                                           section, or with a message waiting */
#define GLAZE_IN_MISMATCH       3       /* a message for the process has come
                                           while another one was running */
#define GLAZE_IN_REQUEST        4       /* system call GLAZE_DIVERT */
#define GLAZE_IN_HOLD           5       /* system call GLAZE_HOLD: the library
                                           has suspended an atomic section */
#define GLAZE_IN_CAUSES         6       /* number of causes */

/* ---- Upcall page: user reads and writes --------------------------------- */

/*
 * An upcall has 8 bytes here: the stack pointer, then the entry. The kernel
 * starts the upcall at the entry, in a new window with that stack pointer; %fp
 * of the window is the interrupted code's stack pointer.
 */
#define GLAZE_U_MESSAGE         0x00    /* message-available in fast mode */
#define GLAZE_U_BUFFERED        0x08    /* a message from the buffer */
#define GLAZE_U_FAULT           0x10    /* a page is on its way, or has come */
#define GLAZE_U_RIGHTS          0x18    /* an access to a view without the
                                           right to it */
#define GLAZE_U_ENDS            0x20    /* for the library's test whether an
                                           upcall may end without the kernel:
                                           bits of the PSR. The kernel sets
                                           PSR_S, which is set in each %l0, when
                                           it turns the FPU on */
#define GLAZE_U_ARRIVALS        0x24    /* number of arrivals that the library
                                           has handled. While it differs from
                                           GLAZE_I_ARRIVALS, the kernel makes
                                           fault upcalls */
#define GLAZE_U_FP              0x28    /* struct glaze_fp: FPU registers of
                                           the code that a message upcall has
                                           interrupted */
#define GLAZE_U_ALARM           0xb0    /* the cycle of GLAZE_ALARM has come */
#define GLAZE_U_SIGNAL          0xb8    /* MBCF: an invocation waits */
#define GLAZE_U_LIBRARY         0xc0    /* start of the library's own part */

/*
 * Where atomicity is soft, a library may open an atomic section by a store: it
 * sets a bit of GLAZE_U_SECTION in the entry of GLAZE_U_MESSAGE, which it had
 * better keep clear otherwise. It may do so in no other section only. A message
 * for the process that finds a bit set makes no upcall. The kernel opens the
 * section in UAC instead, and so does each other entry to its C code, which also
 * clears the bits.
 *
 * The library closes the section by clearing the bits. If UAC then has
 * interrupt-disable set, the kernel has opened the section there, and the library
 * ends it with GLAZE_TRAP_CLOSE, which does what `endatom USER` does.
 */
#define GLAZE_U_SECTION         0x3

/*
 * A process starts in an atomic section (UAC: interrupt-disable), so that no
 * message comes before the upcalls are in place. The library ends the section.
 */

/*
 * A message upcall begins in a new window, with these contents:
 *
 *   %l0, %l1, %l2    PSR, pc and npc of the interrupted code
 *   ins              outs of the interrupted code
 *   %g6              address of the message's record
 *   %g1 to %g4, %g7, %y  unchanged
 *   UAC              interrupt-disable, timer-force, dispose-pending set
 *   FPU              off
 *
 * The upcall ends with GLAZE_TRAP_RETURN in the same window. %l0 to %l2 and
 * the ins must then be as the kernel has set them. Where atomicity is hard, the
 * library may end it without the kernel if GLAZE_U_ENDS has no bit of %l0: it
 * restores the condition codes and the interrupted code's window, and jumps to
 * pc with endatom in the delay slot. The bit FUGU_UAC_DISPOSE_PENDING in the
 * mask of that endatom has no effect, but tells the kernel, if dispose-pending
 * is set, that the handler has ended.
 *
 * If EF is set in %l0 and the process has used the FPU, the FPU holds values of
 * the interrupted code. The first FPU instruction of a handler traps. The
 * kernel then stores those values in the upcall page at GLAZE_U_FP, sets
 * `valid` there, and loads them again at the end of the upcall.
 *
 * A library that switches from an upcall to another thread has to save the
 * interrupted code's values itself, and load them when that code continues. If
 * `valid` is set at GLAZE_U_FP, the values are there. Otherwise, if EF is set
 * in %l0, GLAZE_FP_SAVE and GLAZE_FP_LOAD save and load them.
 */

/*
 * A fault upcall (GLAZE_U_FAULT) comes only while its entry is not 0. There are
 * two kinds of fault upcalls: the interrupted code has touched a page, which is
 * now on its way from backing store; or such a page has come. The upcall begins
 * with %l0 to %l2, ins, globals and FPU as a message upcall does, and with
 *
 *   %o0  the address of the page that is on its way, or 0 if a page has come
 *        (then GLAZE_I_ARRIVALS has changed)
 *   %o1  a word for the atomic section of the interrupted code, which the
 *        kernel has suspended as GLAZE_HOLD (1, 0) does; 0 if none was open
 *   UAC  interrupt-disable set, and no other bit
 *
 * The library may run other threads before it ends the upcall. The upcall
 * ends with GLAZE_TRAP_RESUME, in a window with the same %l0 to %l2 and ins.
 * With the word from %o1 in %o0, the interrupted code continues in its atomic
 * section. With 0 in %o0, GLAZE_TRAP_RESUME works as GLAZE_TRAP_RETURN, except
 * that it ignores dispose-pending and GLAZE_U_FP.
 */

/*
 * A rights upcall (GLAZE_U_RIGHTS) comes when the process accesses a view that
 * it may not access in this way, if the upcall's entry is not 0. The upcall
 * begins with %l0 to %l2, ins and globals as a message upcall does. The FPU
 * stays as the interrupted code has it. Also:
 *
 *   %o0  the address; or the page, if the access is one of a system call or a
 *        launch, or if no atomic section was open. GLAZE_RIGHTS_STORE is added
 *        if the access is a store
 *   %o1  the word of the atomic section that was open, as in a fault upcall; 0
 *        if none was open
 *   UAC  interrupt-disable set, and no other bit
 *
 * If %o1 is 0, and the interrupted code is not a handler, GLAZE_TRAP_RETURN
 * ends the upcall. In all cases GLAZE_TRAP_RESUME does, with the word of %o1 in
 * %o0. The access is then tried again.
 *
 * An alarm upcall (GLAZE_U_ALARM) comes when the cycle of GLAZE_ALARM has come,
 * as soon as no atomic section is open. It begins and ends in the same way;
 * %o0 and %o1 are undefined.
 *
 * A signal upcall (GLAZE_U_SIGNAL) comes when an MBCF_SIGNAL has noted an
 * invocation (glaze-mbcf.h), as soon as no atomic section is open. It begins
 * and ends as a message upcall does, but with interrupt-disable alone in UAC.
 */
#define GLAZE_RIGHTS_STORE      1

/* ---- Software traps (ta N) ---------------------------------------------- */

#define GLAZE_TRAP_CALL         0       /* system call: number in %g1,
                                           arguments in %o0 to %o3, result in
                                           %o0; %g1 to %g5 and %o1 are lost */
#define GLAZE_TRAP_BREAK        1       /* breakpoint: ends the job */
#define GLAZE_TRAP_DIVIDE       2       /* division by zero, from libgcc: ends
                                           the job */
#define GLAZE_TRAP_FLUSH        3       /* stores all windows but the current
                                           one to the stack */
#define GLAZE_TRAP_COMPILER     5       /* __builtin_trap(): ends the job */
#define GLAZE_TRAP_NEXT         24      /* sets dispose-pending: the stub is
                                           about to call the next handler for a
                                           message from the buffer */
#define GLAZE_TRAP_RESUME       26      /* end of a fault upcall */
#define GLAZE_TRAP_QUICK        27      /* the same as GLAZE_TRAP_CALL, on a
                                           fast path where the kernel has one:
                                           MBCF_REQUEST, MBCF_TAKE, MBCF_NEXT */
#define GLAZE_TRAP_CLOSE        28      /* end of a section that GLAZE_U_SECTION
                                           has opened, where atomicity is soft */
#define GLAZE_TRAP_RETURN       127     /* end of a message upcall */

/* ---- System calls ------------------------------------------------------- */

/*
 * Numbers, with the arguments in parentheses. A result below 0 is -errno,
 * numbered as in newlib's <errno.h>. glaze-calls.h has results and errors.
 */
#define GLAZE_EXIT              0       /* (status) ends the process */
#define GLAZE_ABORT             1       /* (status, text, bytes, pc) ends the
                                           job */
#define GLAZE_WRITE             2       /* (address, bytes) to the console */
#define GLAZE_READ              3       /* (address, bytes) from the console */
#define GLAZE_MAP               4       /* (address, bytes) maps zero pages */
#define GLAZE_UNMAP             5       /* (address, bytes) frees pages */
#define GLAZE_FILE              6       /* (index, struct glaze_file *) */
#define GLAZE_YIELD             7       /* () yields the rest of the slot */
#define GLAZE_WAIT              8       /* () waits until a message is there,
                                           GLAZE_I_ARRIVALS has changed, or an
                                           alarm or signal upcall is due */
#define GLAZE_DIVERT            9       /* () enters buffered mode at once */
#define GLAZE_HOLD              10      /* (1, 0) suspends the atomic section;
                                           (0, word) resumes it */
#define GLAZE_COUNT             11      /* (struct glaze_count *) */
#define GLAZE_FP_SAVE           12      /* (struct glaze_fp *) */
#define GLAZE_FP_LOAD           13      /* (struct glaze_fp *) */
#define GLAZE_PING              14      /* (node) sends a null message to the
                                           kernel of a node, if the kernel's
                                           parameter glaze.ping is 1 */
#define GLAZE_ERROR             15      /* (address, bytes) to standard error */
#define GLAZE_INPUT             16      /* (address, bytes) from standard input;
                                           waits */
#define GLAZE_TERMINALS         17      /* () which standard files are
                                           terminals: FUGU_TERMINAL_* */
#define GLAZE_NAMED             18      /* (command, name, bytes, file) works on
                                           a file by its name */
#define GLAZE_SIZED             19      /* (command, file, bytes) works on a
                                           file by its number */
#define GLAZE_GET               20      /* (file, position, address, bytes)
                                           reads from a file */
#define GLAZE_PUT               21      /* (file, position, address, bytes)
                                           writes to a file */
#define GLAZE_MEASURE           22      /* (struct glaze_measure *, anew) */
#define GLAZE_SCHEDULE          23      /* (struct glaze_table *) */
#define GLAZE_EVENT             24      /* (mask, struct glaze_event *, high and
                                           low word of a time) waits */
#define GLAZE_JOB               25      /* (number, struct glaze_job *) */
#define GLAZE_START             26      /* (number) starts a job that waits */
#define GLAZE_VIEW              27      /* (struct glaze_view *, count) sets
                                           views, and the rights to them */
#define GLAZE_ALARM             28      /* (high, low) an alarm upcall at that
                                           cycle; GLAZE_ALARM_NEVER in both
                                           words: none */
#define GLAZE_MBCF              29      /* (operation, ...) commands on other
                                           tasks' memory (glaze-mbcf.h) */
#define GLAZE_FRESH             30      /* (address, bytes) how many bytes from
                                           there on are fresh pages */
#define GLAZE_WATCH             31      /* (address, bytes) pages count as
                                           unchanged from now on */
#define GLAZE_UNCHANGED         32      /* (address, bytes) how many bytes from
                                           there on are unchanged pages */
#define GLAZE_ANNOUNCE          33      /* (struct glaze_plan *) sends a plan to
                                           the servers of all other nodes */
#define GLAZE_PLAN              34      /* (struct glaze_plan *) takes the
                                           newest plan that has come */
#define GLAZE_SHRIMP            35      /* (operation, ...) maps over the network
                                           (glaze-shrimp.h) */
#define GLAZE_MM                36      /* (operation, ...) segments that messages
                                           of the M-Machine go to (glaze-mm.h) */
#define GLAZE_CALLS             37      /* number of system calls */

#define GLAZE_ALARM_NEVER       0xffffffff      /* both words of no alarm */

/*
 * A view shows a page of the process's program or heap at a second address, in
 * the range of views, with rights of its own. The page's first address stays as
 * it is. A page has one view at most. The lowest bits of the view's address are
 * the rights.
 */
#define GLAZE_VIEW_NONE         0       /* there is no view any more */
#define GLAZE_VIEW_READ         1
#define GLAZE_VIEW_WRITE        2       /* read and write */
#define GLAZE_VIEW_RIGHTS       3       /* mask */

/*
 * A library uses GLAZE_HOLD to switch away from a thread that has an atomic
 * section open. (1, 0) suspends the section and returns a word that describes
 * it: its bits of UAC, and GLAZE_HOLD_READER if the thread could read
 * messages. The call clears UAC. No handler starts until a call with (0, word)
 * has resumed each suspended section.
 */
#define GLAZE_HOLD_READER       0x10    /* set in the word if the thread was in
                                           a handler, or polling */

/*
 * Commands of GLAZE_NAMED are FUGU_FILES_FIND, _CREATE, _UNLINK and _RENAME;
 * only the last one uses the number of a file. Commands of GLAZE_SIZED are
 * FUGU_FILES_RESIZE, FUGU_FILES_OPEN, FUGU_FILES_CLOSE, and GLAZE_FILE_SIZE.
 */
#define GLAZE_FILE_SIZE         0
#define GLAZE_OPEN_MAX          32      /* files that a process has open */

/*
 * GLAZE_SCHEDULE to GLAZE_START, GLAZE_ANNOUNCE and GLAZE_PLAN are for the
 * scheduler's server alone, the program that the boot image names
 * (docs/scheduler.md). All other programs get -EPERM.
 */

/* Events of a process, or of its job. GLAZE_EVENT waits for them. */
#define GLAZE_E_BEGUN           0x01    /* the process has begun */
#define GLAZE_E_ENDED           0x02    /* the process has ended */
#define GLAZE_E_GONE            0x04    /* so have those of all other nodes */
#define GLAZE_E_SUSPENDED       0x08    /* overflow control suspends it */
#define GLAZE_E_RESUMED         0x10    /* and lets it go on */
#define GLAZE_E_GANG            0x20    /* advice to gang-schedule the job */
#define GLAZE_E_BLOCKED         0x40    /* it waits for a message or a page */
#define GLAZE_E_WOKEN           0x80    /* it no longer does */
#define GLAZE_E_ALL             0xff

/* States of a job. */
#define GLAZE_JOB_WAITS         0       /* has not been started */
#define GLAZE_JOB_STARTS        1       /* its processes are being made */
#define GLAZE_JOB_RUNS          2
#define GLAZE_JOB_GONE          3       /* has ended on all nodes */

#define GLAZE_JOBS_LISTED       255     /* jobs of the command line, at most */
#define GLAZE_SLOTS_MAX         64      /* slots of a table */
#define GLAZE_SLOT_LEAST        1000    /* cycles of a slot, at least */
#define GLAZE_SLOT_GANG         1       /* flag: the process runs in slots of
                                           its own alone */
#define GLAZE_NEVER             0x7fffffffffffffff      /* a time */

#ifndef __ASSEMBLER__

#include <stdint.h>

/*
 * Registers of the FPU. Aligned to 8 bytes, because the kernel stores and
 * loads two registers at a time.
 */
struct glaze_fp {
    uint32_t valid;             /* 1: the structure holds values */
    uint32_t fsr;
    uint32_t f[32];
} __attribute__((aligned(8)));

/* An upcall, in the upcall page. */
struct glaze_upcall {
    uint32_t sp;                /* stack pointer */
    uint32_t entry;             /* address of the first instruction */
};

/* The upcall page, up to the library's own part. */
struct glaze_upcall_page {
    struct glaze_upcall message;
    struct glaze_upcall buffered;
    struct glaze_upcall fault;
    struct glaze_upcall rights;
    uint32_t ends;
    uint32_t arrivals;
    struct glaze_fp fp;
    struct glaze_upcall alarm;
    struct glaze_upcall signal;
};

#if defined(__cplusplus) && !defined(_Static_assert)
#define _Static_assert static_assert
#endif
#define GLAZE_U_CHECK_(offset, member) \
    _Static_assert(__builtin_offsetof(struct glaze_upcall_page, member) == \
                   (offset), #member)
GLAZE_U_CHECK_(GLAZE_U_MESSAGE, message);
GLAZE_U_CHECK_(GLAZE_U_BUFFERED, buffered);
GLAZE_U_CHECK_(GLAZE_U_FAULT, fault);
GLAZE_U_CHECK_(GLAZE_U_RIGHTS, rights);
GLAZE_U_CHECK_(GLAZE_U_ENDS, ends);
GLAZE_U_CHECK_(GLAZE_U_ARRIVALS, arrivals);
GLAZE_U_CHECK_(GLAZE_U_FP, fp);
GLAZE_U_CHECK_(GLAZE_U_ALARM, alarm);
GLAZE_U_CHECK_(GLAZE_U_SIGNAL, signal);
_Static_assert(sizeof(struct glaze_upcall_page) == GLAZE_U_LIBRARY,
               "the library's part comes next");

/* Argument of GLAZE_VIEW: one view. */
struct glaze_view {
    uint32_t view;              /* address and rights */
    uint32_t page;              /* address of the page that it shows */
};

/* Result of GLAZE_FILE: an input file of the boot image. */
struct glaze_file {
    char name[64];              /* zero-terminated */
    uint32_t address;           /* virtual; mapped read-only */
    uint32_t size;              /* bytes */
};

/*
 * Result of GLAZE_COUNT: what is in use on the node, for tests that look for
 * leaks. All numbers are of this node.
 */
struct glaze_count {
    uint32_t frames;            /* page frames, without the kernel's */
    uint32_t frames_free;
    uint32_t frames_clean;      /* free frames that are known to be zero */
    uint32_t process_pages;     /* pages of the calling process in memory */
    uint32_t buffer_pages;      /* of those, pages of its message buffer */
    uint32_t buffer_messages;   /* messages in the buffer */
    uint32_t buffer_pages_most; /* highest value of buffer_pages, so far or
                                   since GLAZE_MEASURE began it anew */
    uint32_t dropped;           /* messages dropped so far, because their
                                   process had ended */
    uint32_t slots;             /* pages of backing store that the node may
                                   use; 0 until it needs the first one, or a
                                   program asks when few frames are free */
    uint32_t slots_free;
    uint32_t pages_out;         /* pages of the calling process that are in
                                   backing store */
    uint32_t outs;              /* pages written to backing store so far */
    uint32_t ins;               /* pages read back so far */
    uint32_t processes;         /* processes that have not ended */
};

/*
 * Result of GLAZE_MEASURE: what the calling process has sent, received and
 * used on the node since it was created. The machine counts
 * (docs/machine.md, "Counters"), so counting costs no cycles.
 */
struct glaze_measure {
    uint64_t now;               /* cycle at which the kernel has read these
                                   counters, by the clock of udm_cycles() */
    uint64_t counter[FUGU_METER_COUNTERS];      /* by FUGU_METER_* */
    uint32_t buffer_pages;      /* pages of the message buffer in memory */
    uint32_t buffer_pages_most; /* highest value of buffer_pages, so far or
                                   since GLAZE_MEASURE began it anew. With
                                   anew = 1 it begins anew after this call */
};

/*
 * A table of slots. It repeats every `period` cycles from `origin` on, by the
 * node's clock. Slots are in order of time and do not overlap.
 */
struct glaze_slot {
    uint64_t from, to;          /* cycles since the period began */
    uint32_t gid;
    uint32_t flags;             /* GLAZE_SLOT_GANG or 0 */
};

/* A table of such slots. */
struct glaze_table {
    uint64_t origin;            /* until then the table before it holds */
    uint64_t period;
    uint32_t count;             /* of slots, at most GLAZE_SLOTS_MAX */
    uint32_t unused;
    struct glaze_slot slot[GLAZE_SLOTS_MAX];
};

/*
 * A plan that the server on node 0 sends to the servers of the other nodes. They
 * alone give it a meaning; the names are those of guest-os/sched.
 */
struct glaze_plan {
    uint64_t origin;            /* when it begins, by each node's clock */
    uint64_t jobs;              /* bit GID: the job has a slot */
    uint64_t gang;              /* bit GID: and runs in that slot alone */
};

/* Result of GLAZE_EVENT. */
struct glaze_event {
    uint32_t gid;
    uint32_t events;            /* GLAZE_E_*: what has happened to it */
    uint32_t can_run;           /* 1: the process of this node can run now */
};

/* Result of GLAZE_JOB. */
struct glaze_job {
    uint64_t begins;            /* when to start it, by node 0's clock; 0: the
                                   kernel has started it */
    uint32_t state;             /* GLAZE_JOB_*. Only node 0 knows STARTS and
                                   GONE for a job whose GID another one has */
    uint32_t gid;               /* 0: it has none yet */
};

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_H */
