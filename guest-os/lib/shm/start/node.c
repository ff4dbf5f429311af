/*
 * A node without a process.
 *
 * It runs no main(). It waits on a stack in the library's own memory, so that the
 * program's memory can be replaced. A new process runs on the first stack, below
 * the part that it gets from node 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carry.h"
#include "start.h"

static volatile uint32_t commands;      /* that have come from node 0 */
static volatile enum command what;      /* the last one */
static volatile bool finished;

static struct {
    uint32_t heap;
    bool changed;
} copy;                                 /* COMMAND_COPY */

static struct {
    uint32_t heap;
    bool has_copy;
} memory;                               /* COMMAND_BEGIN */

static struct {
    uint32_t sp;
    void (*function)(void *);
    void *argument;
} start;                                /* COMMAND_RUN */

/* Node 0 waits for the answer of each command before the next one, so one is
 * noted at a time. */
void node_command(enum command command)
{
    what = command;
    commands++;
    wake();
}

/* Words: the end of the heap, whether changes of this node's copy will come, what
 * will come. */
void shm_on_copy(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    copy.heap = words[0];
    copy.changed = words[1];
    tree_expect(words + 2, count - 2);
    node_command(COMMAND_COPY);
}

/* Words: the end of the heap, whether this node has a copy. */
void shm_on_begin(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    memory.heap = words[0];
    memory.has_copy = words[1];
    node_command(COMMAND_BEGIN);
}

/* Words: address, bytes. */
void shm_on_zero(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    zero_clear(words[0], words[1]);
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
    interval_seen(words + 4);
    node_command(COMMAND_RUN);
}

/* May come while another command is noted. */
void shm_on_finish(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)words;
    (void)count;
    finished = true;
    commands++;
    wake();
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

static void answer(enum op op, uint32_t word)
{
    udm_beginatom();
    post(0, op, &word, 1);
    udm_endatom();
}

/* ---- Commands ------------------------------------------------------------ */

static void set_heap(uint32_t end, bool anew)
{
    bool done = anew ? heap_renew(end)
                     : sbrk(end - (uintptr_t)sbrk(0)) != (void *)-1;

    if (!done) {
        mistake("a node has no memory for the heap of a process: give the "
                "nodes more (--ram)");
    }
}

/*
 * Answers whether the node takes the copy. The node may never get a process, so a
 * quarter of its memory has to stay free.
 */
static void get_copy(void)
{
    struct glaze_count count;
    bool room;

    set_heap(copy.heap, !copy.changed);
    glaze_count(&count);
    room = copy.changed || count.frames_free > tree_pages() + count.frames / 4;
    if (room) {
        tree_make_room();
    }
    answer(OP_ROOM, room);
}

/*
 * Answers whether the node's copy is what it was. Messages of the program may
 * have changed it.
 */
static void get_process(void)
{
    uint32_t good = memory.has_copy && copy_is_unchanged();

    interval_forget_all();
    set_heap(memory.heap, !good);
    answer(OP_ANSWER, good);
}

static void child(void *argument)
{
    start.function(argument);
    exit(0);
}

static void run(void)
{
    alone = false;
    visit_start();
    carry_start();
    call_leave();
    shm_run(start.sp, child, start.argument);
    glaze_alarm(UINT64_MAX);
    answer(OP_ENDED, 0);
}

void node_serve(void)
{
    udm_endatom();
    for (;;) {
        command_wait();
        switch (what) {
        case COMMAND_COPY:
            get_copy();
            break;
        case COMMAND_FORWARD:
            tree_forward();
            break;
        case COMMAND_BEGIN:
            get_process();
            break;
        case COMMAND_RUN:
            run();
            break;
        }
    }
}
