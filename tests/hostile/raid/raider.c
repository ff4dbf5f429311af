/*
 * A client that attacks the server of MBCF that it has an agent of, and all
 * other tasks.
 *
 *      raider CASE [SEED]
 *
 * Each node's process gets the agents' keys of the server on the next node,
 * does what the case says, and says BYE to the server. It prints how many
 * commands had another end than they should, and exits with 1 if any had.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "raid.h"
#include "udm-collective.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FLOOD   2000            /* requests of a flood */
#define CIRCLES (7 * 3 * 2 * 5) /* multicasts of a flood, each way once */
#define GIDS    256             /* numbers that a header can name */

enum { QUEUE, OPEN, CLOSED, FORGED };   /* entries of the table of tasks */

static volatile struct answer answer;
static uint32_t server;                 /* its node */
static uint32_t queue, open, closed;    /* logical tasks */
static uint32_t wrong, tried;
static uint32_t local[4 * GLAZE_PAGE / 4] __attribute__((aligned(GLAZE_PAGE)));

/* ---- Commands ------------------------------------------------------------ */

static void expect(const char *what, uint32_t at, uint32_t got, uint32_t want)
{
    tried++;
    if (got != want) {
        printf("raider: node %lu: %s 0x%08lx: %ld, want %ld\n",
               (unsigned long)udm_node(), what, (unsigned long)at, (long)got,
               (long)want);
        wrong++;
    }
}

static struct mbcf_request request(uint32_t command, uint32_t task,
                                   uint32_t address, uint32_t bytes)
{
    return (struct mbcf_request) {
        .command = command,
        .task = task,
        .address = address,
        .bytes = bytes,
        .local = (uintptr_t)local,
        .operand = { 0x666, 0x667 },
    };
}

/* Does one command. Returns its status. */
static uint32_t now(struct mbcf_request r)
{
    volatile uint32_t status = MBCF_PENDING;

    r.options = MBCF_STATUS;
    r.status = (uintptr_t)&status;
    mbcf_request(&r, 1);
    return mbcf_await(&status);
}

/* Sends a first message, again while the server's queue is full or not made. */
static void say(uint32_t what)
{
    uint32_t data[4] = { what, mbcf_page()->key >> 32, mbcf_page()->key,
                         (uintptr_t)&answer };
    volatile uint32_t status;

    do {
        status = MBCF_PENDING;
        mbcf_send(MBCF_WRITE_QUEUE, queue, 0, data, sizeof(data), MBCF_STATUS,
                  &status);
    } while (mbcf_await(&status) != MBCF_DONE);
}

/* Commands that use memory at an address, and their lengths. */
static const struct {
    uint32_t command, bytes;
} commands[] = {
    { MBCF_WRITE, 4 }, { MBCF_WRITE, 32 }, { MBCF_WRITE, 4096 },
    { MBCF_READ, 4 }, { MBCF_READ, 32 }, { MBCF_READ, 4096 },
    { MBCF_SWAP, 0 }, { MBCF_FETCH_ADD, 0 }, { MBCF_COMP_SWAP, 0 },
    { MBCF_FIFO, 4 }, { MBCF_FIFO, 4096 }, { MBCF_FIFOE, 4 },
    { MBCF_FIFOE_RETRY, 4 }, { MBCF_SIGNAL, 4 }, { MBCF_SIGNAL, 4096 },
    { MBCF_UPDATE, 4 },
};

/* Tries all commands at an address. All have to be refused with a status. */
static void refused(const char *what, uint32_t task, uint32_t address,
                    uint32_t status)
{
    for (unsigned k = 0; k < COUNT(commands); k++) {
        expect(what, address, now(request(commands[k].command, task, address,
                                          commands[k].bytes)), status);
    }
}

/* ---- Cases --------------------------------------------------------------- */

static void nothing(void)
{
}

