/*
 * How a call begins, waits and ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "region.h"

unsigned crl_self_addr, crl_num_nodes;
struct crl_now crl_now;

static enum crl_wait wait_how;
static udm_thread_t *volatile waiting;  /* the thread that crl_wake() wakes;
                                           NULL: none */

/* ---- Beginning and end -------------------------------------------------- */

void crl_enter(enum crl_call call, rid_t rid, uint32_t uac, uint32_t caller)
{
    bool busy = crl_now.call, handler = !udm_thread_self();

    crl_now.call = call + 1;
    crl_now.rid = rid;
    crl_now.caller = caller;
    if (handler) {
        crl_mistake(rid, "called in a handler");
    }
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        crl_mistake(rid, "called in an atomic section");
    }
    if (busy) {
        crl_mistake(rid, "another thread is in a call");
    }
    if (crl_num_nodes == 0) {
        crl_mistake(rid, "called before crl_init()");
    }
    crl_now.start = udm_cycles32();
}

void crl_end(void)
{
    crl_now.call = 0;
}

void crl_hit(void)
{
    crl_counts.call[crl_now.call - 1].hits++;
    crl_now.call = 0;
}

void crl_miss(void)
{
    crl_drain();
    crl_counts.call[crl_now.call - 1].misses++;
    crl_counts.call[crl_now.call - 1].cycles += udm_cycles32() - crl_now.start;
    crl_now.call = 0;
}

struct region *crl_region(void *data)
{
    struct region *r = REGION(data);

    if (!data || (uintptr_t)data % 16 || r->word < WORD_FAST ||
        r->word - WORD_FAST >= 4 * (WORD_WRITE - WORD_SLOW) || !r->maps) {
        crl_mistake(0, "the address is not that of a mapped region");
    }
    crl_now.rid = r->rid;
    return r;
}

/* ---- Waiting ------------------------------------------------------------ */

void crl_wait(enum crl_wait how)
{
    CRL_ENTER(CRL_OTHER, 0);
    wait_how = how;
    crl_end();
}

void crl_wake(void)
{
    udm_thread_t *thread = waiting;

    if (thread) {
        waiting = NULL;
        udm_thread_wake(thread);
    }
}

/*
 * Blocks the thread until *flag is 0. crl_wake() wakes the thread at most once
 * for each time that `waiting` is set. The last wake may come when the thread
 * has stopped waiting. block() takes it, so that no later udm_thread_block() of
 * the program returns because of it.
 */
static void block(volatile uint8_t *flag)
{
    bool woken;

    for (;;) {
        waiting = udm_thread_self();
        if (!*flag) {
            break;
        }
        udm_thread_block();
    }
    udm_beginatom();
    woken = !waiting;
    waiting = NULL;
    udm_endatom();
    if (woken) {
        udm_thread_block();     /* returns at once */
    }
}

void crl_await(volatile uint8_t *flag)
{
    if (*flag && wait_how == CRL_WAIT_BLOCK) {
        block(flag);
    }
    while (*flag) {
        crl_drain();            /* as the thread that does it may not run */
    }
    asm volatile ("" : : : "memory");   /* data have changed */
}
