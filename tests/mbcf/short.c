/*
 * Cases: which commands, replies and calls take the fast path, and each reason
 * for the slow one (docs/mbcf.md, "The fast path"). The counters of both tasks'
 * pages tell.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stddef.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"

/* What has taken the slow path, as a sum for check(). */
#define CALL            0x100
#define COMMAND         0x10
#define REPLY           0x1
#define NONE            0

/* Offsets in memory[]: structures on the last page, and one on the first. */
#define FIFO            (3 * GLAZE_PAGE + 64)
#define RING            (3 * GLAZE_PAGE + 128)
#define RING_BYTES      256
#define SIGNAL          (3 * GLAZE_PAGE + 512)
#define BUFFER          (3 * GLAZE_PAGE + 1024)
#define BUFFER_BYTES    1024
#define OTHER           64

static volatile uint32_t status __attribute__((aligned(8)));
static volatile uint32_t invoked;

/*
 * Returns a counter of node 1's page. The READ adds a long command: programs
 * can only read that page.
 */
static uint32_t read_target(uint32_t offset)
{
    uint32_t value = 0;

    mbcf_read_now(1, &value, GLAZE_MBCF_PAGE + offset, sizeof(value));
    return value;
}

/* Does a command; checks its status and what has taken the slow path. */
static void expect(const char *what, struct mbcf_request r, uint32_t want,
                   uint32_t ways)
{
    const uint32_t offset = offsetof(struct mbcf_page, long_commands);
    uint32_t commands = read_target(offset) + 1;
    uint32_t calls = mbcf_page()->long_calls;
    uint32_t replies = mbcf_page()->long_replies, after;

    r.task = r.task ? r.task : 1;
    r.options |= MBCF_STATUS;
    r.status = r.status ? r.status : (uintptr_t)&status;
    *(volatile uint32_t *)(uintptr_t)r.status = MBCF_PENDING;
    mbcf_request(&r, 1);
    check(what, mbcf_await((uint32_t *)(uintptr_t)r.status), want);
    calls = mbcf_page()->long_calls - calls;
    replies = mbcf_page()->long_replies - replies;
    after = read_target(offset);
    check(what, calls * CALL + (after - commands) * COMMAND + replies * REPLY,
          ways);
}

static struct mbcf_request request(uint32_t command, uint32_t at,
                                   uint32_t from, uint32_t bytes)
{
    return (struct mbcf_request) {
        .command = command,
        .address = in_memory(at),
        .local = from ? (uintptr_t)&local[from] : 0,
        .bytes = bytes,
        .operand = { 1, 2 },
    };
}

/* Node 1's structures: they are in memory before node 0 begins. */
static void set_up(void)
{
    struct mbcf_fifo *f = (void *)&memory[FIFO];

    for (uint32_t at = 0; at < sizeof(memory); at += GLAZE_PAGE) {
        memory[at] = local[at] = 0;
    }
    *f = (struct mbcf_fifo) { .buffer = in_memory(RING), .size = RING_BYTES };
    udm_barrier();
}

