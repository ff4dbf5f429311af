/*
 * Cases: commands that wait for a page that is on the disk, and replies that
 * wait for the network. For the former, node 1's memory is small, and node 0
 * has the disk (test_mbcf_waits.py).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>

#include "../cases.h"
#include "check.h"
#include "glaze-calls.h"

#define HEAP    (GLAZE_PROGRAM + 0x10000000)
#define HEAP_BYTES 0x80000
#define ROUNDS  4
#define CROSSINGS 50

/* The last word of the page that is in memory. The other page follows it. */
#define LAST    (GLAZE_PAGE - 4)

/* Returns a counter of node 1's page. The READ is a long command itself. */
static uint32_t read_target(uint32_t offset)
{
    uint32_t value = 0;

    mbcf_read_now(1, &value, GLAZE_MBCF_PAGE + offset, sizeof(value));
    return value;
}

static uint32_t read_word(uint32_t at)
{
    uint32_t value = 0;

    mbcf_read_now(1, &value, in_memory(at), sizeof(value));
    return value;
}

/*
 * Touches so many pages of the heap that the second page of memory[] goes out.
 * The first page is in memory afterwards.
 */
static void push_out(void)
{
    for (uint32_t at = 0; at < HEAP_BYTES; at += GLAZE_PAGE) {
        *(volatile uint8_t *)(HEAP + at) = 1;
    }
    *(volatile uint32_t *)&memory[0] = 0;
}

/*
 * A WRITE to both pages waits. The second WRITE is to the page that is in
 * memory: it would not wait by itself, but must not be done first.
 */
void case_behind(void)
{
    const uint32_t offset = offsetof(struct mbcf_page, long_commands);

    if (udm_node() == 1) {
        glaze_map(HEAP, HEAP_BYTES);
        memory[GLAZE_PAGE] = 0;
    }
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        const uint32_t both[2] = { 10 * round, 10 * round + 1 };
        const uint32_t second = 10 * round + 2;
        volatile uint32_t status[2] = { MBCF_PENDING, MBCF_PENDING };
        uint32_t commands;

        if (udm_node() == 1) {
            push_out();
        }
        udm_barrier();
        if (udm_node() == 0) {
            commands = read_target(offset) + 1;
            mbcf_write(1, in_memory(LAST), both, sizeof(both), MBCF_STATUS,
                       &status[0]);
            mbcf_write(1, in_memory(LAST), &second, sizeof(second),
                       MBCF_STATUS, &status[1]);
            check("both pages", mbcf_await(&status[0]), MBCF_DONE);
            check("one page", mbcf_await(&status[1]), MBCF_DONE);
            check("both took the slow path", read_target(offset) - commands, 2);
            check("in order", read_word(LAST), second);
            check("the other page", read_word(GLAZE_PAGE), both[1]);
        }
        udm_barrier();
    }
}

#define LONG    4000
#define SHORT   64
#define SIGNALS 10
#define LATER   20000           /* cycles */
#define STEP    3000
#define PAGE_LEAST 300000       /* cycles that a page takes, where none is free */

/* The signal structure is in memory, the buffer is not. All its signals only store. */
static struct mbcf_signal stores = {
    .store = MBCF_STORE_BUFFER | MBCF_STORE_SOURCE,
    .during = MBCF_WHILE_STORE,
    .size = GLAZE_PAGE,
    .running = 1,
};

static void spend(uint32_t cycles)
{
    uint64_t begin = udm_cycles();

    while (udm_cycles() - begin < cycles) {
    }
}

static void signal_node_1(uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;
    struct mbcf_request r = {
        .command = MBCF_SIGNAL,
        .options = MBCF_STATUS,
        .task = 1,
        .address = (uintptr_t)&stores,
        .bytes = bytes,
        .local = (uintptr_t)local,
        .status = (uintptr_t)&status,
    };

    mbcf_request(&r, 1);
    check("stored", mbcf_await(&status), MBCF_DONE);
}

/*
 * A long signal of node 0 waits for the page of the buffer, and is stored in parts. A
 * READ of node 2 waits before it: when that is done, the page is there, and a short signal
 * follows after some time. One of the signals is stored after the other: if the long one
 * is the last, all bytes are its own.
 */
void case_signal_in_parts(void)
{
    const uint32_t from = GLAZE_PAGE + sizeof(struct mbcf_source);
    uint32_t longs = 0;

    stores.to = in_memory(GLAZE_PAGE);
    memset(local, udm_node() + 1, LONG);
    if (udm_node() == 1) {
        glaze_map(HEAP, HEAP_BYTES);
    }
    for (uint32_t round = 0; round < SIGNALS; round++) {
        const struct mbcf_source *source = (void *)&memory[GLAZE_PAGE];
        uint32_t word;

        if (udm_node() == 1) {
            memset(&memory[GLAZE_PAGE], 0, GLAZE_PAGE);
            push_out();
        }
        udm_barrier();
        if (udm_node() == 0) {
            spend(LATER);
            signal_node_1(LONG);
        } else if (udm_node() == 2) {
            mbcf_read_now(1, &word, in_memory(GLAZE_PAGE), sizeof(word));
            spend(round * STEP);
            signal_node_1(SHORT);
        }
        udm_barrier();
        if (udm_node() == 1) {
            longs += !source->node;
            check("its bytes", memory[from], source->node + 1);
            check("up to there", memory[from + SHORT - 1], source->node + 1);
            check("the long one's", memory[from + SHORT], 1);
            check("to its end", memory[from + LONG - 1], 1);
        }
    }
    if (udm_node() == 1) {
        check("either was last", longs && longs < SIGNALS, true);
    }
}

