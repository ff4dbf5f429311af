/*
 * Agents: their ranges, and the structures that clients use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"

#define R       MBCF_RANGE_READ
#define W       MBCF_RANGE_WRITE
#define S       MBCF_RANGE_STRUCTURE

static struct mbcf_agent agent;

/* ---- Ranges -------------------------------------------------------------- */

static void give_agent(void)
{
    if (udm_node() == 1) {
        agent.range[0] = (struct mbcf_range) { in_memory(0), 64,
                                               MBCF_RANGE_READ };
        agent.range[1] = (struct mbcf_range) { in_memory(64), 64,
                                               MBCF_RANGE_READ |
                                               MBCF_RANGE_WRITE };
        agent.range[2] = (struct mbcf_range) { in_memory(4000), 5000,
                                               MBCF_RANGE_WRITE };
        agent.range[3] = (struct mbcf_range) { 0x100, 16, MBCF_RANGE_WRITE };
        mbcf_agent(1, &agent);
    }
    udm_broadcast(1, &agent, sizeof(agent));
}

/* One packet for a task and for its agent: each command has its own key and rights. */
void case_several(void)
{
    struct mbcf_request r[MBCF_COMBINED_MAX] = { 0 };
    volatile uint32_t status[MBCF_COMBINED_MAX], old[MBCF_COMBINED_MAX];
    uint32_t calls, of_agent;

    memory[0] = 0;                      /* no command waits for the page */
    give_agent();
    if (udm_node()) {
        return;
    }
    of_agent = mbcf_enter(0, 1, agent.task, agent.key);
    for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
        bool refused = k == 5;

        status[k] = MBCF_PENDING;
        r[k] = (struct mbcf_request) {
            .command = MBCF_FETCH_ADD,
            .options = MBCF_STATUS,
            .task = k % 3 ? of_agent : 1,
            .address = in_memory(k % 3 && !refused ? 64 : 0),
            .operand = { 1 },
            .local = (uintptr_t)&old[k],
            .status = (uintptr_t)&status[k],
        };
    }
    calls = mbcf_page()->long_calls;
    mbcf_request(r, MBCF_COMBINED_MAX);
    for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
        check("status", mbcf_await(&status[k]), k == 5 ? MBCF_BAD_ADDRESS : MBCF_DONE);
    }
    check("the task's, in order", old[0] == 0 && old[3] == 1 && old[15] == 5, true);
    check("the agent's, in order", old[1] == 0 && old[4] == 2 && old[14] == 8, true);
    check("by the fast path", mbcf_page()->long_calls - calls, 0);
    r[1].task = 0;
    check("tasks of two nodes", mbcf_try(r, 2), -EINVAL);
    r[1].task = udm_nodes() + 7;
    check("no such task", mbcf_try(r, 2), -ENOENT);
    check("no slot is lost", mbcf_page()->free, MBCF_SLOTS);
}

void case_agents(void)
{
    uint32_t task;

    give_agent();
    check("the task keeps its key", agent.key != mbcf_page()->key, 1);
    if (udm_node() == 0) {
        task = mbcf_enter(0, 1, agent.task, agent.key);
        check("read", read_from(task, in_memory(0), 64), MBCF_DONE);
        check("no right to write", write_to(task, in_memory(0), 4),
              MBCF_BAD_ADDRESS);
        check("write", write_to(task, in_memory(64), 64), MBCF_DONE);
        check("add", add_to(task, in_memory(124)), MBCF_DONE);
        check("over two ranges", read_from(task, in_memory(60), 8),
              MBCF_BAD_ADDRESS);
        check("beyond", write_to(task, in_memory(128), 4), MBCF_BAD_ADDRESS);
        check("before", write_to(task, in_memory(3996), 8), MBCF_BAD_ADDRESS);
        check("no right to read", read_from(task, in_memory(4000), 4),
              MBCF_BAD_ADDRESS);
        check("body", write_to(task, in_memory(4100), 4096), MBCF_DONE);
        check("body beyond", write_to(task, in_memory(4908), 4096),
              MBCF_BAD_ADDRESS);
        check("a range that the task does not have", write_to(task, 0x100, 4),
              MBCF_BAD_ADDRESS);
        check("another key's high half", write_to(
              mbcf_enter(1, 1, agent.task, agent.key ^ 1ull << 32),
              in_memory(64), 4), MBCF_BAD_KEY);
        check("the agent's key does not open the task", write_to(
              mbcf_enter(1, 1, mbcf_page()->task, agent.key), in_memory(64),
              4), MBCF_BAD_KEY);
    }
    udm_barrier();
    if (udm_node() == 1) {
        agent = (struct mbcf_agent) { 0 };
        mbcf_agent(1, &agent);
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("taken away", write_to(udm_nodes(), in_memory(64), 4),
              MBCF_NO_TASK);
    }
}

