/*
 * The ABI of maps over the network, with SHRIMP's interface: what the kernel and the
 * library shrimp.h share. docs/shrimp.md is the reference. "SHRIMP paper" means
 * Blumrich et al., ISCA 1994.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_H
#define GLAZE_SHRIMP_H

#include "glaze.h"

/* ---- Operations of the system call GLAZE_SHRIMP -------------------------- */

/* (operation, ...): the arguments that follow the operation. */
#define SHRIMP_EXPORT   0       /* (number, struct shrimp_export *) lets others map
                                   to a range */
#define SHRIMP_UNEXPORT 1       /* (number) waits until nothing maps to the range */
#define SHRIMP_MAP      2       /* (struct shrimp_map *) maps a range to a part of an
                                   export, and waits until that stands. Returns the
                                   mapping's number */
#define SHRIMP_UNMAP    3       /* (mapping) ends a mapping */
#define SHRIMP_FENCE    4       /* (number) waits until what the process has sent has
                                   entered its receivers' FIFOs. The number, any one,
                                   is another one for each fence: one that was left by
                                   longjmp() is not gone on with */
#define SHRIMP_WAIT     5       /* (address, word) waits as long as the word at the
                                   address is this one: until an update comes to its
                                   page, or as GLAZE_WAIT does. Address 0: until one
                                   comes to a page that was armed */
#define SHRIMP_OPERATIONS 6

/* Who may map to an export. */
#define SHRIMP_OWN_JOB  0       /* processes of its own job */
#define SHRIMP_A_JOB    1       /* processes of the job of that number */
#define SHRIMP_KEY      2       /* whoever knows the key */

/* Argument of SHRIMP_EXPORT: a range, and who may map to it. */
struct shrimp_export {
    uint32_t address;           /* of program or heap, a multiple of 8 */
    uint32_t bytes;             /* a multiple of 8, up to SHRIMP_EXPORT_MOST */
    uint32_t who;               /* SHRIMP_OWN_JOB, ... */
    uint32_t job;               /* SHRIMP_A_JOB: its number on the command line */
    uint32_t key[2];            /* SHRIMP_KEY: 64 bits */
};

/* How stores to a range become updates (SHRIMP paper, section 4.1): automatic update
 * with a packet for each store, or for stores that are merged; by command. */
#define SHRIMP_SINGLE     FUGU_NIPT_SINGLE
#define SHRIMP_BLOCKED    FUGU_NIPT_BLOCKED
#define SHRIMP_DELIBERATE FUGU_NIPT_DELIBERATE

/* Argument of SHRIMP_MAP: a range, and what it is mapped to. */
struct shrimp_map {
    uint32_t address;           /* of program or heap, a multiple of 8 */
    uint32_t bytes;             /* a multiple of 8, up to SHRIMP_MAP_MOST */
    uint32_t node;
    uint32_t job;               /* number on the command line; 0: the own job */
    uint32_t number;            /* of the export there */
    uint32_t offset;            /* in the export, a multiple of 8 */
    uint32_t mode;              /* SHRIMP_SINGLE, ... */
    uint32_t key[2];            /* of an export with a key */
};

#define SHRIMP_EXPORTS          16              /* of a process */
#define SHRIMP_MAPS             48              /* of a process, to others */
#define SHRIMP_GRANTS           96              /* from others to a process */
#define SHRIMP_EXPORT_MOST      0x100000        /* bytes: 1 MiB */
#define SHRIMP_MAP_MOST         0x40000         /* bytes: 256 KiB */

/* From the address of a mapped word to its command word (SHRIMP paper, section 4.2). */
#define SHRIMP_COMMANDS         0xb0000000

#endif /* GLAZE_SHRIMP_H */
