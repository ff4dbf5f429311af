/*
 * What a program must not do; the argument names the case. The job ends with a
 * line that gives the cause, and status 101 or that of the C library. A case
 * that is not noticed prints "nothing has happened" and exits with status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "udm-thread.h"

static udm_mutex_t mutex;

static void no_dispose(void)
{
}

static void no_dispose_endatom(void)
{
    udm_endatom();
}

static void no_dispose_wait(void)
{
    udm_mutex_lock(&mutex);
}

static void too_many_words(uint32_t count)
{
    static const uint32_t words[UDM_ARGS_MAX + 1];

    udm_inject_words(udm_node(), no_dispose, words, count, 1);
}

static void dispose_twice(void)
{
    udm_dispose();
    udm_dispose();
}

static void handler_blocks(void)
{
    udm_dispose();
    udm_thread_block();
}

static void handler_asserts(void)
{
    assert(udm_arg(0) == 1);
    udm_dispose();
}

static void *waits_for_mutex(void *unused)
{
    udm_mutex_lock(&mutex);
    return unused;
}

static void *ends_atomic(void *unused)
{
    udm_beginatom();
    return unused;
}

static void *joins_itself(void *unused)
{
    (void)unused;
    udm_thread_join(udm_thread_self());
    return NULL;
}

/* The other nodes send messages to this one, which takes none of them. */
static void spins_in_section(void)
{
    if (udm_node() == 0) {
        udm_beginatom();
        for (volatile bool stop = false; !stop; ) {
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        udm_inject(0, no_dispose);
    }
}

static uint32_t overflow(uint32_t depth)
{
    volatile uint32_t x[100];

    x[0] = depth;
    return depth == UINT32_MAX ? 0 : overflow(depth + 1) + x[0];
}

static void *overflows(void *unused)
{
    (void)unused;
    return (void *)overflow(0);
}

static void deadlock(void)
{
    udm_mutex_lock(&mutex);
    udm_thread_create(waits_for_mutex, NULL, UDM_NORMAL);
    udm_beginatom();
    udm_mutex_lock(&mutex);
}

static void join(void *(*start)(void *))
{
    udm_thread_join(udm_thread_create(start, NULL, UDM_NORMAL));
}

#define IS(text) (argc > 1 && strcmp(argv[1], text) == 0)
#define SEND(handler) udm_inject(udm_node(), handler)

int main(int argc, char **argv)
{
    if (IS("no-dispose")) {
        SEND(no_dispose);
    } else if (IS("no-dispose-endatom")) {
        udm_inject(udm_node(), no_dispose_endatom, 7, -2);
    } else if (IS("no-dispose-wait")) {
        udm_mutex_lock(&mutex);
        SEND(no_dispose_wait);
    } else if (IS("dispose-twice")) {
        SEND(dispose_twice);
    } else if (IS("handler-blocks")) {
        SEND(handler_blocks);
    } else if (IS("handler-asserts")) {
        SEND(handler_asserts);
    } else if (IS("no-node")) {
        udm_inject(udm_nodes(), no_dispose);
    } else if (IS("too-many-words")) {
        too_many_words(UDM_ARGS_MAX);
    } else if (IS("negative-words")) {
        too_many_words(-1);
    } else if (IS("deadlock")) {
        deadlock();
    } else if (IS("spins-in-section")) {
        spins_in_section();
    } else if (IS("unlock")) {
        udm_mutex_unlock(&mutex);
    } else if (IS("ends-atomic")) {
        join(ends_atomic);
    } else if (IS("joins-itself")) {
        join(joins_itself);
    } else if (IS("overflow")) {
        join(overflows);
    } else if (IS("overflow-main")) {
        overflow(0);
    } else if (IS("divide")) {
        printf("%d\n", (argc + 5) / (argc - 2));
    } else if (IS("raise")) {
        raise(SIGFPE);
    } else if (IS("abort")) {
        abort();
    }
    settle();
    printf("nothing has happened\n");
    return 0;
}