/*
 * Node 0's READ waits for a page. Node 2 sends more commands in a packet than one entry
 * into the kernel has time for. What is left of them waits behind the READ in the same
 * table, for time alone, and is done before it. Each of all is done once.
 */
void case_overtaken(void)
{
    const uint32_t offset = offsetof(struct mbcf_page, commands);
    struct mbcf_request r[MBCF_COMBINED_MAX];
    volatile uint32_t status[MBCF_COMBINED_MAX], old[MBCF_COMBINED_MAX], word = 0;
    uint64_t start;

    if (udm_node() == 1) {
        glaze_map(HEAP, HEAP_BYTES);
        *(uint32_t *)&memory[GLAZE_PAGE] = 7;
        push_out();
    }
    for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
        status[k] = MBCF_PENDING;
        r[k] = (struct mbcf_request) {
            .command = MBCF_FETCH_ADD,
            .options = MBCF_STATUS,
            .task = 1,
            .address = in_memory(0),
            .operand = { 1 },
            .local = (uintptr_t)&old[k],
            .status = (uintptr_t)&status[k],
        };
    }
    udm_barrier();
    start = udm_cycles();
    if (udm_node() == 0) {
        mbcf_read(1, (void *)&word, in_memory(GLAZE_PAGE), sizeof(word), MBCF_STATUS,
                  &status[0]);
        check("the READ", mbcf_await(&status[0]), MBCF_DONE);
        check("its word", word, 7);
        check("its page comes late", udm_cycles() - start > PAGE_LEAST, true);
    } else if (udm_node() == 2) {
        uint32_t wrong = 0;

        spend(LATER);
        mbcf_request(r, MBCF_COMBINED_MAX);
        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            wrong += mbcf_await(&status[k]) != MBCF_DONE || old[k] != k;
        }
        check("each comes in its turn", wrong, 0);
        check("before the page", udm_cycles() - start < PAGE_LEAST, true);
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("sum", read_word(0), MBCF_COMBINED_MAX);
        check("commands in all", read_target(offset), MBCF_COMBINED_MAX + 2);
    }
}

static volatile bool gone;

static void agent_has_gone(void)
{
    udm_dispose();
    gone = true;
}

/*
 * Node 1 takes its agent away while two commands wait: a silent one, and one with a
 * body. The next command is refused at once. That does not say what becomes of the
 * silent one: its status comes later.
 */
void case_taken_away(void)
{
    struct mbcf_agent agent = {
        .range = { { in_memory(GLAZE_PAGE), GLAZE_PAGE, MBCF_RANGE_WRITE } },
    };
    volatile uint32_t status[2] = { MBCF_PENDING, MBCF_PENDING };
    uint32_t commands = 0, refused = 0, task;

    if (udm_node() == 1) {
        mbcf_agent(0, &agent);
        glaze_map(HEAP, HEAP_BYTES);
        *(uint32_t *)&memory[GLAZE_PAGE] = 7;
        push_out();
        commands = mbcf_page()->long_commands;
        refused = mbcf_page()->refused;
    }
    udm_broadcast(1, &agent, sizeof(agent));
    if (udm_node() == 1) {
        while (mbcf_page()->long_commands != commands + 2) {
        }
        check("both wait", mbcf_page()->refused, refused);
        agent = (struct mbcf_agent) { 0 };
        mbcf_agent(0, &agent);
        udm_inject(0, agent_has_gone);
    } else if (udm_node() == 0) {
        task = mbcf_enter(0, 1, agent.task, agent.key);
        mbcf_write(task, in_memory(GLAZE_PAGE), local, 4, MBCF_ON_FAILURE,
                   &status[0]);
        mbcf_write(task, in_memory(GLAZE_PAGE), local, 64, MBCF_STATUS,
                   &status[1]);
        while (!gone) {
        }
        check("one more", mbcf_write_now(task, in_memory(GLAZE_PAGE), local, 4),
              MBCF_NO_TASK);
        check("the others wait", status[0] & status[1], MBCF_PENDING);
        check("a word", mbcf_await(&status[0]), MBCF_NO_TASK);
        check("a body", mbcf_await(&status[1]), MBCF_NO_TASK);
        check("neither is done", read_word(GLAZE_PAGE), 7);
    }
    udm_barrier();
    if (udm_node() == 1) {
        check("all are refused", mbcf_page()->refused - refused, 3);
    }
}

/*
 * Each node requests bytes of the other one, so many at once that the replies
 * fill the network both ways. A kernel that did nothing but try to send would
 * wait for ever for the other one, which would do the same.
 */
void case_crossing(void)
{
    uint32_t other = 1 - udm_node(), *words = (uint32_t *)local, wrong = 0;
    struct mbcf_request r[MBCF_COMBINED_MAX];
    volatile uint32_t status[MBCF_COMBINED_MAX];

    for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
        *(uint32_t *)&memory[k * MBCF_INLINE_MAX] = 100 * udm_node() + k;
        r[k] = (struct mbcf_request) {
            .command = MBCF_READ,
            .options = MBCF_STATUS,
            .task = other,
            .address = in_memory(k * MBCF_INLINE_MAX),
            .bytes = MBCF_INLINE_MAX,
            .local = (uintptr_t)&local[k * MBCF_INLINE_MAX],
            .status = (uintptr_t)&status[k],
        };
    }
    udm_barrier();
    for (uint32_t round = 0; round < CROSSINGS; round++) {
        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            status[k] = MBCF_PENDING;
            words[k * MBCF_INLINE_MAX / 4] = 0;
        }
        mbcf_request(r, MBCF_COMBINED_MAX);
        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            wrong += mbcf_await(&status[k]) != MBCF_DONE ||
                     words[k * MBCF_INLINE_MAX / 4] != 100 * other + k;
        }
    }
    check("replies that cross", wrong, 0);
}
