/*
 * The multicomputer: its options, its parts, and how far it has come
 *
 * Every part of the machine has a pointer to this structure. It names the
 * parts that stand above a node by forward declarations alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MACHINE_H
#define FUGU_MACHINE_H

#include "qemu/units.h"
#include "hw/boards.h"
#include "hw/core/cpu.h"
#include "chardev/char-fe.h"
#include "qemu/notify.h"
#include "hw/fugu/machine/mesh.h"

#define TYPE_FUGU_MACHINE MACHINE_TYPE_NAME("fugu")
OBJECT_DECLARE_SIMPLE_TYPE(FuguMachineState, FUGU_MACHINE)

/* Exit statuses of the machine. The guest's are 0 to 119. */
#define FUGU_STATUS_GUEST_MAX   119
#define FUGU_STATUS_PEER        120     /* another process's fault */
#define FUGU_STATUS_FILE        121     /* of the host: trace, output */
#define FUGU_STATUS_START       122     /* the machine did not start */
#define FUGU_STATUS_CHECK       123     /* what check= asks for has failed */
#define FUGU_STATUS_TIMEOUT     124
#define FUGU_STATUS_DEADLOCK    125
#define FUGU_STATUS_ERROR_MODE  126
#define FUGU_STATUS_SIGNAL      130
#define FUGU_STATUS_READER      141     /* nothing reads the output any more */

/*
 * Every run ends at this cycle at the latest, after 182 years at 25 MHz, as if
 * it were the timeout. QEMU's virtual clock counts nanoseconds, 40 per cycle,
 * and sums of times, latencies and waits for links stay far below 63 bits.
 */
#define FUGU_TIME_MAX   (INT64_C(1) << 57)

/* What carries the frames between the processes of one machine. */
typedef enum FuguTransport {
    FUGU_TRANSPORT_SHM,         /* rings in shared memory */
    FUGU_TRANSPORT_UNIX,        /* a UNIX socket */
    FUGU_TRANSPORT_TCP,
} FuguTransport;

/* What is checked while the machine runs. */
enum {
    FUGU_CHECK_NOTHING,
    FUGU_CHECK_MMU,             /* that the MMU is flushed (node/mmu-check.h) */
};

struct FuguNode;
struct FuguObserver;
struct FuguRemote;

/* The options of -machine; docs/machine.md has names, ranges and defaults. */
typedef struct FuguOptions {
    uint32_t node_count;
    uint32_t quantum;
    MeshParams main_params, second_params;
    uint32_t input_queue;       /* words */
    uint32_t source_space;      /* words */
    uint32_t dma_word;          /* cycles a word */
    uint32_t packet_max;        /* bytes of data in a packet of SHRIMP's */
    uint32_t incoming_word;     /* cycles a word, from SHRIMP's Incoming FIFO
                                   to memory */
    uint32_t write_through;     /* cycles more than a hit, of a store that
                                   SHRIMP snoops */
    uint32_t pin_cycles;        /* cycles more of a load or store of a message's
                                   word, of the M-Machine's kind */
    uint32_t atomicity;         /* FUGU_ATOMICITY_* */
    bool cache;
    uint32_t cache_size;        /* bytes */
    uint32_t cache_miss;        /* cycles */
    uint32_t node_ram;          /* bytes */
    uint64_t timeout;           /* cycles; 0: none */
    bool digest;                /* print it at the end */
    uint32_t check;             /* FUGU_CHECK_* */
    bool label;                 /* label lines of the console */
    bool raw;                   /* add no newlines to the console's output;
                                   with one node no console does */
    uint32_t terminals;         /* FUGU_TERMINAL_*, for programs that ask */
    char *output;               /* directory for the nodes' files, or NULL */
    uint32_t output_max;        /* bytes of all files of a node */
    char *network_interface;    /* its kind, for all nodes (machine/netif.h) */
    uint64_t given;             /* options that were set, a bit each, by their
                                   place in board/options.c */
    char *console;              /* chardev of nodes without their own */
    char *load;                 /* snapshot to start from, or NULL */
    char *reporter;             /* command (report/reporter.h), or NULL */
    uint64_t history_max;       /* bytes of history to go back in; 0: none */
    char *observe;              /* directory (report/observer.h), or NULL */
    bool progress;              /* show how far the run is (report/progress.c)
                                   on standard error, a terminal */

    /* Options for the split into processes (docs/processes.md). */
    uint32_t processes;
    uint32_t process;           /* this one; 0 is the hub */
    char *link_address;         /* where the hub listens */
    char *link_secret;          /* id of a secret object, or NULL */
    FuguTransport transport;
    uint32_t link_timeout;      /* ms, to connect and shake hands */
    bool link_quiet;            /* a peer does not print why the run ends */
    uint64_t link_build;        /* names what this QEMU was built from; 0: not
                                   known */
    char *link_children;        /* numbers of the hub's child processes that
                                   are peers, "12+34", or NULL */
} FuguOptions;

