/*
 * Ways in which a command can be refused, and errors of the system call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"

static const uint32_t constant = 5;     /* in text, which cannot be written */
static uint64_t key;                    /* of node 1 */

/* Each status has a name of its own, which AT_COPY and an epoch do not change. */
void case_names(void)
{
    uint32_t named = 0, others = 0, at_copy = 0;

    for (uint32_t k = 0; k < MBCF_STATUSES && udm_node() == 0; k++) {
        const char *name = mbcf_status_name(k);

        named += name && !strncmp(name, "mbcf: ", 6);
        for (uint32_t n = 0; n < k; n++) {
            others += name && name != mbcf_status_name(n);
        }
        at_copy += mbcf_status_name(k | MBCF_AT_COPY | 1 << MBCF_EPOCH_SHIFT) == name;
    }
    if (udm_node() == 0) {
        check("statuses with a name", named, MBCF_STATUSES);
        check("all differ", others, MBCF_STATUSES * (MBCF_STATUSES - 1) / 2);
        check("with AT_COPY and an epoch", at_copy, MBCF_STATUSES);
        check("done", strcmp(mbcf_status_name(MBCF_DONE), "mbcf: done"), 0);
        check("the last", strcmp(mbcf_status_name(MBCF_STATUSES - 1),
                                 "mbcf: no such status") != 0, true);
        check("behind the last", strcmp(mbcf_status_name(MBCF_STATUSES),
                                        "mbcf: no such status"), 0);
    }
}

void case_refusals(void)
{
    uint32_t text = (uintptr_t)&constant, refused, other;

    mbcf_fetch_add_now(udm_node(), in_memory(0), 1);    /* makes the page */
    udm_barrier();
    if (udm_node()) {
        return;
    }
    mbcf_read_now(1, &refused, GLAZE_MBCF_PAGE +
                  __builtin_offsetof(struct mbcf_page, refused), 4);
    mbcf_read_now(1, &key, GLAZE_MBCF_PAGE, 8);
    other = mbcf_enter(0, 1, mbcf_page()->task, key);
    check("the key opens", read_from(other, in_memory(0), 4), MBCF_DONE);
    other = mbcf_enter(0, 1, mbcf_page()->task, key ^ 1);
    check("another key", write_to(other, in_memory(0), 4), MBCF_BAD_KEY);
    check("another key, body", write_to(other, in_memory(0), 4096),
          MBCF_BAD_KEY);
    other = mbcf_enter(0, 1, mbcf_page()->task, key ^ 1ull << 32);
    check("another key's high half", write_to(other, in_memory(0), 4),
          MBCF_BAD_KEY);
    other = mbcf_enter(1, 1, mbcf_page()->task + 1, key);
    check("no such task", write_to(other, in_memory(0), 4), MBCF_NO_TASK);
    other = mbcf_enter(2, 1, 0xfffe, key);
    check("a task that cannot be", write_to(other, in_memory(0), 4),
          MBCF_NO_TASK);
    other = mbcf_enter(2, 1, mbcf_page()->task | 0x200, key);
    check("no such agent", write_to(other, in_memory(0), 4), MBCF_NO_TASK);
    check("unmapped", write_to(1, 4, 4), MBCF_BAD_ADDRESS);
    check("unmapped, body", write_to(1, 0x30000000, 4096), MBCF_BAD_ADDRESS);
    check("half of it unmapped", write_to(1, GLAZE_MAIN_STACK_TOP - 8, 16),
          MBCF_BAD_ADDRESS);
    check("over the end of all", write_to(1, 0xfffffffc, 8), MBCF_BAD_ADDRESS);
    check("text", write_to(1, text, 4), MBCF_BAD_ADDRESS);
    check("text, add", add_to(1, text & ~3u), MBCF_BAD_ADDRESS);
    check("text, read", read_from(1, text, 4), MBCF_DONE);
    check("kernel", write_to(1, FUGU_RAM_BASE, 4), MBCF_BAD_ADDRESS);
    check("kernel, read", read_from(1, FUGU_RAM_BASE, 4), MBCF_BAD_ADDRESS);
    check("kernel's page", read_from(1, GLAZE_PROCESS, 4), MBCF_BAD_ADDRESS);
    check("network interface", write_to(1, FUGU_NI_USER_BASE, 4),
          MBCF_BAD_ADDRESS);
    check("information page", write_to(1, GLAZE_INFO, 4), MBCF_BAD_ADDRESS);
    check("MBCF's page", write_to(1, GLAZE_MBCF_PAGE, 4), MBCF_BAD_ADDRESS);
    check("guard of a stack", write_to(1, GLAZE_MAIN_STACK, 4),
          MBCF_BAD_ADDRESS);
    check("unaligned", add_to(1, in_memory(2)), MBCF_UNALIGNED);
    check("nothing was written", read_from(1, in_memory(0), 4), MBCF_DONE);
    check("nothing was written: word", *(uint32_t *)local, 1);
    mbcf_read_now(1, &other, GLAZE_MBCF_PAGE +
                  __builtin_offsetof(struct mbcf_page, refused), 4);
    check("refusals are counted", other - refused, 18);
}

