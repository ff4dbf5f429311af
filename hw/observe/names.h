/*
 * Numbers that QEMU and the launcher (tools/fugu/observe) share about
 * observations of a run: names of a timeline, tracks, marks
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OBSERVE_NAMES_H
#define FUGU_OBSERVE_NAMES_H

/* GIDs that have figures of their own; all others share the last set. */
#define FUGU_SEEN_GIDS          65

/* ---- Races: kinds of records of the log (races.h) ------------------------ */

#define FUGU_RACE_ACCESS        0   /* by an instruction */
#define FUGU_RACE_GATHER        1   /* by the network interface: a word of a body */
#define FUGU_RACE_STOREBACK     2
#define FUGU_RACE_LAUNCH        3   /* a message leaves */
#define FUGU_RACE_BEGIN         4   /* its handler begins */
#define FUGU_RACE_DISPOSE       5   /* it is disposed of */

#define FUGU_RACE_IN_HANDLER    1   /* flags */
#define FUGU_RACE_IN_SECTION    2   /* interrupts of messages are off */

/* ---- Marks: places in the code that count something --------------------- */

/*
 * What a mark counts (guest-os/include/marks.h). The first operand is the GID;
 * the second one, where there is one, the cause or the number.
 */
#define FUGU_MARK_BUFFERED      0   /* a process enters buffered mode; cause */
#define FUGU_MARK_FAST          1   /* it leaves buffered mode */
#define FUGU_MARK_DROPPED       2   /* a message is dropped */
#define FUGU_MARK_PAGE_OUT      3   /* a page goes to backing store */
#define FUGU_MARK_PAGE_IN       4   /* a page has come back */
#define FUGU_MARK_SUSPENDED     5   /* overflow control suspends a process */
#define FUGU_MARK_BUFFER_PAGES  6   /* pages of a message buffer, in memory */
#define FUGU_MARK_TAKEN         7   /* a message leaves its buffer: the user has
                                       disposed of it */

/*
 * Marks of the library of shared memory (guest-os/lib/shm), about the GID that is
 * served. A cost begins, and its operand is the address that it is for; the next
 * FUGU_MARK_SHM_END ends it. A twin or a difference is a part of another cost.
 */
#define FUGU_MARK_SHM_READ_FAULT    8
#define FUGU_MARK_SHM_WRITE_FAULT   9
#define FUGU_MARK_SHM_LOCK          10
#define FUGU_MARK_SHM_UNLOCK        11
#define FUGU_MARK_SHM_BARRIER       12
#define FUGU_MARK_SHM_FLAG          13
#define FUGU_MARK_SHM_VISIT         14
#define FUGU_MARK_SHM_TWIN          15
#define FUGU_MARK_SHM_DIFFERENCE    16
#define FUGU_MARK_SHM_END           17
/* A block of shared memory: address, bytes, the pc that has asked for it. */
#define FUGU_MARK_SHM_BLOCK         18

/* Marks of the library of mapped memory (guest-os/lib/shrimp), about the GID that is
 * served: it waits for an update of an address; it has the value. */
#define FUGU_MARK_UPDATE_WAIT       19
#define FUGU_MARK_UPDATE_SEEN       20

/* Maps over the network, about the GID whose page it is. */
#define FUGU_MARK_SHOOT             21  /* a source is told that a page goes out */
#define FUGU_MARK_SHOT              22  /* it has answered */
#define FUGU_MARK_REMAPPED          23  /* mappings of an own page stand again */

#define FUGU_MARKS              24

#define FUGU_MARK_OPERANDS      3

/* ---- Message slots ------------------------------------------------------- */

#define FUGU_SEEN_SLOTS         2       /* one for each priority */

/* ---- A timeline's interned names ---------------------------------------- */

#define FUGU_NAME_TRAP          1       /* + trap type: the kernel's work */
#define FUGU_NAME_WAIT          0x101   /* + reason (FuguWait) */
#define FUGU_NAME_MODE          0x111   /* + cause of buffered mode */
#define FUGU_NAME_START         0x121   /* the kernel since its start */
#define FUGU_NAME_LAUNCH        0x122
#define FUGU_NAME_ARRIVAL       0x123
#define FUGU_NAME_BLOCKED       0x124   /* the input queue has no room */
#define FUGU_NAME_ACCEPTED      0x125   /* it has room again */
#define FUGU_NAME_INSERTED      0x126   /* the kernel has buffered a message */
#define FUGU_NAME_DISPOSED      0x127
#define FUGU_NAME_DROPPED       0x128
#define FUGU_NAME_SECTION       0x129   /* an atomic section */
#define FUGU_NAME_KERNEL        0x12a   /* a message for the kernel */
#define FUGU_NAME_UPDATE        0x12b   /* + mode: an update enters the Outgoing
                                           FIFO */
