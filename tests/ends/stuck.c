/*
 * Programs that wait for ever, for the report of a deadlock: test_report.py.
 *
 *      stuck threads       four threads, each of which waits for something else
 *      stuck collective    an operation of all nodes that node 0 does not call
 *      stuck spins         the same, in loops
 *      stuck broken SEED   random words instead of what the library knows
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"
#include "udm-collective.h"
#include "udm-thread.h"

static udm_mutex_t mutex, other;
static udm_cond_t cond;
static volatile unsigned returned;

static void *locks(void *argument)
{
    udm_mutex_lock(&mutex);
    returned++;
    return argument;
}

static void *waits(void *argument)
{
    udm_mutex_lock(&other);
    udm_cond_wait(&cond, &other);
    returned++;
    return argument;
}

static void *blocks(void *argument)
{
    udm_thread_block();
    returned++;
    return argument;
}

/* Calls itself until more windows are in use than the processor has. */
static void join_deep(udm_thread_t *thread, unsigned depth)
{
    if (depth) {
        join_deep(thread, depth - 1);
    } else {
        udm_thread_join(thread);
    }
    returned++;
}

static void threads(void)
{
    udm_thread_t *thread;

    udm_mutex_lock(&mutex);
    thread = udm_thread_create(locks, NULL, UDM_NORMAL);
    udm_thread_create(waits, NULL, UDM_NORMAL);
    udm_thread_create(blocks, NULL, UDM_NORMAL);
    join_deep(thread, 12);
}

static void *reduces(void *argument)
{
    udm_reduce_all_double(UDM_MAX, 1.5);
    returned++;
    return argument;
}

/* Node 1 calls the operation in its first thread, the others in another one. */
static __attribute__((noinline)) void collective(void)
{
    if (udm_node() == 0) {
        udm_thread_block();
    } else if (udm_node() == 1) {
        udm_reduce_all_double(UDM_MAX, 2.5);
    } else {
        udm_thread_join(udm_thread_create(reduces, NULL, UDM_NORMAL));
    }
    returned++;
}

/* Without rand(): its state is among the words. */
static void fill(uint32_t seed, uint32_t from, uint32_t to)
{
    uint32_t word = seed * 2 + 1;

    for (; from < to; from += 4) {
        word = word * 1664525 + 1013904223;
        /* Some words look like addresses of the library's data. */
        *(volatile uint32_t *)from = word & 0x8000 ? word : GLAZE_STACKS | word >> 12;
    }
}

/* The library's words in .data and .bss, in the upcall page, and on stacks. */
static void broken(unsigned seed)
{
    extern char heap_start[];

    udm_beginatom();
    udm_thread_create(blocks, NULL, UDM_NORMAL);
    fill(seed, GLAZE_UPCALL + GLAZE_U_LIBRARY,
         GLAZE_UPCALL + GLAZE_PAGE);
    fill(seed, GLAZE_STACKS + 3 * GLAZE_STACK_SIZE - GLAZE_PAGE,
         GLAZE_STACKS + 3 * GLAZE_STACK_SIZE);
    fill(seed, (uint32_t)heap_start - 2 * GLAZE_PAGE, (uint32_t)heap_start);
    glaze_wait();
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "broken")) {
        broken(atoi(argv[2]));
    } else if (argc == 2 && !strcmp(argv[1], "collective")) {
        udm_collective_wait(UDM_WAIT_BLOCK);
        collective();
    } else if (argc == 2 && !strcmp(argv[1], "spins")) {
        collective();
    } else {
        threads();
    }
    return 0;
}