static void words_and_bytes(void)
{
    const uint32_t end = GLAZE_PAGE;
    struct mbcf_request r;

    expect("WRITE", request(MBCF_WRITE, 0, 8, 4), MBCF_DONE, NONE);
    expect("WRITE of 31", request(MBCF_WRITE, 0, 8, 31), MBCF_DONE, NONE);
    expect("WRITE of 32", request(MBCF_WRITE, 0, 8, 32), MBCF_DONE, NONE);
    expect("WRITE of a body", request(MBCF_WRITE, 0, 8, 1000), MBCF_DONE, NONE);
    expect("WRITE of a page", request(MBCF_WRITE, end, end, end), MBCF_DONE,
           NONE);
    expect("WRITE to an odd address", request(MBCF_WRITE, 2, 8, 4), MBCF_DONE,
           COMMAND);
    expect("WRITE from an odd address", request(MBCF_WRITE, 0, 9, 4), MBCF_DONE,
           CALL);
    expect("WRITE over pages", request(MBCF_WRITE, end - 4, 8, 8), MBCF_DONE,
           COMMAND);
    expect("WRITE from two pages", request(MBCF_WRITE, 0, end - 4, 8),
           MBCF_DONE, CALL);
    expect("body over pages", request(MBCF_WRITE, end - 4, 8, 1000), MBCF_DONE,
           NONE);
    expect("body from two pages", request(MBCF_WRITE, 8, end - 4, 1000),
           MBCF_DONE, NONE);
    expect("the longest, from and over pages",
           request(MBCF_WRITE, 12, end - 4, end), MBCF_DONE, NONE);
    expect("body that ends in a word", request(MBCF_WRITE, 0, 8, 33), MBCF_DONE,
           COMMAND);
    expect("SWAP", request(MBCF_SWAP, 0, 8, 0), MBCF_DONE, NONE);
    expect("FETCH_ADD", request(MBCF_FETCH_ADD, 0, 8, 0), MBCF_DONE, NONE);
    expect("COMP_SWAP", request(MBCF_COMP_SWAP, 0, 8, 0), MBCF_DONE, NONE);
    expect("no old value", request(MBCF_SWAP, 0, 0, 0), MBCF_DONE, NONE);
    expect("word at an odd address", request(MBCF_SWAP, 2, 8, 0),
           MBCF_UNALIGNED, COMMAND);
    expect("old value to an odd address", request(MBCF_SWAP, 0, 9, 0),
           MBCF_DONE, REPLY);
    expect("READ", request(MBCF_READ, 0, 8, 4), MBCF_DONE, NONE);
    expect("READ of 31", request(MBCF_READ, 0, 8, 31), MBCF_DONE, NONE);
    expect("READ to an odd address", request(MBCF_READ, 0, 9, 4), MBCF_DONE,
           REPLY);
    expect("READ from an odd address", request(MBCF_READ, 2, 8, 4), MBCF_DONE,
           COMMAND);
    expect("READ of a body", request(MBCF_READ, 0, 8, 64), MBCF_DONE, NONE);
    expect("READ over pages", request(MBCF_READ, end - 4, 8, 64), MBCF_DONE,
           COMMAND);
    expect("READ of a body that ends in a word", request(MBCF_READ, 0, 8, 65),
           MBCF_DONE, REPLY);
    r = request(MBCF_WRITE, 0, 8, 4);
    r.address = 4;
    expect("WRITE to no memory", r, MBCF_BAD_ADDRESS, COMMAND);
    r.address = GLAZE_MBCF_PAGE;
    expect("WRITE to what can only be read", r, MBCF_BAD_ADDRESS, COMMAND);
    r = request(MBCF_WRITE, 0, 8, 4);
    r.options = MBCF_WAKES | MBCF_COLOUR(2);
    expect("options", r, MBCF_DONE, NONE);
    mbcf_barrier(2);
}

/* FIFOs: 256 bytes of buffer in a page, at first. */
static void entries(void)
{
    struct mbcf_request r = request(MBCF_FIFO, FIFO, 8, 5);

    expect("FIFO", r, MBCF_DONE, NONE);
    r.command = MBCF_FIFOE;
    r.operand[0] = 0;           /* of any epoch */
    expect("FIFOE", r, MBCF_DONE, NONE);
    r.operand[0] = MBCF_EPOCH_FIRST;
    expect("FIFOE of the FIFO's epoch", r, MBCF_DONE, NONE);
    r.operand[0]++;
    expect("FIFOE of another epoch", r,
           MBCF_STOPPED | MBCF_EPOCH_FIRST << MBCF_EPOCH_SHIFT, COMMAND);
    r.operand[0] = 0;
    r.bytes = 61;
    expect("FIFO, a body", r, MBCF_DONE, NONE);
    r.command = MBCF_FIFOE_RETRY;
    expect("FIFOE_RETRY", r, MBCF_DONE, COMMAND);
    r.command = MBCF_FIFO;
    r.bytes = 200;
    expect("FIFO without room", r, MBCF_FULL, NONE);
    r.address += 2;
    expect("FIFO at an odd address", r, MBCF_UNALIGNED, COMMAND);
    r.command = MBCF_FIFOE;
    r.address -= 2;
    expect("FIFOE without room", r, MBCF_STOPS, COMMAND);
    r.bytes = 4;
    expect("a FIFO that has stopped", r, MBCF_STOPPED, COMMAND);
    r.address = in_memory(BUFFER);
    expect("no FIFO", r, MBCF_BAD_STRUCTURE, COMMAND);
}