/* Two commands more than can wait for a page that was never touched. */
void case_busy(void)
{
    struct mbcf_request r[MBCF_ASIDE + 2];
    volatile uint32_t status[MBCF_ASIDE + 2] = { 0 };
    uint32_t value;

    if (udm_node()) {
        return;
    }
    for (unsigned k = 0; k < MBCF_ASIDE + 2; k++) {
        r[k] = (struct mbcf_request) {
            .command = MBCF_FETCH_ADD,
            .options = MBCF_STATUS,
            .task = 1,
            .address = in_memory(GLAZE_PAGE),
            .operand = { 1 },
            .status = (uintptr_t)&status[k],
        };
    }
    mbcf_request(r, MBCF_ASIDE + 2);
    for (unsigned k = 0; k < MBCF_ASIDE + 2; k++) {
        check("waits, or is refused", mbcf_await(&status[k]),
              k < MBCF_ASIDE ? MBCF_DONE : MBCF_BUSY);
    }
    mbcf_read_now(1, &value, in_memory(GLAZE_PAGE), sizeof(value));
    check("those that waited are done", value, MBCF_ASIDE);
}

#define HEAP    (GLAZE_PROGRAM + 0x10000000)
#define HEAP_BYTES 0x80000

/* Takes all frames of the node. Returns the bytes of the heap. */
static uint32_t take_frames(void)
{
    uint8_t *heap = (uint8_t *)HEAP;
    struct glaze_count count;

    glaze_count(&count);
    glaze_map(HEAP, count.frames * GLAZE_PAGE);
    for (glaze_count(&count); count.frames_free; glaze_count(&count)) {
        *heap = 1;
        heap += GLAZE_PAGE;
    }
    return count.frames * GLAZE_PAGE;
}

void case_memory(void)
{
    uint32_t taken = 0;

    mbcf_fetch_add_now(1, in_memory(0), 1);
    udm_barrier();
    if (udm_node() == 1) {
        taken = take_frames();
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("a page without a frame", write_to(1, in_memory(GLAZE_PAGE), 4),
              MBCF_NO_MEMORY);
        check("its body has none either", write_to(1, in_memory(GLAZE_PAGE),
                                                   64), MBCF_NO_MEMORY);
        check("a page that is there", write_to(1, in_memory(0), 64),
              MBCF_DONE);
    }
    udm_barrier();
    glaze_unmap(HEAP, taken);
}

/* Cycles by which a reply has come, and the pager has looked for a frame. */
#define REPLIED 5000000

/*
 * Node 0, which has no free frame, gets a status for a page that it has not touched, which
 * is PENDING so far. It looks at the page later, when there is memory.
 */
static void get_status(uint32_t taken)
{
    volatile uint32_t *status = (volatile uint32_t *)&local[2 * GLAZE_PAGE];
    struct mbcf_request r = {
        .command = MBCF_FETCH_ADD,
        .options = MBCF_STATUS,
        .task = 1,
        .address = in_memory(0),
        .status = (uintptr_t)status,
    };
    uint64_t start = udm_cycles();

    mbcf_request(&r, 1);
    while (udm_cycles() - start < REPLIED) {
    }
    glaze_unmap(HEAP, taken);
    check("the status is there", mbcf_await(status), MBCF_DONE);
}

/* All frames are its own: it ends, as if it had touched the page. */
void case_status(void)
{
    if (udm_node() == 0) {
        read_from(1, in_memory(0), 4);      /* the program has its other pages now */
        get_status(take_frames());
    }
}

