/*
 * Programs with one race each. ordered.c has those without one.
 *
 *     races CASE
 *
 * The lines of a race are marked: with the case's name, "handler" is what the handler
 * does, and "thread" what the thread does. All need three nodes: the work is done on
 * node 0, and the others send to it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "case.h"

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

int main(int argc, char **argv)
{
    static const struct one_case all[] = {
        { "update", update }, { "reset", reset }, { "half", half },
        { "search", search }, { "store", store }, { "send", send },
        { "credit", credit }, { "beside", beside }, { "twice", twice },
        { "after", after }, { "asks", asks },
    };

    return argc > 1 ? run_case(argv[1], all, sizeof(all) / sizeof(*all)) : 1;
}
