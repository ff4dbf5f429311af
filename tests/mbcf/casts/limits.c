/*
 * Multicasts: mistakes, refusals, and what bounds them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "casts.h"
#include "check.h"
#include "glaze-calls.h"

/* Node 1's page has one copy, which `copy` says. Returns how an update ends. */
static uint32_t with_copy(uint32_t task, uint32_t page)
{
    const struct mbcf_copy copy = { task, page };

    if (udm_node() == 1) {
        mbcf_pattern(copy_on(1), &copy, 1);
    }
    udm_barrier();
    return udm_node() == 0 ? update(1, copy_on(1), 4) : 0;
}

static void with_copy_is(const char *name, uint32_t task, uint32_t page,
                         uint32_t want)
{
    uint32_t status = with_copy(task, page);

    if (udm_node() == 0) {
        check(name, status, want);
    }
    udm_barrier();
}

static int32_t pattern(uint32_t page, uint32_t copies, uint32_t task,
                       uint32_t at)
{
    struct mbcf_pattern one = { page, copies, { { task, at } } };

    return glaze_call(GLAZE_MBCF, MBCF_PATTERN, (uintptr_t)&one, 0);
}

void case_mistakes(void)
{
    uint32_t page = copy_on(0), tasks = udm_nodes() + MBCF_ENTRIES, k = 0;
    struct mbcf_request r = {
        .command = MBCF_UPDATE, .task = 1, .address = page + 4,
        .bytes = GLAZE_PAGE - 3, .local = (uintptr_t)local,
    };

    if (udm_node()) {
        return;
    }
    check("over the page's end", mbcf_try(&r, 1), -EINVAL);
    r.bytes = 0;
    check("no bytes", mbcf_try(&r, 1), -EINVAL);
    check("pattern of no page", pattern(page + 4, 1, 0, page), -EINVAL);
    check("copy at no page", pattern(page, 1, 0, page + 4), -EINVAL);
    check("no such task", pattern(page, 1, tasks, page), -EINVAL);
    check("too many copies", pattern(page, MBCF_COPIES + 1, 0, page), -EINVAL);
    check("a pattern that cannot be read", glaze_call(
          GLAZE_MBCF, MBCF_PATTERN, 4, 0), -EFAULT);
    check("no copies, as before", pattern(page, 0, 0, 0), 0);
    while (pattern(k * GLAZE_PAGE, 1, tasks - 1, page) == 0) {
        k++;
    }
    check("pages with copies", k, MBCF_PATTERNS);
    check("another one", pattern(k * GLAZE_PAGE, 1, 0, page), -ENOSPC);
    check("one that has copies", pattern(0, 1, 1, page), 0);
    check("one less", pattern(0, 0, 0, 0), 0);
    check("another one", pattern(k * GLAZE_PAGE, 1, 0, page), 0);
}

static void give_agents(struct mbcf_agent agent[2])
{
    const uint32_t both = MBCF_RANGE_READ | MBCF_RANGE_WRITE;

    memset(agent, 0, 2 * sizeof(*agent));
    if (udm_node() == 1) {
        agent[0].range[0] = (struct mbcf_range) { copy_on(1), GLAZE_PAGE,
                                                  both };
        agent[1].range[0] = (struct mbcf_range) { copy_on(1), GLAZE_PAGE,
                                                  both | MBCF_RANGE_CAST };
        mbcf_agent(0, &agent[0]);
        mbcf_agent(1, &agent[1]);
    }
    udm_broadcast(1, agent, 2 * sizeof(*agent));
}