static void keys(void)
{
    const uint64_t others[] = { 0, UINT64_MAX, mbcf_page()->key,
                                answer.closed_key };

    /* Job 1's agents are not to have the keys of tasks of jobs 2 and 3. */
    udm_barrier();
    for (unsigned k = 0; k < 2; k++) {
        refused("another job's task", mbcf_enter(FORGED, server,
                mbcf_page()->task, k ? answer.closed_key : answer.open_key),
                answer.open, MBCF_BAD_KEY);
    }
    udm_barrier();
    for (unsigned bit = 0; bit < 64; bit++) {
        refused("key", mbcf_enter(FORGED, server, answer.open_task,
                                  answer.open_key ^ 1ull << bit),
                answer.open, MBCF_BAD_KEY);
    }
    for (unsigned k = 0; k < COUNT(others); k++) {
        refused("other key", mbcf_enter(FORGED, server, answer.open_task,
                                        others[k]), answer.open, MBCF_BAD_KEY);
        refused("key of the task", mbcf_enter(FORGED, server, SERVER,
                                              others[k]),
                answer.secret, MBCF_BAD_KEY);
    }
    refused("agent's key", mbcf_enter(FORGED, server, SERVER, answer.open_key),
            answer.secret, MBCF_BAD_KEY);
    for (uint32_t agent = 3; agent < GIDS; agent++) {
        expect("agent", agent, now(request(MBCF_WRITE, mbcf_enter(
               FORGED, server, agent << 8 | SERVER, answer.open_key),
               answer.open, 4)), MBCF_NO_TASK);
    }
}

/* Where no command may go: outside of the ranges, the kernel's, nowhere. */
static void addresses(void)
{
    const uint32_t bad[] = {
        answer.open - GLAZE_PAGE, answer.open - 4,
        answer.closed + answer.closed_bytes, answer.secret, answer.text, 0,
        0x00fff000, 0x01000000, FUGU_RAM_BASE, FUGU_RAM_BASE + 0x7ff000,
        0x80000000, 0x90000000, GLAZE_BUFFER, 0xd0000000, GLAZE_INFO,
        GLAZE_PROCESS, GLAZE_MBCF_PAGE, 0xffffa000, FUGU_NI_KERNEL_BASE,
        FUGU_NI_USER_BASE, 0xfffffffc, -answer.open_bytes & ~3u,
    };

    for (unsigned k = 0; k < COUNT(bad); k++) {
        refused("outside", open, bad[k], MBCF_BAD_ADDRESS);
    }
    for (uint32_t over = 4; over <= 32; over += 4) {
        expect("over the end", over, now(request(
               MBCF_WRITE, open, answer.open + answer.open_bytes - 32 + over,
               32)), MBCF_BAD_ADDRESS);
        expect("over the beginning", over, now(request(
               MBCF_READ, open, answer.open - over, 32)), MBCF_BAD_ADDRESS);
    }
    for (unsigned k = 0; k < COUNT(commands); k++) {
        struct mbcf_request r = request(commands[k].command, closed,
                                        answer.closed, commands[k].bytes);

        if (r.command == MBCF_READ) {
            expect("read", k, now(r), MBCF_DONE);
        } else {
            expect("no right", k, now(r), MBCF_BAD_ADDRESS);
        }
    }
    for (uint32_t odd = 1; odd < 4; odd++) {
        for (unsigned k = 0; k < COUNT(commands); k++) {
            if (commands[k].command > MBCF_READ &&
                commands[k].command != MBCF_UPDATE) {
                expect("unaligned", odd, now(request(
                       commands[k].command, open, answer.open + odd,
                       commands[k].bytes)), MBCF_UNALIGNED);
            }
        }
    }
}

static uint32_t forge(const void *structure, uint32_t bytes)
{
    return mbcf_write_now(open, answer.open, structure, bytes);
}

/* Tries the structure in the open range as a FIFO and as a signal. */
static void use_forged(const char *what, uint32_t at)
{
    for (uint32_t command = MBCF_FIFO; command <= MBCF_SIGNAL; command++) {
        struct mbcf_request r = request(command, open, answer.open, 16);

        r.operand[0] = answer.text;
        expect(what, at, now(r), MBCF_BAD_ADDRESS);
    }
}

/* Forges structures in the open range, which name all other memory: read-only
 * memory of the same agent first. */
static void forgeries(void)
{
    const uint32_t to[] = { answer.closed, answer.secret, answer.text, 4,
                            answer.structures, answer.open + 128,
                            FUGU_RAM_BASE, GLAZE_PROCESS, 0xfffff000,
                            answer.open + answer.open_bytes - 4 };

    for (unsigned k = 0; k < COUNT(to); k++) {
        struct mbcf_fifo fifo = { .buffer = to[k], .size = 64 };
        struct mbcf_signal signal = {
            .store = MBCF_STORE_BUFFER,
            .during = MBCF_WHILE_INVOKE,
            .program = to[k],
            .to = to[k],
            .size = 64,
        };

        expect("forge", to[k], forge(&fifo, sizeof(fifo)), MBCF_DONE);
        use_forged("forged FIFO", to[k]);
        for (signal.invoke = MBCF_INVOKE_SCHEDULER;
             signal.invoke <= MBCF_INVOKE_CLIENT; signal.invoke++) {
            expect("forge", to[k], forge(&signal, sizeof(signal)), MBCF_DONE);
            use_forged("forged signal", to[k]);
        }
    }
}

