/*
 * What an MBCF server and its raider agree on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HOSTILE_RAID_H
#define HOSTILE_RAID_H

#include "mbcf.h"

#define SERVER  1               /* number of the server's task on each node:
                                   the server is the first job */

/* First messages to the server. data[0] says which one it is. */
#define HELLO   0x48454c4c      /* data[1], [2]: the raider's key; data[3]: the
                                   address of its struct answer */
#define BYE     0x42594521      /* the raider has done what it wanted */

/* The structures that the raider may use, but not write. */
struct structures {
    struct mbcf_fifo good;      /* its buffer is the server's own */
    struct mbcf_fifo loops;     /* a mistake: its buffer is `bait` */
    struct mbcf_signal counts;  /* runs a program of the server */
    struct mbcf_signal chooses; /* lets the requester choose the program */
    struct mbcf_signal opens;   /* a mistake: stores in a FIFO at `open` */
    struct mbcf_signal spills;  /* a mistake: stores in `bait` */
    uint32_t bait[16];
};

/* What the server writes to the raider in answer to HELLO. */
struct answer {
    uint64_t open_key;          /* agent: reads and writes `open`, reads
                                   `closed`, uses `structures` */
    uint64_t closed_key;        /* agent: reads `closed` */
    uint32_t open_task, closed_task;
    uint32_t open, open_bytes;
    uint32_t closed, closed_bytes;
    uint32_t structures;
    uint32_t secret;            /* address of memory that no agent opens */
    uint32_t text;
    uint32_t there;             /* 1: the answer is complete */
};

#endif /* HOSTILE_RAID_H */
