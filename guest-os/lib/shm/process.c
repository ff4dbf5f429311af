/*
 * Processes: the start of the library, and starting a process on another node
 * with the memory of this one, as fork does.
 *
 * A node other than 0 runs no main(). It waits on a stack in the library's own
 * memory, so that the program's memory can be replaced. A new process gets the
 * program's data (program.ld says which), the heap, and the used part of the
 * first stack, below which it runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shm-state.h"
#include "udm-transfer.h"

/* program.ld */
extern char program_copy_start[], program_copy_end[], heap_start[];

#define WORKER_STACK    0x8000
#define WAIT_MOST       200000000       /* cycles that a process waits for a
                                           node to become free */

/* ---- A node without a process ------------------------------------------- */

static volatile uint32_t commands;      /* that have come from node 0 */
static volatile bool finished;
static uint32_t heap_end_wanted;
static struct {
    uint32_t sp;
    void (*function)(void *);
    void *argument;
} start;

static void command(void)
{
    commands++;
    wake();
}

/* Words: the end of the heap. */
void shm_on_begin(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    heap_end_wanted = words[0];
    command();
}

/* Words: address, bytes. */
void shm_on_zero(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t at = words[0], end = at + words[1];

    (void)source;
    (void)count;
    while (at < end) {
        uint32_t next = (at | (GLAZE_PAGE - 1)) + 1;

        if (at % GLAZE_PAGE || glaze_fresh(at, GLAZE_PAGE) <= 0) {
            memset((void *)at, 0, (next < end ? next : end) - at);
        }
        at = next;
    }
}

/* Words: stack, function, argument, fixing, what node 0 has seen. */
void shm_on_start(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    start.sp = words[0];
    start.function = (void (*)(void *))words[1];
    start.argument = (void *)words[2];
    fixing = words[3];
    interval_seen(words + 4, true);
    command();
}

void shm_on_finish(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)words;
    (void)count;
    finished = true;
    command();
}

/* Waits for the next command of node 0. */
static void command_wait(void)
{
    static uint32_t done;

    shm_now.call = CALL_IDLE;
    shm_now.address = shm_now.caller = 0;
    wait_for(&commands, ++done);
    if (finished) {
        glaze_exit(0);
    }
}

static void child(void *argument)
{
    start.function(argument);
    exit(0);
}

/* Waits for a process, runs it, and so on. */
static void serve(void)
{
    udm_endatom();
    for (;;) {
        command_wait();
        interval_forget_all();
        sbrk(heap_end_wanted - (uintptr_t)sbrk(0));
        udm_beginatom();
        post(0, OP_ANSWER, NULL, 0);
        udm_endatom();
        command_wait();
        alone = false;
        visit_start();
        call_leave();
        shm_run(start.sp, child, start.argument);
        glaze_alarm(UINT64_MAX);
        udm_beginatom();
        post(0, OP_ENDED, NULL, 0);
        udm_endatom();
    }
}

/* ---- Node 0: processes of other nodes ------------------------------------ */

enum state { NODE_FREE, NODE_RUNS, NODE_ENDED };

static volatile uint8_t *state;         /* by node */
static bool *used;                      /* by node: it has had a process */
static uint32_t created, waited_for;
static volatile uint32_t ended;
uint32_t processes_live = 1;

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

static bool is_zero(const char *from, uint32_t bytes)
{
    while (bytes && (uintptr_t)from % 4) {
        if (*from++) {
            return false;
        }
        bytes--;
    }
    for (; bytes >= 4; bytes -= 4, from += 4) {
        if (*(const uint32_t *)from) {
            return false;
        }
    }
    while (bytes--) {
        if (*from++) {
            return false;
        }
    }
    return true;
}

#define ZERO_MOST       (8 * GLAZE_PAGE)        /* bytes that a message clears */

/* Returns how many bytes of a range begin it with pages that were never touched:
 * they are zeros, and reading them would take memory. */
static uint32_t untouched(uint32_t from, uint32_t to)
{
    uint32_t bytes = (to - from) & -GLAZE_PAGE;
    int32_t found = 0;

    if (from % GLAZE_PAGE == 0 && bytes && to <= GLAZE_PROGRAM_END) {
        found = glaze_fresh(from, bytes < ZERO_MOST ? bytes : ZERO_MOST);
    }
    return found > 0 ? found : 0;
}

/*
 * Copies a range of memory to the same addresses on another node, page by page.
 * Zeros go as two words; not at all if the node has zeros there anyway.
 */
static void copy(uint32_t node, uint32_t from, uint32_t to, bool fresh)
{
    while (from < to) {
        uint32_t end = (from | (GLAZE_PAGE - 1)) + 1;
        uint32_t bytes = (end < to ? end : to) - from;
        uint32_t empty = untouched(from, to);

        if (empty) {
            bytes = empty;
        }
        if (!empty && !is_zero((char *)from, bytes)) {
            udm_transfer(node, (void *)from, (void *)from, bytes);
        } else if (!fresh) {
            uint32_t words[2] = { from, bytes };

            udm_beginatom();
            post(node, OP_ZERO, words, 2);
            udm_endatom();
        }
        from += bytes;
    }
}

static void start_process(uint32_t node, void (*function)(void *),
                          void *argument, uint32_t sp)
{
    uint32_t heap = (uintptr_t)sbrk(0);

    ask(node, OP_BEGIN, &heap, 1);
    copy(node, (uintptr_t)program_copy_start, (uintptr_t)program_copy_end,
         false);
    copy(node, (uintptr_t)heap_start, heap, !used[node]);
    copy(node, sp, GLAZE_MAIN_STACK_TOP, false);
    used[node] = true;
    state[node] = NODE_RUNS;
    created++;
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
    uint32_t running = created - waited_for, want = processes;

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
    wait_for(&ended, created);
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
    pages_init();
    interval_init();
    send_init();
    visit_init();
    state = private_take(shm_count);
    used = private_take(shm_count);
    if (shm_self) {
        char *stack = private_take(WORKER_STACK);

        shm_switch((uintptr_t)stack + WORKER_STACK - FRAME, serve);
    }
}

void shm_init(void)
{
}
