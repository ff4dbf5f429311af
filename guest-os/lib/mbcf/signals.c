/*
 * Signals, FIFOs and first messages, for the task that has them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "glaze-calls.h"
#include "library.h"
#include "mbcf.h"

extern const char mbcf_signal_stub[];
void mbcf_signals(void);

static mbcf_program *scheduler;

/* Called by the stub: runs the programs that signals have invoked. */
void mbcf_signals(void)
{
    struct mbcf_invocation next;
    uint32_t ended = 0;

    while (glaze_call_quick(GLAZE_MBCF, MBCF_NEXT, (uintptr_t)&next, ended,
                            0) == 1) {
        mbcf_program *program = next.program
                              ? (mbcf_program *)(uintptr_t)next.program
                              : scheduler;

        if (!program) {
            library_abort("mbcf: a signal invokes the scheduler of threads, "
                          "and there is none: call mbcf_scheduler()");
        }
        ended = next.signal;
        program((struct mbcf_signal *)(uintptr_t)ended);
    }
}

void mbcf_take_signals(void)
{
    struct glaze_upcall_page *page = (void *)(uintptr_t)GLAZE_UPCALL;

    page->signal.entry = (uintptr_t)mbcf_signal_stub;
    glaze_call(GLAZE_MBCF, MBCF_SIGNALS, 0, 0);     /* those that have come */
}

void mbcf_scheduler(mbcf_program *program)
{
    scheduler = program;
}

int32_t mbcf_take(struct mbcf_fifo *fifo, void *to, uint32_t most)
{
    return glaze_call_quick(GLAZE_MBCF, MBCF_TAKE, (uintptr_t)fifo,
                            (uintptr_t)to, most);
}

bool mbcf_queue(void)
{
    return glaze_call(GLAZE_MBCF, MBCF_QUEUE, 0, 0) == 0;
}

bool mbcf_read_queue(struct mbcf_first *first)
{
    return glaze_call(GLAZE_MBCF, MBCF_READ_QUEUE, (uintptr_t)first, 0) == 0;
}

uint32_t mbcf_cancel(uint32_t index, const struct mbcf_first *first)
{
    volatile uint32_t status = MBCF_PENDING;
    const struct mbcf_request r = {
        .command = MBCF_CANCEL,
        .options = MBCF_STATUS,
        .task = mbcf_enter(index, first->source.node, first->source.number,
                           first->cancel),
        .status = (uintptr_t)&status,
    };

    mbcf_request(&r, 1);
    return mbcf_await(&status);
}
