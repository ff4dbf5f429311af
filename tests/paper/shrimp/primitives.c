/*
 * The message-passing primitives of shrimp.h and nx.h, to be executed step by step: node
 * 0 sends, node 1 receives, TURNS messages by each primitive. The code of a primitive
 * lies between labels, and rows name the purpose of its instructions. ./run.sh paper
 * shrimp counts them (Blumrich et al., ISCA 1994, table 1).
 *
 * The ends agree by time alone: each acts in its half of a turn, so no primitive has
 * to wait. The receiver checks all messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "nx.h"
#include "shrimp-buffers.h"
#include "udm.h"

#define TURNS   8
#define HALF    8000            /* cycles, half of a turn */
#define BYTES   64              /* of a message */
#define WORDS   (BYTES / 4)
#define FIRST   400000          /* cycle of the first turn: all is mapped by then */

enum { BUFFERS = 1, PAGES = 2 };        /* exports */

/* A global label, and the row of the instructions that follow (rows.h). */
#define AT(label, row) \
    asm volatile (".globl " label "\n" label ":\n" \
                  ".pushsection .debug_rows, \"\", %%progbits\n\t" \
                  ".long " label "\n\t.asciz \"" row "\"\n\t.balign 4\n\t" \
                  ".popsection" : : : "memory")

/* Keeps the computation of a variable on its side. */
#define PIN(variable) asm volatile ("" : "+r" (variable))

static struct shrimp_buffer buffer[2] __attribute__((aligned(8192)));
static struct shrimp_buffer page;       /* for deliberate update */
static uint32_t copy[WORDS];
static uint64_t turn_begins;

/* Waits for this node's half of the next turn: the sender's is the first. */
static void __attribute__((noipa)) await_turn(void)
{
    while (udm_cycles() < turn_begins) {
    }
    turn_begins += 2 * HALF;
}

static void __attribute__((noipa)) await(uint32_t cycles)
{
    uint32_t began = udm_cycles32();

    while (udm_cycles32() - began < cycles) {
    }
}

static uint32_t content(uint32_t turn, uint32_t i)
{
    return turn << 16 | (i + 1);
}

static void __attribute__((noipa)) produce(volatile uint32_t *data, uint32_t turn)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        data[i] = content(turn, i);
    }
}

static void __attribute__((noipa))
consume(const volatile uint32_t *data, uint32_t turn, uint32_t bytes)
{
    uint32_t wrong = bytes != BYTES;

    for (uint32_t i = 0; i < WORDS; i++) {
        wrong += data[i] != content(turn, i);
    }
    check("a message is right", wrong, 0);
}

/* ---- Single buffering ------------------------------------------------------- */

static void __attribute__((noipa))
single_send(volatile uint32_t *data, volatile uint32_t *nbytes, uint32_t bytes)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        AT("single_send_wait", "wait until the buffer is empty");
        shrimp_single_begin(nbytes);
        AT("single_send_waited", "none");
        produce(data, turn);
        AT("single_send_set", "set nbytes");
        shrimp_single_send(nbytes, bytes);
        AT("single_send_done", "none");
    }
}

static void __attribute__((noipa))
single_receive(const volatile uint32_t *data, volatile uint32_t *nbytes)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t bytes;

        await_turn();
        AT("single_receive_wait", "wait for a message");
        bytes = shrimp_single_receive(nbytes);
        AT("single_receive_waited", "none");
        consume(data, turn, bytes);
        AT("single_receive_clear", "clear nbytes");
        shrimp_single_end(nbytes);
        AT("single_receive_done", "none");
    }
}

static void __attribute__((noipa))
copied_receive(const volatile uint32_t *data, volatile uint32_t *nbytes,
               uint32_t *to)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t bytes;

        await_turn();
        AT("copied_receive_wait", "wait for a message, prepare to copy, clear nbytes");
        bytes = shrimp_single_receive_copy(nbytes, to, data);
        AT("copied_receive_done", "none");
        consume(to, turn, bytes);
    }
}

/* ---- Double buffering ------------------------------------------------------- */

/* Case 1: both ends do the same. The message was sent in the turn before. */
static void __attribute__((noipa))
double1_send(struct shrimp_buffer *at, uintptr_t pair)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        produce(at->data, turn);
        PIN(at);
        AT("double1_send_swap", "swap buffers");
        shrimp_double1_next(at, pair);
        PIN(at);
        AT("double1_send_done", "none");
    }
}

static void __attribute__((noipa))
double1_receive(struct shrimp_buffer *at, uintptr_t pair)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        consume(at->data, turn, BYTES);
        PIN(at);
        AT("double1_receive_swap", "swap buffers");
        shrimp_double1_next(at, pair);
        PIN(at);
        AT("double1_receive_done", "none");
    }
}

