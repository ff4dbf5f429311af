/*
 * What a signal's program must leave as it was: a message that the interrupted
 * code is describing, and values in the FPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cases.h"
#include "check.h"

enum { SIGNALS = 300, WORDS = 8 };

static volatile uint32_t runs, came, long_ones, wrong, over;
static volatile uint32_t described;     /* messages that programs interrupted */
static volatile double product = 1.0;

/* Handler. The program's message: one word. */
static void on_run(void)
{
    wrong += udm_length() != 3 || udm_arg(0) != came;
    came++;
    udm_dispose();
}

/* Handler. The thread's message: WORDS words in a row. */
static void on_words(void)
{
    wrong += udm_length() != 2 + WORDS;
    for (unsigned k = 0; k < WORDS; k++) {
        wrong += udm_arg(k) != long_ones + k;
    }
    long_ones++;
    udm_dispose();
}

static void program(struct mbcf_signal *signal)
{
    uint32_t words;

    (void)signal;
    UDM_LOAD_(FUGU_U_DESC_LEN, words);
    described += words > 0;
    product = product * 1.5;
    udm_inject(1, on_run, runs++);
}

static struct mbcf_signal invokes = {
    .invoke = MBCF_INVOKE_TARGET,
    .during = MBCF_WHILE_INVOKE,
    .program = (uintptr_t)program,
};

static void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

/* Sends `count` messages to this node, and describes each one slowly. Returns
 * a sum that stays in the FPU meanwhile. */
static double send_slowly(uint32_t *count)
{
    register double sum asm ("f8") = 0;

    for (*count = 0; !over; ++*count) {
        UDM_OUT_(0, 1);
        UDM_OUT_(1, (uintptr_t)on_words);
        for (unsigned k = 0; k < WORDS; k += 2) {
            asm volatile ("st %0, [%%g0 + %1]" : : "r" (*count + k),
                          "r" (FUGU_NI_USER_DISP + FUGU_U_OUT + 8 + 4 * k));
            asm volatile ("st %0, [%%g0 + %1]" : : "r" (*count + k + 1),
                          "r" (FUGU_NI_USER_DISP + FUGU_U_OUT + 12 + 4 * k));
            spin(100);
        }
        NI_LAUNCH(2 + WORDS, 0);
        asm volatile ("" : "+f" (sum));
        sum += 0.25;
    }
    return sum;
}

void case_interrupted(void)
{
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 1) {
        uint32_t count;
        double sum = send_slowly(&count), expected = 1.0;

        while (came < runs || long_ones < count) {
        }
        for (uint32_t k = 0; k < SIGNALS; k++) {
            expected = expected * 1.5;
        }
        check("programs have run", runs, SIGNALS);
        check("some met a message that was being described",
              described > SIGNALS / 10, true);
        check("messages are whole", wrong, 0);
        check("the product is right", product == expected, true);
        check("the sum is right", sum == count * 0.25, true);
    } else if (udm_node() == 0) {
        const uint32_t one = 1;

        for (unsigned k = 0; k < SIGNALS; k++) {
            volatile uint32_t status;

            spin(25000 + 7 * k);      /* with a small cache, a program takes 17,000 */
            do {
                status = MBCF_PENDING;
                mbcf_signal(1, (uintptr_t)&invokes, 0, NULL, 0, MBCF_STATUS,
                            &status);
            } while (mbcf_await(&status) == MBCF_FULL);
        }
        mbcf_write_now(1, (uintptr_t)&over, &one, sizeof(one));
    }
    udm_barrier();
}