#define FUGU_NAME_MERGED        0x130   /* a store is merged into a packet */
#define FUGU_NAME_STORED        0x131   /* an update is in memory */
#define FUGU_NAME_ENGINE        0x132   /* the engine has a command */
#define FUGU_NAME_SLOT          0x133   /* + priority: a message slot runs */
#define FUGU_NAME_SLOT_1        0x134
#define FUGU_NAME_HELD          0x135   /* a message slot is ready, while another
                                           context runs */
#define FUGU_NAME_FAULT         0x136   /* a message slot is at fault */
#define FUGU_NAME_NETWORK       0x137   /* + network (FUGU_*_NETWORK) */
#define FUGU_NAME_UPCALL        0x13a   /* an upcall that is no message's handler */
#define FUGU_NAME_BUFFERED      0x13b   /* buffered mode, whose cause is not known */
#define FUGU_NAME_JOB           0x140   /* + GID: a job's process */
#define FUGU_NAME_CODE          0x200   /* + k: the k-th handler that was met */

/* Names of the arguments of a launch. */
#define FUGU_ARGUMENT_TO        1
#define FUGU_ARGUMENT_WORDS     2
#define FUGU_ARGUMENT_BYTES     3
#define FUGU_ARGUMENT_HANDLER   4
#define FUGU_ARGUMENT_SOURCE    5
#define FUGU_ARGUMENT_ADDRESS   6
#define FUGU_ARGUMENT_DATA      7       /* bytes of an update */
#define FUGU_ARGUMENT_NETWORK   8       /* if it is not the main one */

/* Categories: the path of a message. */
#define FUGU_PATH_FAST          1
#define FUGU_PATH_BUFFERED      2

/* ---- A timeline's tracks ------------------------------------------------ */

/* Track k of a node is FUGU_TRACK_NODE * (node + 1) + k. */
#define FUGU_TRACK_NODE         0x100
#define FUGU_TRACK_GROUP        0
#define FUGU_TRACK_RUNS         1       /* what the processor does */
#define FUGU_TRACK_NI           2       /* the network interface */
#define FUGU_TRACK_SECTION      3       /* atomic sections of the user */
#define FUGU_TRACK_QUEUE        4       /* counter: words in the input queue */
#define FUGU_TRACK_SPACE        5       /* counter: words of source space */
#define FUGU_TRACK_PAGES        6       /* counter: pages of message buffers */
#define FUGU_TRACK_OUTGOING     7       /* counter: words in the Outgoing FIFO */
#define FUGU_TRACK_ENGINE       8       /* the engine for deliberate update */
#define FUGU_TRACK_SLOT         9       /* + priority: a message slot */
#define FUGU_TRACK_SLOT_1       10
#define FUGU_TRACK_URGENT_QUEUE 11      /* counters of messages of priority 1 */
#define FUGU_TRACK_URGENT_SPACE 12
#define FUGU_TRACK_MODE         0x40    /* + GID: buffered mode of a process, or
                                           its waits for updates */

/* Counter of a process of the machine: messages on their way to its nodes. */
#define FUGU_TRACK_FLIGHT       1       /* + process */

/* Sequences of packets: one for each node, one for each process. */
#define FUGU_SEQUENCE_NODE      2       /* + node */
#define FUGU_SEQUENCE_PROCESS   0x10000 /* + process */

/* The clock of a sequence: cycles, each after the last packet's. */
#define FUGU_CLOCK_CYCLES       64
/* Cycles since the machine's start. */
#define FUGU_CLOCK_LATE         65

/* ---- What a timeline has ------------------------------------------------ */

#define FUGU_KIND_RUNS          1
#define FUGU_KIND_MESSAGES      2
#define FUGU_KIND_SECTIONS      4
#define FUGU_KIND_MODES         8
#define FUGU_KIND_COUNTERS      16

#endif /* FUGU_OBSERVE_NAMES_H */
