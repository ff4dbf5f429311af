/*
 * Mistakes: each ends the job, with a line that names the mistake, or with a report of
 * a deadlock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "udm-thread.h"

void case_twice(void)
{
    shm_lock(&lock);
    shm_lock(&lock);
}

void case_not_locked(void)
{
    shm_unlock(&lock);
}

void case_beyond(void)
{
    *(volatile char *)(SHM_END - 4096) = 1;
}

void case_beyond_read(void)
{
    shm_create(case_beyond);
    shm_wait_for_end(1);
}

/* Reads the last page of the last block, then the first page behind it. */
static volatile char *block_end;

static void read_next_page(void)
{
    expect(block_end[-1], 5);
    puts("the last page");
    expect(block_end[0], 0);
}

void case_next_page(void)
{
    block_end = (char *)shm_malloc(3 * 4096) + 3 * 4096;
    block_end[-1] = 5;
    read_next_page();
}

void case_next_page_away(void)
{
    block_end = (char *)shm_malloc(3 * 4096) + 3 * 4096;
    block_end[-1] = 5;
    shm_create(read_next_page);
    shm_wait_for_end(1);
}

void case_bad_free(void)
{
    shm_free((char *)shm_malloc(100) + 16);
}

void case_double_free(void)
{
    void *block = shm_malloc(100);

    shm_free(block);
    shm_free(block);
}

void case_too_many(void)
{
    shm_barrier(&barrier, count + 1);
}

void case_none(void)
{
    shm_barrier(&barrier, 0);
}

/* Process 0 waits for all, or the others do so. */
static void numbers_work(void)
{
    uint64_t start = udm_cycles();

    while (shm_node() != 0 && udm_cycles() - start < 200000) {
    }
    shm_barrier(&barrier, shm_node() == 0 ? count : count - 1);
}

void case_numbers(void)
{
    all(numbers_work);
}

static void numbers_late_work(void)
{
    uint64_t start = udm_cycles();

    while (shm_node() == 0 && udm_cycles() - start < 2000000) {
    }
    shm_barrier(&barrier, shm_node() == 0 ? count - 1 : count);
}

void case_numbers_late(void)
{
    all(numbers_late_work);
}

static void two_barriers_work(void)
{
    static struct shm_barrier other;

    shm_barrier(shm_node() == 0 ? &other : &barrier, count);
}

void case_two_barriers(void)
{
    all(two_barriers_work);
}

static void idle_work(void)
{
    shm_barrier(&barrier, 2);
}

void case_deadlock(void)
{
    shm_create(idle_work);
    shm_lock(&lock);
    shm_wait_for_end(1);
}

static void lock_deadlock_work(void)
{
    shm_lock(&s->locks[1]);
    shm_barrier(&barrier, 2);
    shm_lock(&s->locks[0]);
}

void case_lock_deadlock(void)
{
    shm_create(lock_deadlock_work);
    shm_lock(&s->locks[0]);
    shm_barrier(&barrier, 2);
    shm_lock(&s->locks[1]);
}

static void in_section_work(void)
{
    udm_beginatom();
    s->by[0]++;
    udm_endatom();
}

/* Prints the address that another process is about to touch. */
static void touches(const void *address)
{
    printf("touches %p\n", address);
}

void case_in_section(void)
{
    touches(&s->by[0]);
    s->by[0] = 1;
    shm_create(in_section_work);
    shm_wait_for_end(1);
}

static volatile bool handled;

static void on_touch(void)
{
    udm_dispose();
    s->by[1]++;
    handled = true;
}

static void in_handler_work(void)
{
    udm_inject(shm_node(), on_touch);
    while (!handled) {
    }
}

/* Ends its section first: the kernel then tells the library the page alone. */
static void on_touch_open(void)
{
    udm_dispose();
    udm_endatom();
    s->by[1]++;
    handled = true;
}

static void opens_work(void)
{
    udm_inject(shm_node(), on_touch_open);
    while (!handled) {
    }
}

void case_handler_opens(void)
{
    touches(&s->by[1]);
    s->by[1] = 1;
    shm_create(opens_work);
    shm_wait_for_end(1);
}

void case_handler_touches(void)
{
    touches(&s->by[1]);
    s->by[1] = 1;
    shm_create(in_handler_work);
    shm_wait_for_end(1);
}

static void on_call(void)
{
    udm_dispose();
    shm_lock(&lock);
    handled = true;
}

void case_handler_calls(void)
{
    udm_inject(shm_node(), on_call);
    while (!handled) {
    }
}

void case_section_calls(void)
{
    udm_beginatom();
    shm_barrier(&barrier, 1);
}

static void launch_work(void)
{
    udm_inject_body(0, on_call, s->page[9], 4096);
}

void case_launches(void)
{
    touches(s->page[9]);
    s->page[9][0] = 1;
    shm_create(launch_work);
    shm_wait_for_end(1);
}

static void *thread_work(void *unused)
{
    (void)unused;
    shm_lock(&lock);
    return NULL;
}

static void hold_work(void)
{
    shm_lock(&lock);
    shm_barrier(&barrier, 2);
    compute_until(udm_cycles() + 200000);
    shm_unlock(&lock);
}

void case_two_threads(void)
{
    shm_create(hold_work);
    shm_barrier(&barrier, 2);
    udm_thread_create(thread_work, NULL, UDM_NORMAL);
    shm_lock(&lock);
}

static void child_exits(void)
{
    exit(3);
}

void case_bad_child(void)
{
    shm_create(child_exits);
    shm_wait_for_end(1);
}

static void waits(void)
{
    shm_flag_wait(&flag[0]);
}

void case_crowd(void)
{
    for (int k = 0; k < count; k++) {
        shm_create(waits);
    }
}

static void grandchild(void)
{
    shm_create(waits);
}

void case_generations(void)
{
    shm_create(grandchild);
    shm_wait_for_end(1);
}
