/*
 * mbcf-mixture: entries of FIFOs, and signals.
 *
 * A node has a FIFO and a signal for each node, and one of each for all. The seed decides
 * how large and of which kind they are. The entries of a source come in order, each one
 * whole. A signal's bytes are where its structure says, and its program runs as often as
 * that says.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "random.h"
#include "mixture.h"

enum {
    BUFFER = 9000,              /* bytes of a FIFO, at most */
    ENTRY = 4200,               /* of an entry with its source, at most */
};

uint32_t entries, invocations;

/* A source's entries to FIFO or signal k of a node: sent so far, and those that are done. */
static uint32_t sent[NODES][STREAMS + SIGNALS], done[NODES][STREAMS + SIGNALS];

static struct mbcf_fifo fifo[STREAMS + SIGNALS];
static struct mbcf_signal signals[SIGNALS];
static uint32_t buffer[STREAMS + SIGNALS][BUFFER / 4], place[SIGNALS][ENTRY / 4];
static uint32_t next[STREAMS + SIGNALS][NODES], came[STREAMS + SIGNALS];
static uint32_t runs[SIGNALS];
static uint32_t program_state = 1;

/* ---- What they are ------------------------------------------------------------ */

static uint32_t size_of(uint32_t node, uint32_t k)
{
    static const uint32_t below[] = { 100, 600, BUFFER };
    uint32_t most = below[hash(seed, node, k + 20) % 3];

    return (48 + hash(seed, node, k + 40) % (most - 48)) & -4u;
}

static struct mbcf_signal signal_of(uint32_t node, uint32_t k)
{
    uint32_t random = hash(seed, node, k + 60);

    return (struct mbcf_signal) {
        .invoke = random % 3,
        .store = random / 3 % 3 | (random / 9 % 2 ? MBCF_STORE_SOURCE : 0),
        .during = random / 18 % 3,
    };
}

static uint32_t source_bytes(const struct mbcf_signal *s)
{
    return s->store & MBCF_STORE_SOURCE ? sizeof(struct mbcf_source) : 0;
}

/* Bytes of an entry: a word with source and number, and those that follow from them. */
static uint32_t length_of(uint32_t source, uint32_t number, uint32_t room)
{
    static const uint32_t below[] = { 8, 32, 200, MBCF_BYTES_MAX };
    uint32_t random = hash(seed, source + 5, number);
    uint32_t most = below[random % 4] < room ? below[random % 4] : room;

    return 4 + random / 4 % (most - 3);
}

/* Most bytes of an entry of stream or signal k, without its source. */
static uint32_t room_of(uint32_t node, uint32_t k)
{
    uint32_t room = size_of(node, k) - 4;

    if (k >= STREAMS) {
        room -= sizeof(struct mbcf_source);
    }
    return room < MBCF_BYTES_MAX ? room : MBCF_BYTES_MAX;
}

static uint8_t byte_of(uint32_t name, uint32_t i)
{
    return name * 31 + i * 7 + (name + i) / 50;
}

static void fill(uint8_t *bytes, uint32_t count, uint32_t source, uint32_t number)
{
    uint32_t name = source << 24 | number;

    memcpy(bytes, &name, 4);
    for (uint32_t i = 4; i < count; i++) {
        bytes[i] = byte_of(name, i);
    }
}

/* Checks that bytes of stream or signal k are a whole entry. Returns its name. */
static uint32_t check(const uint8_t *bytes, uint32_t count, uint32_t k)
{
    uint32_t name, source, number;

    memcpy(&name, bytes, 4);
    source = name >> 24;
    number = name & 0xffffff;
    if (source >= nodes || count != length_of(source, number, room_of(me, k))) {
        fail("%lu bytes of 0x%lx have come to structure %lu", (unsigned long)count,
             (unsigned long)name, (unsigned long)k);
    }
    for (uint32_t i = 4; i < count; i++) {
        if (bytes[i] != byte_of(name, i)) {
            fail("byte %lu of %lu of entry %lu of node %lu, in structure %lu, is wrong",
                 (unsigned long)i, (unsigned long)count, (unsigned long)number,
                 (unsigned long)source, (unsigned long)k);
        }
    }
    return name;
}