/* Another job has taken them. */
void case_status_beside(void)
{
    struct glaze_count count;

    if (udm_node() == 0) {
        read_from(1, in_memory(0), 4);
        do {
            glaze_count(&count);
        } while (count.frames_free);
        get_status(0);
    }
}

/* Node 1 sleeps while another job's case runs. */
#define ASLEEP  10000000

void case_asleep(void)
{
    static volatile uint32_t woken;
    const uint32_t value = 1;

    if (udm_node() == 1) {
        mbcf_sleep_while(&woken, 0);
    } else {
        while (udm_cycles() < ASLEEP) {
            glaze_yield();
        }
        mbcf_send(MBCF_WRITE, 1, (uintptr_t)&woken, &value, sizeof(value),
                  MBCF_WAKES, NULL);
    }
}

/*
 * A command waits for a page for which there is no frame. Beside several jobs, the
 * pager takes so long to find that out that node 1 can take the command's agent away
 * before, unless its slot ends: this prints which was first. The next command to the
 * page does not get the refusal: there is memory.
 */
void case_refused_late(void)
{
    uint32_t status;
    struct mbcf_agent agent = {
        .range = { { in_memory(GLAZE_PAGE), GLAZE_PAGE, MBCF_RANGE_WRITE } },
    };
    uint32_t taken = 0, commands;

    mbcf_fetch_add_now(1, in_memory(0), 1);
    if (udm_node() == 1) {
        mbcf_agent(0, &agent);
    }
    udm_broadcast(1, &agent, sizeof(agent));
    if (udm_node() == 1) {
        taken = take_frames();
    }
    udm_barrier();
    if (udm_node() == 1) {
        commands = mbcf_page()->long_commands;
        while (mbcf_page()->long_commands == commands) {
        }
        agent = (struct mbcf_agent) { 0 };
        mbcf_agent(0, &agent);
        glaze_unmap(HEAP, taken);
    } else {
        status = write_to(mbcf_enter(0, 1, agent.task, agent.key),
                          in_memory(GLAZE_PAGE), 4);
        check("is refused", status == MBCF_NO_TASK || status == MBCF_NO_MEMORY, true);
        printf("%s\n", status == MBCF_NO_TASK ? "its agent has gone"
                                              : "the pager was first");
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("there is memory", write_to(1, in_memory(GLAZE_PAGE), 4), MBCF_DONE);
    }
}

/* Cycles by which node 1 has long touched its pages, and waits for none. */
#define TOUCHED 20000000

/*
 * A silent command waits for the page. The next one is refused at once, which does not say
 * what becomes of the first: its status comes later.
 */
static void wait_for_lost_page(void)
{
    volatile uint32_t status = MBCF_PENDING;
    uint32_t value = 1, other = mbcf_enter(0, 1, mbcf_page()->task, 1);
    uint64_t start = udm_cycles();

    mbcf_write(1, in_memory(0), &value, sizeof(value), MBCF_ON_FAILURE, &status);
    check("a key that is wrong", write_to(other, in_memory(0), 4), MBCF_BAD_KEY);
    check("a silent command waits", status, MBCF_PENDING);
    while (status == MBCF_PENDING && udm_cycles() - start < TOUCHED) {
    }
    check("its status comes", status, MBCF_LOST);
}

/*
 * The disk cannot read pages: test_lost_page(). Node 1 touches so many pages
 * that the one that node 0 reads goes out. Node 0 reads it afterwards: once a page is
 * lost, node 1 may need none any more.
 */
void case_lost(void)
{
    uint32_t status = MBCF_DONE;

    if (udm_node() == 1) {
        glaze_map(HEAP, HEAP_BYTES);
        for (uint32_t at = 0; at < HEAP_BYTES; at += GLAZE_PAGE) {
            *(volatile uint8_t *)(HEAP + at) = 1;
        }
        for (;;) {
            /* needs no page: that would end the job */
        }
    }
    read_from(1, in_memory(0), 4);      /* a page that exists can go out */
    while (udm_cycles() < TOUCHED) {
    }
    wait_for_lost_page();
    while (status == MBCF_DONE) {
        status = read_from(1, in_memory(0), 4);
    }
    check("a page that cannot come back", status, MBCF_LOST);
    check("others neither", read_from(1, in_memory(GLAZE_PAGE), 4), MBCF_LOST);
    fflush(stdout);
    abort();                    /* ends node 1 too */
}