/* Node 1 is the root, node 2 has the copy. */
void case_refusals(void)
{
    uint32_t text = (uintptr_t)case_refusals & ~(GLAZE_PAGE - 1), task;
    struct mbcf_agent agent[2];

    give_agents(agent);
    with_copy_is("one copy", 2, copy_on(2), MBCF_DONE);
    with_copy_is("a copy in text", 2, text, MBCF_AT_COPY | MBCF_BAD_ADDRESS);
    with_copy_is("an unmapped copy", 2, 0x30000000,
                 MBCF_AT_COPY | MBCF_BAD_ADDRESS);
    with_copy_is("no such entry", udm_nodes() + 3, copy_on(2),
                 MBCF_AT_COPY | MBCF_NO_TASK);
    task = mbcf_enter(0, 2, mbcf_page()->task, 5);
    with_copy_is("another key", task, copy_on(2),
                 MBCF_AT_COPY | MBCF_BAD_KEY);
    with_copy_is("itself", 1, copy_on(1), MBCF_AT_COPY | MBCF_CIRCLE);
    if (udm_node() == 2) {
        const struct mbcf_copy back = { 1, copy_on(1) };

        mbcf_pattern(copy_on(2), &back, 1);
    }
    with_copy_is("a circle", 2, copy_on(2), MBCF_AT_COPY | MBCF_CIRCLE);
    if (udm_node()) {
        return;
    }
    check("text", update(1, text, 4), MBCF_BAD_ADDRESS);
    check("invalidate text", invalidate(1, text), MBCF_BAD_ADDRESS);
    check("invalidate nothing", invalidate(1, 0x30000000), MBCF_BAD_ADDRESS);
    check("no page", invalidate(1, copy_on(1) + 4), MBCF_UNALIGNED);
    task = mbcf_enter(1, 1, agent[0].task, agent[0].key);
    check("no right to update", update(task, copy_on(1), 4),
          MBCF_BAD_ADDRESS);
    check("no right to invalidate", invalidate(task, copy_on(1)),
          MBCF_BAD_ADDRESS);
    task = mbcf_enter(1, 1, agent[1].task, agent[1].key);
    check("the right to update", update(task, copy_on(1), 4),
          MBCF_AT_COPY | MBCF_CIRCLE);
    check("the right to invalidate", invalidate(task, copy_on(1)),
          MBCF_AT_COPY | MBCF_CIRCLE);
    check("outside", update(task, copy_on(1) + GLAZE_PAGE, 4),
          MBCF_BAD_ADDRESS);
}

/* Two copies fail in different ways. The first of the pattern counts. */
void case_first(void)
{
    const struct mbcf_copy copy[] = {
        { 2, copy_on(2) }, { 2, 0x30000000 },
        { mbcf_enter(0, 2, mbcf_page()->task, 5), copy_on(2) },
    };

    if (udm_node() == 1) {
        mbcf_pattern(copy_on(1), copy, 3);
    }
    fill(7);
    udm_barrier();
    if (udm_node() == 0) {
        check("the first", update(1, copy_on(1), 64),
              MBCF_AT_COPY | MBCF_BAD_ADDRESS);
    } else if (udm_node() == 1) {
        memcpy(expected[place(1)], local, 64);
    } else if (udm_node() == 2) {
        memcpy(expected[place(2)], local, 64);
    }
    udm_barrier();
    compare("the others are done");
}

/*
 * Patterns that are no tree: each page of node 1 to N - 1 has four copies, all
 * of them on the next node. Without a bound, the last node would get 4^(N - 1)
 * commands.
 */
void case_circles(void)
{
    struct mbcf_copy copy[MBCF_COPIES];
    uint32_t next = udm_node() % (udm_nodes() - 1) + 1, commands;

    for (unsigned k = 0; k < MBCF_COPIES; k++) {
        copy[k] = (struct mbcf_copy) { next, copy_on(next) };
    }
    if (udm_node()) {
        mbcf_pattern(copy_on(udm_node()), copy, MBCF_COPIES);
        memory[place(udm_node())][0] = 0;       /* makes the page */
    }
    udm_barrier();
    for (uint32_t k = 0; k < 10 && udm_node() == 0; k++) {
        check("no tree", update(1, copy_on(1), k % 2 ? 4 : 4096),
              MBCF_AT_COPY | MBCF_CIRCLE);
    }
    udm_barrier();
    commands = udm_reduce_int(0, UDM_SUM, mbcf_page()->commands +
                              mbcf_page()->refused);
    if (udm_node() == 0) {
        check("commands", commands, 10 * (1 + 4 * (udm_nodes() - 1)));
    }
    mbcf_pattern(copy_on(udm_node()), NULL, 0);
    udm_barrier();
    if (udm_node() == 0) {
        check("no copies any more", update(1, copy_on(1), 4096), MBCF_DONE);
    }
}

/*
 * Two ways lead to node 5: by node 2, and by nodes 3, 4 and 7. When a command comes on
 * one of them, that on the other may be done, and later commands may be under way.
 */
