/*
 * What a node consists of: network interface, kernel, processes, contexts.
 *
 * Bounds (node.pml has the defaults): PROCESSES, THREADS of each, MESSAGES
 * that the network sends in all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* A message is known by the process it is for and its number there, from 1. */
#define MESSAGE(process, number) (((process) << 3) + (number))
#define ADDRESSEE(message)       ((message) >> 3)

/* UAC, as in hw/fugu-regs.h; OWNER only in a word of GLAZE_HOLD. */
#define ID    1         /* interrupt-disable */
#define TF    2         /* timer-force */
#define DP    4         /* dispose-pending */
#define AE    8         /* atomicity-extend */
#define OWNER 16

/* %g6: which record it points at. */
#define G6_NI       0
#define G6_EMPTY    1
#define G6_RECORD   32  /* + message: its record in the buffer */

#define FAST        0
#define BUFFERED    1

byte broken;                    /* the rule that is forgotten, or 0 */

/* ---- Network and network interface --------------------------------------- */

#define QUEUE 2                 /* messages that the input queue holds */

byte unsent = MESSAGES;
byte sent[PROCESSES];
byte queue[QUEUE];
byte queued;
bit  busy;                      /* DMA engine: no head is shown */
bit  divert;
byte gid;                       /* K_GID: number of a process */
bit  timer = 1;                 /* K_TIMEOUT is not 0 */
byte uac;

/* ---- Kernel: one of each for every process ------------------------------- */

byte runs;                       /* the process that is scheduled */
bit  mode[PROCESSES];
byte held[PROCESSES];           /* sections suspended by GLAZE_HOLD */
bit  reads[PROCESSES];          /* while any is: the running thread is the
                                   message-handling one, the buffer's owner */
bit  away[PROCESSES];           /* the owner is among the suspended */
byte buffer[PROCESSES * MESSAGES];
byte length[PROCESSES];
byte saved_uac[PROCESSES];      /* of a process that is not scheduled */
byte g6[PROCESSES];
bit  paging[PROCESSES];         /* it waits for a page of its own */
bit  idles;                     /* process `runs` waits for a page, and no
                                   other process has the processor */
bit  starved;                   /* the head message has found no page frame */
byte pages = PAGES;             /* pages that can still be out */
byte starves = STARVES;         /* insertions that can still find no frame */

/* ---- FPU: contexts whose values are in it, and elsewhere ----------------- */

#define DEAD 255                /* values that no context wants back */

byte fpu[PROCESSES];            /* in its registers; 0: nobody's yet */
byte aside[PROCESSES];          /* in the upcall page; 0: nothing is there */
bit  excused[PROCESSES];        /* the library has taken them from there, and
                                   atomicity-extend is still set */
byte floats = FLOATS;           /* times that a context can still begin to
                                   use the FPU */

/* ---- Contexts: threads and handlers, as the library knows them ----------- */

/*
 * The first context of a process is its scheduler, which runs when no thread
 * can; then come the threads, and places for as many handlers as can be.
 */
#define CONTEXTS   (1 + THREADS + MESSAGES)
#define SCHEDULER(process) ((process) * CONTEXTS)
#define IS_HANDLER(context) ((context) % CONTEXTS > THREADS)

#define FREE    0               /* no context; or a thread that has ended */
#define LIVE    1               /* runs, or was interrupted by one that lives */
#define READY   2
#define BLOCKED 3

byte state[PROCESSES * CONTEXTS];
byte below[PROCESSES * CONTEXTS];   /* handler: what it has interrupted */
bit  inside[PROCESSES * CONTEXTS];  /* in an atomic section, by what it did */
bit  owes[PROCESSES * CONTEXTS];    /* handler that has not extracted yet */
byte seen[PROCESSES * CONTEXTS];    /* message that it has looked at */
bit  polls[PROCESSES * CONTEXTS];   /* goes on only when there is a message */
bit  next[PROCESSES * CONTEXTS];    /* handler at its end has seen another */
bit  ends[PROCESSES * CONTEXTS];    /* handler stands at TRAP_RETURN */
bit  uses[PROCESSES * CONTEXTS];    /* has values in the FPU: EF in its PSR */
byte kept[PROCESSES * CONTEXTS];    /* values in its frame; 0: there are none */
byte word[PROCESSES * CONTEXTS];    /* suspended section: GLAZE_HOLD's word */
byte cur[PROCESSES];
byte ready[PROCESSES];              /* contexts that are READY */
bit  owner_ready[PROCESSES];        /* the buffer's owner among them */
byte fuel[PROCESSES];               /* things a program may still do unasked */
byte stack[PROCESSES];              /* context on the upcall page's stack */
byte quanta = QUANTA;
bit  asked[PROCESSES];              /* GLAZE_BUFFER, with nothing to buffer */

/* ---- What a program has seen, for udm.pml -------------------------------- */

byte extracted[PROCESSES];
bit  shown[PROCESSES];          /* the next message has been shown to it */

/*
 * Scratch: used within one step, and 0 again at its end. Not `hidden`: SPIN
 * then takes states for equal that are not, in the middle of a step.
 */
byte p, c, h, i, m, r;
byte todo;                      /* how the kernel goes on (kernel.pml) */
bit  sets_g6, sets_ae, upcalls; /* rules for settle */
bit  drained;                   /* a dispose has emptied the buffer */
bit  returns;                   /* for ended: a handler, not a section */