/* Agents, keys, tasks, options and commands that do not exist. */
static void others(void)
{
    struct mbcf_request r = request(MBCF_WRITE, 0, 8, 4), two[2];
    uint8_t odd[2 * sizeof(r)] __attribute__((aligned(8)));
    uint32_t calls, task;
    uint64_t key;

    mbcf_read_now(1, &key, in_memory(BUFFER), sizeof(key));
    mbcf_read_now(1, &task, in_memory(BUFFER + 8), sizeof(task));
    r.task = mbcf_enter(0, 1, task, key);
    expect("through an agent", r, MBCF_DONE, COMMAND);
    r.task = mbcf_enter(1, 1, mbcf_page()->task, mbcf_page()->key);
    expect("a wrong key", r, MBCF_BAD_KEY, COMMAND);
    r.task = udm_nodes() + 5;
    calls = mbcf_page()->long_calls;
    check("no such task", mbcf_try(&r, 1), -ENOENT);
    r.task = 1;
    r.command = MBCF_COMMANDS;
    check("no such command", mbcf_try(&r, 1), -EINVAL);
    r.command = MBCF_WRITE;
    r.options = 0x80;
    check("no such option", mbcf_try(&r, 1), -EINVAL);
    r.options = 0;
    r.bytes = MBCF_BYTES_MAX + 1;
    check("too many bytes", mbcf_try(&r, 1), -EINVAL);
    r.bytes = 0;
    check("no bytes", mbcf_try(&r, 1), -EINVAL);
    r.bytes = 4;
    r.local = 4;
    check("bytes that cannot be read", mbcf_try(&r, 1), -EFAULT);
    check("a list that cannot be read", mbcf_try((void *)4, 1), -EFAULT);
    r.local = (uintptr_t)local;
    __builtin_memcpy(odd + 2, &r, sizeof(r));
    check("a list at an odd address", mbcf_try((void *)(odd + 2), 1), 0);
    two[0] = two[1] = r;
    check("a list of two", mbcf_try(two, 2), 0);
    check("ta 0", glaze_call(GLAZE_MBCF, MBCF_REQUEST, (uintptr_t)&r, 1), 0);
    check("each took the slow path", mbcf_page()->long_calls - calls, 9);
    mbcf_fetch_add_now(1, in_memory(0), 0);
    check("no slot is lost", mbcf_page()->free, MBCF_SLOTS);
}

/* Node 1 makes an agent and says its key; node 0 goes through the reasons. */
void case_short(void)
{
    struct mbcf_agent agent = {
        .range = { { in_memory(0), 64, MBCF_RANGE_WRITE } },
    };

    set_up();
    if (udm_node() == 1) {
        mbcf_agent(0, &agent);
        __builtin_memcpy(&memory[BUFFER], &agent.key, 12);
    }
    udm_barrier();
    if (udm_node() == 0) {
        words_and_bytes();
        others();
        entries();
    }
}

/* ---- Signals ------------------------------------------------------------- */

static void on_signal(struct mbcf_signal *s)
{
    invoked += s->running;
}

/* Node 1 waits for commands without the kernel, until node 0 is done. */
static void spin(volatile uint32_t *done)
{
    while (!*done) {
    }
}

static void signals(uint32_t fifo)
{
    struct mbcf_request r = request(MBCF_SIGNAL, SIGNAL, 8, 28);

    r.operand[0] = (uintptr_t)on_signal;
    expect("SIGNAL", r, MBCF_DONE, NONE);
    r.bytes = 64;
    expect("SIGNAL with a body", r, MBCF_DONE, NONE);
    r.bytes = r.local = 0;
    expect("SIGNAL without bytes", r, MBCF_DONE, NONE);
    r.address += sizeof(struct mbcf_signal);
    r.local = (uintptr_t)&local[8];
    r.bytes = fifo;
    expect("SIGNAL to a FIFO", r, MBCF_DONE, NONE);
    r.address += sizeof(struct mbcf_signal);
    expect("SIGNAL with its source", r, MBCF_DONE, COMMAND);
    r.address += sizeof(struct mbcf_signal);
    expect("the program runs, and refuses", r, MBCF_RUNNING, COMMAND);
    r.address += sizeof(struct mbcf_signal);
    expect("the program runs: stores", r, MBCF_DONE, COMMAND);
    r.address += sizeof(struct mbcf_signal);
    expect("SIGNAL that makes no sense", r, MBCF_BAD_STRUCTURE, COMMAND);
    r.address = in_memory(SIGNAL);
    r.bytes = 2 * BUFFER_BYTES;
    expect("SIGNAL without room", r, MBCF_FULL, COMMAND);
}

/*
 * Programs that signals invoke. MBCF_NEXT takes the fast path too, so node 1
 * has no long call.
 */
