/*
 * A process: what the kernel knows of one job's program on this node.
 *
 * struct process fills a page. While the process runs, the page is mapped at a
 * fixed virtual address (GLAZE_PROCESS). In RAM it comes right after the
 * information page, which the user reads. So the assembly finds both without a
 * pointer. process.c checks the offsets for the assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PROCESS_H
#define GLAZE_PROCESS_H

#include "machine/psr.h"
#include "glaze.h"

#define P_PSR           0x00
#define P_PC            0x04
#define P_NPC           0x08
#define P_TRAP          0x0c
#define P_Y             0x10
#define P_G             0x20    /* %g0 to %g7; P_WINDOWS is in %g0's place */
#define P_WINDOWS       0x20
#define P_OUT           0x40
#define P_WINDOW        0x60    /* 8 times 64 bytes */
#define P_INSERT        0x260   /* next slot and the end, physical */
#define P_TAIL          0x268   /* next slot, virtual; where to note it */
#define P_SLOT_END      0x270   /* for soft_vectors.S: 64 bits */
#define P_TIMEOUT       0x278
#define P_BODY          0x280   /* next body, virtual; physical less virtual */
#define P_LATE_END      0x288   /* the end for P_INSERT, of late insertions */

#define P_INFO          (-GLAZE_PAGE)   /* the information page */

/* A record of the message buffer: a receive record, and a word for the kernel,
 * the address of the body if there is one. */
#define RECORD_BODY     FUGU_REC_SIZE
#define RECORD_SIZE     0x50
#define RECORDS_A_PAGE  (GLAZE_PAGE / RECORD_SIZE)

#define CACHE_LINE      16
#define JOBS_MAX        62      /* jobs that exist at one time: GIDs 1 to 62 */
#define GID_SERVER      63      /* of the scheduler's server */
#define GID_MAX         63
#define GID_NONE        0       /* of the idle process */
#define FAULTS_MAX      8       /* pages that a process may wait for while it
                                   runs */
#define RIGHTS_DENIED   1       /* an access to a view was not allowed */
#define RIGHTS_ALARM    2       /* an alarm is to come at its cycle */
#define RIGHTS_DUE      4       /* the cycle of an alarm has come */
#define RIGHTS_SIGNAL   8       /* an invocation of MBCF waits */
#define FRESH           4       /* pages that stay in memory for an instruction
                                   that needs them, at most */
#define FRESH_LEAST     2       /* the same, at least */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/ni.h"

struct window {
    uint32_t local[8];
    uint32_t in[8];             /* in[6]: the caller's stack pointer */
};

/* The user's registers while the kernel runs C, or another process runs. */
struct registers {
    uint32_t psr;
    uint32_t pc;
    uint32_t npc;
    uint32_t trap;              /* type of the trap */
    uint32_t y;
    uint32_t unused[3];
    uint32_t windows;           /* windows in use below: 1 to 7 */
    uint32_t g[7];              /* %g1 to %g7 */
    uint32_t out[8];
    struct window window[NWINDOWS];     /* the current one first */
};

enum process_state {
    PROCESS_NONE,               /* there never was a process */
    PROCESS_NEW,                /* waits until all nodes have one of its job */
    PROCESS_RUNNABLE,
    PROCESS_WAITING,            /* for a message */
    PROCESS_PAGING,             /* for a page that is not in memory */
    PROCESS_DOOMED,             /* has ended, but still has its memory */
    PROCESS_ENDED,
};

struct gids;
struct information;
struct image_program;
struct mbcf_task;
struct shrimp_task;

/* A range of memory to which the process may send, at all nodes (services/mm/). */
enum segment_state {
    SEGMENT_FREE,
    SEGMENT_BEGUN,              /* the process pins its pages */
    SEGMENT_LIVE,
    SEGMENT_ENDS,               /* it lets them go */
};

#define SEGMENTS_MAX    8

struct segment {
    uint32_t window;            /* address of node 0's part */
    uint32_t address;           /* of the range */
    uint8_t log;                /* log2 of its bytes */
    uint8_t state;              /* enum segment_state */
    uint16_t pages;             /* that are pinned */
    int32_t result;             /* SEGMENT_ENDS: of the call that waits for that */
};

