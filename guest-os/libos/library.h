/*
 * What the library's files share: its words in the upcall page, the layout of
 * stacks and frames, which assembly uses too, and functions. README.md lists
 * the files.
 *
 * fault.c, handler.c and schedule.c call each other in a circle. Work enters
 * the circle in four places:
 *
 *  1. A library call that may wait (thread.c, sync.c) calls library_enter(),
 *     then thread_here(), thread_wait() or queue_wait() of schedule.c, and at
 *     its end library_leave(). thread_here() calls handler_detach() of
 *     handler.c if the caller is a handler. thread_wait(), idle() and
 *     library_leave() call the faults_*() functions of fault.c, to wake the
 *     threads whose pages have come, and to let fault upcalls in or keep them
 *     out.
 *  2. When a handler starts on another stack than the first thread's, or
 *     interrupts a half-described message, its stub in upcall.S calls
 *     handler_special(), and handler_special_end() at the end.
 *  3. When a handler has ended and handler_end_wanted() is true, its stub calls
 *     handler_end() of handler.c. handler_end() asks schedule.c
 *     with ready_take() whether another thread goes first. If so, it queues
 *     the interrupted thread with ready_put_first(), and continues in the
 *     other thread.
 *  4. When a page is on its way or has come, fault_stub calls fault_wait() of
 *     fault.c. fault_wait() calls handler_detach() if a handler has touched
 *     the page, and thread_wait() or hand_over() of schedule.c to run other
 *     threads. fault_wait() saves and restores the interrupted context with
 *     descriptor_save() and context_restore() of handler.c.
 *
 * The circle is entered once at a time: all these functions run in an atomic
 * section with the fault upcall's entry set to 0 (faults_hide()), so that no
 * upcall comes in between. The exceptions are idle(), which ends the atomic
 * section for a moment to let handlers run, and the ends of functions that call
 * faults_show(). switch_to() leaves the circle for another thread, and returns
 * when the first thread continues. handler_end() leaves it for good.
 * handler_detach(), ready_put(), ready_put_first() and faults_look() change
 * queues and never switch threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "glaze.h"
#include "sparcle.h"

/* ---- Upcall page: the word at GLAZE_U_ENDS, and the library's own part --- */

/* Offsets in the page. %g7 holds the page's address in all threads, always. */
#define U_FAULT_ENTRY   (GLAZE_U_FAULT + 4)
#define U_CURRENT       (GLAZE_U_LIBRARY + 0x00)        /* struct udm_thread *
                                of the running or interrupted thread */
#define U_SPARE         (GLAZE_U_LIBRARY + 0x04)        /* stack pointer for a
                                handler that interrupts a handler */
#define U_FLAGS         0x880   /* struct flags [16], see there */

/*
 * The word at GLAZE_U_ENDS: bits of the PSR. A handler ends without the kernel
 * if its %l0 has none of them. Every PSR has PSR_S.
 */
#define ENDS_USUAL      PSR_EF
#define ENDS_WANTED     0x00000001      /* a handler's stub has to call
                                           handler_end(); with PSR_S */

/*
 * message_stub's index into `flags`: a PSR shifted right by FLAGS_SHIFT is an
 * offset in the page, which includes Sparcle's implementation and version.
 */
#define FLAGS_SHIFT     17

/* A bit of the mask of endatom: this is a handler's end (glaze.h). */
#define UPCALL_ENDS     FUGU_UAC_DISPOSE_PENDING

/* ---- Stacks ------------------------------------------------------------- */

/*
 * A unit is a stack of GLAZE_STACK_SIZE bytes, for one thread or for handlers.
 * A handler that becomes a thread stays on its unit. From the top of a unit:
 *
 *      struct udm_thread       THREAD_SIZE bytes
 *      base frame              FRAME bytes: a thread's first frame
 *      stub frame              STUB_FRAME bytes: the message stub's frame
 *      frames of the handler
 *
 * A thread that did not start as a handler has no stub frame: its frames
 * follow the base frame.
 */
