/*
 * Processes: the start of the library, node 0's part in starting a process on
 * another node with the memory of this one, as fork does, and ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "start.h"

#define WORKER_STACK    0x8000
#define WAIT_MOST       200000000       /* cycles that a process waits for a
                                           node to become free */

/* ---- Node 0: processes of other nodes ------------------------------------ */

enum state { NODE_FREE, NODE_RUNS, NODE_ENDED };

static volatile uint8_t *state;         /* by node */
static uint32_t waited_for;
static volatile uint32_t ended;
uint32_t processes_live = 1, processes_created;

void shm_on_ended(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)words;
    (void)count;
    state[source] = NODE_ENDED;
    processes_live--;
    ended++;
    wake();
}

/* Sees what the processes that have ended have written. */
static void reap(void)
{
    for (uint32_t k = 1; k < shm_count; k++) {
        if (state[k] == NODE_ENDED) {
            interval_acquire(k, 0);
            state[k] = NODE_FREE;
        }
    }
    alone = processes_live == 1;
}

bool node_is_free(uint32_t node)
{
    return state[node] == NODE_FREE;
}

/* Returns the lowest free node. Waits for one. */
static uint32_t free_node(void)
{
    uint64_t since = udm_cycles();

    for (;;) {
        reap();
        for (uint32_t k = 1; k < shm_count; k++) {
            if (state[k] == NODE_FREE) {
                return k;
            }
        }
        if (shm_count == 1 || udm_cycles() - since > WAIT_MOST) {
            mistake("all nodes have processes, and none has ended: give the "
                    "machine more nodes (-n)");
        }
    }
}

static void start_process(uint32_t node, void (*function)(void *),
                          void *argument, uint32_t sp)
{
    copies_prepare(node, processes_live - 1);
    copies_send(node, sp);
    state[node] = NODE_RUNS;
    processes_created++;
    udm_beginatom();
    processes_live++;           /* handlers count it down */
    post_begin(node, OP_START);
    post_word((sp & ~7u) - 2 * FRAME);
    post_word((uintptr_t)function);
    post_word((uintptr_t)argument);
    post_word(fixing);
    post_words(vector, shm_count);
    post_end();
    udm_endatom();
}

static void create(void (*function)(void *), void *argument, uint32_t caller)
{
    uint32_t node, sp;

    call_enter(CALL_CREATE, 0, caller);
    if (shm_self != 0) {
        mistake("only the first process may create others");
    }
    fflush(NULL);
    interval_close();
    node = free_node();
    if (alone) {
        alone = false;
        visit_start();
    }
    windows_flush();
    asm volatile ("mov %%sp, %0" : "=r" (sp));
    start_process(node, function, argument, sp);
    call_leave();
}

void shm_create(void (*function)(void))
{
    create((void (*)(void *))function, NULL,
           (uintptr_t)__builtin_return_address(0));
}

void shm_create_with(void (*function)(void *), void *argument)
{
    create(function, argument, (uintptr_t)__builtin_return_address(0));
}

void shm_wait_for_end(int processes)
{
    uint32_t running = processes_created - waited_for, want = processes;

    ENTER(CALL_WAIT_FOR_END, 0);
    if (shm_self != 0) {
        mistake("only the first process waits for others");
    }
    if (processes < 0 || want > running) {
        want = running;
    }
    interval_close();
    waited_for += want;
    wait_for(&ended, waited_for);
    reap();
    call_leave();
}

/* ---- The end ------------------------------------------------------------ */

static void end_other(int status, uint32_t caller)
{
    char text[80];

    if (status) {
        snprintf(text, sizeof(text), "a process has called exit(%d)", status);
        glaze_abort(status, text, strlen(text));
    }
    call_enter(CALL_END, 0, caller);
    interval_close();
    shm_run_end();
}

/* Called by _exit(). */
static void end_process(int status)
{
    uint32_t caller = (uintptr_t)__builtin_return_address(0);

    if (udm_atomic()) {
        udm_endatom();
    }
    if (shm_self != 0) {
        end_other(status, caller);
    }
    if (status && processes_live > 1) {
        static const char text[] = "the first process has ended with a status, "
                                   "while others run";

        glaze_abort(status, text, sizeof(text) - 1);
    }
    call_enter(CALL_END, 0, caller);
    interval_close();
    wait_for(&ended, processes_created);
    for (uint32_t k = 1; k < shm_count; k++) {
        udm_beginatom();
        post(k, OP_FINISH, NULL, 0);
        udm_endatom();
    }
    glaze_exit(status);
}

void shm_exit(int status)
{
    exit(status);
}

/* ---- The start ---------------------------------------------------------- */

/* Called by start.c on all nodes, in an atomic section, before constructors.
 * Returns on node 0 alone. */
void program_prepare(void)
{
    shm_self = udm_node();
    shm_count = udm_nodes();
    heap_limit(HEAP_END);
    process_exit = end_process;
    process_waits = call_block;
    process_runs = call_unblock;
    pages_init();
    interval_init();
    send_init();
    visit_init();
    state = private_take(shm_count);
    copies_init();
    tree_init();
    if (!shm_self) {
        sproc_init();
    } else {
        char *stack = private_take(WORKER_STACK);

        shm_switch((uintptr_t)stack + WORKER_STACK - FRAME, node_serve);
    }
}

void shm_init(void)
{
}
