/*
 * What the files of the library share. README.md lists them.
 *
 * A region has one `struct region` on each node that knows it, right before
 * the data. On the home there is a `struct directory` as well. docs/crl.md
 * describes the protocol: states, messages and transactions.
 *
 * Handlers, and threads in atomic sections, change both structures. "In an
 * atomic section" below includes handlers. No file but reduce.c uses the FPU,
 * and no handler runs code of reduce.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REGION_H
#define REGION_H

/* ---- The word that decides what an operation may do --------------------- */

#include "glaze.h"

/*
 * operate.S reads and writes these three members by their distance from the
 * data.
 */
#define R_WORD          (-16)
#define R_READS         (-12)
#define R_WRITES        (-8)

/*
 * The word is a form and, in the first two forms, the number of open read
 * operations and a flag:
 *
 *   FAST        operations may start and end here without further work: read
 *               operations always, write operations if the flag is clear and no
 *               read operation is open. On the home, there is neither an owner
 *               nor a transaction
 *   SLOW        operations have to take the slow path, through operation.c
 *   ASK         the same: a mapped remote copy that is INVALID, and not FRESH.
 *               No operation is open, and the thread does not wait for one
 *   WRITE       a write operation is open, and may end without further work
 *   WRITE_SLOW  a write operation is open, and has to end on the slow path
 *
 * The forms are such that operate.S tests them in few cycles, and such that other
 * words, of what is no region, are seldom one of them.
 */
#define WORD_FAST       0x7ffff000      /* WORD_FORM_SIZE more is an overflow */
#define WORD_SLOW       0x80001000      /* so that one reader less is not FAST */
#define WORD_ASK        0x80002000
#define WORD_WRITE      GLAZE_UPCALL    /* which is in %g7 */
#define WORD_WRITE_SLOW (WORD_WRITE + WORD_FORM_SIZE)
#define WORD_FORM_SIZE  0x1000
#define WORD_FORM       0xfffff000      /* mask of the form */
#define WORD_SHARED     1               /* the flag: there is another copy */
#define WORD_READER     2               /* one open read operation */
#define WORD_MOST       4092            /* 2046 of them */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crl.h"
#include "udm.h"
#include "udm-thread.h"

/* ---- Regions ------------------------------------------------------------ */

enum state {                    /* of a remote copy */
    FRESH,                      /* INVALID, and its memory may not be there */
    INVALID,
    SHARED,
    EXCLUSIVE,
};

/* What a node asks a home for. */
enum request {
    NOTHING,
    READ,
    WRITE,
};

/*
 * What a remote copy has to do when its operations have ended, or its deferred
 * data have left.
 */
enum demand {
    NO_DEMAND,
    INVALIDATE,
    RECALL_SHARED,              /* write back, and keep a copy to read */
    RECALL_INVALID,             /* write back, and keep none */
    FORGET,                     /* the region is being deleted */
    EVICT,                      /* the cache drops the region */
};

/* What data are sent for. */
enum purpose {
    NOT_SENDING,
    GRANT_SHARED,               /* from the home */
    GRANT_EXCLUSIVE,
    WRITEBACK,                  /* to the home: the sender keeps no copy */
    WRITEBACK_SHARED,           /* the sender keeps a copy to read */
    FLUSH,
};

struct region {
    /* Line 0: for the table, the cache and deferred data. */
    struct region *next_unmapped, *last_unmapped;       /* in the cache */
    struct region *next_sending;        /* in the queue of deferred data */
    uint32_t sent;              /* bytes of the data that have left */

    /* Line 1. */
    struct region *next;        /* in a chain of the table */
    uint32_t maps;              /* by rgn_map(), not undone yet */
    uint32_t size;
    uint32_t bytes;             /* size, rounded up to a multiple of 8 */

    /* Line 2. */
    rid_t rid;
    struct directory *directory;        /* NULL: this node is not the home */
    uint32_t home;              /* the region's address on its home */
    volatile uint8_t waiting;   /* enum request: what the thread waits for */
    uint8_t state;              /* enum state, of a remote copy */
    uint8_t demand;             /* enum demand, to a remote copy */
    uint8_t sending;            /* enum purpose: deferred data that have not
                                   left yet */

    /* Line 3, right before the data: operate.S reads and writes it. */
    uint32_t word;
    uint32_t reads, writes;     /* operations that were hits */
    void *memory;               /* that free() gets */

    uint32_t data[];
};

_Static_assert(sizeof(struct region) == 64 &&
               (int)offsetof(struct region, word) - 64 == R_WORD &&
               (int)offsetof(struct region, reads) - 64 == R_READS &&
               (int)offsetof(struct region, writes) - 64 == R_WRITES,
               "struct region and operate.S agree");

#define REGION(data) ((struct region *)(data) - 1)

/* The node in a rid, and the number that the node has given the region. */
#define RID(number, node)       ((number) << 10 | (node))
#define RID_NODE(rid)           ((rid) & 1023)
#define RID_NUMBER(rid)         ((rid) >> 10)