#define FRAME           96      /* window, hidden parameter, six arguments */

/* Offsets in struct stub_frame. */
#define STUB_Y          FRAME           /* y and %g4, if STUB_KIND is not 0 */
#define STUB_G4         (FRAME + 4)
#define STUB_KIND       (FRAME + 8)     /* not 0: buffered_stub runs handlers,
                                           and uses %l6 and %l7 itself */
#define STUB_EXTRA      (FRAME + 12)    /* EXTRA_* flags: which of the members
                                           that follow hold values */
#define STUB_FRAME      (FRAME + 16 + 64 + 136)
#define THREAD_SIZE     64

/*
 * Offsets in struct udm_thread of the context, that is, where the thread
 * continues. The thread's register window is in memory at sp.
 */
#define CONTEXT_SP      0
#define CONTEXT_PC      4

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glaze-calls.h"
#include "udm.h"
#include "udm-thread.h"

/*
 * Operands of a taddcc that sets the condition codes to a given combination.
 * `b` is a multiple of 32, or FLAGS_NONE if no operands do.
 */
struct flags {
    uint32_t a, b;
};
#define FLAGS_NONE      31
#define FLAGS           16      /* combinations: 8 N + 4 Z + 2 V + C */

/* The upcall page: the ABI's part, then the library's own. */
struct library_page {
    struct glaze_upcall_page glaze;
    struct udm_thread *current;
    uint32_t spare;
    uint32_t unused[(U_FLAGS - U_SPARE) / 4 - 1];
    struct flags flags[FLAGS];
};

_Static_assert(offsetof(struct library_page, current) == U_CURRENT &&
               offsetof(struct library_page, spare) == U_SPARE &&
               offsetof(struct library_page, flags) == U_FLAGS,
               "the offsets for assembly are the compiler's");
_Static_assert(PSR_SPARCLE >> FLAGS_SHIFT == U_FLAGS &&
               PSR_ICC >> FLAGS_SHIFT == (FLAGS - 1) * sizeof(struct flags) &&
               sizeof(struct library_page) <= GLAZE_PAGE,
               "message_stub finds the flags");

#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)
#define LIBRARY ((volatile struct library_page *)GLAZE_UPCALL)

/* A register window in memory: %l0 to %l7, %i0 to %i5, %fp, %i7. */
struct window {
    uint32_t l[8], i[6];
    uint32_t fp, i7;
};

/* Copies a window, two registers at a time. */
static inline void window_copy(struct window *to, const struct window *from)
{
    typedef uint64_t __attribute__((may_alias)) pair;
    const pair *source = (const pair *)from;
    pair *target = (pair *)to;

#pragma GCC unroll 8
    for (unsigned k = 0; k < sizeof(*to) / sizeof(*target); k++) {
        target[k] = source[k];
    }
}

/*
 * The frame of a message stub or fault stub. The frame and the stub's window
 * hold the whole context of the interrupted code.
 */
struct stub_frame {
    struct window window;       /* %l0 PSR, %l1 pc, %l2 npc; %l3 to %l6 hold
                                   %g1 to %g4, %l7 y; the ins are the outs of
                                   the interrupted code */
    uint32_t hidden[(FRAME - 64) / 4];
    uint32_t y, g4, kind;
    uint32_t extra;             /* not 0: context_restore() has to be called.
                                   Consists of: */
#define EXTRA_DESCRIPTOR 0x1f   /* number of words in descriptor[] */
#define EXTRA_FPU        0x20   /* flag: fp holds the FPU registers */
#define EXTRA_FAULTS     0x40   /* flag: fault upcalls have to be let in again,
                                   as context_restore() always does */
    uint32_t descriptor[FUGU_MSG_WORDS];
    struct glaze_fp fp;
};

