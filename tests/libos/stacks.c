/*
 * Threads on all stacks that a program gets: a handler that waits still finds one.
 * And a thread of high priority that sleeps lets others run. Prints a line for each
 * check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <unistd.h>

#include "check.h"
#include "udm-thread.h"

#define MOST    5000

static udm_mutex_t mutex;
static volatile int handled, turns;
static volatile bool stop;

static void *nothing(void *result)
{
    return result;
}

static void on_message(void)
{
    udm_dispose();
    udm_mutex_lock(&mutex);
    handled++;
    udm_mutex_unlock(&mutex);
}

static void *take_turns(void *unused)
{
    while (!stop) {
        turns++;
        udm_thread_yield();
    }
    return unused;
}

static void *sleep_high(void *unused)
{
    int before = turns;

    usleep(10000);
    check("others run while a thread of high priority sleeps",
          turns - before > 10, 1);
    before = turns;
    udm_thread_yield();
    check("and goes first again when it has slept", turns - before, 0);
    stop = true;
    return unused;
}

int main(void)
{
    static udm_thread_t *thread[MOST];
    udm_thread_t *low = udm_thread_create(take_turns, NULL, UDM_NORMAL);
    udm_thread_t *high = udm_thread_create(sleep_high, NULL, UDM_HIGH);
    int count = 0;
    uint64_t start;

    udm_thread_join(high);
    udm_thread_join(low);
    while (count < MOST && (thread[count] =
                            udm_thread_create(nothing, NULL, UDM_NORMAL))) {
        count++;
    }
    check("there are 4,000 threads, and an end", count > 4000 && count < MOST,
          1);
    udm_mutex_lock(&mutex);
    udm_inject(udm_node(), on_message);
    start = udm_cycles();
    while (udm_cycles() - start < 10000) {
    }
    udm_mutex_unlock(&mutex);
    while (count--) {
        udm_thread_join(thread[count]);
    }
    check("a handler has waited beside them", handled, 1);
    return check_end();
}
