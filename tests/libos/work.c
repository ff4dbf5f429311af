/*
 * Deferred work: the order in which it is done, by which thread, and when; what
 * the way from a handler to the thread and back costs. All messages go from
 * the node to itself. With the argument "section", deferred work returns in an
 * atomic section, which ends the job; with "idle", all threads wait.
 *
 * Prints one line per check, and then the costs; the exit status is 1 if a
 * check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "udm-thread.h"
#include "udm-work.h"

/* A piece of work that notes a letter. */
struct letter {
    struct udm_work work;
    char letter;
    unsigned again;             /* times to put itself into the queue */
};

static udm_mutex_t mutex;
static udm_thread_t *worker;
static uint32_t wrong;          /* pieces done in the wrong place */

static void write_letter(struct udm_work *work)
{
    struct letter *l = (struct letter *)work;

    worker = worker ? worker : udm_thread_self();
    wrong += !worker || udm_thread_self() != worker || udm_atomic();
    note(l->letter);
    if (l->again) {
        l->again--;
        wrong += !udm_defer(work) || udm_defer(work);
    }
}

/* Waits, in the middle of its work, for the first thread to unlock. */
static void write_slowly(struct udm_work *work)
{
    struct letter *l = (struct letter *)work;

    note(l->letter);
    udm_mutex_lock(&mutex);
    note(l->letter);
    udm_mutex_unlock(&mutex);
}

static struct letter a = { { .run = write_letter }, .letter = 'a' };
static struct letter b = { { .run = write_letter }, .letter = 'b' };
static struct letter c = { { .run = write_letter }, .letter = 'c' };
static struct letter s = { { .run = write_slowly }, .letter = 's' };

/* ---- Handlers ------------------------------------------------------------ */

/* Arguments: pieces of work. */
static void defers(void)
{
    uint32_t pieces = udm_length() - 2;
    struct udm_work *work[UDM_ARGS_MAX];

    for (uint32_t k = 0; k < pieces; k++) {
        work[k] = (struct udm_work *)udm_arg(k);
    }
    udm_dispose();
    for (uint32_t k = 0; k < pieces; k++) {
        wrong += !udm_defer(work[k]);
    }
    note('h');
}

/* Defers a piece of work, and becomes a thread. */
static void defers_and_waits(void)
{
    udm_dispose();
    udm_defer(&a.work);
    note('(');
    udm_thread_yield();
    note(')');
}

static void send(struct letter *one, struct letter *two)
{
    if (two) {
        udm_inject(udm_node(), defers, (uintptr_t)&one->work,
                   (uintptr_t)&two->work);
    } else {
        udm_inject(udm_node(), defers, (uintptr_t)&one->work);
    }
    settle();
}

/* ---- Tests --------------------------------------------------------------- */

static void test_order(void)
{
    send(&a, NULL);             /* makes the thread, in a handler */
    note('m');
    check_notes("done after the handler, before the first thread", "ham");
    b.again = 2;
    send(&b, &c);
    check_notes("in order; a piece may defer itself again", "hbcbb");

    note('1');
    udm_defer(&a.work);
    note('2');
    check_notes("deferred by a thread: at once", "1a2");
    udm_beginatom();
    udm_defer(&b.work);
    udm_defer(&a.work);
    check("once in the queue, not twice", udm_defer(&b.work), false);
    note('1');
    udm_endatom();
    note('2');
    udm_defer_run();
    note('3');
    check_notes("in an atomic section: after it", "12ba3");
    udm_inject(udm_node(), defers_and_waits);
    settle();
    check_notes("by a handler that becomes a thread: before it goes on",
                "(a)");
    check("one thread does it all, outside of atomic sections", wrong, 0);
}

static void test_waiting(void)
{
    udm_mutex_lock(&mutex);
    send(&s, &a);
    note('m');
    send(&b, NULL);
    note('n');
    udm_mutex_unlock(&mutex);
    note('o');
    check_notes("work that waits lets the first thread run, and no other work",
                "hsmhnsabo");
    check("still in one thread", wrong, 0);
}

/* A handler that has interrupted the work defers more of it. */
static void test_interrupted(void)
{
    static struct letter sends;

    sends = b;
    udm_beginatom();
    udm_inject(udm_node(), defers, (uintptr_t)&b.work);
    udm_defer(&a.work);
    udm_defer(&s.work);
    udm_endatom();
    settle();
    udm_defer(&sends.work);
    check_notes("a handler before the work: behind it", "hassbb");
}

/* ---- Costs --------------------------------------------------------------- */

static volatile uint32_t in_handler, in_thread;

static void time_thread(struct udm_work *work)
{
    (void)work;
    in_thread = udm_cycles32();
}

static struct udm_work timed = { .run = time_thread };

static void time_handler(void)
{
    in_handler = udm_cycles32();
    udm_dispose();
    udm_defer(&timed);
}

/* Returns the longest time between two looks at the clock, in some cycles. */
static uint32_t longest_gap(uint32_t cycles)
{
    uint32_t start = udm_cycles32(), last = start, longest = 0;

    while (last - start < cycles) {
        uint32_t now = udm_cycles32();

        longest = now - last > longest ? now - last : longest;
        last = now;
    }
    return longest;
}

static void measure(void)
{
    uint32_t gap = 0;

    for (int i = 0; i < 3; i++) {
        longest_gap(200);
        udm_inject(udm_node(), time_handler);
        gap = longest_gap(20000);
    }
    printf("from the handler to the thread: %lu cycles\n",
           (unsigned long)(in_thread - in_handler));
    printf("the interrupted thread waits: %lu cycles\n", (unsigned long)gap);
}

static void keep_section(struct udm_work *work)
{
    (void)work;
    udm_beginatom();
}

int main(int argc, char **argv)
{
    static struct udm_work section = { .run = keep_section };

    if (argc > 1 && !strcmp(argv[1], "section")) {
        udm_defer(&section);
    } else if (argc > 1) {
        udm_defer_init();
        udm_thread_yield();
        udm_thread_block();
    }
    test_order();
    test_waiting();
    test_interrupted();
    measure();
    return check_end();
}