_Static_assert(sizeof(struct stub_frame) == STUB_FRAME &&
               offsetof(struct stub_frame, y) == STUB_Y &&
               offsetof(struct stub_frame, g4) == STUB_G4 &&
               offsetof(struct stub_frame, kind) == STUB_KIND &&
               offsetof(struct stub_frame, extra) == STUB_EXTRA &&
               STUB_FRAME % 8 == 0,
               "struct stub_frame and upcall.S agree");

struct context {
    uint32_t sp, pc;            /* pc is 8 less than the address to continue
                                   at, as in a return address */
};

struct udm_thread {
    struct context context;     /* valid while another thread runs */
    struct udm_thread *next;    /* next in a queue of waiting threads, or in
                                   the list of free units */
    struct udm_thread *next_ready;      /* next in a ready queue; a waiting
                                   thread may be there too, see idle() */
    enum udm_priority priority;
    bool ready;                 /* the thread is in a ready queue */
    bool woken;                 /* the thread's wait is over: thread_wait() */
    bool done;                  /* the thread has ended; result is valid */
    bool joinable;              /* udm_thread_join() will free the unit */
    bool parked, token;         /* parked: waits in udm_thread_block(); token:
                                   the next udm_thread_block() returns at once,
                                   because a wake has come */
    struct udm_thread *joiner;  /* waits in udm_thread_join() for this one */
    void *(*start)(void *);
    void *argument, *result;
    struct udm_thread *below;   /* if a handler runs on this unit and has
                                   interrupted another one: the other's unit */
    uint32_t section;           /* the word from GLAZE_HOLD for the thread's
                                   suspended atomic section; 0: none */
};

_Static_assert(offsetof(struct udm_thread, context.sp) == CONTEXT_SP &&
               offsetof(struct udm_thread, context.pc) == CONTEXT_PC &&
               sizeof(struct udm_thread) <= THREAD_SIZE && THREAD_SIZE % 8 == 0,
               "struct udm_thread and library.h agree");

/* ---- fault.c: threads that wait for pages ------------------------------- */

/*
 * faults_hide() keeps fault upcalls out while the library works on its
 * threads: a page fault then makes the whole process wait. faults_show() lets
 * them in again, if the program has asked for them.
 */
static inline void faults_hide(void)
{
    UPCALL->fault.entry = 0;
}

void faults_show(void);

/*
 * Around a handler of a library, if calls of the library change the same data: from
 * faults_pause() to faults_resume() the whole process waits for each page. Otherwise a
 * handler that touches a page of backing store would let a thread run in its midst, and
 * an atomic section of that thread would not exclude it. Calls of library_enter() may
 * lie in between. faults_resume() takes what faults_pause() has returned.
 */
extern const char *faults_stub; /* NULL: the process waits for all pages anyway */

static inline const char *faults_pause(void)
{
    const char *stub = faults_stub;

    if (stub) {
        faults_stub = NULL;
        faults_hide();
    }
    return stub;
}

void faults_resume(const char *stub);

/* Returns true if a thread waits for a page. */
bool faults_wait(void);

/* Returns true if a page has come since the last faults_look(). */
bool faults_arrived(void);

/* Wakes the threads whose pages have come. */
void faults_look(void);

/* ---- Atomic sections of the library ------------------------------------- */

/*
 * library_enter() opens an atomic section, and returns UAC as it was before,
 * for library_leave(). The caller of any function below must be in such a
 * section, except where a comment says otherwise. A parameter `uac` is the
 * word from library_enter().
 */
static inline uint32_t library_enter(void)
{
    uint32_t uac = udm_uac();

    udm_beginatom();
    faults_hide();
    return uac;
}

/*
 * Wakes threads whose pages have come. Lets a thread of higher rank run if the
 * caller may leave the processor. Closes the atomic section, unless one was
 * open before library_enter(). Calls of library_enter() do not nest.
 */
void library_leave(uint32_t uac);

/* ---- stack.c: units ----------------------------------------------------- */

/*
 * unit_take() returns a unit, as the address of its struct udm_thread, or NULL
 * if none is left. unit_take_spare() leaves the last ones to handlers.
 * unit_clear() prepares a unit for a thread or for handlers. unit_clear() may
 * be called in or out of an atomic section. Out of it is better, because the
 * first access to a unit is a page fault.
 */
