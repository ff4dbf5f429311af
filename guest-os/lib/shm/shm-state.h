/*
 * What the library's files share: pages, vector times, messages, calls.
 *
 * Each node has one thread that runs the program: the first thread. It makes
 * all changes to the rights of pages, and all that waits. Handlers serve other
 * nodes from what the node has: pages, differences, locks, the log of
 * intervals. The thread opens an atomic section where it changes what handlers
 * read.
 *
 * All memory of the library lies outside of the program's own, which a new
 * process gets from its creator: its sections by program.ld, all else by
 * private_take().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_STATE_H
#define SHM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "library.h"
#include "marks.h"
#include "shm.h"
#include "udm.h"

/* ---- Addresses ---------------------------------------------------------- */

/*
 * A shared page is a view (docs/glaze.md). The page that it shows, which the
 * library may always write, lies SHM_PAGES_BELOW lower. The library's own
 * memory comes after these pages, then copies of pages.
 */
#define SHM_PAGES_BELOW 0x80000000
#define PRIVATE_START   (SHM_END - SHM_PAGES_BELOW)
#define TWINS_START     0x3a000000
#define TWINS_END       GLAZE_PROGRAM_END
#define PAGES           ((SHM_END - SHM_START) / GLAZE_PAGE)
#define PAGE_WORDS      (GLAZE_PAGE / 4)
#define HEAP_END        (SHM_START - SHM_PAGES_BELOW)   /* of the program */

static inline uint32_t page_number(uint32_t address)
{
    return (address - SHM_START) / GLAZE_PAGE;
}

static inline uint32_t page_view(uint32_t number)
{
    return SHM_START + number * GLAZE_PAGE;
}

static inline uint32_t *page_memory(uint32_t number)
{
    return (uint32_t *)(page_view(number) - SHM_PAGES_BELOW);
}

/* ---- Pages -------------------------------------------------------------- */

struct page {
    uint8_t rights;             /* of the view: GLAZE_VIEW_* */
    uint8_t misses;             /* carry.c: how often a lock could not carry all
                                   stores of a section */
    uint16_t flags;
#define PAGE_MAPPED     1       /* the page has memory on this node */
#define PAGE_DIRTY      2       /* written in the open interval */
#define PAGE_FIXED      4       /* `home` is the home for ever, as this node knows */
#define PAGE_LISTED     8       /* on the home: in the list of pages_settle() */
#define PAGE_SHARED     16      /* on the home: other nodes have had copies. A
                                   page without this flag is the process's own:
                                   it writes it without twin and notice */
#define PAGE_COPY       32      /* elsewhere: in the list of copies */
#define PAGE_REFUSED    64      /* elsewhere: the home has not taken the page
                                   that this node has sent whole */
#define PAGE_MERGED     128     /* elsewhere: that has happened; the page has
                                   several writers */
    uint16_t home;              /* that node, or it knows which one */
    uint16_t reader;            /* on the home: the node that has had a copy,
                                   plus 1; READERS: there were several */
#define READERS         0xffff
    uint32_t *twin;             /* elsewhere: the page as it was before the open
                                   interval's writes; NULL if it is not dirty */
    uint32_t *version;          /* on the home: by writer, the last interval in
                                   which it has written the page; NULL: none */
    uint32_t changes;           /* on the home: how often the page has changed.
                                   Elsewhere: the home's count, of the moment
                                   that this copy shows */
};

extern struct page *pages;      /* PAGES of them */
extern uint32_t pages_used;     /* those from here on have never had memory on
                                   this node */
extern uint32_t shm_self, shm_count;    /* this node, number of nodes */

/*
 * Whether the order of writes is kept for processes that read pages without a lock
 * (versions.c, home.c). All nodes of a job have the same.
 */
extern bool order_kept;

static inline bool is_home(const struct page *page)
{
    return page->home == shm_self;
}

/* ---- memory.c: the library's own memory --------------------------------- */

/* Returns memory of the library, full of zeros, aligned to 8. */
void *private_take(uint32_t bytes);

/* Take and give back a page for a twin. */
uint32_t *twin_take(void);
void twin_give(uint32_t *twin);

/*
 * page_map() makes sure that a shared page has memory on this node. In a fault, the
 * thread calls page_room() before that, which drops copies if memory is short.
 */
void page_room(uint32_t number);
void page_map(uint32_t number);

/* A quarter of this node's frames was free when the library last looked. Otherwise it
 * takes no homes of pages that it only reads: those stay in memory. */
extern bool memory_is_plenty;

/* The pages of other homes of which there are copies; some may be old. */
extern uint32_t *copies, copies_count;
void copy_note(uint32_t number);