static void check_source(const struct mbcf_source *source, uint32_t name)
{
    if (source->node != name >> 24 || source->task != name >> 24 ||
        source->number != mbcf_page()->task) {
        fail("node %lu, task %lu are no source of 0x%lx", (unsigned long)source->node,
             (unsigned long)source->task, (unsigned long)name);
    }
}

/* ---- Sending --------------------------------------------------------------------- */

static void count_done(struct lane *lane)
{
    done[lane->request[0].task][lane->k]++;
}

static void prepare(struct lane *lane, uint32_t node, uint32_t k)
{
    uint32_t number = ++sent[node][k], bytes = length_of(me, number, room_of(node, k));

    lane->k = k;
    lane->ended = count_done;
    fill(lane->from, bytes, me, number);
    lane->request[0].task = node;
    lane->request[0].local = (uintptr_t)lane->from;
    lane->request[0].bytes = bytes;
}

void send_entry(struct lane *lane, uint32_t node)
{
    uint32_t k = pick(2) ? me : NODES;
    bool stops = hash(seed, node, k + 80) % 2;

    prepare(lane, node, k);
    lane->request[0].command = stops ? MBCF_FIFOE : MBCF_FIFO;
    lane->request[0].address = (uintptr_t)&fifo[k];
    lane->request[0].options = MBCF_COLOUR(4);
}

static void on_source(struct mbcf_signal *signal);

void send_signal(struct lane *lane, uint32_t node)
{
    uint32_t k = pick(2) ? me : NODES;

    prepare(lane, node, STREAMS + k);
    lane->request[0].command = MBCF_SIGNAL;
    lane->request[0].address = (uintptr_t)&signals[k];
    lane->request[0].operand[0] = (uintptr_t)on_source;
    if ((signal_of(node, k).store & 3) == MBCF_STORE_NONE) {
        lane->request[0].bytes = 0;
    }
}

uint32_t structures_sent(uint32_t node, uint32_t k)
{
    return done[node][k];
}

/* ---- What has come ------------------------------------------------------------------ */

/* Takes the oldest entry of FIFO k, in an atomic section. Returns whether there was one. */
static bool take(uint32_t k)
{
    static uint8_t got[ENTRY] __attribute__((aligned(4)));
    uint32_t skip = 0, name, number;
    int32_t bytes;

    bytes = mbcf_take(&fifo[k], got, 3);        /* all have more */
    if (bytes == -EAGAIN) {
        return false;
    }
    if (bytes != -EMSGSIZE) {
        fail("taking 3 bytes of FIFO %lu: %ld", (unsigned long)k, (long)bytes);
    }
    bytes = mbcf_take(&fifo[k], got, sizeof(got));
    if (k >= STREAMS) {
        skip = source_bytes(&signals[k - STREAMS]);
    }
    if (bytes < (int32_t)skip + 4) {
        fail("taking from FIFO %lu: %ld", (unsigned long)k, (long)bytes);
    }
    name = check(got + skip, bytes - skip, k);
    if (skip) {
        check_source((struct mbcf_source *)got, name);
    }
    number = name & 0xffffff;
    if (next[k][name >> 24]++ + 1 != number) {
        fail("entry %lu of node %lu in FIFO %lu comes after %lu", (unsigned long)number,
             (unsigned long)(name >> 24), (unsigned long)k,
             (unsigned long)next[k][name >> 24] - 1);
    }
    came[k]++;
    entries++;
    return true;
}

void take_entries(void)
{
    uint32_t k = pick(STREAMS + SIGNALS);

    for (uint32_t most = pick(4); most; most--) {
        bool some;

        udm_beginatom();
        some = take(k);
        udm_endatom();
        if (!some) {
            k = (k + 1) % (STREAMS + SIGNALS);
        }
    }
}

static volatile uint32_t told;

static void on_told(void)
{
    udm_dispose();
    told++;
}

