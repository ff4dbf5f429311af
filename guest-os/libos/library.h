/*
 * What the parts of the library share: its words in the upcall page, frames
 * and stacks as assembly sees them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "glaze.h"

/* ---- Upcall page, from GLAZE_U_LIBRARY on ------------------------------- */

/* %g7 holds the page's address, for all threads and always. */
#define U_FAULT_ENTRY   (GLAZE_U_FAULT + 4)
#define U_WANTED        (GLAZE_U_LIBRARY + 0x00)        /* a thread of higher
                                priority is ready: see to it behind a handler */
#define U_CURRENT       (GLAZE_U_LIBRARY + 0x04)        /* struct udm_thread */
#define U_SPARE         (GLAZE_U_LIBRARY + 0x08)        /* stack pointer for a
                                handler that interrupts a handler */

/* ---- Stacks ------------------------------------------------------------- */

/*
 * A unit of GLAZE_STACK_SIZE serves a thread, or handlers, and those become
 * threads where they are. From its top:
 *
 *      struct udm_thread       THREAD_SIZE
 *      base frame              FRAME: where a thread begins
 *      stub frame              STUB_FRAME: of a message upcall
 *      frames of the handler or, over both, of the thread
 */
#define FRAME           96      /* window, hidden parameter, six arguments */
#define STUB_Y          FRAME           /* y and %g4, if STUB_KIND is not 0 */
#define STUB_G4         (FRAME + 4)
#define STUB_KIND       (FRAME + 8)     /* not 0: from the buffer, and %l6 and
                                           %l7 are the stub's own */
#define STUB_EXTRA      (FRAME + 12)    /* EXTRA_*: what follows is in use */
#define STUB_FRAME      (FRAME + 16 + 64 + 136)
#define THREAD_SIZE     64

/* Where a context goes on: its window lies at sp. Offsets in udm_thread. */
#define CONTEXT_SP      0
#define CONTEXT_PC      4

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glaze-calls.h"
#include "udm.h"
#include "udm-thread.h"

struct upcall {
    uint32_t sp, entry;
};

struct upcall_page {
    struct upcall message, buffered, fault, exception;
    uint32_t unused;
    uint32_t arrivals;
    struct glaze_fp fp;         /* of what a message upcall has interrupted */
    uint32_t wanted;
    struct udm_thread *current;
    uint32_t spare;
};

_Static_assert(offsetof(struct upcall_page, message) == GLAZE_U_MESSAGE &&
               offsetof(struct upcall_page, buffered) == GLAZE_U_BUFFERED &&
               offsetof(struct upcall_page, fault) == GLAZE_U_FAULT &&
               offsetof(struct upcall_page, fp) == GLAZE_U_FP &&
               offsetof(struct upcall_page, arrivals) == GLAZE_U_ARRIVALS &&
               offsetof(struct upcall_page, wanted) == U_WANTED &&
               offsetof(struct upcall_page, current) == U_CURRENT &&
               offsetof(struct upcall_page, spare) == U_SPARE,
               "glaze.h and library.h agree");

#define UPCALL ((volatile struct upcall_page *)GLAZE_UPCALL)

/* A register window in memory. */
struct window {
    uint32_t l[8], i[6];
    uint32_t fp, i7;
};

