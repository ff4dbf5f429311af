/*
 * mbcf-mixture: guests, and what the host does for them.
 *
 * A guest is a process of another job. It greets the host on some node by a first message,
 * gets the key of an agent, sends entries and signals through it, adds to words, tries what
 * the agent must not let it do, and ends, sometimes with commands under way. The host
 * writes and reads the guest's memory, until it has ended. Which of the host's nodes a
 * guest greets follows from the seed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "random.h"
#include "mixture.h"

enum {
    HOST = 1,                   /* number of the host's tasks: job 1 */
    ENTRY = 0,                  /* the guest's table of logical tasks */
    AT_ONCE = 10,               /* guests that a node of the host knows at a time */
    GUESTS = 1024,
    GIFT = 16,                  /* words */
    ROOM = 400,                 /* bytes of the FIFO for guests */
};

uint32_t guests_left;

static const uint32_t constant[4] = { 11, 22, 33, 44 };
static struct mbcf_fifo visits;
static uint32_t visits_buffer[ROOM / 4];
static volatile uint32_t sum[2];        /* guests add to one what they take from the other */
static struct mbcf_signal bell;
static volatile uint32_t rung, expected_rings;

static volatile struct invitation invitation;           /* of a guest */
static volatile uint32_t gift[GIFT];

static uint32_t host_of(uint32_t index, uint32_t node)
{
    return hash(seed, index, node + 200) % nodes;
}

/* ---- A guest -------------------------------------------------------------------- */

/* Sends a command to the host until it is not refused for now; returns the status. */
static uint32_t now(struct mbcf_request r)
{
    volatile uint32_t status;

    r.options = MBCF_STATUS;
    r.status = (uintptr_t)&status;
    do {
        status = MBCF_PENDING;
        mbcf_request(&r, 1);
        mbcf_await(&status);
    } while (status == MBCF_BUSY || status == MBCF_FULL || status == MBCF_RUNNING);
    return status;
}

static void must(const char *what, struct mbcf_request r, uint32_t expected)
{
    uint32_t status = now(r);

    if (status != expected) {
        fail("%s of a guest: %s", what, mbcf_status_name(status));
    }
}

static struct mbcf_request to_host(uint32_t command, uint32_t task, const volatile void *address)
{
    return (struct mbcf_request) {
        .command = command, .task = task, .address = (uintptr_t)address,
    };
}

static void greet(uint32_t index, uint32_t node)
{
    struct hello hello = {
        .magic = MAGIC, .guest = index * NODES + me, .key = mbcf_page()->key,
    };
    struct mbcf_request r = to_host(MBCF_WRITE_QUEUE, mbcf_enter(ENTRY, node, HOST, 0), NULL);
    uint32_t status;

    r.bytes = sizeof(hello);
    r.local = (uintptr_t)&hello;
    for (;;) {
        status = now(r);
        if (status == MBCF_DONE) {
            return;
        }
        if (status != MBCF_NO_TASK && status != MBCF_NO_QUEUE) {
            fail("the greeting of a guest: %s", mbcf_status_name(status));
        }
        usleep(200);
    }
}

/* Through the host's agent. */
static void visit(uint32_t task, struct visit v)
{
    struct mbcf_request r = to_host(MBCF_FIFO, task, &visits);

    r.bytes = sizeof(v);
    r.local = (uintptr_t)&v;
    must("an entry", r, MBCF_DONE);
}

static void add(uint32_t task, uint32_t k, uint32_t value)
{
    struct mbcf_request r = to_host(MBCF_FETCH_ADD, task, &sum[k]);

    r.operand[0] = value;
    must("an addition", r, MBCF_DONE);
}

static void read_constant(uint32_t task)
{
    uint32_t k = pick(4), got = 0;
    struct mbcf_request r = to_host(MBCF_READ, task, &constant[k]);

    r.bytes = 4;
    r.local = (uintptr_t)&got;
    must("a read", r, MBCF_DONE);
    if (got != constant[k]) {
        fail("a guest reads %lu", (unsigned long)got);
    }
}