struct process {
    struct registers registers;
    /*
     * Message buffer. If insert_next == insert_end, C does the next insertion.
     * Each insertion notes the end of the buffer at *tail_note.
     */
    uint32_t insert_next;
    uint32_t insert_end;        /* 0 if insertions are late (latency.h) */
    uint32_t tail;
    uint32_t *tail_note;
    /* Soft atomicity: the cycle timer after a handler, and in a handler. */
    uint64_t slot_end;
    uint32_t timeout;
    uint32_t tail_unnoted;      /* for tail_note, if no note is needed */
    /*
     * Bodies. body_tail is where the next one goes. If that is the start of a
     * page, the page has no frame yet. Otherwise body_shift is the physical
     * address of that page minus its virtual one.
     */
    uint32_t body_tail;
    uint32_t body_shift;
    uint32_t insert_late_end;   /* as insert_end, if insertions are late */
    uint32_t body_head;         /* page of the oldest body */
    uint32_t buffer_pages_most; /* highest value of buffer_pages so far */
    uint32_t buffer_pages_out;  /* in backing store */
    struct {
        uint32_t tail;          /* page of the newest one then; 0: no search */
        uint32_t at;            /* the pages from here to tail are out */
    } searched[2];              /* for records, for bodies (buffer_victim()) */

    /*
     * The storeback that delivery_storeback() has begun: it continues if the
     * same instruction comes again with the same operands.
     */
    struct storeback {
        uint32_t pc;
        uint32_t head;
        uint32_t to;
        uint32_t offset;
        uint32_t bytes;
        uint32_t done;          /* bytes that have been copied */
    } storeback;

    /* While atomic sections are suspended (info->hold). */
    bool reads;                 /* the running thread may read messages */
    bool reader_suspended;      /* a suspended thread may read messages */

    /* What the scheduler asks of each process, in one line of the cache. */
    enum process_state state __attribute__((aligned(CACHE_LINE)));
    bool suspended;             /* by overflow control, on all nodes */
    uint32_t gid;
    struct information *info;

    /* What it waits for. */
    uint32_t waits_with;        /* user's bits of UAC for when it wakes up */
    uint32_t wanted;            /* PROCESS_PAGING: the page */
    bool wants_frame;           /* PROCESS_PAGING: it waits for a frame of the
                                   kernel's, not for the page */
    bool refused;               /* it gets no such frame */
    uint8_t waits_for;          /* PROCESS_WAITING in a call of maps: SHRIMP_WAITS_*
                                   (services/shrimp/state.h); 0 */
    uint32_t granted;           /* the frame that it has waited for; 0 */

    /* Pages that come and go. */
    uint32_t fresh[FRESH];      /* the last pages that have come (evict.h) */
    uint32_t fresh_next;
    uint32_t fault[FAULTS_MAX]; /* pages of fault upcalls, the next one first */
    uint32_t faults;            /* number of them */
    bool lost;                  /* one of its pages could not be read */
    uint8_t remote_turn;        /* while commands and it wait for pages: how many have
                                   come, modulo those of both turns (pager.c) */
    bool remote_came;           /* a page has come for commands, which have not been
                                   tried again since */
    uint32_t evict_from;        /* where the next search for a page starts */
    struct {
        uint32_t round;         /* of the pager, in which no page could go (evict.c) */
        uint32_t key;
    } none[2];                  /* of its buffer, of its other pages */

    /* MBCF (services/mbcf/task.h). */
    struct mbcf_task *mbcf;     /* NULL: it is no task */
    uint32_t remote;            /* page that a command waits for; 0 */
    bool remote_own;            /* a status of its own needs it */
    uint32_t remote_refused;    /* page for which no frame can be had; 0 */

    /* Maps over the network (services/shrimp/state.h). */
    struct shrimp_task *shrimp; /* NULL: it has none */
    uint32_t status;            /* it has ended with this, and has mappings left */

    /* Views and alarm (delivery/rights.h). */
    uint32_t rights;            /* RIGHTS_* flags: what is to be done */
    uint32_t denied_address;    /* with GLAZE_RIGHTS_STORE for a store */
    uint64_t alarm;             /* cycle of the alarm */

    /* Overflow control. */
    bool overflows;             /* its buffer here is too large */
    bool overflow_told;         /* node 0 has been told to suspend its job */

    struct ni_state ni;         /* while it does not run */