struct udm_thread *unit_take(void);
struct udm_thread *unit_take_spare(void);
void unit_clear(struct udm_thread *unit);
void unit_free(struct udm_thread *unit);

/* Returns the unit in which an address lies. */
static inline struct udm_thread *unit_of(uint32_t address)
{
    return (struct udm_thread *)((address | (GLAZE_STACK_SIZE - 1)) + 1 -
                                 THREAD_SIZE);
}

static inline bool unit_holds(const struct udm_thread *unit, uint32_t address)
{
    return ((uintptr_t)unit ^ address) < GLAZE_STACK_SIZE;
}

static inline struct stub_frame *unit_stub(struct udm_thread *unit)
{
    return (struct stub_frame *)((uintptr_t)unit - FRAME - STUB_FRAME);
}

/* ---- schedule.c --------------------------------------------------------- */

extern struct udm_thread first_thread;          /* the thread of main() */
void schedule_init(void);

/* Put a thread at the end, or at the front, of the ready queue of its rank. */
void ready_put(struct udm_thread *thread);
void ready_put_first(struct udm_thread *thread);

/*
 * Removes the first ready thread of the highest rank from its queue, and
 * returns it. Returns NULL if no thread of `rank` or above is ready.
 */
struct udm_thread *ready_take(unsigned rank);

/* Returns true if a thread of higher rank than the current one is ready. */
bool ready_better(void);

/* Returns whether udm_thread_yield() lets another thread run than this one. */
bool ready_any(const struct udm_thread *thread);

/*
 * switch_to() runs `next`, and returns when a thread switches back to the
 * caller's thread. current_set() only notes that `next` runs.
 */
void switch_to(struct udm_thread *next);
void current_set(struct udm_thread *next);

/*
 * As switch_to(). If the current thread has an atomic section open, also
 * suspends the section, and resumes it when the thread continues; meanwhile the
 * kernel keeps all messages in the buffer. `put` is ready_put or
 * ready_put_first if the current thread stays ready, or NULL if it waits.
 */
void hand_over(struct udm_thread *next, uint32_t uac,
               void put(struct udm_thread *));

/*
 * Waits for a message or a page when no thread is ready. If `atomic` is not
 * set and no atomic section is suspended, the messages' handlers run. Ends the
 * job if no handler can run and no thread waits for a page.
 *
 * If handlers may run, it calls process_waits() first, and thread_wait() calls
 * process_runs() when the first thread runs again, unless these are NULL: functions
 * of a library that makes its data ready for others. process_waits() may end the
 * section for a while, as idle() does. Then it returns true, and idle() does not
 * wait.
 */
void idle(bool atomic);
extern bool (*process_waits)(void);
extern void (*process_runs)(void);

/*
 * thread_wait() runs other threads until the current thread's `woken` is set,
 * and clears it. thread_wake() sets `woken` and makes the thread ready.
 */
void thread_wait(uint32_t uac);
void thread_wake(struct udm_thread *thread);

/*
 * Returns the calling thread. If the caller is a handler, makes a thread of it
 * first, and sets *uac to 0, because the handler's atomic section ends then.
 */
struct udm_thread *thread_here(uint32_t *uac);

/*
 * queue_wait() puts the calling thread at the end of a queue, and waits until
 * queue_wake() takes it out. queue_wake() wakes the first thread of the queue,
 * and returns false if the queue is empty. queue_put() and queue_take() change
 * the queue alone; queue_take() returns NULL if the queue is empty.
 */
void queue_wait(struct udm_queue_ *queue, uint32_t *uac);
bool queue_wake(struct udm_queue_ *queue);
void queue_put(struct udm_queue_ *queue, struct udm_thread *thread);
struct udm_thread *queue_take(struct udm_queue_ *queue);

/* ---- handler.c ---------------------------------------------------------- */

