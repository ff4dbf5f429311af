/*
 * Calls each macro of the libraries' headers in C++, with arguments of the usual types.
 * It is compiled and linked, and does not run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "crl.h"
#include "mbcf.h"
#include "nx.h"
#include "pram.h"
#include "rq.h"
#include "shm.h"
#include "shrimp-buffers.h"
#include "udm-collective.h"
#include "udm-measure.h"
#include "udm-thread.h"
#include "udm-transfer.h"
#include "udm-work.h"
#include "udm.h"

static uint32_t got, more;
static uint32_t words[14];
static udm_waiter_t waiter;

static void handler()
{
    got = udm_arg(0);
    udm_dispose();
}

static void item(const rq_item *of)
{
    got = of->word[1];
}

static bool messages(int number, const char *text)
{
    bool sent = true;

    udm_inject(number, handler);
    udm_inject(0, handler, 1, number, reinterpret_cast<uintptr_t>(text));
    udm_inject(0, [] { udm_dispose(); }, 1u);
    sent &= udm_injectc(0, handler, number);
    udm_inject_words(0, handler, words, 4, 1);
    sent &= udm_injectc_words(0, handler, words, number);
    udm_inject_body(0, handler, words, sizeof(words));
    udm_inject_body2(0, handler, words, 4, text, 8, number);
    sent &= udm_injectc_body(0, handler, words, 4, 1);
    sent &= udm_injectc_body2(0, handler, words, 4, words, 4);
    udm_inject_counted(0, handler, number);
    udm_wait_until(&waiter, UDM_WAIT_BLOCK, got > 0);
    UDM_BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE);
    UDM_ENDATOM(FUGU_UAC_INTERRUPT_DISABLE);
    return sent;
}

static bool queues(int number)
{
    bool done = true;

    done &= rq_enqueue(0, 7, number, 2u);
    done &= rq_enqueue_body(0, 7, words, sizeof(words), number);
    rq_send(0, number, number, got);
    rq_send_body(0, 7, words, sizeof(words), number);
    done &= rq_dequeue(7, &got, &more);
    done &= rq_dequeue_body(7, words, sizeof(words), &got);
    done &= rq_read_queue(7, &got);
    done &= rq_read_queue_body(7, words, sizeof(words));
    done &= rq_delete_queue(7);
    rq_send_am(0, handler, number);
    rq_send_am_to(0, 7, item, number);
    done &= RQ_POLL_INLINED(handler, got++);
    return done;
}

static void buffers(volatile uint32_t *buffer)
{
    shrimp_double_swap(buffer, 4096);
    shrimp_copy(words, buffer, sizeof(words));
}

int main(int argc, char **argv)
{
    crl_init();
    shm_init();
    udm_barrier();
    buffers(words);
    return messages(argc, argv[0]) && queues(argc);
}
