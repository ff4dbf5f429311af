/*
 * Deferred work: what a handler leaves to a thread.
 *
 * A handler should not wait, and should not take long: it keeps later messages
 * waiting. It can put the rest of its work into a queue. One thread of priority
 * UDM_HIGH, which the library makes, does the work outside of atomic sections,
 * so it may wait. docs/udm.md is the reference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_WORK_H
#define UDM_WORK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A piece of work. The program supplies the memory, usually inside a structure
 * of its own that says what to do. All zero but `run` is a piece of work that
 * is not in the queue.
 */
struct udm_work {
    void (*run)(struct udm_work *work);
    struct udm_work *next_;     /* NULL: not in the queue */
};

/*
 * Puts `work` at the end of the queue, and returns true; returns false, and
 * changes nothing, if `work` is in the queue already. May be called
 * everywhere, and keeps an open atomic section open. Sends nothing, and does
 * not wait in a handler or an atomic section.
 *
 * The thread takes the pieces of work out of the queue in order, and calls
 * run(work) for each. It begins
 *   - at the end of the handler that has called udm_defer();
 *   - at once, if a thread has called udm_defer() outside of atomic sections;
 *   - with udm_defer_run(), if a thread has called udm_defer() in an atomic
 *     section, or at the end of the next handler.
 *
 * When run() is called, `work` is the program's again: run() may put it into
 * the queue once more, or free it. If run() waits, the rest of the queue waits
 * too.
 *
 * Errors: ends the job (118) if no stack is left for the thread, which the first call
 * makes, or if run() returns in an atomic section.
 */
bool udm_defer(struct udm_work *work);

/*
 * Lets the thread do the work in the queue, if the caller is a thread outside
 * of atomic sections. A program calls it after an atomic section in which it
 * has called udm_defer(). udm_endatom() is one instruction and does not look.
 * Errors: none; elsewhere it does nothing.
 */
void udm_defer_run(void);

/*
 * Makes the thread, if there is none. Without this call the first udm_defer()
 * makes it, which takes some thousand cycles more. Errors: ends the job (118) if no
 * stack is left.
 */
void udm_defer_init(void);

#ifdef __cplusplus
}
#endif

#endif /* UDM_WORK_H */