/* The program of a signal. */
static void invoked(struct mbcf_signal *signal, uint32_t invoke)
{
    uint32_t k = signal - signals, skip = source_bytes(signal);
    volatile double x = k + 0.5;

    if (k >= SIGNALS || signal->invoke != invoke) {
        fail("a program of kind %lu is invoked by signal %lu", (unsigned long)invoke,
             (unsigned long)k);
    }
    if (!udm_atomic() || !signal->running) {
        fail("a program of signal %lu: no atomic section, or it does not run",
             (unsigned long)k);
    }
    runs[k]++;
    invocations++;
    if ((signal->store & 3) == MBCF_STORE_FIFO && pick(3)) {
        take(STREAMS + k);
    }
    if ((signal->store & 3) == MBCF_STORE_BUFFER &&
        signal->during == MBCF_WHILE_REFUSE) {  /* and so nobody writes there */
        uint32_t name = place[k][skip / 4];
        uint32_t count = length_of(name >> 24, name & 0xffffff, room_of(me, STREAMS + k));

        check((uint8_t *)place[k] + skip, count, STREAMS + k);
        if (skip) {
            check_source((struct mbcf_source *)place[k], name);
        }
    }
    switch (random_next(&program_state) % 4) {
    case 0:
        udm_inject(random_next(&program_state) % nodes, on_told);
        break;
    case 1:
        send_later((struct mbcf_request) {
            .command = MBCF_FETCH_ADD, .task = random_next(&program_state) % nodes,
            .address = (uintptr_t)&told,
        }, NULL);
        break;
    }
    if (x * 4 != 4 * k + 2) {
        fail("the FPU of a program");
    }
}

static void on_source(struct mbcf_signal *signal)
{
    invoked(signal, MBCF_INVOKE_SOURCE);
}

static void on_target(struct mbcf_signal *signal)
{
    invoked(signal, MBCF_INVOKE_TARGET);
}

void on_scheduler(struct mbcf_signal *signal)
{
    invoked(signal, MBCF_INVOKE_SCHEDULER);
}

bool structures_settled(const uint32_t *expected)
{
    for (uint32_t k = 0; k < STREAMS; k++) {
        if (came[k] > expected[k]) {
            fail("%lu entries of %lu have come to FIFO %lu", (unsigned long)came[k],
                 (unsigned long)expected[k], (unsigned long)k);
        }
        if (came[k] < expected[k]) {
            return false;
        }
    }
    for (uint32_t k = 0; k < SIGNALS; k++) {
        struct mbcf_signal s = signal_of(me, k);
        uint32_t all = expected[STREAMS + k];
        uint32_t ran = runs[k], stored = came[STREAMS + k];

        if (ran > all || stored > all) {
            fail("signal %lu: %lu programs, %lu entries of %lu", (unsigned long)k,
                 (unsigned long)ran, (unsigned long)stored, (unsigned long)all);
        }
        if (signals[k].running || (s.during != MBCF_WHILE_STORE && ran < all) ||
            (all && !ran) || ((s.store & 3) == MBCF_STORE_FIFO && stored < all)) {
            return false;
        }
    }
    return true;
}

void structures_set_up(void)
{
    program_state = hash(seed, me, 7) | 1;
    for (uint32_t k = 0; k < STREAMS + SIGNALS; k++) {
        fifo[k].buffer = (uintptr_t)buffer[k];
        fifo[k].size = size_of(me, k);
    }
    for (uint32_t k = 0; k < SIGNALS; k++) {
        signals[k] = signal_of(me, k);
        signals[k].program = (uintptr_t)on_target;
        if ((signals[k].store & 3) == MBCF_STORE_BUFFER) {
            signals[k].to = (uintptr_t)place[k];
            signals[k].size = sizeof(place[k]);
        } else if ((signals[k].store & 3) == MBCF_STORE_FIFO) {
            signals[k].to = (uintptr_t)&fifo[STREAMS + k];
        }
    }
    mbcf_scheduler(on_scheduler);
    mbcf_take_signals();
}