static void __attribute__((noipa))
double2_send(struct shrimp_buffer *at, uintptr_t pair, uint32_t bytes)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        produce(at->data, turn);
        PIN(at);
        AT("double2_send_set", "set nbytes, swap buffers");
        shrimp_double2_send(at, pair, bytes);
        PIN(at);
        AT("double2_send_done", "none");
    }
}

static void __attribute__((noipa))
double2_receive(struct shrimp_buffer *at, uintptr_t pair)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t bytes;

        await_turn();
        AT("double2_receive_wait", "wait for a message");
        bytes = shrimp_double2_receive(at);
        AT("double2_receive_waited", "none");
        consume(at->data, turn, bytes);
        PIN(at);
        AT("double2_receive_clear", "clear nbytes, swap buffers");
        shrimp_double2_end(at, pair);
        PIN(at);
        AT("double2_receive_done", "none");
    }
}

static void __attribute__((noipa))
double3_send(struct shrimp_buffer *at, uintptr_t pair, uint32_t bytes)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        AT("double3_send_wait", "wait until the buffer is empty");
        shrimp_double3_begin(at);
        AT("double3_send_waited", "none");
        produce(at->data, turn);
        PIN(at);
        AT("double3_send_set", "set nbytes, swap buffers");
        shrimp_double3_send(at, pair, bytes);
        PIN(at);
        AT("double3_send_done", "none");
    }
}

static void __attribute__((noipa))
double3_receive(struct shrimp_buffer *at, uintptr_t pair)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t bytes;

        await_turn();
        AT("double3_receive_wait", "wait for a message");
        bytes = shrimp_double3_receive(at);
        AT("double3_receive_waited", "none");
        consume(at->data, turn, bytes);
        PIN(at);
        AT("double3_receive_clear", "clear nbytes, swap buffers");
        shrimp_double3_end(at, pair);
        PIN(at);
        AT("double3_receive_done", "none");
    }
}

/* ---- Deliberate update ------------------------------------------------------ */

static void __attribute__((noipa))
deliberate_send(volatile uint32_t *data, uint32_t bytes)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        produce(data, turn);
        PIN(data);
        PIN(bytes);
        AT("deliberate_send_start", "start the transfer");
        shrimp_send(data, bytes);
        AT("deliberate_send_started", "none");
        await(HALF / 2);
        AT("deliberate_send_check", "check that it has finished");
        shrimp_wait_sent(data);
        AT("deliberate_send_done", "none");
    }
}

static void __attribute__((noipa))
deliberate_receive(const volatile uint32_t *data)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        await_turn();
        consume(data, turn, BYTES);
    }
}

/* ---- NX/2: a word, of a type that is known -------------------------------------- */

static void __attribute__((noipa)) nx_send(long type, long to)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t word = content(turn, 0);

        await_turn();
        AT("nx_send_call", "call");
        csend(type, &word, sizeof(word), to, 0);
        AT("nx_send_done", "none");
    }
}

static void __attribute__((noipa)) nx_receive(long type)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint32_t word;

        await_turn();
        AT("nx_receive_call", "call");
        crecv(type, &word, sizeof(word));
        AT("nx_receive_done", "none");
        check("a word is right", word, content(turn, 0));
    }
}

static void send(uintptr_t pair)
{
    shrimp_connect_send(buffer, 2, 1, BUFFERS, SHRIMP_SINGLE);
    shrimp_connect_send(&page, 1, 1, PAGES, SHRIMP_DELIBERATE);
    csend(1, &pair, 0, 1, 0);               /* maps, and makes the type known */
    turn_begins = FIRST;
    single_send(buffer[0].data, &buffer[0].nbytes, BYTES);
    single_send(buffer[0].data, &buffer[0].nbytes, BYTES);
    double1_send(buffer, pair);
    double2_send(buffer, pair, BYTES);
    double3_send(buffer, pair, BYTES);
    deliberate_send(page.data, BYTES);
    nx_send(1, 1);
}

static void receive(uintptr_t pair)
{
    shrimp_offer(buffer, 2, BUFFERS);
    shrimp_offer(&page, 1, PAGES);
    shrimp_connect_receive(buffer, 2, 0, BUFFERS);
    shrimp_connect_receive(&page, 1, 0, PAGES);
    crecv(1, &pair, 0);
    turn_begins = FIRST + HALF;
    single_receive(buffer[0].data, &buffer[0].nbytes);
    copied_receive(buffer[0].data, &buffer[0].nbytes, copy);
    double1_receive(buffer, pair);
    double2_receive(buffer, pair);
    double3_receive(buffer, pair);
    deliberate_receive(page.data);
    nx_receive(1);
}

int main(void)
{
    uintptr_t pair = SHRIMP_PAIR(&buffer[0], &buffer[1]);

    check("buffers differ in one bit", pair & (pair - 1), 0);
    (udm_node() ? receive : send)(pair);
    return check_end();
}