    /* Time of other processes that insertions of its messages and its commands
     * take (debts.h). */
    uint64_t cycles __attribute__((aligned(CACHE_LINE)));   /* METER_CYCLES that have
                                   been accounted for */
    uint64_t charged;           /* in this slot, for commands: it stays if the
                                   process runs meanwhile */
    uint64_t debt;              /* to be taken from its slots */
    uint64_t paging_debt;       /* for pages that it needs: the same */
    uint64_t paging_charged;    /* for such pages, in this slot */
    uint64_t paging_late;       /* when its pages need not wait for that any more;
                                   0: they do not wait */
    uint64_t paging_waited;     /* the debt for which they wait */
    uint64_t paging_since;      /* its debt has been paid by time until then */
    uint32_t pages_away;        /* that its buffer got while it did not run, since
                                   debts_check() */
    uint32_t lent;              /* cycles of its slots in which others have run while
                                   it waited for pages, and of others' slots in which */
    uint32_t borrowed;          /* it has run so (timeslot.c) */
    uint32_t page_at;           /* when its last page has come: the low word of now() */
    uint32_t idle_at;           /* cycles in which the node had nothing to run, until */
    uint32_t idle;              /* then, and those for which it may still be a guest on
                                   account (timeslot.c) */
    uint32_t messages;          /* that it had sent and received at talked_at: the */
    uint32_t talked_at;         /* low word of now() */
    uint64_t held_until;        /* its job is suspended until then at most, for a
                                   debt or for waste; 0 */
    uint32_t events;            /* GLAZE_E_*: the scheduler's server does not
                                   know them yet */
    struct glaze_fp fp;         /* valid: the process has used the FPU */
    uint32_t aside_sp;          /* stack pointer of the code whose values are in
                                   the upcall page (fpu.c) */
    bool job_gone;              /* its job has ended on all nodes */
    uint32_t number;            /* of its job on the command line */
    const struct image_program *program;
    uint32_t files_open;        /* number of files that it has open (opened.h), */
    uint32_t file[GLAZE_OPEN_MAX];      /* and their numbers */

    /* Of a process that has ended: what messages for it cost (debts.h). */
    uint64_t waste_from;        /* when the time began in which they count, or 0, */
    uint64_t waste_before;      /* and what they had cost before */
    uint64_t waste_of_commands; /* cycles of debts_charge() */

    /* Address space. */
    uint32_t context;
    uint32_t loaded;            /* pages that memory_load() has mapped */
    uint32_t *regions;          /* level 1 */
    uint32_t destroyed;         /* its pages up to here have been given back, */
    bool pages_are_left;        /* and there are others */
    uint32_t *views;            /* level 1 of views by page (space.c); NULL */
    uint32_t tables;            /* chain of frames that hold its tables */
    uint32_t tables_used;       /* bytes of the first of them */

    /* What a search for pages asks of each process, in one line of the cache. */
    uint32_t kernel_frames __attribute__((aligned(CACHE_LINE)));   /* frames that the
                                   kernel uses for it: tables, and pages of MBCF */
    uint32_t pages;             /* frames that are mapped for the user, */
    uint32_t buffer_pages;      /* and those of its message buffer among them */
    uint32_t pages_out;         /* pages that are in backing store */
    uint32_t pinned;            /* frames of `pages` that stay: others map to them, or
                                   they to others */

    /* Messages of the M-Machine. */
    struct segment segment[SEGMENTS_MAX];
    uint32_t guarded;           /* page that is closed until a handler stores there, for
                                   which the process waits (services/mm/guard.h); 0 */
    uint32_t slot_fills;        /* pages that slots have filled (message_slots.c), */
    uint64_t slot_fills_at;     /* less those that are forgiven up to this time */
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
    uint32_t timeslice;
    uint32_t inserted;
    uint32_t entries;
    uint32_t causes[GLAZE_IN_CAUSES];
    uint32_t gang;
    uint32_t suspensions;
    uint32_t resumptions;
    uint32_t arrivals;
    uint32_t seed;
    uint32_t ganged;
    uint32_t ahead;
    uint32_t is_soft;
    uint32_t job;
    uint32_t shm_order;
    uint32_t shm_visits;
    uint32_t netif;
    uint32_t unused[(GLAZE_I_AWAY - 0x70) / 4];
    uint32_t away;
    uint32_t empty[RECORD_SIZE / 4];
    uint32_t unused2[(GLAZE_I_ARGS_LENGTH - GLAZE_I_EMPTY - RECORD_SIZE) / 4];
    uint32_t args_length;
    char args[GLAZE_I_ARGS_MAX + 1];
};

/* The process whose address space is on; `idle` when no job's process is. */
extern struct process *current;

/* A process without a program, with GID_NONE. */
extern struct process *idle;

