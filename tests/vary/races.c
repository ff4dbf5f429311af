/*
 * Races, one at a time, and what looks like one and is none.
 *
 *     races CASE
 *
 * The lines of a race are marked: with the case's name, "handler" is what the handler
 * does, and "thread" what the thread does. Cases without marks have no race. All need
 * three nodes: the work is done on node 0, and the others send to it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "udm-collective.h"
#include "udm-thread.h"
#include "udm.h"

enum { WORDS = 8, ROUNDS = 6 };

static volatile unsigned came, word, other;
static volatile unsigned buffer[2][WORDS];
static volatile unsigned char byte, neighbour;
static udm_thread_t *sleeper;

static void work(unsigned amount)
{
    for (volatile unsigned k = 0; k < amount; k++) {
    }
}

static void comes(void)
{
    udm_dispose();
    came++;
}

static void wait_for(unsigned count)
{
    while (came < count) {
    }
}

/* ---- A word --------------------------------------------------------------- */

/* A number of work to do, which both change. */
static void adds(void)
{
    word += udm_arg(0);                         /* update: handler */
    udm_dispose();
    came++;
}

static unsigned __attribute__((noinline)) less(unsigned value)
{
    return value - 1;
}

static void update(void)
{
    if (udm_node()) {
        udm_inject(0, adds, 3);
        return;
    }
    for (unsigned k = 0; k < 6; k++) {
        work(50);
        word = less(word);                      /* update: thread */
    }
    wait_for(udm_nodes() - 1);
}

/* A thread forgets what it has not seen. */
static void counts(void)
{
    udm_dispose();
    other++;                                    /* reset: handler */
    came++;
}

static void reset(void)
{
    if (udm_node()) {
        udm_inject(0, counts);
        return;
    }
    work(400);
    other = 0;                                  /* reset: thread */
    wait_for(udm_nodes() - 1);
}

/* A result is read when only half of it must have come. */
static void half_comes(void)
{
    buffer[0][udm_source()] = udm_arg(0);       /* half: handler */
    udm_dispose();
    came++;
}

static void half(void)
{
    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, half_comes, udm_node());
        return;
    }
    wait_for(1);
    printf("%u\n", buffer[0][1] + buffer[0][2]);        /* half: thread */
}

static void half_comes_too(void)
{
    buffer[1][udm_source()] = udm_arg(0);       /* search: handler */
    udm_dispose();
    came++;
}

/* A search does not wait, though what it finds decides how long it goes on. */
static void search(void)
{
    unsigned k = 0;

    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, half_comes_too, udm_node());
        return;
    }
    wait_for(1);
    while (k < WORDS && buffer[1][k] != 2) {   /* search: thread */
        k++;
    }
    wait_for(udm_nodes() - 1);
    printf("%u\n", k);
}

/* A credit that comes between the load and the store is lost, though the thread waits for
 * the word. */
static volatile unsigned credits = 2, asked_for;

static void credit_comes(void)
{
    udm_dispose();
    credits++;                                  /* credit: handler */
}

static void takes_credit(void)
{
    unsigned from = udm_source();

    udm_dispose();
    asked_for++;
    udm_inject(from, credit_comes);
}

static void credit(void)
{
    for (unsigned k = 0; k < 8 && !udm_node(); k++) {
        while (!credits) {
        }
        credits--;                              /* credit: thread */
        udm_inject(1 + k % 2, takes_credit);
    }
    while (udm_node() && asked_for < 4) {
    }
}

/* Two words in one line, of which the thread waits for one. */
static void other_comes(void)
{
    udm_dispose();
    other = 7;                                  /* beside: handler */
}

static void beside(void)
{
    static volatile unsigned found;

    if (udm_node()) {
        work(udm_node() == 1 ? 400 : 0);
        udm_inject(0, udm_node() == 1 ? comes : other_comes);
        return;
    }
    while (!came) { } found = other;            /* beside: thread */
    printf("%u\n", found);
}

/* The thread knows of the last write, and of none before that. */
static void gives(void)
{
    word = 1;                                   /* twice: handler */
    udm_dispose();
}

