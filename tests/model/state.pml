/*
 * The state of a node: network interface, kernel, processes, contexts.
 *
 * Bounds (test_model.py sets them): PROCESSES, THREADS of each process,
 * MESSAGES that the network sends in all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* A message is identified by its addressee and its number there, from 1. */
#define MESSAGE(process, number) (((process) << 3) + (number))
#define ADDRESSEE(message)       ((message) >> 3)

/* UAC bits, as in hw/fugu-regs.h. OWNER occurs only in a word of GLAZE_HOLD. */
#define ID    1         /* interrupt-disable */
#define TF    2         /* timer-force */
#define DP    4         /* dispose-pending */
#define AE    8         /* atomicity-extend */
#define OWNER 16

/* %g6: the record that it points to. */
#define G6_NI       0
#define G6_EMPTY    1
#define G6_RECORD   32  /* plus m: the record of message m in the buffer */

#define FAST        0
#define BUFFERED    1

byte broken;                    /* the rule that is broken, or 0 */

/* ---- Network and network interface --------------------------------------- */

#define QUEUE 2                 /* messages that the input queue holds */

byte unsent = MESSAGES;
byte sent[PROCESSES];
byte queue[QUEUE];
byte queued;
bit  busy;                      /* the DMA engine runs: no head is shown */
bit  divert;
byte gid;                       /* K_GID: number of a process */
bit  timer = 1;                 /* whether K_TIMEOUT is not 0 */
byte uac;

/* ---- Kernel -------------------------------------------------------------- */

byte runs;                       /* the process that has the processor */
bit  mode[PROCESSES];
byte held[PROCESSES];           /* sections suspended by GLAZE_HOLD */
bit  reads[PROCESSES];          /* while sections are suspended: the running
                                   thread owns the buffer, that is it handles
                                   messages */
bit  away[PROCESSES];           /* the owner's section is suspended */
byte buffer[PROCESSES * MESSAGES];
byte length[PROCESSES];
byte saved_uac[PROCESSES];      /* UAC of a process that does not run */
byte g6[PROCESSES];
bit  paging[PROCESSES];         /* the process waits for a page */
bit  idles;                     /* process `runs` waits for a page, and no
                                   other process has the processor */
bit  starved;                   /* the head message has found no page frame */
byte pages = PAGES;             /* pages that can still be out */
byte starves = STARVES;         /* insertions that can still find no frame */

/* ---- FPU: which context's values are where ------------------------------- */

#define DEAD 255                /* values that no context needs back */

byte fpu[PROCESSES];            /* context with values in the FPU; or 0 */
byte aside[PROCESSES];          /* context with values in the upcall page */
bit  excused[PROCESSES];        /* the library has taken those values, and
                                   atomicity-extend is still set */
byte floats = FLOATS;           /* times that a context can still begin to
                                   use the FPU */

/* ---- Contexts: threads and handlers, as the library sees them ------------ */

/*
 * The first context of a process is its scheduler, which runs when no thread
 * can. Then come the threads, and places for as many handlers as there can be.
 */
#define CONTEXTS   (1 + THREADS + MESSAGES)
#define SCHEDULER(process) ((process) * CONTEXTS)
#define IS_HANDLER(context) ((context) % CONTEXTS > THREADS)

#define FREE    0               /* no context; or a thread that has ended */
#define LIVE    1               /* runs, or was interrupted by a LIVE one */
#define READY   2
#define BLOCKED 3

byte state[PROCESSES * CONTEXTS];
byte below[PROCESSES * CONTEXTS];  /* handler: the context it has interrupted */
bit  inside[PROCESSES * CONTEXTS];  /* has opened an atomic section */
bit  owes[PROCESSES * CONTEXTS];    /* handler that has not extracted yet */
byte seen[PROCESSES * CONTEXTS];    /* message that it has looked at */
bit  polls[PROCESSES * CONTEXTS];   /* continues only when there is a message */
bit  next[PROCESSES * CONTEXTS];    /* handler at its end has seen another */
bit  ends[PROCESSES * CONTEXTS];    /* handler is at TRAP_RETURN */
bit  uses[PROCESSES * CONTEXTS];    /* has values in the FPU: EF in its PSR */
byte kept[PROCESSES * CONTEXTS];    /* values in its frame; 0: none */
byte word[PROCESSES * CONTEXTS];    /* suspended section: GLAZE_HOLD's word */
byte cur[PROCESSES];
byte ready[PROCESSES];              /* number of contexts that are READY */
bit  owner_ready[PROCESSES];        /* the buffer's owner is READY */
byte fuel[PROCESSES];               /* voluntary actions that are left */
byte stack[PROCESSES];              /* context on the upcall page's stack */
byte quanta = QUANTA;
bit  asked[PROCESSES];              /* GLAZE_DIVERT began buffered mode */

/* ---- What a program has seen (udm.pml) ----------------------------------- */

byte extracted[PROCESSES];
bit  shown[PROCESSES];          /* the process has seen the next message */

/*
 * Scratch variables: used within one step, and 0 again at its end. They are
 * not `hidden`: SPIN would then treat different states as equal in the middle
 * of a step.
 */
byte p, c, h, i, m, r;
byte todo;                      /* what the kernel does next (kernel.pml) */
bit  sets_g6, sets_ae, upcalls; /* the rules for settle */
bit  drained;                   /* a dispose has emptied the buffer */
bit  returns;                   /* ended() is called for a handler */
