/*
 * Programs that look like those of races.c, and have no race.
 *
 *     ordered CASE
 *
 * All need three nodes: the work is done on node 0, and the others send to it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "case.h"

static volatile unsigned char byte, neighbour;
static udm_thread_t *sleeper;

/* A number of work to do, which both change. */
static void adds(void)
{
    word += udm_arg(0);
    udm_dispose();
    came++;
}

static unsigned __attribute__((noinline)) less(unsigned value)
{
    return value - 1;
}

/* The change is a section. */
static void section(void)
{
    if (udm_node()) {
        udm_inject(0, adds, 3);
        return;
    }
    for (unsigned k = 0; k < 6; k++) {
        udm_beginatom();
        word = less(word);
        udm_endatom();
    }
    wait_for(udm_nodes() - 1);
    printf("%u\n", word);
}

/* A handler that stores a node's word. */
static void stores(void)
{
    buffer[0][udm_source()] = udm_arg(0);
    udm_dispose();
    came++;
}

/* The thread waits for one word of an array after the other. */
static void each(void)
{
    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, stores, udm_node());
        return;
    }
    for (unsigned k = 1; k < udm_nodes(); k++) {
        while (!buffer[0][k]) {
        }
    }
    printf("%u\n", buffer[0][1] + buffer[0][2]);
}

/* The thread waits, and keeps what it has loaded on its stack. */
static void kept(void)
{
    volatile unsigned found = 0;

    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, stores, udm_node());
        return;
    }
    while (found < udm_nodes() - 1) {
        found = came;
        work(10);
    }
    printf("%u\n", buffer[0][1] + buffer[0][2]);
}

/* The thread waits for what a function says. */
static bool __attribute__((noipa)) have_come(unsigned count)
{
    return came >= count;
}

static void function(void)
{
    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, stores, udm_node());
        return;
    }
    while (!have_come(udm_nodes() - 1)) {
    }
    printf("%u\n", buffer[0][1] + buffer[0][2]);
}

/* The thread waits for a number of two words. */
static volatile unsigned long long long_came;

static void comes_long(void)
{
    udm_dispose();
    long_came++;
}

static void wide(void)
{
    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, comes_long);
        return;
    }
    while (long_came < udm_nodes() - 1) {
    }
}

/* A buffer is filled again when the node has said that it has read it. */
static volatile unsigned go;

static void goes(void)
{
    udm_dispose();
    go++;
}

static void fills(void)
{
    buffer[0][udm_arg(0)] = udm_arg(1);
    udm_dispose();
    came++;
}

static void turns(void)
{
    unsigned sum = 0;

    for (unsigned round = 0; round < ROUNDS && udm_node() < 2; round++) {
        if (udm_node() == 1) {
            for (unsigned k = 0; k < WORDS; k++) {
                udm_inject(0, fills, k, round);
            }
            while (go <= round) {
            }
            continue;
        }
        wait_for((round + 1) * WORDS);
        for (unsigned k = 0; k < WORDS; k++) {
            sum += buffer[0][k];
        }
        udm_inject(1, goes);
    }
    if (udm_node() == 0) {
        printf("%u\n", sum);
    }
}

/* A barrier is between. */
static void barrier(void)
{
    unsigned sum = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        if (udm_node()) {
            udm_inject(0, fills, udm_node(), round);
        } else {
            wait_for((round + 1) * (udm_nodes() - 1));
            for (unsigned k = 1; k < udm_nodes(); k++) {
                sum += buffer[0][k];
            }
        }
        udm_barrier();
    }
    if (udm_node() == 0) {
        printf("%u\n", sum);
    }
}

/* A handler wakes the thread. */
static void wakes(void)
{
    word = udm_arg(0);
    udm_dispose();
    came++;
    udm_thread_wake(sleeper);
}

static void wake(void)
{
    sleeper = udm_thread_self();
    udm_barrier();
    if (udm_node() == 1) {
        udm_inject(0, wakes, 4);
    }
    if (udm_node() == 0) {
        while (!came) {
            udm_thread_block();
        }
        printf("%u\n", word);
    }
}

/* The node that fills polls, in a section, for the other's word that it has read. */
static void poll(void)
{
    unsigned sum = 0;

    for (unsigned round = 0; round < ROUNDS && udm_node() < 2; round++) {
        if (udm_node() == 1) {
            udm_inject(0, fills, 1, round);
            udm_beginatom();
            while (go <= round) {
                udm_poll();
            }
            udm_endatom();
            continue;
        }
        wait_for(round + 1);
        sum += buffer[0][1];
        udm_inject(1, goes);
    }
    if (udm_node() == 0) {
        printf("%u\n", sum);
    }
}

/* Two bytes of one word. */
static void sets(void)
{
    udm_dispose();
    byte = 1;
    came++;
}

static void bytes(void)
{
    if (udm_node()) {
        udm_inject(0, sets);
        return;
    }
    for (unsigned k = 0; k < 100; k++) {
        neighbour++;
    }
    wait_for(udm_nodes() - 1);
    printf("%u\n", byte + neighbour);
}

/* The thread posts, the handler takes. */
static volatile bool posted;

static void takes_posted(void)
{
    udm_dispose();
    if (posted) {
        other += word;
        posted = false;
    }
    came++;
}

static void post(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (udm_node()) {
            udm_inject(0, takes_posted);
            work(100);
        } else if (!posted) {
            word = round;
            posted = true;
            work(100);
        }
    }
    if (udm_node() == 0) {
        wait_for((udm_nodes() - 1) * ROUNDS);
        printf("%u\n", other);
    }
}

/* A handler answers before it has counted; the answer comes back by another node. */
static void passes_on(void)
{
    udm_dispose();
    udm_inject(0, comes);
    go++;
}

static void asked(void)
{
    udm_dispose();
    udm_inject(1, passes_on);
    other++;
}

static void reply(void)
{
    if (udm_node() == 2) {
        udm_inject(0, asked);
    }
    while (udm_node() == 1 && !go) {
    }
    if (udm_node() == 0) {
        wait_for(1);
        printf("%u\n", other);
    }
}

int main(int argc, char **argv)
{
    static const struct one_case all[] = {
        { "section", section }, { "turns", turns }, { "barrier", barrier },
        { "wake", wake }, { "poll", poll }, { "bytes", bytes }, { "post", post },
        { "reply", reply }, { "each", each }, { "wide", wide },
        { "function", function }, { "kept", kept },
    };

    return argc > 1 ? run_case(argv[1], all, sizeof(all) / sizeof(*all)) : 1;
}