static void gives_and_says(void)
{
    word = 2;
    udm_dispose();
    came++;
}

static void twice(void)
{
    if (udm_node()) {
        work(udm_node() == 2 ? 400 : 0);
        udm_inject(0, udm_node() == 2 ? gives_and_says : gives);
        return;
    }
    wait_for(1);
    printf("%u\n", word);                       /* twice: thread */
}

/* A handler knows that the thread has read the word, and another one does not. */
static void second(void)
{
    word = 1;
    udm_dispose();
    came++;
}

static void is_read(void)
{
    udm_dispose();
    asked_for++;
    udm_inject(0, second);
}

static void third(void)
{
    word = 3;                                   /* after: handler */
    udm_dispose();
    came++;
}

static void after(void)
{
    unsigned found;

    if (udm_node() == 0) {
        found = word;                           /* after: thread */
        udm_inject(1, is_read);
        wait_for(2);
        printf("%u\n", found);
    }
    while (udm_node() == 1 && !asked_for) {
    }
    if (udm_node() == 2) {
        work(2000);
        udm_inject(0, third);
    }
}

/* ---- Buffers and bodies --------------------------------------------------- */

/* A body is stored where the last one is still read. */
static void body_comes(void)
{
    udm_storeback((void *)buffer[0], 0, sizeof(buffer[0]));     /* store: handler */
    udm_dispose();
    came++;
}

static void store(void)
{
    unsigned sum = 0, body[WORDS] = { udm_node() };

    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject_body(0, body_comes, body, sizeof(body));
        return;
    }
    wait_for(1);
    for (unsigned k = 0; k < WORDS; k++) {
        sum += buffer[0][k];                    /* store: thread */
    }
    wait_for(udm_nodes() - 1);
    printf("%u\n", sum);
}

/* A body is changed by a handler before it is sent. */
static void changes(void)
{
    buffer[0][1] = udm_arg(0);                  /* send: handler */
    udm_dispose();
    came++;
}

static void takes(void)
{
    udm_dispose();
}

static void send(void)
{
    if (udm_node() == 1) {
        udm_inject(0, changes, 5);
    }
    if (udm_node() == 0) {
        work(100);
        udm_inject_body(2, takes, buffer[0], sizeof(buffer[0]));    /* send: thread */
        wait_for(1);
    }
}

/* ---- No races ------------------------------------------------------------- */

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

/* The thread waits for one word of an array after the other. */
static void each(void)
{
    if (udm_node()) {
        work(udm_node() * 200);
        udm_inject(0, half_comes, udm_node());
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
        udm_inject(0, half_comes, udm_node());
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
        udm_inject(0, half_comes, udm_node());
        return;
    }
    while (!have_come(udm_nodes() - 1)) {
    }
    printf("%u\n", buffer[0][1] + buffer[0][2]);
}

/* A function's load waits only if all that call it do. */
static bool __attribute__((noipa)) has_other(void)
{
    return other == 7;                          /* asks: thread */
}

static void other_comes_too(void)
{
    udm_dispose();
    other = 7;                                  /* asks: handler */
    came++;
}

static void asks(void)
{
    if (udm_node() == 1) {
        udm_inject(0, other_comes_too);
    }
    if (udm_node() == 0) {
        work(100);
        printf("%d\n", has_other());
        while (!has_other()) {
        }
    }
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
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {
        { "update", update }, { "reset", reset }, { "half", half }, { "store", store },
        { "search", search },
        { "send", send }, { "section", section }, { "turns", turns },
        { "barrier", barrier }, { "wake", wake }, { "poll", poll }, { "bytes", bytes },
        { "post", post }, { "reply", reply }, { "credit", credit }, { "beside", beside },
        { "twice", twice }, { "after", after }, { "each", each }, { "wide", wide },
        { "function", function }, { "asks", asks }, { "kept", kept },
    };

    for (unsigned k = 0; argc > 1 && k < sizeof(all) / sizeof(*all); k++) {
        if (!strcmp(argv[1], all[k].name)) {
            all[k].run();
            return 0;
        }
    }
    return 1;
}