/* Makes agent `index` of one range, and takes its other ranges away. */
static int32_t make(uint32_t index, uint32_t address, uint32_t bytes,
                    uint32_t rights)
{
    struct mbcf_agent one = { .range = { { address, bytes, rights } } };

    return glaze_call(GLAZE_MBCF, MBCF_AGENT, (uintptr_t)&one, index);
}

void case_ranges(void)
{
    struct mbcf_agent two = {
        .range = { { in_memory(0), 64, W }, { in_memory(63), 64, S } },
    };

    if (udm_node()) {
        return;
    }
    check("over the end of all", make(0, 0xfffff000, 0x2000, R), -EINVAL);
    check("no such right", make(0, in_memory(0), 4, 16), -EINVAL);
    check("only multicasts", make(0, in_memory(0), 4, MBCF_RANGE_CAST),
          -EINVAL);
    check("no right", make(0, in_memory(0), 4, 0), -EINVAL);
    check("write to structures", make(0, in_memory(0), 4, W | S), -EINVAL);
    check("a view", make(0, GLAZE_VIEWS, 4, R), -EINVAL);
    check("over views", make(0, GLAZE_VIEWS - 4, 8, R), -EINVAL);
    check("beside views", make(0, GLAZE_VIEWS - 4, 4, R), 0);
    check("two ranges", glaze_call(GLAZE_MBCF, MBCF_AGENT, (uintptr_t)&two, 0),
          -EINVAL);
    two.range[1].address++;
    check("side by side", glaze_call(GLAZE_MBCF, MBCF_AGENT, (uintptr_t)&two,
                                     0), 0);
    check("another agent writes to it", make(1, in_memory(0), 65, W), -EINVAL);
    check("around it", make(1, in_memory(0), 4096, W), -EINVAL);
    check("inside of it", make(1, in_memory(70), 1, W), -EINVAL);
    check("another agent's structures", make(1, in_memory(63), 2, S), -EINVAL);
    check("reads both", make(1, in_memory(0), 128, R), 0);
    check("the same structures", make(2, in_memory(64), 64, R | S), 0);
    check("changed", make(0, in_memory(0), 64, W), 0);
    check("another agent still has them", make(0, in_memory(64), 4, W),
          -EINVAL);
    check("taken away", make(2, 0, 0, 0), 0);
    check("free again", make(0, in_memory(64), 4, W), 0);
}

/* ---- Structures that clients use ----------------------------------------- */

/* What the agent's client may use, but not write. */
static struct {
    struct mbcf_fifo fifo;
    struct mbcf_fifo loops;             /* its buffer is `area` */
    struct mbcf_signal target, source, client;
    struct mbcf_signal inner;           /* stores in `hidden` */
    struct mbcf_signal forged;          /* stores in a FIFO that clients can
                                           write */
    struct mbcf_signal over;            /* stores in `area` */
    uint32_t area[16];
} shared;

static uint32_t buffer[16];             /* no range has it */
static struct mbcf_fifo hidden;         /* structure of another agent */
static volatile uint32_t runs;

static void count(struct mbcf_signal *signal)
{
    (void)signal;
    runs++;
}

static void count_ten(struct mbcf_signal *signal)
{
    (void)signal;
    runs += 10;
}

/* A FIFO that the client may write: as it would forge one. */
static struct mbcf_fifo *forgery(void)
{
    return (struct mbcf_fifo *)memory;
}