/* Sends the image of a FIFO over the closed range to a structure. */
static uint32_t send_image(uint32_t command, uint32_t address, bool signal)
{
    struct mbcf_request r = request(command, open, address,
                                    sizeof(struct mbcf_fifo));
    struct mbcf_fifo *image = (struct mbcf_fifo *)local;

    *image = (struct mbcf_fifo) { .buffer = answer.closed, .size = 64 };
    r.operand[0] = signal ? answer.text : 0;
    return now(r);
}

/* The server's own structures: the raider uses them, and cannot change them
 * or what they point to. */
static void structures(void)
{
    const struct structures *at = (struct structures *)(uintptr_t)
                                  answer.structures;
    struct mbcf_fifo fifo = { .buffer = answer.closed, .size = 64 };

    for (uint32_t k = 0; k < sizeof(*at); k += 4) {
        for (uint32_t command = MBCF_WRITE; command < MBCF_FIFO; command++) {
            expect("write to a structure", k, now(request(
                   command, open, answer.structures + k, 4)),
                   command == MBCF_READ ? MBCF_DONE : MBCF_BAD_ADDRESS);
        }
    }
    expect("forge", 0, forge(&fifo, sizeof(fifo)), MBCF_DONE);
    expect("FIFO into structures", 0, send_image(
           MBCF_FIFO, (uintptr_t)&at->loops, false), MBCF_BAD_STRUCTURE);
    expect("signal into structures", 0, send_image(
           MBCF_SIGNAL, (uintptr_t)&at->spills, false), MBCF_BAD_STRUCTURE);
    expect("the bait is no FIFO", 0, send_image(
           MBCF_FIFO, (uintptr_t)&at->bait[1], false), MBCF_BAD_STRUCTURE);
    expect("signal into a forged FIFO", 0, send_image(
           MBCF_SIGNAL, (uintptr_t)&at->opens, false), MBCF_BAD_STRUCTURE);
    expect("choice of a program", 0, send_image(
           MBCF_SIGNAL, (uintptr_t)&at->chooses, true), MBCF_NO_RIGHT);
    expect("no right", 0, mbcf_write_now(closed, answer.structures, &fifo, 4),
           MBCF_BAD_ADDRESS);
    expect("no right", 0, now(request(MBCF_FIFO, closed, answer.structures,
                                      4)), MBCF_BAD_ADDRESS);
    expect("signal", 0, send_image(MBCF_SIGNAL, (uintptr_t)&at->counts, true),
           MBCF_DONE);
    expect("FIFO", 0, send_image(MBCF_FIFO, (uintptr_t)&at->good, false),
           MBCF_DONE);
    expect("FIFO", 1, send_image(MBCF_FIFO, (uintptr_t)&at->good, false),
           MBCF_DONE);
    expect("full", 0, send_image(MBCF_FIFO, (uintptr_t)&at->good, false),
           MBCF_FULL);
}

static int32_t try(struct mbcf_request r)
{
    return mbcf_try(&r, 1);
}

/* Requests that the kernel must not even send. */
static void lengths(void)
{
    static const uint32_t bad[] = { 0, 4097, 8192, 0x80000000, UINT32_MAX };

    for (unsigned k = 0; k < COUNT(bad); k++) {
        for (uint32_t command = MBCF_FIFO; command < MBCF_SIGNAL; command++) {
            expect("length", bad[k], try(request(command, open, answer.open,
                                                 bad[k])), -EINVAL);
        }
        expect("length", bad[k], try(request(MBCF_WRITE, open, answer.open,
                                             bad[k])), -EINVAL);
        expect("length", bad[k], try(request(MBCF_READ, open, answer.open,
                                             bad[k])), -EINVAL);
        expect("count", bad[k], mbcf_try((void *)local, bad[k]), -EINVAL);
    }
    for (uint32_t index = MBCF_ENTRIES; index; index <<= 1) {
        struct mbcf_agent agent = { 0 };

        expect("task", index, try(request(MBCF_WRITE, udm_nodes() + index,
                                          answer.open, 4)), -ENOENT);
        expect("entry", index, glaze_call(GLAZE_MBCF, MBCF_ENTER,
               (uintptr_t)&agent, index), -EINVAL);
        expect("agent", index, glaze_call(GLAZE_MBCF, MBCF_AGENT,
               (uintptr_t)&agent, index), -EINVAL);
        expect("command", index, try(request(MBCF_COMMANDS + index, open,
                                             answer.open, 4)), -EINVAL);
    }
}