static inline bool writer(const struct region *r)
{
    return (r->word & WORD_FORM) >= WORD_WRITE;
}

static inline uint32_t readers(const struct region *r)
{
    return writer(r) ? 0 : (r->word & ~WORD_FORM) / WORD_READER;
}

/* Returns whether a word may be that of a region. */
static inline bool is_word(uint32_t word)
{
    return word - WORD_FAST < WORD_ASK + WORD_FORM_SIZE - WORD_FAST ||
           word - WORD_WRITE < 2 * WORD_FORM_SIZE;
}

/* Returns true if no operation is open on this node. */
static inline bool closed(const struct region *r)
{
    return !writer(r) && readers(r) == 0;
}

/*
 * The home's view of a region. A transaction serves one request: `kind` says
 * what the node `requester` asks for. The transaction waits for `awaited`
 * messages, then for operations of the home, then for data to leave. Requests
 * that come meanwhile wait in a queue (protocol/home.c).
 */
struct directory {
    uint32_t owner;             /* the node whose copy is EXCLUSIVE, or NONE */
    uint32_t sharers;           /* the number of nodes in `shared` */
    uint16_t first, last;       /* the queue, of nodes; NONE: empty */
    uint8_t kind;               /* enum request; NOTHING: no transaction */
    bool upgrade;               /* the requester has a copy and needs no data */
    uint16_t requester;
    uint32_t awaited;           /* messages */
    uint32_t address;           /* the region's on the requester */
    uint32_t shared[];          /* bits: the nodes that may have a SHARED copy;
                                   then as many: the nodes that may know the
                                   region */
};

#define NONE 0xffff

/* ---- table.c ------------------------------------------------------------ */

extern struct region **crl_table;
extern uint32_t crl_table_mask;

/*
 * Returns the chain for a rid. Regions of a node have consecutive numbers:
 * spreads the nodes.
 */
static inline struct region **crl_chain(rid_t rid)
{
    return &crl_table[(RID_NUMBER(rid) ^ RID_NODE(rid) << 7) & crl_table_mask];
}

/* Returns the region with that name if this node knows it, or NULL. */
static inline struct region *crl_find(rid_t rid)
{
    struct region *r = *crl_chain(rid);

    while (r && r->rid != rid) {
        r = r->next;
    }
    return r;
}

/*
 * crl_add() adds a region. It is for threads, outside of atomic sections.
 * crl_remove() removes a region, in an atomic section.
 */
void crl_add(struct region *r);
void crl_remove(struct region *r);

/* Calls visit() for each region. In an atomic section. */
void crl_each(void visit(struct region *r));

/* ---- call.c ------------------------------------------------------------- */

/*
 * The call that a thread is in. The report of the machine's end shows it, by
 * crl_view (view.h).
 */
struct crl_now {
    volatile uint32_t call;     /* enum crl_call + 1; 0: none */
    volatile rid_t rid;         /* 0: none */
    volatile uint32_t caller;   /* address of the instruction that calls */
    uint32_t start;             /* the clock when it began */
};

extern struct crl_now crl_now;

/*
 * Begins a call. Ends the job if it must not be made. `uac` is UAC before the
 * call, `caller` the address of the instruction that calls.
 */
void crl_enter(enum crl_call call, rid_t rid, uint32_t uac, uint32_t caller);

/* Begins a call of a function that has no `uac`. */
#define CRL_ENTER(call, rid) \
    crl_enter(call, rid, udm_uac(), (uintptr_t)__builtin_return_address(0))

/*
 * End a call: crl_hit() counts a hit, crl_miss() sends deferred data and counts
 * a miss, crl_end() counts nothing.
 */
void crl_end(void);
void crl_hit(void);
void crl_miss(void);

/* Returns the region that is mapped at an address. Ends the job if no region is. */
struct region *crl_region(void *data);

/*
 * Ends the job. The line names the current call, the region if `rid` is not 0,
 * says what is wrong, and names the place of the call. For threads.
 */
void crl_mistake(rid_t rid, const char *what) __attribute__((noreturn));

/*
 * The same for handlers. The mistake is a call of another node, so the line
 * names no place.
 */
void crl_mistake_of(enum crl_call call, rid_t rid, const char *what)
    __attribute__((noreturn));

/* Ends the job for a message that no node of the library sends. */
void crl_bad_message(void) __attribute__((noreturn));

/* ---- wait.c ------------------------------------------------------------- */

extern bool crl_blocks;                 /* crl_wait(CRL_WAIT_BLOCK) */
extern udm_thread_t *volatile crl_blocked;      /* this thread waits for a wake;
                                                   NULL: none */

/* Blocks the thread until *flag is 0. */
void crl_block(volatile uint8_t *flag);