static void set_up(void)
{
    const struct mbcf_fifo fifo = {
        .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
    };
    const struct mbcf_signal signal = {
        .invoke = MBCF_INVOKE_TARGET,
        .during = MBCF_WHILE_INVOKE,
        .program = (uintptr_t)count,
    };
    struct mbcf_agent other = {
        .range = { { (uintptr_t)&hidden, sizeof(hidden), S } },
    };

    *forgery() = hidden = shared.fifo = shared.loops = fifo;
    shared.loops.buffer = (uintptr_t)shared.area;
    shared.target = shared.source = shared.client = signal;
    shared.inner = shared.forged = shared.over = signal;
    shared.source.invoke = MBCF_INVOKE_SOURCE;
    shared.client.invoke = MBCF_INVOKE_CLIENT;
    shared.inner.store = MBCF_STORE_FIFO | MBCF_STORE_SOURCE;
    shared.inner.to = (uintptr_t)&hidden;
    shared.forged.store = MBCF_STORE_FIFO;
    shared.forged.to = (uintptr_t)forgery();
    shared.over.store = MBCF_STORE_BUFFER;
    shared.over.to = (uintptr_t)shared.area;
    shared.over.size = sizeof(shared.area);
    mbcf_agent(0, &other);
    agent = (struct mbcf_agent) {
        .range = { { (uintptr_t)&shared, sizeof(shared), R | S },
                   { in_memory(0), GLAZE_PAGE, R | W } },
    };
    mbcf_agent(1, &agent);
    mbcf_take_signals();
}

static uint32_t fifo(uint32_t task, const struct mbcf_fifo *to)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(MBCF_FIFO, task, (uintptr_t)to, "abcd", 4, MBCF_STATUS, &status);
    return mbcf_await(&status);
}

static uint32_t signal(uint32_t task, const void *to)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_signal(task, (uintptr_t)to, (uintptr_t)count_ten, "abcd", 4,
                MBCF_STATUS, &status);
    return mbcf_await(&status);
}

static void use_structures(uint32_t task)
{
    check("a FIFO", fifo(task, &shared.fifo), MBCF_DONE);
    check("its structure cannot be written",
          write_to(task, (uintptr_t)&shared.fifo, 4), MBCF_BAD_ADDRESS);
    check("nor added to", add_to(task, (uintptr_t)&shared.fifo.used),
          MBCF_BAD_ADDRESS);
    check("it can be read", read_from(task, (uintptr_t)&shared.fifo, 4),
          MBCF_DONE);
    check("nor its buffer written", write_to(task, (uintptr_t)buffer, 4),
          MBCF_BAD_ADDRESS);
    check("a FIFO in memory that can be written", fifo(task, forgery()),
          MBCF_BAD_ADDRESS);
    check("a signal there", signal(task, forgery()), MBCF_BAD_ADDRESS);
    check("a FIFO over structures", fifo(task, &shared.loops),
          MBCF_BAD_STRUCTURE);
    check("bytes over structures", signal(task, &shared.over),
          MBCF_BAD_STRUCTURE);
    check("another agent's FIFO", fifo(task, &hidden), MBCF_BAD_ADDRESS);
    check("a signal that stores there", signal(task, &shared.inner),
          MBCF_DONE);
    check("a signal that stores in a FIFO of clients",
          signal(task, &shared.forged), MBCF_BAD_STRUCTURE);
    check("the target's program", signal(task, &shared.target), MBCF_DONE);
    check("the client's choice", signal(task, &shared.source),
          MBCF_NO_RIGHT);
    check("the client's choice, allowed", signal(task, &shared.client),
          MBCF_DONE);
    check("the job's own choice", signal(1, &shared.source), MBCF_DONE);
    check("the job's own FIFO", fifo(1, &shared.loops), MBCF_DONE);
}

void case_clients(void)
{
    if (udm_node() == 1) {
        set_up();
    }
    udm_broadcast(1, &agent, sizeof(agent));
    if (udm_node() == 0) {
        use_structures(mbcf_enter(0, 1, agent.task, agent.key));
    }
    udm_barrier();
    if (udm_node() == 1) {
        while (runs < 22) {
        }
        check("programs that ran", runs, 22);
        check("an entry", shared.fifo.used, 8);
        check("an entry with its source", hidden.used, 20);
        check("nothing in the forged FIFO", forgery()->used, 0);
    }
}
