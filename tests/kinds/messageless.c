/*
 * A program on a machine without messages for users (--ni none).
 *
 *      messageless             each rule of docs/machine.md and docs/glaze.md about
 *                              such a machine, checked; views and alarms; threads,
 *                              and pages if the node has too little memory for them
 *      messageless MISTAKE     launch, dispose, store or storeback: ends the job
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "glaze-mbcf.h"
#include "udm-thread.h"
#include "views.h"

/* As NI_LAUNCH() and NI_DISPOSE(), but without a note. */
#define RAW(opc, n) \
    asm volatile (".word %0" : : "i" (FUGU_INSN(opc, n, 0, 0)) : "memory")

/* ---- Rules --------------------------------------------------------------- */

static uint32_t g6(void)
{
    uint32_t value;

    asm volatile ("mov %%g6, %0" : "=r" (value));
    return value;
}

/* Whether the record that %g6 points at is empty. */
static void check_record(const char *name)
{
    check(name, g6(), GLAZE_INFO + GLAZE_I_EMPTY);
    check("as the information page says", glaze_info(GLAZE_I_HEAD), g6());
}

static void check_mode(const char *name)
{
    check(name, glaze_info(GLAZE_I_MODE), GLAZE_MESSAGELESS);
    check("which it has not entered", glaze_info(GLAZE_I_ENTRIES), 0);
}

static void check_calls(void)
{
    check("DIVERT is no call", glaze_call(GLAZE_DIVERT, 0, 0, 0), -ENOSYS);
    check("PING is no call", glaze_call(GLAZE_PING, 0, 0, 0), -ENOSYS);
    for (uint32_t k = 0; k <= MBCF_OPERATIONS; k++) {
        check("MBCF is no call", glaze_call(GLAZE_MBCF, k, 0, 0), -ENOSYS);
        check("nor is it by its fast path",
              glaze_call_quick(GLAZE_MBCF, k, 0, 1, 0), -ENOSYS);
    }
}

#define LONG    60000           /* cycles: more than --atomicity-timeout's default */

static void spin(uint32_t cycles)
{
    uint32_t from = udm_cycles32();

    while (udm_cycles32() - from < cycles) {
        /* only time passes */
    }
}

static void check_sections(void)
{
    uint32_t word;

    UDM_BEGINATOM(FUGU_UAC_USER);
    spin(LONG);
    check("nothing revokes a section", udm_uac(), FUGU_UAC_USER);
    check_mode("nor changes the mode in it");
    word = glaze_suspend();
    check("a section can be suspended", udm_uac(), 0);
    check("and is counted", glaze_info(GLAZE_I_HOLD), 1);
    check_mode("in the same mode");
    glaze_resume(word);
    check("and resumed", udm_uac() & FUGU_UAC_USER, FUGU_UAC_USER);
    check("then none is suspended", glaze_info(GLAZE_I_HOLD), 0);
    udm_endatom();
    check("its end leaves none open", udm_uac(), 0);
    check_mode("in the same mode");
    check_record("and with the empty record");
}

static void check_rules(void)
{
    check("I_NETIF names another kind than FUGU's",
          glaze_info(GLAZE_I_NETIF) == FUGU_NETIF_FUGU, false);
    check_mode("the process has a mode of its own");
    check_record("and the empty record");
    check_calls();
    check_sections();
}

/* ---- Threads and pages --------------------------------------------------- */

#define THREADS 4
#define PAGES   40              /* of each thread */
#define ROUNDS  6
#define WORDS   (GLAZE_PAGE / sizeof(uint32_t))

static uint32_t page[THREADS][PAGES][WORDS];
static udm_mutex_t mutex;
static udm_cond_t turn;
static unsigned begun, rounds;

/* Waits until all threads have begun. */
static void wait_for_all(void)
{
    udm_mutex_lock(&mutex);
    if (++begun == THREADS) {
        udm_cond_broadcast(&turn);
    }
    while (begun < THREADS) {
        udm_cond_wait(&turn, &mutex);
    }
    udm_mutex_unlock(&mutex);
}

/* Adds to a word of each page, with an FPU in use, and in a section now and then. */
static void *work(void *argument)
{
    unsigned me = (uintptr_t)argument;
    double sum = 0;

    wait_for_all();
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned k = 0; k < PAGES; k++) {
            uint32_t *words = page[me][k];

            if (k % 5 == 0) {
                udm_beginatom();
            }
            words[k] += round + k;
            sum += words[k] * 0.5;
            udm_endatom();
            udm_thread_yield();
        }
        udm_mutex_lock(&mutex);
        rounds++;
        udm_mutex_unlock(&mutex);
    }
    return (void *)(uintptr_t)(uint32_t)(sum * 2);
}

static void check_threads(void)
{
    udm_thread_t *thread[THREADS];
    uint32_t want = 0;

    udm_thread_switch_on_fault(true);
    for (unsigned k = 0; k < PAGES; k++) {
        for (unsigned round = 0, word = 0; round < ROUNDS; round++) {
            word += round + k;
            want += word;
        }
    }
    for (unsigned t = 0; t < THREADS; t++) {
        thread[t] = udm_thread_create(work, (void *)(uintptr_t)t, UDM_NORMAL);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        check("a thread has its sum",
              (uintptr_t)udm_thread_join(thread[t]), want);
    }
    check("all threads have done their rounds", rounds, THREADS * ROUNDS);
    udm_thread_switch_on_fault(false);
    check_mode("still in its mode");
}

/* ---- Mistakes ------------------------------------------------------------ */

static void make(const char *mistake)
{
    if (!strcmp(mistake, "launch")) {
        RAW(FUGU_OPC_LAUNCH, 2);
    } else if (!strcmp(mistake, "dispose")) {
        RAW(FUGU_OPC_DISPOSE, 0);
    } else if (!strcmp(mistake, "store")) {
        UDM_STORE_(FUGU_U_OUT, 1);
    } else if (!strcmp(mistake, "storeback")) {
        UDM_STORE_(FUGU_U_SB_COUNT, 4);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        make(argv[1]);
        return 0;
    }
    check_rules();
    check_views();
    check_mode("still in its mode");
    check_threads();
    return check_end();
}
