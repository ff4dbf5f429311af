/*
 * Waits for a word that a message stores (slots.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>

#include "slots.h"

static int32_t wait_once(const volatile void *word, uint32_t same)
{
    return glaze_call(GLAZE_MM, MM_WAIT, (uintptr_t)word, same);
}

void pass(uint64_t cycles)
{
    for (uint64_t end = udm_cycles() + cycles; udm_cycles() < end; ) {
    }
}

static volatile uint32_t own;   /* not shared */

static void check_wait_errors(void)
{
    check("in a word", wait_once((volatile char *)memory + 2, 0), -EINVAL);
    check("a stack", wait_once((void *)(GLAZE_MAIN_STACK_TOP - 8), 0), -EINVAL);
    check("the kernel", wait_once((void *)FUGU_RAM_BASE, 0), -EINVAL);
    check("nothing", wait_once((void *)(GLAZE_PROGRAM_END - PAGE), 0), -EINVAL);
    check("text", wait_once((void *)GLAZE_PROGRAM, 0), -EINVAL);
    check("not shared", wait_once(&own, 0), -EINVAL);
    memory[OLD] = 1;
    check("another word", wait_once(&memory[OLD], 0), 0);
    memory[OLD] = 2;            /* the page is open again */
}

#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

extern const char alarm_stub[];
volatile uint32_t *alarm_stores;

/* An alarm that is due ends the wait. Its upcall stores to the page, which is closed. */
static void check_alarm(void)
{
    memory[OLD] = 0;
    alarm_stores = &memory[OLD];
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    udm_beginatom();
    glaze_alarm(udm_cycles() + 1000);
    pass(5000);
    check("an alarm is due", wait_once(&memory[OLD], 0), 0);
    udm_endatom();
    check("it has come", memory[OLD], (uintptr_t)&memory[OLD]);
    UPCALL->alarm.entry = 0;
}

/* Node 0 stores from MOMENTS times STEP cycles before node 1 waits on, one later each
 * time: while node 1 looks, enters the kernel, waits, and after that. */
#define MOMENTS 400
#define STEP    17

void waits(void)
{
    check_wait_errors();
    check_alarm();
    meet(1);
    for (uint32_t k = 1; k <= MOMENTS; k++) {
        if (udm_node() == 0) {
            mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), k);
            pass(k * STEP);
            mm_send1(mm_at(&all, 1, &memory[BLOCK]), MM_HANDLER_IP(mm_store), k);
            mm_wait(&memory[REPLY], k - 1);
        } else {
            while (memory[CAME] != k) {
            }
            if (k & 1) {
                mm_wait(&memory[BLOCK], k - 1);
            } else {
                while (memory[BLOCK] == k - 1) {
                    wait_once(&memory[BLOCK], k - 1);
                }
            }
            check("a word", memory[BLOCK], k);
            mm_send1(mm_at(&all, 0, &memory[REPLY]), MM_HANDLER_IP(mm_store), k);
        }
    }
}

#define ASLEEP  2000000         /* cycles */

void sleeper(void)
{
    uint32_t returns = 0;

    if (udm_node() == 0) {
        mm_wait(&memory[CAME], 0);
        pass(ASLEEP);
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        return;
    }
    mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    while (memory[CAME] == 0) {
        wait_once(&memory[CAME], 0);
        returns++;
    }
    check("it was woken once", returns, 1);
}

/* The last store, to BLOCK, comes after that to CAME, and node 1 looks at BLOCK first: so
 * it does not sleep when there will be no other store. */
void wakes(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;
    uint32_t waits = 0, last = 0;

    if (udm_node() == 0) {
        for (uint32_t k = 1; udm_cycles() < end; k++) {
            mm_send1(mm_at(&all, 1, &memory[BLOCK]), MM_HANDLER_IP(mm_store), k);
            last = k;
        }
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_send1(mm_at(&all, 1, &memory[BLOCK]), MM_HANDLER_IP(mm_store), last + 1);
        return;
    }
    for (last = memory[BLOCK]; !memory[CAME]; last = memory[BLOCK]) {
        wait_once(&memory[BLOCK], last);
        waits++;
    }
    check("it has waited often", waits > 10, 1);
}

void computes(uint64_t count)
{
    uint64_t began = udm_cycles();

    for (volatile uint32_t k = 0; k < count; k++) {
    }
    if (udm_node() == 1) {
        printf("%lu cycles\n", (unsigned long)(udm_cycles() - began));
    }
}
