/*
 * Races of a message with what the kernel and the threads do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "races.h"

#define PAGES           600

static volatile uint8_t pages[PAGES * GLAZE_PAGE];
static uint32_t touched;

/* ---- wait: a thread waits for what a handler does -------------------------- */

static udm_waiter_t waiter;

static void wait_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
    udm_waiter_wake(&waiter);
}

static void wait_happens(void)
{
    udm_wait_until(&waiter, UDM_WAIT_BLOCK, done);
}

/* ---- wake: a thread tests, and then blocks ----------------------------------- */

static void wake_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
    udm_thread_wake(sleeper);
}

/* Each wake ends one block, whether it comes before or after it. */
static void wake_happens(void)
{
    udm_thread_block();
    wrong += !done;
}

/* ---- mode: a page fault, so buffered mode, and back -------------------------- */

static void mode_comes(void)
{
    uint32_t at = udm_arg(0), k = udm_arg(1);

    udm_dispose();
    if (k == 0) {
        note_launch(at);
        }
    wrong += k != done;         /* in order */
    done++;
    handled++;
}

static void mode_happens(void)
{
    pages[touched++ % PAGES * GLAZE_PAGE] = 1;
}

/* ---- section: it ends when the message comes, or just before ------------------ */

static volatile bool inside;

static void section_comes(void)
{
    uint32_t at = udm_arg(0);

    wrong += inside;
    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
}

static void section_happens(void)
{
    udm_beginatom();
    inside = true;
    delay(60);
    inside = false;
    udm_endatom();
}

/* ---- mutex: a thread gives it to a handler that has become one --------------- */

static udm_mutex_t mutex;
static uint32_t owners;

static void mutex_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    udm_endatom();
    udm_mutex_lock(&mutex);
    wrong += owners++ != 0;
    delay(20);
    owners--;
    done = 1;
    handled++;
    udm_mutex_unlock(&mutex);
}

static void mutex_happens(void)
{
    udm_mutex_lock(&mutex);
    wrong += owners++ != 0;
    delay(60);
    owners--;
    udm_mutex_unlock(&mutex);
}

/* ---- slot: the process leaves its slot, and another job takes the processor --- */

static void slot_happens(void)
{
    glaze_yield();
}

/* ---- alarm: its upcall comes when the message does ---------------------------- */

static volatile uint32_t rung;

/* The alarm's upcall: counts, and ends. */
extern const char ring[];
asm ("        .section .text\n"
     "ring:   sethi   %hi(rung), %l3\n"
     "        ld      [%l3 + %lo(rung)], %l4\n"
     "        add     %l4, 1, %l4\n"
     "        st      %l4, [%l3 + %lo(rung)]\n"
     "        ta      127\n");

static void alarm_opens(void)
{
    struct glaze_upcall_page *page = (void *)(uintptr_t)GLAZE_UPCALL;

    page->alarm.sp = page->message.sp;
    page->alarm.entry = (uintptr_t)ring;
}

static void alarm_happens(void)
{
    uint32_t before = rung;
    uint64_t due = udm_cycles() + 400;

    glaze_alarm(due);
    while (rung == before && udm_cycles() < due + 20000) {
        /* the upcall ends it */
    }
    wrong += rung != before + 1;
}

/* ---- alarm-wait: the same, and the process waits for either ------------------- */

static void alarm_wait_happens(void)
{
    uint32_t before = rung;
    uint64_t due = udm_cycles() + 400;

    glaze_alarm(due);
    while (rung == before && udm_cycles() < due + 20000) {
        glaze_wait();
    }
    wrong += rung != before + 1;
}

/* ---- cond: a thread waits for a condition that a handler signals -------------- */

static udm_cond_t cond;

static void cond_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    udm_endatom();
    udm_mutex_lock(&mutex);
    wrong += owners != 0;
    done = 1;
    handled++;
    udm_cond_signal(&cond);
    udm_mutex_unlock(&mutex);
}

static void cond_happens(void)
{
    udm_mutex_lock(&mutex);
    wrong += owners++ != 0;
    owners--;
    while (!done) {
        udm_cond_wait(&cond, &mutex);
    }
    wrong += owners++ != 0;
    delay(20);
    owners--;
    udm_mutex_unlock(&mutex);
}

/* ---- join: a thread ends, woken by a handler, and another one joins it -------- */

static udm_thread_t *volatile to_join;

static void join_comes(void)
{
    uint32_t at = udm_arg(0);
    udm_thread_t *thread = to_join;

    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
    if (thread) {
        udm_thread_wake(thread);
    }
}

static void *ends_when_done(void *argument)
{
    udm_beginatom();
    to_join = udm_thread_self();
    udm_endatom();
    while (!done) {
        udm_thread_block();
    }
    udm_beginatom();
    to_join = NULL;
    udm_endatom();
    return argument;
}

static void join_happens(void)
{
    udm_thread_t *thread = udm_thread_create(ends_when_done, (void *)&wrong,
                                             UDM_NORMAL);

    wrong += udm_thread_join(thread) != &wrong || !done;
}

/* ---- All of them -------------------------------------------------------------- */

const struct race kernel_races[] = {
    { "wait", wait_happens, wait_comes, 1 },
    { "wake", wake_happens, wake_comes, 1 },
    { "mode", mode_happens, mode_comes, 4 },
    { "section", section_happens, section_comes, 1 },
    { "mutex", mutex_happens, mutex_comes, 1 },
    { "slot", slot_happens, mode_comes, 4 },
    { "alarm", alarm_happens, mode_comes, 4, .opens = alarm_opens },
    { "alarm-wait", alarm_wait_happens, mode_comes, 4, .opens = alarm_opens },
    { "cond", cond_happens, cond_comes, 1 },
    { "join", join_happens, join_comes, 1 },
    { NULL },
};
