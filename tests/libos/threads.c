/*
 * Threads, and handlers that meet them: order, waiting, priorities, atomic
 * sections. All messages go from the node to itself. Each part runs with fast
 * delivery, then with the buffer.
 *
 * Prints one line per check and the number of failures; the exit status is 1
 * if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

static bool by_buffer;

/* Sends a message to this node, delivered in the way that is being tested. */
#define SEND(handler, ...) \
    do { \
        if (by_buffer) { \
            glaze_divert(); \
        } \
        udm_inject(udm_node(), handler, ##__VA_ARGS__); \
    } while (0)

/* ---- Threads without messages -------------------------------------------- */

static void *letters(void *first)
{
    for (int i = 0; i < 3; i++) {
        note((intptr_t)first + i);
        udm_thread_yield();
    }
    return (char *)first + 1;
}

static void test_create_and_join(void)
{
    udm_thread_t *a = udm_thread_create(letters, (void *)'a', UDM_NORMAL);
    udm_thread_t *x = udm_thread_create(letters, (void *)'x', UDM_NORMAL);

    check("thread's result", (uintptr_t)udm_thread_join(a), 'b');
    check("thread's result", (uintptr_t)udm_thread_join(x), 'y');
    check_notes("threads take turns", "axbycz");

    a = udm_thread_create(letters, (void *)'a', UDM_NORMAL);
    x = udm_thread_create(letters, (void *)'x', UDM_HIGH);
    note('!');
    udm_thread_join(a);
    udm_thread_join(x);
    check_notes("a thread of high priority goes first", "xyz!abc");
}

static void test_many(void)
{
    uint32_t sum = 0;

    for (uintptr_t i = 0; i < 5000; i++) {      /* more than there are stacks */
        sum += (uintptr_t)udm_thread_join(
            udm_thread_create(letters, (void *)i, UDM_NORMAL));
    }
    check("stacks are used again", sum, 5000 * 5001 / 2);
    memset(notes, 0, sizeof(notes));
}

static udm_mutex_t mutex;
static udm_cond_t cond;
static int tokens;

static void *consumer(void *name)
{
    udm_mutex_lock(&mutex);
    while (tokens == 0) {
        udm_cond_wait(&cond, &mutex);
    }
    tokens--;
    note((intptr_t)name);
    udm_mutex_unlock(&mutex);
    return NULL;
}

static void test_mutex_and_condition(void)
{
    udm_thread_t *thread[4];

    for (int i = 0; i < 4; i++) {
        thread[i] = udm_thread_create(consumer, (void *)('a' + i), UDM_NORMAL);
    }
    udm_thread_yield();                 /* now all wait for the condition */
    udm_mutex_lock(&mutex);
    tokens = 1;
    udm_cond_signal(&cond);
    udm_thread_yield();                 /* `a` waits for the mutex */
    note('!');
    udm_mutex_unlock(&mutex);
    udm_thread_yield();
    udm_mutex_lock(&mutex);
    tokens = 3;
    udm_cond_broadcast(&cond);
    udm_mutex_unlock(&mutex);
    for (int i = 0; i < 4; i++) {
        udm_thread_join(thread[i]);
    }
    check_notes("signal wakes one, broadcast the rest, in order", "!abcd");
    check("a mutex can be tried", udm_mutex_trylock(&mutex), true);
    check("and is then locked", udm_mutex_trylock(&mutex), false);
    udm_mutex_unlock(&mutex);
}

/* ---- Handlers that wake threads ------------------------------------------ */

static udm_thread_t *sleeper;

static void wake_handler(void)
{
    udm_dispose();
    note('h');
    udm_thread_wake(sleeper);
    note('i');
}

static void test_wake(void)
{
    sleeper = udm_thread_self();
    note('b');
    SEND(wake_handler);
    udm_thread_block();
    note('w');
    check_notes("a handler wakes the only thread", "bhiw");

    udm_thread_wake(sleeper);
    udm_thread_block();
    check("a wake before the wait is remembered", 1, 1);
}

static void *high_sleeper(void *unused)
{
    (void)unused;
    udm_thread_block();
    note('H');
    return NULL;
}

static void test_priority(void)
{
    sleeper = udm_thread_create(high_sleeper, NULL, UDM_HIGH);
    note('m');
    SEND(wake_handler);
    settle();
    note('n');
    udm_thread_join(sleeper);
    check_notes("behind its handler a thread of high priority goes first",
                "mhiHn");

    sleeper = udm_thread_create(high_sleeper, NULL, UDM_NORMAL);
    udm_thread_yield();
    SEND(wake_handler);
    settle();
    note('n');
    udm_thread_join(sleeper);
    check_notes("one of the same priority waits for its turn", "hinH");
}

/* ---- Handlers that become threads ---------------------------------------- */

static uint32_t handler_argument;

static void locking_handler(void)
{
    uint32_t argument = udm_arg(0);

    udm_dispose();
    note('h');
    check("a handler is no thread", udm_thread_self() == NULL, true);
    udm_mutex_lock(&mutex);             /* waits, and so becomes a thread */
    note('l');
    handler_argument = argument;
    check("it has become one", udm_thread_self() != NULL, true);
    check("outside of atomic sections", udm_atomic(), false);
    udm_mutex_unlock(&mutex);
    note('u');
}

static void test_handler_waits(void)
{
    udm_mutex_lock(&mutex);
    SEND(locking_handler, 1234);
    settle();
    note('m');
    check("what it interrupted goes on outside of atomic sections",
          udm_atomic(), false);
    udm_mutex_unlock(&mutex); /* the handler's priority is high: it continues */
    note('n');
    check_notes("a handler that waits becomes a thread", "hmlun");
    check("its argument is its own", handler_argument, 1234);
}

static void *waits_for_mutex(void *unused)
{
    (void)unused;
    udm_mutex_lock(&mutex);
    note('t');
    udm_mutex_unlock(&mutex);
    return NULL;
}

static void test_handler_waits_idle(void)
{
    udm_thread_t *thread;

    udm_mutex_lock(&mutex);
    thread = udm_thread_create(waits_for_mutex, NULL, UDM_NORMAL);
    udm_thread_yield();
    sleeper = udm_thread_self();
    SEND(locking_handler, 1);
    SEND(wake_handler);
    udm_thread_block(); /* both handlers find an idle processor */
    note('m');
    udm_mutex_unlock(&mutex);
    udm_thread_join(thread);
    udm_thread_yield();
    check_notes("and so where all threads wait", "hhimtlu");
}

static void *unlocks(void *unused)
{
    (void)unused;
    udm_thread_block();
    note('u');
    udm_mutex_unlock(&mutex);
    return NULL;
}

static void waking_locking_handler(void)
{
    udm_dispose();
    note('h');
    udm_thread_wake(sleeper);
    udm_mutex_lock(&mutex);
    note('l');
    udm_mutex_unlock(&mutex);
}

/* A thread waits for a mutex while no thread is ready. The handler that
 * interrupts the wait makes a thread ready, and waits for the mutex too. */
static void test_waits_in_queue(void)
{
    sleeper = udm_thread_create(unlocks, NULL, UDM_NORMAL);
    udm_mutex_lock(&mutex);
    udm_thread_yield();
    SEND(waking_locking_handler);
    udm_mutex_lock(&mutex);
    note('m');
    udm_mutex_unlock(&mutex);
    udm_thread_join(sleeper);
    check_notes("who waits in a queue is kept apart from who is ready",
                "huml");
}

/* ---- Handlers that are interrupted --------------------------------------- */

static void open_handler(void)
{
    uint32_t depth = udm_arg(0);

    udm_dispose();
    note('0' + depth);
    if (depth < 3) {
        SEND(open_handler, depth + 1);
        udm_endatom();
        settle();                       /* the next handler runs here */
    }
    note('a' + depth);
}

static void test_handlers_nest(void)
{
    SEND(open_handler, 0);
    settle();
    settle();
    settle();
    settle();
    settle();
    check_notes("a handler outside of its atomic section is interrupted",
                "0123dcba");
}

static void locking_open_handler(void)
{
    udm_dispose();
    note('x');
    SEND(locking_handler, 77);
    udm_endatom();
    settle();
    note('y');
}

static void test_nested_handler_waits(void)
{
    udm_mutex_lock(&mutex);
    SEND(locking_open_handler);
    settle();
    settle();
    settle();
    note('m');
    udm_mutex_unlock(&mutex);
    note('n');
    check_notes("a handler that interrupts a handler becomes a thread",
                "xhymlun");
}

static void *high_mutex_user(void *unused)
{
    (void)unused;
    udm_thread_block();
    note('H');
    udm_thread_yield();
    return NULL;
}

static void waking_open_handler(void)
{
    udm_dispose();
    note('x');
    SEND(wake_handler);
    udm_endatom();
    settle();
    note('y');
}

static void test_nested_handler_wakes(void)
{
    sleeper = udm_thread_create(high_mutex_user, NULL, UDM_HIGH);
    SEND(waking_open_handler);
    settle();
    settle();
    note('n');
    udm_thread_join(sleeper);
    check_notes("a handler outranks the thread that another one has woken",
                "xhiyHn");
}

/* ---- Atomic sections that wait ------------------------------------------- */

static void plain_handler(void)
{
    udm_dispose();
    note('h');
}

static void *unlocker(void *unused)
{
    (void)unused;
    note('u');
    SEND(plain_handler);
    settle();
    note('v');
    udm_mutex_unlock(&mutex);
    return NULL;
}

static void test_atomic_wait(void)
{
    udm_thread_t *thread = udm_thread_create(unlocker, NULL, UDM_NORMAL);

    udm_mutex_lock(&mutex);
    udm_beginatom();
    udm_mutex_lock(&mutex);             /* the other thread unlocks it */
    note('l');
    check("its atomic section is open still", udm_atomic(), true);
    check("the message is there", udm_available(), true);
    note('e');
    udm_endatom();
    settle();
    note('f');
    udm_mutex_unlock(&mutex);
    udm_thread_join(thread);
    check_notes("no handler starts while an atomic section waits", "uvlehf");
    check("and then messages are fast again",
          glaze_info(GLAZE_I_MODE), GLAZE_FAST);
}

/* Two threads with sections: the first has waited in its section. */
static volatile bool polled;

static void *polls_in_section(void *unused)
{
    (void)unused;
    udm_beginatom();
    note('s');
    udm_mutex_lock(&mutex);             /* main() holds it */
    note('t');
    udm_mutex_unlock(&mutex);
    udm_endatom();
    note('e');
    return NULL;
}

/* Unlocks the mutex, and polls. The other thread must be able to end its
 * section, or this one would never see a message. */
static void section_ends_first(bool inside)
{
    udm_thread_t *thread = udm_thread_create(polls_in_section, NULL,
                                             UDM_NORMAL);

    polled = false;
    udm_mutex_lock(&mutex);
    udm_thread_yield();
    SEND(plain_handler);
    note('m');
    if (inside) {
        udm_beginatom();
    }
    udm_mutex_unlock(&mutex);
    if (!inside) {
        udm_beginatom();
    }
    for (int i = 0; i < 10000 && !polled; i++) {
        polled = udm_poll();
    }
    note('p');
    udm_endatom();
    udm_thread_join(thread);
}

static void test_section_outranks(void)
{
    section_ends_first(false);
    check_notes("a thread that comes back to its section goes first",
                "smthep");
    section_ends_first(true);
    check_notes("even out of another's section", "smtehp");
    check("which then polls", polled, true);
}

/* A handler from the buffer becomes a thread, opens a section and waits in
 * it. Another thread also waits in a section. */
static udm_mutex_t first, second, third;

static void returning_handler(void)
{
    udm_dispose();
    note('x');
    udm_mutex_lock(&first);
    udm_beginatom();
    note('y');
    udm_mutex_lock(&second);
    note('z');
}                                       /* its section is still open */

static void *waits_in_section(void *unused)
{
    (void)unused;
    udm_beginatom();
    udm_mutex_lock(&third);
    note('w');
    udm_endatom();
    return NULL;
}

static void test_return_in_section(void)
{
    udm_thread_t *thread = udm_thread_create(waits_in_section, NULL,
                                             UDM_NORMAL);

    first.locked = second.locked = third.locked = true;
    udm_beginatom();
    glaze_divert();
    udm_inject(udm_node(), returning_handler);
    settle();
    udm_endatom();
    udm_mutex_unlock(&first);   /* the handler continues up to `second` */
    udm_thread_yield();
    check("two sections are suspended", glaze_info(GLAZE_I_HOLD), 2);
    udm_inject(udm_node(), plain_handler);
    settle();
    udm_mutex_unlock(&second);          /* the handler returns */
    note('m');
    udm_mutex_unlock(&third);
    udm_thread_join(thread);
    check_notes("a return starts no handler beside another's section",
                "xyzmwh");
}

static void test_poll(void)
{
    udm_beginatom();
    SEND(plain_handler);
    while (!udm_poll()) {
    }
    note('p');
    udm_endatom();
    check_notes("polling finds a message", "hp");
}

static void test_all(void)
{
    test_wake();
    test_priority();
    test_handler_waits();
    test_handler_waits_idle();
    test_waits_in_queue();
    test_handlers_nest();
    test_nested_handler_waits();
    test_nested_handler_wakes();
    test_atomic_wait();
    test_section_outranks();
    test_return_in_section();
    test_poll();
}

int main(void)
{
    test_create_and_join();
    test_many();
    test_mutex_and_condition();
    test_all();
    by_buffer = true;
    test_all();
    return check_end();
}
