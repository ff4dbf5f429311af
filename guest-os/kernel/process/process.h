/*
 * A process: what the kernel knows of one job's program on this node.
 *
 * It is a page of its own, at a fixed virtual address (GLAZE_PROCESS) while
 * the process runs, and lies in RAM right behind the information page that
 * its user reads; the assembly finds both without a pointer. Offsets for it
 * stand below and are checked by process.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PROCESS_H
#define GLAZE_PROCESS_H

#include "glaze.h"
#include "psr.h"

#define P_PSR           0x00
#define P_PC            0x04
#define P_NPC           0x08
#define P_TRAP          0x0c
#define P_Y             0x10
#define P_G             0x20    /* %g0 to %g7; %g0's place is P_WINDOWS */
#define P_WINDOWS       0x20
#define P_OUT           0x40
#define P_WINDOW        0x60    /* 8 times 64 bytes */
#define P_INSERT        0x260   /* next slot and the end, physical */
#define P_TAIL          0x268   /* next slot, virtual; where it is noted */
#define P_SLOT_END      0x270   /* for soft.S: 64 bits */
#define P_TIMEOUT       0x278

#define P_INFO          (-GLAZE_PAGE)   /* the information page */

/* A record of the message buffer: FUGU_REC_SIZE and padding. */
#define RECORD_SIZE     0x50
#define RECORDS_A_PAGE  (GLAZE_PAGE / RECORD_SIZE)

#define JOBS_MAX        15      /* GIDs 1 to 15 */
#define GID_NONE        0       /* of the idle node */
#define FAULTS_MAX      8       /* of a process, while it goes on */
#define FRESH           4       /* pages that an instruction may need: the most
                                   that are kept for it, */
#define FRESH_LEAST     2       /* and the least */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ni.h"

struct window {
    uint32_t local[8];
    uint32_t in[8];             /* in[6]: the caller's stack pointer */
};

/* The user's registers while the kernel runs C, or another process runs. */
struct registers {
    uint32_t psr;
    uint32_t pc;
    uint32_t npc;
    uint32_t trap;              /* type of the trap that entered */
    uint32_t y;
    uint32_t unused[3];
    uint32_t windows;           /* how many follow: 1 to 7 */
    uint32_t g[7];              /* %g1 to %g7 */
    uint32_t out[8];
    struct window window[NWINDOWS];     /* the current one first */
};

enum process_state {
    PROCESS_NONE,               /* never was */
    PROCESS_RUNNABLE,
    PROCESS_WAITING,            /* for a message */
    PROCESS_PAGING,             /* for a page that is not in memory */
    PROCESS_DOOMED,             /* has ended, and still has what it had */
    PROCESS_ENDED,
};

struct information;
struct image_program;

struct process {
    struct registers registers;
    /* Message buffer. insert_next == insert_end: the next insertion goes
     * through C. The end of the buffer is noted at *tail_note. */
    uint32_t insert_next;
    uint32_t insert_end;
    uint32_t tail;
    uint32_t *tail_note;
    /* Soft atomicity: the cycle timer, behind a handler and in it. */
    uint64_t slot_end;
    uint32_t timeout;
    uint32_t tail_unnoted;      /* where the end is noted to no effect */
    uint32_t body_head;         /* oldest body, virtual */
    uint32_t body_tail;
    uint32_t buffer_pages;
    uint32_t buffer_pages_most;
    uint32_t buffer_pages_out;  /* to backing store */

    /* While atomic sections are suspended (info->hold). */
    bool reads;                 /* the running thread may read messages */
    bool reader_suspended;      /* the thread that may is a suspended one */

    enum process_state state;
    uint32_t waits_with;        /* user's bits of UAC when it wakes up */
    uint32_t wanted;            /* PROCESS_PAGING: the page */
    bool wants_table;           /* PROCESS_PAGING: for GLAZE_MAP, a frame */
    bool refused;               /* and there is no frame for that */
    uint32_t fresh[FRESH];      /* the pages that have come last (evict.h) */
    uint32_t fresh_next;
    uint32_t fault[FAULTS_MAX]; /* pages of fault upcalls, the next first */
    uint32_t faults;
    bool lost;                  /* a page of it could not be read */
    uint32_t evict_from;        /* where to look for a page to put out */
    bool suspended;             /* by overflow control, on all nodes */
    bool overflows;             /* by its buffer here */
    bool overflow_told;         /* to node 0 */
    struct ni_state ni;
    uint32_t gid;
    struct glaze_fp fp;         /* valid: the process has used the FPU */
    uint32_t node;
    bool job_gone;              /* has ended on all nodes: has no slots */
    const struct image_program *program;
    struct information *info;

    /* Address space. */
    uint32_t context;
    uint32_t *regions;          /* level 1 */
    uint32_t tables;            /* chain of frames that hold its tables */
    uint32_t tables_used;       /* bytes of the first of them */
    uint32_t table_frames;
    uint32_t pages;             /* frames that are mapped for the user */
    uint32_t pages_out;         /* pages that are in backing store */
};

/* The information page, as glaze.h lays it out. */
struct information {
    uint32_t head;
    uint32_t stop;
    uint32_t mode;
    uint32_t hold;
    uint32_t node;
    uint32_t nodes;
    uint32_t gid;
    uint32_t unused0;
    uint32_t inserted;
    uint32_t entries;
    uint32_t causes[GLAZE_IN_CAUSES];
    uint32_t gang;
    uint32_t suspensions;
    uint32_t resumptions;
    uint32_t arrivals;
    uint32_t unused[(GLAZE_I_EMPTY - 0x50) / 4];
    uint32_t empty[RECORD_SIZE / 4];
    uint32_t unused2[(GLAZE_I_ARGS_LENGTH - GLAZE_I_EMPTY - RECORD_SIZE) / 4];
    uint32_t args_length;
    char args[GLAZE_I_ARGS_MAX + 1];
};

/* The process whose address space is on; &idle when there is none. */
extern struct process *current;

/* The process that is current when no job's process is: its GID is GID_NONE. */
extern struct process *idle;

/* Processes by GID; NULL where there never was one. */
extern struct process *processes[JOBS_MAX + 1];

/*
 * Marks a process that has to end. May be called anywhere: what the process
 * has, and whether it is the current one, stays as it is until process_reap()
 * (control.h). process_doomed says whether a process is marked.
 */
void process_doom(struct process *p);
extern bool process_doomed;

/* The process has ended, or will as soon as it is reaped. */
static inline bool process_has_ended(const struct process *p)
{
    return p->state >= PROCESS_DOOMED;
}

/*
 * The current process waits for a message, and whoever brings one wakes it.
 * It may wait in an atomic section: nobody waits for it with a message.
 */
void process_wait(void);
void process_wake(struct process *p);

/*
 * The current process waits for a page that is not in memory, and then tries
 * the same instruction again. The pager brings the page (pager_fault()).
 */
void process_wait_for_page(struct process *p, uint32_t address);

/* The wait is over: the page is there, or was never needed. */
void process_page_came(struct process *p);

/* The wait is over: GLAZE_MAP gets no frame for a table. */
void process_refuse(struct process *p);

static inline bool process_can_run(const struct process *p)
{
    return p->state == PROCESS_RUNNABLE && !p->suspended;
}

/* The pages that every process has beside its address space's. */
static inline struct glaze_upcall_page *process_upcall(const struct process *p)
{
    return (struct glaze_upcall_page *)((uint32_t)p - 2 * GLAZE_PAGE);
}

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_PROCESS_H */