/* Sets the upcall page's entries for messages, and the handlers' stacks. */
void handler_init(void);

/*
 * Makes the stub of the running handler call handler_end(), or the next handler
 * that ends if no handler runs; and takes that back.
 */
static inline void handler_end_want(bool want)
{
    UPCALL->ends = want ? ENDS_USUAL | PSR_S | ENDS_WANTED : ENDS_USUAL;
}

static inline bool handler_end_wanted(void)
{
    return UPCALL->ends & ENDS_WANTED;
}

/*
 * Returns true if the caller runs on the unit of the innermost handler. May be
 * called outside of an atomic section.
 */
static inline bool in_handler(void)
{
    uint32_t sp;

    asm ("mov %%sp, %0" : "=r" (sp));
    return (sp ^ UPCALL->message.sp) < GLAZE_STACK_SIZE;
}

/*
 * Makes a thread of the running handler, which becomes the current thread. The
 * thread that the handler has interrupted becomes ready. `sp` is the handler's
 * stack pointer or, if it has called the function that calls this one, that of
 * its stub.
 */
void handler_detach(uint32_t sp);

/*
 * Called by the message stubs. stub_special calls handler_special() before its
 * handler and handler_special_end() after the handler, both with the stub's
 * frame. The other stubs call handler_end() after a handler if it is wanted.
 */
void handler_special(struct stub_frame *frame);
void handler_special_end(struct stub_frame *frame);
void handler_end(void);

/*
 * descriptor_save() saves the words of a half-described message in the frame.
 * context_restore() restores the message, and the FPU if the frame holds its
 * registers, and lets fault upcalls in.
 */
void context_restore(struct stub_frame *frame);
void descriptor_save(struct stub_frame *frame);

/* Called by fault_stub. fault.c has the function, and says more. */
uint32_t fault_wait(struct stub_frame *frame, uint32_t page, uint32_t section);

/* ---- upcall.S, switch.S ------------------------------------------------- */

extern const char message_stub[], trapping_stub[], buffered_stub[];
extern const char stub_resume[];
extern const char fault_stub[];
extern const char thread_begin[], thread_end[];

/* Stores all windows but the caller's to the stack. */
void windows_flush(void);

/*
 * Saves the caller's context in *from and continues in *to. Returns when a
 * context_switch() to *from follows.
 */
void context_switch(struct context *from, const struct context *to);

/*
 * Continues in *to, and saves nothing. The caller must have called
 * windows_flush(), in the function that calls context_continue().
 */
void context_continue(const struct context *to) __attribute__((noreturn));

/* ---- newlib/file.c ------------------------------------------------------- */

/* Returns true if the path is one of the names of the only directory. */
bool is_directory(const char *path);

/* Returns whether a file that is not there could have this name, with errno if
 * not. */
bool is_file_name(const char *path);

/* ---- newlib/heap.c ------------------------------------------------------- */

/* Sets where the addresses for the heap end. */
void heap_limit(uint32_t highest);

/*
 * Gives all pages of the heap back and makes a new heap of zeros, which ends at
 * an address. Returns false if there is no memory for page tables. For the caller
 * that also replaces malloc()'s own data.
 */
bool heap_renew(uint32_t new_end);

/* ---- start.c ------------------------------------------------------------- */

/*
 * A library may define this function, which is then called on all nodes in the
 * atomic section of the start, before constructors. If it does not return, the
 * node runs neither constructors nor main().
 */
void program_prepare(void) __attribute__((weak));

/* ---- process.c ---------------------------------------------------------- */

/* NULL, or what _exit() calls before it ends the process. */
extern void (*process_exit)(int status);

/*
 * Ends the job, on all nodes, with status 118 and the text as the reason. For
 * mistakes of the program. library_abort_at() also names the place `pc`.
 */
void library_abort(const char *text) __attribute__((noreturn));
void library_abort_at(const char *text, uint32_t pc) __attribute__((noreturn));

#endif /* __ASSEMBLER__ */
#endif /* LIBRARY_H */