/* Addresses of the raider's own that it does not have. */
static void pointers(void)
{
    static const uint32_t bad[] = { 4, 0x01000000, FUGU_RAM_BASE,
                                    GLAZE_PROCESS, 0xffffa000,
                                    FUGU_NI_KERNEL_BASE };

    for (unsigned k = 0; k < COUNT(bad); k++) {
        struct mbcf_request r = request(MBCF_WRITE, open, answer.open, 64);

        r.local = bad[k];
        expect("bytes", bad[k], try(r), -EFAULT);
        r.command = MBCF_READ;
        expect("result", bad[k], now(r), MBCF_LOCAL);
        expect("list", bad[k], mbcf_try((void *)bad[k], 1), -EFAULT);
        expect("entry", bad[k], glaze_call(GLAZE_MBCF, MBCF_ENTER, bad[k], 0),
               -EFAULT);
        expect("agent", bad[k], glaze_call(GLAZE_MBCF, MBCF_AGENT, bad[k], 0),
               -EFAULT);
        r = request(MBCF_FETCH_ADD, open, answer.open, 0);
        r.options = MBCF_STATUS | MBCF_COLOUR(1);
        r.local = 0;
        r.status = bad[k];
        mbcf_request(&r, 1);
        mbcf_barrier(1);
    }
    expect("slots", 0, mbcf_page()->free, MBCF_SLOTS);
}

/* As many requests as the kernel takes, without a look at what they do. */
static void flood(void)
{
    for (uint32_t k = 0; k < FLOOD; k++) {
        uint32_t command = commands[k % COUNT(commands)].command;
        struct mbcf_request r = request(
            command, k % 3 ? open : closed,
            (k % 2 ? answer.open : answer.secret) + 4 * k % GLAZE_PAGE,
            commands[k % COUNT(commands)].bytes);

        r.options = k % 5 ? 0 : MBCF_WAKES;
        mbcf_request(&r, 1);
    }
}

/*
 * Multicasts that go round in circles, to all nodes' raiders and to the server,
 * which gives no right to that. Each has a bound, and reaches the server by one
 * command at most.
 */
static void multicasts(void)
{
    uint32_t pages[2] = { (uintptr_t)local, (uintptr_t)local + GLAZE_PAGE };
    uint32_t node = udm_node(), next = (node + 1) % udm_nodes();
    const struct mbcf_copy one[] = {
        { open, answer.open }, { next, pages[0] }, { node, pages[1] },
        { node, pages[0] },
    };
    const struct mbcf_copy two[] = {
        { node, pages[0] }, { next, pages[1] }, { next, pages[0] },
        { queue, answer.secret & ~(GLAZE_PAGE - 1) },
    };

    mbcf_pattern(pages[0], one, COUNT(one));
    mbcf_pattern(pages[1], two, COUNT(two));
    for (uint32_t k = 0; k < 200; k++) {
        struct mbcf_request r = request(k % 7 ? MBCF_UPDATE : MBCF_INVALIDATE,
                                        node, pages[0],
                                        k % 2 ? 4096 : 4);
        uint32_t status = now(r);

        expect("circle", k, status == MBCF_BUSY ? MBCF_AT_COPY |
               MBCF_BAD_ADDRESS : status, MBCF_AT_COPY | MBCF_BAD_ADDRESS);
        expect("server", k, now(request(MBCF_UPDATE, open, answer.open, 4)),
               MBCF_BAD_ADDRESS);
    }
    for (uint32_t k = 0; k < CIRCLES; k++) {
        struct mbcf_request r = request(k % 7 ? MBCF_UPDATE : MBCF_INVALIDATE,
                                        k % 3 ? node : next, pages[k % 2],
                                        k % 5 ? 4 : 4096);

        r.options = MBCF_WAKES;
        mbcf_request(&r, 1);
    }
}