/*
 * rights_set() sets the rights of a page's view. rights_put() does so with
 * rights_flush() at the latest, many in one call. rights_prepare() lets the kernel set
 * them while the thread waits for the page: rights_put() has nothing left to ask of the
 * kernel then. Caller must give the page these or other rights when it has come.
 */
void rights_prepare(uint32_t number, uint32_t rights);
void rights_set(uint32_t number, uint32_t rights);
void rights_put(uint32_t number, uint32_t rights);
void rights_flush(void);

/* ---- protocol/send.c: messages ------------------------------------------ */

enum op {
    OP_ANSWER,                  /* to the request that the thread waits for */
    OP_FETCH,                   /* home.c */
    OP_ZERO_PAGE,               /* fault.c */
    OP_VERSIONS,                /* versions.c */
    OP_GRANTED_HOME,            /* fault.c */
    OP_DIFFERENCE,              /* difference.c */
    OP_ACKNOWLEDGE,
    OP_REFUSE,
    OP_CARRIED,                 /* carry.c */
    OP_NOTICES,                 /* interval.c */
    OP_CHECK,                   /* visit.c */
    OP_COPIES,
    OP_CHANGES,
    OP_LOCK,                    /* lock.c */
    OP_FORWARD,
    OP_GRANT,
    OP_LOCK_INIT,
    OP_LOCK_OPEN,
    OP_ARRIVE,                  /* barrier.c */
    OP_FLAT,
    OP_LEAVE,
    OP_FLAG,                    /* flag.c */
    OP_COUNTER,
    OP_MALLOC,                  /* malloc.c */
    OP_FREE,
    OP_COPY,                    /* start/node.c */
    OP_BEGIN,
    OP_ZERO,
    OP_START,
    OP_FINISH,
    OP_ROOM,                    /* start/copies.c */
    OP_TREE,                    /* start/tree.c */
    OP_TREE_ITEM,
    OP_TREE_TAKEN,
    OP_TREE_HELD,
    OP_ENDED,                   /* start/process.c */
    OPS,
};

/* What an op does: the words may change when it returns. Runs in a handler, or
 * in an atomic section if the message is this node's own. */
typedef void op_function(uint32_t source, const uint32_t *words,
                         uint32_t count);
extern op_function *const op_functions[OPS];

/* Most words of a message: a whole log, all nodes' numbers and an empty record of
 * each (barrier.c), or what a lock carries. */
#define LOG_WORDS       0x4000  /* 64 KiB */
#define MESSAGE_WORDS   (LOG_WORDS + 4 * shm_count + 8 + GRANT_WORDS)
#define GRANT_WORDS     128     /* carry.c needs fewer */

/*
 * post() sends an op with words, as many messages as that takes. In an atomic
 * section, or in a handler. To this node itself, it calls the op's function.
 * post_begin(), post_words() and post_end() do so in pieces.
 */
void post(uint32_t node, enum op op, const uint32_t *words, uint32_t count);
void post_begin(uint32_t node, enum op op);
void post_words(const uint32_t *words, uint32_t count);
void post_word(uint32_t word);
void post_end(void);

/* Makes the buffers. */
void send_init(void);

/*
 * ask() posts an op, and waits for its answer. The answer is in answer_words
 * and answer_count until the next one. For the thread.
 */
void ask(uint32_t node, enum op op, const uint32_t *words, uint32_t count);
void ask_begin(void);           /* before a post() with an answer */
void ask_end(void);             /* waits for the answer */
extern uint32_t *answer_words, answer_count;

/* Notes that the answer is complete, in a handler. */
void answered(void);

/* Takes the words of an answer, in a handler. */
void shm_on_answer(uint32_t source, const uint32_t *words, uint32_t count);

/* Waits until a handler has made *count `want` or more. */
void wait_for(const volatile uint32_t *count, uint32_t want);

/* Wakes the thread, in a handler, after a change of what it may wait for. */
void wake(void);

/* ---- protocol/interval.c: vector times, the log ------------------------- */

extern uint32_t *vector;        /* by node: the last interval of it whose writes
                                   this node has seen */
extern uint32_t *floors;        /* by node: intervals up to here may not be in the
                                   log; the log has all later ones of `vector` */
extern uint32_t shm_log_words;  /* the log's size: LOG_WORDS, or less in a
                                   program that tests the library */
extern uint32_t *known_to_all;  /* by node: all processes have seen its intervals
                                   up to here */
extern bool alone;              /* there is one process */
extern bool interval_closed;    /* the process has written nothing since its
                                   last interval: it is still in that call */