/* Frame of a message stub: the interrupted context, with the stub's window. */
struct stub_frame {
    struct window window;       /* %l0 PSR, %l1 pc, %l2 npc, %l3 to %l6 %g1 to
                                   %g4, %l7 y; ins: its outs */
    uint32_t hidden[(FRAME - 64) / 4];
    uint32_t y, g4, kind;
    uint32_t extra;             /* 0, or some of: */
#define EXTRA_DESCRIPTOR 0x1f   /* words that had been described */
#define EXTRA_FPU        0x20
#define EXTRA_FAULTS     0x40           /* faults_show() is due */
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

#define PSR_EF 0x1000           /* in %l0: the FPU was on */

struct context {
    uint32_t sp, pc;            /* pc: less 8, as in a return address */
};

struct udm_thread {
    struct context context;     /* while another one runs */
    struct udm_thread *next;    /* in a queue, or among free units */
    struct udm_thread *next_ready;      /* it may be in both: see idle() */
    enum udm_priority priority;
    bool ready;                 /* is in the ready queue */
    bool woken;                 /* no longer waits; see thread_wait() */
    bool done;                  /* has ended, and its result is there */
    bool joinable;
    bool parked, token;         /* udm_thread_block(), udm_thread_wake() */
    struct udm_thread *joiner;
    void *(*start)(void *);
    void *argument, *result;
    struct udm_thread *below;   /* of handlers: the unit of the handler that
                                   this one interrupted */
    uint32_t section;           /* 0, or what GLAZE_HOLD has said of its
                                   atomic section, which is suspended */
};

_Static_assert(offsetof(struct udm_thread, context.sp) == CONTEXT_SP &&
               offsetof(struct udm_thread, context.pc) == CONTEXT_PC &&
               sizeof(struct udm_thread) <= THREAD_SIZE && THREAD_SIZE % 8 == 0,
               "struct udm_thread and library.h agree");

/* ---- fault.c: threads that wait for pages ------------------------------- */

/* The library's own work is about to begin, and has ended. */
static inline void faults_hide(void)
{
    UPCALL->fault.entry = 0;
}

void faults_show(void);
bool faults_wait(void);         /* somebody waits for a page */
bool faults_arrived(void);      /* one has come that nobody knows of yet */
void faults_look(void);         /* who has waited for it is woken */

/* ---- Atomic sections of the library ------------------------------------- */

/*
 * All that follows is called in one: no handler comes in between. What was
 * open before stays open. `uac`: the caller's user bits.
 */
static inline uint32_t library_enter(void)
{
    uint32_t uac = udm_uac();

    udm_beginatom();
    faults_hide();
    return uac;
}

/* They do not nest. */
void library_leave(uint32_t uac);

/* ---- stack.c: units ----------------------------------------------------- */

/*
 * A unit; NULL: none is left. Its thread, and more, is zero behind
 * unit_clear(), which is for no atomic section if that can be helped: the first
 * touch of a unit is a page fault.
 */
struct udm_thread *unit_take(void);
void unit_clear(struct udm_thread *unit);
void unit_free(struct udm_thread *unit);

/* The unit in which an address lies. */
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

extern struct udm_thread first_thread;          /* main()'s */
void schedule_init(void);
void ready_put(struct udm_thread *thread);
void ready_put_first(struct udm_thread *thread);
struct udm_thread *ready_take(unsigned rank);   /* of this rank or above;
                                                   NULL: there is none */
bool ready_better(void);        /* one of higher rank than the current? */

/* Leaves the processor to `next`; returns when somebody comes back. */
void switch_to(struct udm_thread *next);

/*
 * The same, of a thread with an atomic section, perhaps, which takes that
 * along: the kernel keeps all messages in the buffer until it is back. `put`:
 * NULL, or what makes it ready meanwhile.
 */
void hand_over(struct udm_thread *next, uint32_t uac,
               void put(struct udm_thread *));
void idle(bool atomic);         /* there is none to leave it to */

/* What the current thread does until `woken`, which this clears. */
void thread_wait(uint32_t uac);
void thread_wake(struct udm_thread *thread);    /* sets it */

/*
 * Caller's thread, which may have to be made of a handler first; `uac` is what
 * its atomic section becomes.
 */
struct udm_thread *thread_here(uint32_t *uac);

/* Puts the current thread into a queue and waits to be taken out and woken. */
void queue_wait(struct udm_queue_ *queue, uint32_t *uac);
bool queue_wake(struct udm_queue_ *queue);      /* false: it is empty */
void queue_put(struct udm_queue_ *queue, struct udm_thread *thread);
struct udm_thread *queue_take(struct udm_queue_ *queue);

/* ---- handler.c ---------------------------------------------------------- */

void handler_init(void);

/* Does the caller run on the stack of handlers? */
static inline bool in_handler(void)
{
    uint32_t sp;

    asm ("mov %%sp, %0" : "=r" (sp));
    return (sp ^ UPCALL->message.sp) < GLAZE_STACK_SIZE;
}

/* Makes a thread of the running handler, the current one. */
void handler_detach(void);

/* Called by upcall.S. */
void handler_special(struct stub_frame *frame);
void handler_special_end(struct stub_frame *frame);
void handler_end(void);
void context_restore(struct stub_frame *frame);
void descriptor_save(struct stub_frame *frame);

/* Called by upcall.S: what fault_stub does. */
uint32_t fault_wait(struct stub_frame *frame, uint32_t page, uint32_t section);

/* ---- upcall.S, switch.S ------------------------------------------------- */

extern const char message_stub[], buffered_stub[], stub_resume[];
extern const char fault_stub[];
extern const char thread_begin[], thread_end[];

/* Saves the caller's context in `from` and goes on in `to`. */
void context_switch(struct context *from, const struct context *to);

/* ---- process.c ---------------------------------------------------------- */

/* The job ends; the text says why. For what a program must not do. */
void library_abort(const char *text) __attribute__((noreturn));

#endif /* __ASSEMBLER__ */
#endif /* LIBRARY_H */