void case_short_signals(void)
{
    struct mbcf_signal *s = (void *)&memory[SIGNAL];
    volatile uint32_t *done = (void *)&memory[0];
    uint32_t calls = 0;

    for (unsigned k = 0; k < 6; k++) {
        s[k] = (struct mbcf_signal) {
            .invoke = MBCF_INVOKE_SOURCE,
            .store = k == 1 ? MBCF_STORE_FIFO :
                     k == 2 ? MBCF_STORE_BUFFER | MBCF_STORE_SOURCE :
                     MBCF_STORE_BUFFER,
            .during = k < 3 ? MBCF_WHILE_INVOKE :
                      k == 3 ? MBCF_WHILE_REFUSE : MBCF_WHILE_STORE,
            .to = in_memory(k == 1 ? FIFO : BUFFER),
            .size = BUFFER_BYTES,
            .running = k > 2,
        };
    }
    s[5].invoke = MBCF_INVOKE_CLIENT + 1;
    mbcf_take_signals();
    set_up();
    if (udm_node() == 1) {
        calls = mbcf_page()->long_calls;
        spin(done);
        check("NEXT", mbcf_page()->long_calls - calls, 0);
        check("each program ran", invoked, 5);
    } else if (udm_node() == 0) {
        signals(12);
        mbcf_fetch_add_now(1, in_memory(0), 1);
    }
}

/* ---- The task's own calls ------------------------------------------------ */

static void take(const char *what, struct mbcf_fifo *f, void *to, uint32_t most,
                 int32_t want, uint32_t ways)
{
    uint32_t calls = mbcf_page()->long_calls;

    check(what, mbcf_take(f, to, most), want);
    check(what, mbcf_page()->long_calls - calls, ways);
}

/* A task takes what it has sent to itself. */
void case_short_takes(void)
{
    struct mbcf_fifo *f = (void *)&memory[FIFO];
    uint32_t room = sizeof(memory) - GLAZE_PAGE - 8;
    uint32_t *words = (uint32_t *)local;

    set_up();
    if (udm_node()) {
        return;
    }
    take("an empty FIFO", f, local, 64, -EAGAIN, 0);
    for (unsigned k = 0; k < 4; k++) {
        words[k] = k;
        mbcf_send(MBCF_FIFO, 0, in_memory(FIFO), &words[k], 4, 0, NULL);
    }
    mbcf_fetch_add_now(0, in_memory(0), 0);
    take("TAKE", f, &local[64], 64, 4, 0);
    take("TAKE to an odd address", f, &local[65], 64, 4, 1);
    take("TAKE with too little room", f, local, 3, -EMSGSIZE, 1);
    take("TAKE to no memory", f, (void *)4, 64, -EFAULT, 1);
    f->head = 2;
    take("a FIFO that makes no sense", f, local, 64, -EINVAL, 1);

    /* Entries over pages and over the end of the buffer. */
    f = (void *)&memory[OTHER];
    *f = (struct mbcf_fifo) {
        .buffer = in_memory(GLAZE_PAGE + 8), .size = room, .head = room - 8,
    };
    for (unsigned k = 0; k < 1024; k++) {
        words[k] = k * 3;
    }
    mbcf_send(MBCF_FIFO, 0, in_memory(OTHER), words, 4000, 0, NULL);
    mbcf_send(MBCF_FIFO, 0, in_memory(OTHER), words, 4000, 0, NULL);
    mbcf_fetch_add_now(0, in_memory(0), 0);
    check("both on the fast path", f->used, 2 * 4004);
    __builtin_memset(local, 0, GLAZE_PAGE);
    take("TAKE over the end", f, &local[GLAZE_PAGE - 16], 4096, 4000, 0);
    check("first word", *(uint32_t *)&local[GLAZE_PAGE - 16], 0);
    check("last word", *(uint32_t *)&local[GLAZE_PAGE - 16 + 3996], 999 * 3);
    take("TAKE over a page", f, &local[4], 4096, 4000, 0);
    check("last word", *(uint32_t *)&local[4000], 999 * 3);

    /* A buffer over the structure, and a place over it. */
    *f = (struct mbcf_fifo) {
        .buffer = in_memory(OTHER), .size = 64, .head = 60,
    };
    mbcf_send(MBCF_FIFO, 0, in_memory(OTHER), words, 56, 0, NULL);
    mbcf_fetch_add_now(0, in_memory(0), 0);
    *f = (struct mbcf_fifo) {
        .buffer = in_memory(2 * OTHER), .size = 64,
    };
    mbcf_send(MBCF_FIFO, 0, in_memory(OTHER), words, 20, 0, NULL);
    mbcf_fetch_add_now(0, in_memory(0), 0);
    take("TAKE to the structure", f, f, 64, 20, 0);
    check("nothing else has changed", memory[3 * OTHER], 0);
}

static void next(const char *what, void *to, const struct mbcf_signal *ended,
                 int32_t want, uint32_t ways)
{
    uint32_t calls = mbcf_page()->long_calls;

    check(what, glaze_call_quick(GLAZE_MBCF, MBCF_NEXT, (uintptr_t)to,
                                 (uintptr_t)ended, 0), want);
    check(what, mbcf_page()->long_calls - calls, ways);
}