/* The old value, or what was read, cannot be stored. */
void case_local(void)
{
    struct mbcf_request r = {
        .command = MBCF_FETCH_ADD,
        .task = 1,
        .address = in_memory(0),
        .local = (uintptr_t)&constant,
        .operand = { 1 },
    };
    uint32_t value;

    if (udm_node()) {
        return;
    }
    check("word", now(r), MBCF_LOCAL);
    r.command = MBCF_READ;
    r.bytes = 64;
    check("bytes", now(r), MBCF_LOCAL);
    r.local = 0x20;
    check("bytes of the kernel", now(r), MBCF_LOCAL);
    mbcf_read_now(1, &value, in_memory(0), sizeof(value));
    check("the command is done", value, 1);
    r.status = 4;
    r.options = MBCF_STATUS | MBCF_COLOUR(1);
    mbcf_request(&r, 1);
    mbcf_barrier(1);
    check("a status that cannot be stored", mbcf_page()->free, MBCF_SLOTS);
}

static int32_t try(struct mbcf_request request)
{
    return mbcf_try(&request, 1);
}

static int32_t operation(uint32_t number, uint32_t a, uint32_t b)
{
    return glaze_call(GLAZE_MBCF, number, a, b);
}

void case_errors(void)
{
    const struct mbcf_request good = {
        .command = MBCF_WRITE,
        .task = 0,
        .address = in_memory(0),
        .bytes = 4,
        .local = (uintptr_t)local,
    };
    struct mbcf_request r = good, two[2] = { good, good };
    struct mbcf_entry entry = { 0 };
    struct mbcf_agent agent = { 0 };

    if (udm_node()) {
        return;
    }
    check("good", try(r), 0);
    r.command = 0;
    check("command 0", try(r), -EINVAL);
    r.command = MBCF_COMMANDS;
    check("no such command", try(r), -EINVAL);
    r = good;
    r.options = 0x100;
    check("no such option", try(r), -EINVAL);
    r = good;
    r.bytes = 0;
    check("no bytes", try(r), -EINVAL);
    r.bytes = MBCF_BYTES_MAX + 1;
    check("too many bytes", try(r), -EINVAL);
    r.bytes = 64;
    r.local++;
    check("odd body", try(r), -EINVAL);
    r.local = 4;
    check("body that cannot be read", try(r), -EFAULT);
    r.bytes = 4;
    check("bytes that cannot be read", try(r), -EFAULT);
    r.command = MBCF_READ;
    r.local = 0;
    check("a read to nowhere", try(r), -EINVAL);
    r = good;
    r.task = udm_nodes();
    check("no such logical task", try(r), -ENOENT);
    r.task = UINT32_MAX;
    check("no such logical task at all", try(r), -ENOENT);
    check("list that cannot be read", mbcf_try((void *)4, 1), -EFAULT);
    check("empty list", mbcf_try(&good, 0), -EINVAL);
    check("long list", mbcf_try(&good, MBCF_COMBINED_MAX + 1), -EINVAL);
    two[1].task = 1;
    check("list for two tasks", mbcf_try(two, 2), -EINVAL);
    two[1] = good;
    two[1].bytes = MBCF_INLINE_MAX + 1;
    check("long bytes in a list", mbcf_try(two, 2), -EINVAL);
    check("no such operation", operation(MBCF_OPERATIONS, 0, 0), -EINVAL);
    check("entry out of range", operation(MBCF_ENTER, (uintptr_t)&entry,
                                          MBCF_ENTRIES), -EINVAL);
    entry.node = udm_nodes();
    check("entry of no node", operation(MBCF_ENTER, (uintptr_t)&entry, 0),
          -EINVAL);
    check("entry that cannot be read", operation(MBCF_ENTER, 4, 0), -EFAULT);
    check("agent out of range", operation(MBCF_AGENT, (uintptr_t)&agent,
                                          MBCF_AGENTS), -EINVAL);
    check("agent that cannot be read", operation(MBCF_AGENT, 4, 0), -EFAULT);
    mbcf_fetch_add_now(0, in_memory(0), 0);
    check("no slot is lost", mbcf_page()->free, MBCF_SLOTS);
}