extern bool fixing;             /* the first reader of a page that node 0 has written
                                   becomes its home, and then the first writer */
extern bool written_away;       /* in the open interval, the process has written
                                   pages of other homes */

void interval_init(void);

/* Notes that the thread writes a page in the open interval. In an atomic
 * section. */
void interval_write(uint32_t number);

/* The pages that the open interval has written; returns their number. */
uint32_t interval_dirty(const uint32_t **list);

/*
 * Ends the open interval: a release. Returns when the homes have its writes.
 * interval_close_for() does so for a lock, with which words may go that it carries
 * (carry.c). interval_show() makes all writes visible: carried words go to their home,
 * but remain with their lock. interval_show_carried() does so for such words of a page.
 */
void interval_close(void);
void interval_close_for(uint32_t lock);
void interval_show(void);
void interval_show_carried(uint32_t number);

/*
 * Acquires what node `from` knows. Waits until the node has ended its interval
 * `seq`. No page may be dirty.
 */
void interval_acquire(uint32_t from, uint32_t seq);

/*
 * Records: writer, interval, number of runs of pages, runs. A record without runs is
 * a *gap*: there is no record of intervals up to this one.
 *
 * interval_post() posts what a node with the vector time `seen` has not seen, for
 * interval_apply(): the log's records, and gaps up to this node's floors where the
 * log no longer has what the other node lacks.
 */
void interval_post(const uint32_t *seen);
void interval_post_gap(uint32_t node, uint32_t seq);

/* Posts this node's own records after interval `seq`, or a gap and the later ones. */
void interval_post_own(uint32_t seq);

/*
 * interval_apply() forgets pages that others wrote. A process that meets an interval
 * and lacks records of earlier ones forgets all copies, and keeps its log.
 * interval_apply_record() applies one record and returns the words that it takes;
 * after the last one, interval_applied() must be called.
 */
void interval_apply(const uint32_t *words, uint32_t count);
uint32_t interval_apply_record(const uint32_t *words);
void interval_applied(void);

/* The thread has seen everything up to `now`, and this node may forget its log. */
void interval_seen(const uint32_t *now);

static inline uint32_t interval_words(const uint32_t *record)
{
    return 3 + record[2];
}

/* Forgets all copies of pages of other homes that are not dirty. */
void interval_forget_all(void);

/* ---- protocol/difference.c ---------------------------------------------- */

/*
 * Sends the difference between a page and its twin to the page's home, as part
 * of interval `seq`. Returns how many acknowledgements will come, in
 * differences_acknowledged.
 */
uint32_t difference_send(uint32_t number, uint32_t seq);
extern volatile uint32_t differences_acknowledged;
extern volatile uint32_t differences_refused;   /* of those, pages that came
                                   whole and have PAGE_REFUSED now */

/* ---- protocol/versions.c: which intervals a page has -------------------- */

/*
 * Notes, on the home, that `writer` has changed a page in its interval `seq`.
 * page_version() is for a page of which there are no copies: visits of other nodes
 * need not know.
 */
void page_changed(struct page *page, uint32_t writer, uint32_t seq);
void page_version(struct page *page, uint32_t writer, uint32_t seq);

/* ---- protocol/home.c: the home's side ----------------------------------- */

/*
 * Other nodes want pages that have been this process's own, and that it may
 * have written since its interval has begun. They get them when the interval
 * ends: pages_release().
 */
extern volatile uint32_t pages_wanted;
void pages_release(void);

/*
 * page_arrived() is called on the home when another node's writes to a page
 * have come. This node's process may see them only after an acquire, so it
 * loses its rights to the page: at once, or in pages_settle() if it is in a
 * call, which calls that at its end.
 */
void page_arrived(uint32_t number);
void pages_settle(void);

/* ---- protocol/fault.c: faults ------------------------------------------- */

void pages_init(void);

/* A page was listed in a notice: a copy that is being fetched may be old. */
void page_noticed(uint32_t number, uint32_t writer, uint32_t seq);

/* ---- protocol/visit.c: busy flags --------------------------------------- */

/* Notes, on the home, that a page is not what it was. */
void visit_changed(uint32_t number);

/* Notes that this node has a copy of a page of that home. */
void visit_copy(uint32_t home);

/* Notes that the open interval writes a page of another home, the first one. */
void visit_write(void);

/*
 * Notes that a fault has taken so many cycles. If many processes read what one
 * home changes all the time, the home can do no more than send pages. So the next
 * visit comes later, by RELIEF times what the fault took longer than usual.
 */
void visit_waited(uint32_t cycles);