/* What the machine consists of. */
typedef struct FuguParts {
    struct FuguNode **nodes;    /* by number; NULL in other processes */
    uint32_t first, end;        /* this process has nodes first to end - 1 */
    struct FuguRounds *rounds;
    struct FuguHub *hub;
    struct FuguLink *link;      /* NULL: this is the only process */
    struct FuguRemote *remote;  /* the link, as hub and console see it */
    struct FuguObserver *observer;      /* NULL: the run is not observed */
    MemoryRegion ram;           /* of all nodes */
    MemoryRegion boot;          /* shared, read-only */
    CharBackend console_chr;
    struct FuguHistory *history;    /* NULL: the machine cannot go back */
    struct QDict *program;      /* for the heads of snapshots; or NULL */
} FuguParts;

/* Virtual time, the round that runs, and when the run stops. */
typedef struct FuguTime {
    int64_t round_start;        /* cycles; atomic: any thread may read it */
    bool stopping;              /* end the machine with the round that has
                                   @stop_time */
    int64_t stop_time;
    uint32_t stop_status;
    int64_t save_at;            /* cycle of the next save, or FUGU_NEVER */
    bool held;                  /* atomic: no round may run */
} FuguTime;

/* What all consoles of this process share. */
typedef struct FuguTerminal {
    bool progress_shown;        /* the terminal has a line of progress */
    bool mid_line;              /* the console's output so far ends in the
                                   middle of a line */
    bool error_mid_line;        /* the same of what goes to standard error */
    bool input;                 /* atomic: some console has host_input */
    bool asked;                 /* some console has std.asked */
    bool muted;                 /* no output: a search passes known rounds */
} FuguTerminal;

/* What lower parts ask of higher ones. Each is there before a round runs; the
 * last three only if there is a history (history/history.h). */
typedef struct FuguOperations {
    /* Called when output of the console could not be written to @fd. */
    void (*output_lost)(FuguMachineState *machine, int fd);
    /* Called before rounds run: goes to what a debugger has asked for. Returns
     * whether it has asked; then *@stopped is the vCPU that stopped for the
     * debugger, or NULL. */
    bool (*travel)(FuguMachineState *machine, CPUState **stopped);
    /* Called when a round begins. */
    void (*round_begins)(FuguMachineState *machine);
    /* Called before @len bytes at @offset of the disk of node @node change. */
    void (*disk_changes)(FuguMachineState *machine, uint32_t node,
                         int64_t offset, unsigned len);
} FuguOperations;

struct FuguMachineState {
    MachineState parent_obj;

    FuguOptions options;
    FuguParts parts;
    FuguTime time;
    FuguTerminal terminal;
    FuguOperations ops;
    Notifier ready;             /* loads a snapshot when all parts are there */
};

/* When this round is over, in cycles. */
static inline int64_t fugu_machine_round_end(const FuguMachineState *m)
{
    return m->time.round_start + m->options.quantum;
}

/* The time of a stop that no node asks for: it comes before all others. */
#define FUGU_STOP_NOW   INT64_MIN

/* Ends the machine with @status at the end of the round that has @time. Of
 * several calls the one with the earliest time counts, and of those with the
 * same time the first. */
void fugu_machine_stop(FuguMachineState *machine, uint32_t status,
                       int64_t time);

/* Whether a stop is due when the round ends. */
static inline bool fugu_machine_stops(const FuguMachineState *m)
{
    return m->time.stopping && m->time.stop_time < fugu_machine_round_end(m);
}

/* Whether the machine can be saved and loaded: it must have one process only.
 * Returns false with @errp if not. */
bool fugu_machine_can_be_saved(const FuguMachineState *machine, Error **errp);

/*
 * Bytes between the RAM of one node and that of the next. Without the gap the
 * distance would often be a power of two: then the host's page table entries
 * for the same page of all nodes, such as the end of the stack, would fall into
 * a few sets of the host's caches.
 */
#define FUGU_RAM_GAP    (17 * 4 * KiB)

static inline uint64_t fugu_ram_stride(const FuguMachineState *m)
{
    return (uint64_t)m->options.node_ram + FUGU_RAM_GAP;
}

#endif /* FUGU_MACHINE_H */