/* What agents are there to prevent. */
static void trespass(uint32_t task, uint32_t node)
{
    uint32_t word = 1;
    struct mbcf_request r = to_host(MBCF_WRITE, task, &constant[0]);

    r.bytes = 4;
    r.local = (uintptr_t)&word;
    must("a write of what it may read", r, MBCF_BAD_ADDRESS);
    r.address = (uintptr_t)&visits;
    must("a write of a structure", r, MBCF_BAD_ADDRESS);
    r.address = (uintptr_t)&gift;
    must("a write outside", r, MBCF_BAD_ADDRESS);
    r.task = mbcf_enter(ENTRY + 1, node, invitation.task, invitation.key ^ 1ull << pick(64));
    must("a write with a wrong key", r, MBCF_BAD_KEY);
}

/* Ends with commands under way, and waits for none of their replies. */
static void leave(uint32_t task)
{
    volatile uint32_t status = MBCF_PENDING;
    static uint32_t word;

    for (uint32_t k = pick(6); k; k--) {
        switch (pick(3)) {
        case 0:
            mbcf_fetch_add(task, (uintptr_t)&sum[1], 0, &word, 0, NULL);
            break;
        case 1:
            mbcf_read(task, &word, (uintptr_t)constant, 4, MBCF_STATUS, &status);
            break;
        default:
            mbcf_send(MBCF_WRITE_QUEUE, task, 0, &word, 4, 0, NULL);
        }
    }
    if (pick(2)) {
        udm_beginatom();
    }
    _exit(0);
}

int guest(uint32_t index, uint32_t operations)
{
    uint32_t node = host_of(index, me), task;
    struct visit v = { .guest = index * NODES + me };

    mbcf_open();
    greet(index, node);
    while (!invitation.valid) {
        usleep(100);
    }
    task = mbcf_enter(ENTRY, node, invitation.task, invitation.key);
    while (operations--) {
        switch (pick(6)) {
        case 0:
            v.number++;
            visit(task, v);
            break;
        case 1: {
            uint32_t value = pick(1000);

            add(task, 0, value);
            add(task, 1, -value);
            break;
        }
        case 2:
            read_constant(task);
            break;
        case 3:
            v.signals++;
            must("a signal", to_host(MBCF_SIGNAL, task, &bell), MBCF_DONE);
            break;
        case 4:
            trespass(task, node);
            break;
        default:
            usleep(pick(300));
        }
    }
    v.number++;
    v.leaves = 1;
    visit(task, v);
    leave(task);
    return 1;
}

/* ---- The host -------------------------------------------------------------------- */

/* Guests that have come and not left. */
static struct known {
    uint32_t guest, number;     /* of the last entry */
    bool used, leaves, tried;   /* a command to it is under way */
    uint32_t gift[GIFT];        /* what its memory has */
    uint32_t task;
} known[AT_ONCE];
static bool has_come[GUESTS];
static struct mbcf_agent agent;

static void on_bell(struct mbcf_signal *signal)
{
    rung += signal == &bell;
}

void guests_set_up(uint32_t jobs)
{
    agent.range[0] = (struct mbcf_range) {
        (uintptr_t)constant, sizeof(constant), MBCF_RANGE_READ };
    agent.range[1] = (struct mbcf_range) {
        (uintptr_t)sum, sizeof(sum), MBCF_RANGE_READ | MBCF_RANGE_WRITE };
    agent.range[2] = (struct mbcf_range) {
        (uintptr_t)&visits, sizeof(visits), MBCF_RANGE_STRUCTURE };
    agent.range[3] = (struct mbcf_range) {
        (uintptr_t)&bell, sizeof(bell), MBCF_RANGE_STRUCTURE };
    visits.buffer = (uintptr_t)visits_buffer;
    visits.size = ROOM;
    bell.invoke = MBCF_INVOKE_TARGET;
    bell.during = MBCF_WHILE_INVOKE;
    bell.program = (uintptr_t)on_bell;
    for (uint32_t index = 1; index <= jobs; index++) {
        for (uint32_t node = 0; node < nodes; node++) {
            guests_left += host_of(index, node) == me;
        }
    }
    if (jobs) {
        mbcf_agent(0, &agent);
        if (!mbcf_queue()) {
            fail("no queue");
        }
    }
}