/* Processes by GID; NULL where there never was one. */
extern struct process *processes[GID_MAX + 1];

/* The GIDs whose processes can run (process_can_run()), and those whose processes have
 * been made and have not ended. */
extern struct gids processes_ready, processes_here;

/* Those that may need a page: each that does, and others that no longer do, until the
 * pager has looked. */
extern struct gids processes_needy;

/* Parameters of the run that programs see in the information page. */
extern uint32_t timeslice;      /* cycles of a slot (paper, section 5) */
extern uint32_t shm_order, shm_visits;  /* GLAZE_I_SHM_* */
extern uint32_t seed;

/* The highest GID of a job that has, or has had, a process here. */
extern unsigned processes_last;

/*
 * The GIDs whose processes may have begun here: 1 to processes_last, and GID_SERVER.
 * gid_next() returns the one after this one; GID_NONE after the last one. gid_after()
 * returns it in a ring.
 */
static inline unsigned gid_next(unsigned gid)
{
    return gid < processes_last ? gid + 1 :
           gid < GID_SERVER ? GID_SERVER : GID_NONE;
}

static inline unsigned gid_after(unsigned gid)
{
    return gid < GID_SERVER ? gid_next(gid) : 1;
}

/* The number of jobs that have a process here that has begun and not ended. */
extern unsigned processes_alive;

/* Processes keep their pages when they end, since GIDs will be used again. */
extern bool processes_recur;

/*
 * Which processes exist, or which jobs have ended on all nodes, has changed
 * since the scheduler has cleared this.
 */
extern bool processes_changed;

/* A process has been made. process_begin() lets it run. */
void process_made(struct process *p);
void process_begin(struct process *p);

/* Overflow control suspends p, or lets it go on. */
void process_suspend(struct process *p, bool suspended);

/*
 * Marks a process that has to end. May be called anywhere: what the process
 * has, and whether it is the current one, stays as it is until process_reap()
 * (control.h). process_doomed says whether a process is marked.
 */
void process_doom(struct process *p);
extern bool process_doomed;

/* Returns a process that is marked, and the next one with each call; NULL: there is
 * none. */
struct process *process_take_doomed(void);

/* The process has ended, or will as soon as it is reaped. */
static inline bool process_has_ended(const struct process *p)
{
    return p->state >= PROCESS_DOOMED;
}

/*
 * Makes the current process wait for a message. The code that brings a message
 * for a process wakes it. The process may wait in an atomic section: while it
 * waits, a message still interrupts the kernel.
 */
void process_wait(void);
void process_wake(struct process *p);

/*
 * Makes a process wait for a page that is not in memory. The pager brings the
 * page (pager_fault()). Then the process repeats its instruction.
 */
void process_wait_for_page(struct process *p, uint32_t address);

/* Ends the wait for a page, which is in memory, or is not needed. */
void process_page_came(struct process *p);

/*
 * Makes a process wait for a frame that the kernel needs for its system call,
 * which will be repeated. process_grant() ends the wait with a frame, which is
 * the process's from then on: space_frame() returns it. So no other process can
 * take it before the call is repeated. process_refuse() ends the wait without
 * one. `address` is what a report of the machine names.
 */
void process_wait_for_frame(struct process *p, uint32_t address);
void process_grant(struct process *p, uint32_t frame);
void process_refuse(struct process *p);

static inline bool process_can_run(const struct process *p)
{
    return p->state == PROCESS_RUNNABLE && !p->suspended;
}

/* ---- What the scheduler's server learns --------------------------------- */

/* Returns the server's process if there is one that has not ended, or NULL. */
static inline struct process *process_server(void)
{
    struct process *p = processes[GID_SERVER];

    return p && !process_has_ended(p) ? p : NULL;
}

/*
 * Notes events of a process, GLAZE_E_*. process_watch() sets the events for
 * which the scheduler wakes the server. Of GLAZE_E_BLOCKED and GLAZE_E_WOKEN,
 * only those that the server watches are noted.
 */
void process_note(struct process *p, uint32_t events);
void process_watch(uint32_t events);

/* An event that the server watches has been noted since this was cleared. */
extern bool process_noted;

/* Returns the upcall page: it comes before the information page in RAM. */
static inline struct glaze_upcall_page *process_upcall(const struct process *p)
{
    return (struct glaze_upcall_page *)((uint32_t)p - 2 * GLAZE_PAGE);
}

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_PROCESS_H */