/* Lets a thread look at its flag again. Handlers that clear a flag call it. */
static inline void crl_wake(void)
{
    udm_thread_t *thread = crl_blocked;

    if (thread) {
        crl_blocked = NULL;
        udm_thread_wake(thread);
    }
}

/* ---- statistics.c ------------------------------------------------------- */

/* What this node has done, except the hits that regions count. */
extern struct crl_statistics crl_counts;

/* Adds the hits that a region has counted, before the region is freed. */
void crl_counts_keep(struct region *r);

/* ---- protocol/send.c ---------------------------------------------------- */

/*
 * Sends data of a region that crl_send_at_once() cannot send, in an atomic
 * section: from the home to the requester of the transaction, from another node
 * to the home. If not all can leave at once, sets r->sending until they have
 * left, and calls crl_sent() then. A thread that calls this function has to
 * call crl_drain() when its atomic section has ended.
 */
void crl_send(struct region *r, enum purpose purpose);

/*
 * Stores the body of the current message, a part of the data. Returns true if
 * it was the last part.
 */
bool crl_take_part(struct region *r);

extern struct region *volatile crl_deferred;    /* the first one that waits for
                                                   crl_drain() */

/* Sends all deferred data. For threads, outside of atomic sections. */
void crl_drain(void);

/*
 * Waits until *flag is 0, outside of an atomic section. Sends deferred data
 * meanwhile: the thread that should may have no higher priority.
 */
static inline void crl_await(volatile uint8_t *flag)
{
    if (crl_blocks) {
        crl_block(flag);
    }
    while (*flag) {
        if (crl_deferred) {
            crl_drain();
        }
    }
    asm volatile ("" : : : "memory");   /* data have changed */
}

/* ---- protocol/home.c ---------------------------------------------------- */

/* Sets the word of a home's region after any change. In an atomic section. */
void crl_home_refresh(struct region *r);

/*
 * Continues the transaction, or begins the next one, as far as possible. In an
 * atomic section.
 */
void crl_home_advance(struct region *r);

/*
 * Enters a request of a node into the queue, and advances. `address` is that
 * of the region on the node, +1 if the node has a copy.
 */
void crl_home_request(struct region *r, enum request kind, uint32_t node,
                      uint32_t address);

/* Return true if an operation of the home itself may start at once. */
bool crl_home_readable(const struct region *r);
bool crl_home_writable(const struct region *r);

/* Allocates what all homes of this node share. */
void crl_home_init(void);

/* Handlers of messages to the home. */
void crl_on_read(void), crl_on_write(void), crl_on_acknowledge(void);
void crl_on_back(void), crl_on_back_part(void);

/* ---- protocol/remote.c -------------------------------------------------- */

/* Sets the word of a remote copy after any change. In an atomic section. */
void crl_remote_refresh(struct region *r);

/* Serves a demand, unless it has to wait for an operation. Atomic. */
void crl_remote_serve(struct region *r);

/*
 * Sends the data of an EXCLUSIVE copy home, which gets a new state. As
 * crl_send().
 */
void crl_remote_send(struct region *r, enum state state, enum purpose purpose);

/* Handlers of messages from the home. */
void crl_on_data(void), crl_on_data_part(void), crl_on_grant(void);
void crl_on_invalidate(void), crl_on_recall(void);

/* Deferred data have left. In an atomic section. */
void crl_sent(struct region *r);

/* ---- map.c -------------------------------------------------------------- */

/* Returns true if this node's rgn_map() is asking the home about the rid. */
bool crl_maps_now(rid_t rid);

/* ---- delete.c ----------------------------------------------------------- */

/* Tells a home that this node has forgotten a region, given its address. */
void crl_forgotten(uint32_t node, uint32_t home);

/* The home: a node knows the region from now on. */
void crl_known_by(struct region *r, uint32_t node);

/* ---- cache.c ------------------------------------------------------------ */

/*
 * Returns memory for a region of `size` bytes, with the header filled in, and
 * data of zeros if `zero` is set. Drops unmapped regions if no memory is left.
 */
struct region *crl_allocate(rid_t rid, unsigned size, bool zero);

/* A remote copy is unmapped, or mapped again. In an atomic section. */
void crl_cache_put(struct region *r);
void crl_cache_take(struct region *r);

/* Drops unmapped regions until at most `most` are left. For threads. */
void crl_cache_trim(unsigned most);
#define CACHE_MOST 1024

/* Removes an unmapped copy from table and cache, and frees it. Atomic. */
void crl_forget(struct region *r);

/* Frees the memory of a region, which no table or cache has any more. */
void crl_free(struct region *r);

/*
 * Touches all pages of a FRESH copy, which becomes INVALID. If a handler
 * touched a page first, the process would enter buffered mode. For threads.
 */
void crl_touch(struct region *r);

static inline void crl_refresh(struct region *r)
{
    if (r->directory) {
        crl_home_refresh(r);
    } else {
        crl_remote_refresh(r);
    }
}

#endif /* __ASSEMBLER__ */
#endif /* REGION_H */
