/*
 * How a thread waits: in a loop (crl_await() in region.h), or blocked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "region.h"
#include "udm-collective.h"

bool crl_blocks;
udm_thread_t *volatile crl_blocked;

void crl_wait(enum crl_wait how)
{
    CRL_ENTER(CRL_OTHER, 0);
    crl_blocks = how == CRL_WAIT_BLOCK;
    udm_collective_wait(crl_blocks ? UDM_WAIT_BLOCK : UDM_WAIT_SPIN);
    crl_end();
}

/*
 * crl_wake() wakes the thread at most once for each time that crl_blocked is
 * set. The last wake may come when the thread has stopped waiting. This
 * function takes it, so that no later udm_thread_block() of the program returns
 * because of it.
 */
void crl_block(volatile uint8_t *flag)
{
    bool woken;

    for (;;) {
        crl_blocked = udm_thread_self();
        if (!*flag) {
            break;
        }
        udm_thread_block();
    }
    udm_beginatom();
    woken = !crl_blocked;
    crl_blocked = NULL;
    udm_endatom();
    if (woken) {
        udm_thread_block();     /* returns at once */
    }
}