/* A first message has come. */
static void welcome(struct known *new, const struct mbcf_first *first)
{
    struct hello hello;
    struct invitation answer = { .key = agent.key, .task = agent.task, .valid = 1 };

    memcpy(&hello, first->data, sizeof(hello));
    if (first->bytes == 4) {            /* of a guest that has left */
        return;
    }
    if (first->bytes != sizeof(hello) || hello.magic != MAGIC || hello.guest >= GUESTS ||
        hello.guest % NODES != first->source.node || has_come[hello.guest]) {
        fail("a first message of %lu bytes, of guest %lu", (unsigned long)first->bytes,
             (unsigned long)hello.guest);
    }
    has_come[hello.guest] = true;
    memset(new, 0, sizeof(*new));
    new->guest = hello.guest;
    new->used = true;
    new->task = mbcf_enter(1 + (new - known), first->source.node, first->source.number,
                           hello.key);
    while (!send_later((struct mbcf_request) {
               .command = MBCF_WRITE, .task = new->task, .bytes = sizeof(answer),
               .address = (uintptr_t)&invitation,
           }, &answer)) {
    }
}

static void take_visit(void)
{
    struct visit v;

    if (mbcf_take(&visits, &v, sizeof(v)) != sizeof(v)) {
        return;
    }
    for (uint32_t k = 0; k < AT_ONCE; k++) {
        struct known *one = &known[k];

        if (one->used && one->guest == v.guest && !one->leaves) {
            if (v.number != ++one->number) {
                fail("entry %lu of guest %lu comes after %lu", (unsigned long)v.number,
                     (unsigned long)v.guest, (unsigned long)one->number - 1);
            }
            one->leaves = v.leaves;
            expected_rings += v.leaves ? v.signals : 0;
            return;
        }
    }
    fail("an entry of guest %lu, who is not here", (unsigned long)v.guest);
}

void take_guests(void)
{
    static bool within;

    if (!visits.size || within) {
        return;
    }
    within = true;
    take_visit();
    for (uint32_t k = 0; k < AT_ONCE; k++) {
        struct known *one = &known[k];
        struct mbcf_first first;

        if (one->used && one->leaves && !one->tried && pick(4) == 0) {
            one->used = false;
            guests_left--;
        }
        if (!one->used && mbcf_read_queue(&first)) {
            welcome(one, &first);
        }
    }
    within = false;
}

bool guests_settled(void)
{
    if (sum[0] != -sum[1]) {
        fail("guests have added %lu and %lu", (unsigned long)sum[0],
             (unsigned long)sum[1]);
    }
    if (rung > expected_rings) {
        fail("guests have rung %lu times, not %lu", (unsigned long)rung,
             (unsigned long)expected_rings);
    }
    return rung == expected_rings;
}

static void gift_ended(struct lane *lane)
{
    struct known *one = &known[lane->k];
    uint32_t status = lane->status[0];

    one->tried = false;
    if (status == MBCF_DONE) {
        return;
    }
    for (uint32_t k = 0; k <= ROOM / sizeof(struct visit) && !one->leaves; k++) {
        take_visit();
    }
    if (!one->leaves || (status != MBCF_NO_TASK && status != MBCF_BAD_KEY)) {
        fail("a command to guest %lu, who %s: %s", (unsigned long)one->guest,
             one->leaves ? "leaves" : "is here", mbcf_status_name(status));
    }
}

/* Writes or reads the memory of a guest, if there is one. */
void use_guest(struct lane *lane)
{
    uint32_t k = pick(AT_ONCE);
    struct known *one = &known[k];
    uint32_t words = 1 + pick(GIFT), at = pick(GIFT + 1 - words);

    if (!one->used) {
        lane->count = 0;
        return;
    }
    one->tried = true;
    lane->k = k;
    lane->ended = gift_ended;
    lane->request[0].task = one->task;
    lane->request[0].address = (uintptr_t)&gift[at];
    lane->request[0].bytes = 4 * words;
    if (pick(2)) {
        for (uint32_t i = 0; i < words; i++) {
            one->gift[at + i] = pick(1 << 20);
        }
        memcpy(lane->from, &one->gift[at], 4 * words);
        lane->request[0].command = MBCF_WRITE;
        lane->request[0].local = (uintptr_t)lane->from;
    } else {
        memcpy(lane->want, &one->gift[at], 4 * words);
        lane->bytes = 4 * words;
        lane->request[0].command = MBCF_READ;
        lane->request[0].local = (uintptr_t)lane->got;
    }
    launch(lane);
}