/*
 * A task takes the invocations of signals that it has sent to itself. It has
 * not called mbcf_take_signals(), so none of them interrupts it. The last two
 * pages of local[] have never been touched: they are not in memory. A first long
 * call waits for such a page, and a second one records that the page changes.
 */
void case_short_next(void)
{
    struct mbcf_signal *s = (void *)&memory[SIGNAL];
    struct mbcf_invocation *place = (void *)&memory[BUFFER];
    void *absent = &local[2 * GLAZE_PAGE];
    struct mbcf_signal *no_signal = (void *)&local[3 * GLAZE_PAGE];

    if (udm_node()) {
        return;
    }
    *s = (struct mbcf_signal) {
        .invoke = MBCF_INVOKE_TARGET, .during = MBCF_WHILE_INVOKE, .program = 4,
    };
    for (unsigned k = 0; k < 3; k++) {
        mbcf_signal(0, in_memory(SIGNAL), 0, NULL, 0, 0, NULL);
    }
    mbcf_fetch_add_now(0, in_memory(0), 0);
    check("three invocations", s->running, 3);
    next("NEXT", place, NULL, 1, 0);
    next("the place is not in memory", absent, NULL, 1, 2);
    next("now it is", absent, s, 1, 0);
    check("its program", *(uint32_t *)absent, 4);
    check("an invocation has ended", s->running, 2);
    next("the signal is not in memory", place, no_signal, 0, 2);
    next("the signal cannot be read", place, (void *)4, -EFAULT, 1);
    next("no invocation is left", (void *)4, s, 0, 0);
    check("another one has ended", s->running, 1);
    mbcf_signal(0, in_memory(SIGNAL), 0, NULL, 0, 0, NULL);
    mbcf_fetch_add_now(0, in_memory(0), 0);
    next("the place cannot be written", (void *)4, s, -EFAULT, 1);
    check("nothing has changed", s->running, 2);
    next("the invocation is still there", place, s, 1, 0);
}

/* ---- Windows ------------------------------------------------------------- */

#define DEEP    12

/*
 * Calls itself with all windows in use, waits for a command at each depth, and
 * sends one. Returns a sum of all frames' values, which live in windows.
 */
static __attribute__((noinline)) uint32_t deep(uint32_t depth, uint32_t seed)
{
    volatile uint32_t *word = (void *)&memory[0];
    uint32_t a = seed * 3 + depth, b = a ^ 0x5555, below = 0;

    if (udm_node() == 1) {
        while (*word != depth) {
        }
    }
    mbcf_write(1 - udm_node(), in_memory(0), &depth, sizeof(depth), 0, NULL);
    if (udm_node() == 0) {
        while (*word != depth) {
        }
    }
    if (depth < DEEP) {
        below = deep(depth + 1, a + b);
    }
    return below + a + 7 * b;
}

static uint32_t deep_sum(void)
{
    uint32_t sum = 0, seed = 1;

    for (uint32_t depth = 1; depth <= DEEP; depth++) {
        uint32_t a = seed * 3 + depth, b = a ^ 0x5555;

        sum += a + 7 * b;
        seed = a + b;
    }
    return sum;
}

/*
 * The same, but node 1 sends nothing: its windows stay in use. Node 0 sends a
 * command now and then.
 */
static __attribute__((noinline)) uint32_t quiet(uint32_t depth, uint32_t seed)
{
    volatile uint32_t *word = (void *)&memory[OTHER];
    uint32_t a = seed * 3 + depth, b = a ^ 0x5555, below = 0;

    while (*word < depth) {
    }
    if (depth < DEEP) {
        below = quiet(depth + 1, a + b);
    }
    return below + a + 7 * b;
}

static void send_now_and_then(void)
{
    for (uint32_t depth = 1; depth <= DEEP; depth++) {
        uint64_t start = udm_cycles();

        mbcf_write(1, in_memory(OTHER), &depth, sizeof(depth), 0, NULL);
        while (udm_cycles() - start < 5000) {
        }
    }
}

/* Calls and packets that find no free window make one. */
void case_short_windows(void)
{
    uint32_t calls, commands;

    set_up();
    if (udm_node() > 1) {
        return;
    }
    calls = mbcf_page()->long_calls;
    commands = mbcf_page()->long_commands;
    check("windows", deep(1, 1), deep_sum());
    if (udm_node() == 1) {
        check("windows, no call", quiet(1, 1), deep_sum());
    } else {
        send_now_and_then();
    }
    check("calls", mbcf_page()->long_calls - calls, 0);
    check("commands", mbcf_page()->long_commands - commands, 0);
}