void case_ways(void)
{
    static const uint8_t next[8][2] = {
        [1] = { 2, 3 }, [2] = { 5 }, [3] = { 4 }, [4] = { 7 }, [5] = { 6 },
        [7] = { 5 },
    };
    volatile uint32_t status[8] = { 0 };
    struct mbcf_copy copy[2];
    uint32_t count = 0;

    for (unsigned k = 0; k < 2 && next[udm_node()][k]; k++) {
        copy[count].task = next[udm_node()][k];
        copy[count++].page = copy_on(next[udm_node()][k]);
    }
    mbcf_pattern(copy_on(udm_node()), copy, count);
    memory[place(udm_node())][0] = 0;           /* makes the page */
    udm_barrier();
    for (unsigned k = 0; k < 8 && udm_node() == 0; k++) {
        mbcf_send(MBCF_UPDATE, 1, copy_on(1), local, 4, MBCF_STATUS,
                  &status[k]);
    }
    for (unsigned k = 0; k < 8 && udm_node() == 0; k++) {
        check("the second way", mbcf_await(&status[k]),
              MBCF_AT_COPY | MBCF_CIRCLE);
    }
}

/* A chain of copies: with seven nodes, node 0 is the sixth from the root. */
void case_chain(void)
{
    const struct mbcf_copy copy = {
        (udm_node() + 1) % udm_nodes(), copy_on((udm_node() + 1) % udm_nodes()),
    };
    uint32_t status, last = MBCF_DEPTH_MAX + 1;

    if (udm_node()) {
        mbcf_pattern(copy_on(udm_node()), &copy, 1);
    }
    fill(4);
    udm_barrier();
    if (udm_node() == 0) {
        status = update(1, copy_on(1), 100);
        check("a chain", status, udm_nodes() <= last ? MBCF_DONE :
              MBCF_AT_COPY | MBCF_TOO_DEEP);
    }
    if (udm_nodes() <= last || (udm_node() && udm_node() < last)) {
        memcpy(expected[place(udm_node())], local, 100);
    }
    udm_barrier();
    compare("as far as it goes");
}

static volatile bool told;

static void hear(void)
{
    udm_dispose();
    told = true;
}

/*
 * All places of node 1 are taken: the copy is on node 2, which takes no command
 * for a while, as in case_leaves(). Node 0 has sent the commands, and node 3
 * sends one more.
 */
void case_places(void)
{
    const struct mbcf_copy copy = { 2, copy_on(2) };
    volatile uint32_t status[MBCF_CASTS] = { 0 };

    memory[place(udm_node())][0] = 0;   /* makes the page */
    if (udm_node() == 1) {
        mbcf_pattern(copy_on(1), &copy, 1);
    }
    udm_barrier();
    if (udm_node() == 2) {
        udm_beginatom();
        tell(0);
        wait(500000);
        udm_endatom();
    } else if (udm_node() == 3) {
        while (!told) {
        }
        wait(30000);
        check("no place", update(1, copy_on(1), 4), MBCF_BUSY);
        check("another page", update(1, (uintptr_t)memory, 4), MBCF_DONE);
    } else if (udm_node() == 0) {
        mbcf_sleep_while(&flag, 0);
        udm_inject(2, ignore);
        for (unsigned k = 0; k < MBCF_CASTS; k++) {
            mbcf_send(MBCF_UPDATE, 1, copy_on(1), local, 1024, MBCF_STATUS,
                      &status[k]);
        }
        udm_inject(3, hear);
        for (unsigned k = 0; k < MBCF_CASTS; k++) {
            check("a place", mbcf_await(&status[k]), MBCF_DONE);
        }
    }
    udm_barrier();
    if (udm_node() == 3) {
        check("places are free", update(1, copy_on(1), 4), MBCF_DONE);
    }
}

#define HEAP    (GLAZE_PROGRAM + 0x10000000)

/* Node 1 has no frame for the bytes that it would pass on. Node 1 requests. */
void case_frames(void)
{
    uint8_t *heap = (uint8_t *)HEAP;
    uint32_t body, after, no_body;
    struct glaze_count count;

    plant();
    compare("before");
    if (udm_node() == 1) {
        update(1, copy_on(1), 4);       /* makes the queue for replies */
        glaze_count(&count);
        glaze_map(HEAP, count.frames * GLAZE_PAGE);
        for (glaze_count(&count); count.frames_free; glaze_count(&count)) {
            *heap = 1;
            heap += GLAZE_PAGE;
        }
        fill(9);
        body = update(1, copy_on(1), 64);
        after = memory[place(1)][3];
        no_body = update(1, copy_on(1), 24);
        glaze_unmap(HEAP, (uintptr_t)heap - HEAP);
        check("a body", body, MBCF_NO_MEMORY);
        check("nothing is done", after, 0);
        check("no body", no_body, MBCF_DONE);
    } else {
        wait(5000000);          /* a message to node 1 could need a frame */
    }
    udm_barrier();
    fill(9);
    memcpy(expected[place(udm_node())], local, 24);
    compare("all copies");
}