void visit_init(void);
void visit_start(void);         /* a process begins to run */

/* An alarm has come in a call: the process is visited after it. visit_again: that
 * alarm had been set after a call for this reason. */
extern volatile bool visit_due, visit_again;

/* The process leaves the section of a lock: a visit that was put off for that comes
 * now. In a section. */
void visit_after_section(void);

/*
 * The process leaves a call, and a visit is due. Returns whether that is put off to the
 * end of the section of a lock that it has waited for: the alarm would come while other
 * processes wait. Another one has been set, for a section that does not end. In a
 * section.
 */
bool visit_put_off(void);

/* Notes that the process sees all that any process has written so far. */
void visit_not_needed(void);

/* ---- malloc.c ----------------------------------------------------------- */

/* Returns the number of pages that have been allocated, on node 0. */
uint32_t malloc_pages(void);

/* So many bytes at the beginning of shared memory are in use already. On node 0,
 * before any allocation. */
void malloc_reserve(uint32_t bytes);

/* ---- lock.c, barrier.c -------------------------------------------------- */

/* What shm_lock(), shm_unlock() and shm_barrier() do. */
void lock_take(uint32_t address);
void lock_give(uint32_t address);
void barrier_enter(uint32_t address, uint32_t processes);

/* ---- start/process.c ---------------------------------------------------- */

/* On node 0: processes that have not ended; that were ever created. */
extern uint32_t processes_live, processes_created;

/* ---- call.c: the program's calls ---------------------------------------- */

enum call {
    CALL_NONE,
    CALL_CREATE,
    CALL_WAIT_FOR_END,
    CALL_LOCK,
    CALL_UNLOCK,
    CALL_BARRIER,
    CALL_FLAG,
    CALL_FLAG_WAIT,
    CALL_FLAG_TAKE,
    CALL_FLAG_PUT,
    CALL_GETSUB,
    CALL_MALLOC,
    CALL_FREE,
    CALL_FAULT,
    CALL_VISIT,
    CALL_END,
    CALL_IDLE,                  /* a node waits for a process. This and what
                                   follows is no call of the program */
    CALL_BLOCK,                 /* all threads wait, and none in a call of this
                                   library */
    CALLS,
};

struct shm_now {
    uint32_t call;              /* enum call */
    uint32_t address;           /* of lock, barrier, flag, page; 0: none */
    uint32_t caller;            /* pc of the call */
};
extern volatile struct shm_now shm_now;
extern bool fpu_interrupted;    /* a fault or an alarm has interrupted code that
                                   may have values in the FPU */

/* Begins and ends a call of the program. */
#define ENTER(call, address) \
    call_enter(call, (uintptr_t)(address), \
               (uintptr_t)__builtin_return_address(0))
void call_enter(enum call call, uint32_t address, uint32_t caller);
void call_leave(void);

/*
 * Returns when no thread is in a visit. An alarm may make a visit in another thread
 * than the first one, and a page that is on its way may interrupt that. In an atomic
 * section, which ends for a while. `psr` is the interrupted code's, whose values may
 * be in the FPU; 0: nothing of the caller is in the FPU.
 */
void call_await_visit(uint32_t psr);

/*
 * process_waits() and process_runs() of the library of threads. A process that
 * waits outside of this library has ended its interval, as in its calls: no alarm
 * does that before a message comes, and handlers serve other nodes meanwhile.
 */
bool call_block(void);
void call_unblock(void);

/* Ends the job: the line names call, address and place. */
void mistake(const char *what) __attribute__((noreturn));
void mistake_at(const char *what, uint32_t pc) __attribute__((noreturn));

extern struct shm_statistics counts;

/*
 * What --stats shows by address (docs/observing.md): a cost begins, and ends. They add
 * no instruction. The costs are those of hw/observe/names.h. A twin or a difference
 * may begin inside another cost, and no other cost may.
 */
#define COST_BEGIN(cost, address)       MARK("shm_" cost, address)
#define COST_END()                      MARK_PLAIN("shm_end")

/* Returns whether the interrupted code is about to launch a message. */
static inline bool half_described(void)
{
    uint32_t words;

    UDM_LOAD_(FUGU_U_DESC_LEN, words);
    return words;
}

/* ---- stub.S ------------------------------------------------------------- */

extern const char shm_fault_stub[], shm_alarm_stub[];
void shm_run(uint32_t sp, void (*function)(void *), void *argument);
void shm_run_end(void) __attribute__((noreturn));
void shm_switch(uint32_t sp, void (*function)(void))
    __attribute__((noreturn));

#endif /* SHM_STATE_H */
