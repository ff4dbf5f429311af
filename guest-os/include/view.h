/*
 * Where the kernel and the library keep what the report of the machine's end
 * shows (tools/fugu/report/).
 *
 * kernel_view and library_view are constants in the ELF files of the kernel and
 * of each program, crl_view in those of programs that use CRL, and shm_view in
 * those of programs that use shared memory. The reporter reads them there by
 * their names. A member is an offset in bytes, except where a comment says
 * otherwise.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VIEW_H
#define VIEW_H

#include <stdint.h>

struct kernel_view {
    uint32_t processes;         /* address of the array processes[] */
    uint32_t current;           /* address of the pointer `current` */
    /* In struct process: */
    uint32_t state;
    uint32_t wanted;
    uint32_t suspended;         /* of a byte */
    uint32_t program;
    uint32_t regions;
    uint32_t info;              /* of the information page's address */
    uint32_t tail;              /* of the buffer */
};

struct library_view {
    uint32_t first_thread;      /* address of the thread of main() */
    uint32_t unused;            /* address of the word with the first stack
                                   unit that was never taken */
    uint32_t free_units;        /* address of the list of free units */
    /* In struct udm_thread: */
    uint32_t next;
    uint32_t done;              /* of a byte */
    uint32_t ready;             /* of a byte */
    uint32_t start;
};

struct crl_view {
    uint32_t names;             /* address of the array of pointers to the
                                   names of calls */
    uint32_t calls;             /* number of them */
    uint32_t now;               /* address of the call that a thread is in: */
    /* In struct crl_now: */
    uint32_t call;              /* index of the name, plus 1; 0: no call */
    uint32_t rid;               /* name of the region; 0: none */
    uint32_t caller;            /* address of the instruction that calls */
};

struct shm_view {
    uint32_t names;             /* address of the array of pointers to the
                                   names of calls */
    uint32_t calls;             /* number of them */
    uint32_t now;               /* address of the call that the thread is in: */
    /* In struct shm_now: */
    uint32_t call;              /* index of the name, plus 1; 0: no call */
    uint32_t address;           /* of the lock, barrier or flag; 0: none */
    uint32_t caller;            /* address of the instruction that calls */
};

#endif /* VIEW_H */