/* First messages to all numbers on all nodes. */
static void everyone(void)
{
    for (uint32_t round = 0; round < 2 * MBCF_QUEUE_MAX; round++) {
        mbcf_send(MBCF_WRITE_QUEUE, queue, 0, local, MBCF_INLINE_MAX, 0, NULL);
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        for (uint32_t number = 0; number < GIDS; number++) {
            uint32_t task, status;
            struct mbcf_entry entry = { 0, node, number };
            bool own = number == mbcf_page()->task;

            if (glaze_call(GLAZE_MBCF, MBCF_ENTER, (uintptr_t)&entry,
                           FORGED) || number == SERVER) {
                continue;
            }
            task = udm_nodes() + FORGED;
            status = number ? now(request(MBCF_WRITE_QUEUE, task, 0, 32))
                            : MBCF_NO_TASK;
            expect("message to", number, status,
                   own ? MBCF_NO_QUEUE : MBCF_NO_TASK);
        }
    }
}

static uint32_t state;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Returns an address that is the raider's own, the kernel's, or nothing. */
static uint32_t random_pointer(void)
{
    static const uint32_t base[] = { 0, FUGU_RAM_BASE, GLAZE_PROCESS,
                                     0xfffff000 };
    uint32_t r = random32();

    return (r & 4 ? (uintptr_t)local : base[r & 3]) + (r >> 8 & 0xfff);
}

/* Makes a list of one request, with words of every kind. */
static void random_request(bool sensible)
{
    const uint32_t base[] = { answer.open, answer.secret, answer.closed,
                              answer.structures };
    struct mbcf_request *r = (struct mbcf_request *)local;

    for (unsigned i = 0; i < sizeof(*r) / 4; i++) {
        local[i] = random32() >> (random32() & 31);
    }
    r->address = base[random32() & 3] + (random32() & 0xfff);
    r->local = random_pointer();
    r->status = random_pointer();
    if (sensible) {
        r->command = 1 + random32() % (MBCF_COMMANDS - 1);
        r->options = random32() & MBCF_OPTIONS;
        r->task = udm_nodes() + OPEN + random32() % 2;
        r->bytes = random32() % 5000;
    }
}

/* System calls of MBCF at random; half of them are requests that get far. */
static void at_random(void)
{
    for (uint32_t k = 0; k < FLOOD; k++) {
        uint32_t operation = random32() % (MBCF_OPERATIONS + 1);

        random_request(k % 2);
        if (k % 2) {
            mbcf_try((struct mbcf_request *)local, 1);
        } else if (operation != MBCF_WAIT && operation != MBCF_NEXT) {
            glaze_call(GLAZE_MBCF, operation, random_pointer(),
                       operation == MBCF_TAKE ? random_pointer()
                                              : random32() >> 16);
        }
    }
    mbcf_enter(QUEUE, server, SERVER, 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "nothing", nothing }, { "keys", keys }, { "addresses", addresses },
    { "forgeries", forgeries }, { "structures", structures },
    { "lengths", lengths },
    { "pointers", pointers }, { "flood", flood }, { "leave", flood },
    { "multicasts", multicasts }, { "everyone", everyone }, { "random", at_random },
};

/* Gets the keys of the server on the next node. */
static void greet(void)
{
    server = (udm_node() + 1) % udm_nodes();
    queue = mbcf_enter(QUEUE, server, SERVER, 0);
    say(HELLO);
    while (!answer.there) {
        glaze_yield();
    }
    open = mbcf_enter(OPEN, server, answer.open_task, answer.open_key);
    closed = mbcf_enter(CLOSED, server, answer.closed_task,
                        answer.closed_key);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    state = (argc > 2 ? strtoul(argv[2], NULL, 0) : 1) * 2654435761u +
            udm_node();
    for (unsigned k = 0; k < COUNT(cases); k++) {
        if (strcmp(name, cases[k].name) == 0) {
            mbcf_open();
            greet();
            cases[k].run();
            say(BYE);
            if (strcmp(name, "leave") == 0 && argc > 2) {
                multicasts();   /* this raider ends meanwhile */
                _Exit(0);
            }
            if (strcmp(name, "leave") == 0) {
                flood();        /* the server ends meanwhile */
                _Exit(0);
            }
            printf("raider: node %lu: %lu tried, %lu wrong\n",
                   (unsigned long)udm_node(), (unsigned long)tried,
                   (unsigned long)wrong);
            return wrong ? 1 : 0;
        }
    }
    printf("raider: no such case\n");
    return 2;
}
