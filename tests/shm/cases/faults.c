/*
 * Accesses of pages that are not there, in the midst of computations and of calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "udm-thread.h"

/*
 * The first thread computes with values of shared pages, all processes with the
 * same ones, so faults wait. Meanwhile another thread uses the FPU.
 */
static volatile bool computed;

static void *compute(void *unused)
{
    volatile double y = 1;

    (void)unused;
    while (!computed) {
        double a = y + 1, b = y + 2, c = y + 3, d = y + 4;

        y = a * b / (c * d) + (a - b) * (c - d);
        udm_thread_yield();
    }
    return NULL;
}

static void fpu_work(void)
{
    udm_thread_t *other;
    double a = 1, b = 2, c = 3;

    shm_barrier(&barrier, count);
    computed = false;
    other = udm_thread_create(compute, NULL, UDM_NORMAL);
    for (int k = 0; k < MOST; k++) {
        int x = *(volatile int *)&s->page[k][0];

        a += x;
        b -= x;
        c += a - b;
        x = *(volatile int *)&s->page[k][512];
        a += b * x;
        c -= x;
    }
    computed = true;
    udm_thread_join(other);
    expect(a, 1 + MOST);
    expect(b, 2 - MOST);
    expect(c, 3 + MOST * MOST);
}

void case_fpu(void)
{
    for (int k = 0; k < MOST; k++) {
        s->page[k][0] = 1;
    }
    all(fpu_work);
}

/* Operands of system calls and of the C library in shared memory, on a node
 * that has no copy of the pages. */
static void operand_work(void)
{
    char *format = s->bytes, *text = s->bytes + 4096;
    FILE *file;

    printf(format, s->page[3][0]);
    fflush(stdout);
    write(1, (char *)s->page[4], 6);
    file = fopen("operand", "w+");
    expect(fwrite(s->page[6], 1, 4096, file), 4096);
    rewind(file);
    expect(fread(s->page[8], 1, 4096, file), 4096);
    fclose(file);
    sscanf("12 word", "%d %s", &s->page[10][0], text);
    memmove(s->page[12], s->page[6], 4096);
}

void case_operands(void)
{
    strcpy(s->bytes, "%d pages\n");
    s->page[3][0] = 33;
    memcpy(s->page[4], "plain\n", 6);
    for (int k = 0; k < 1024; k++) {
        s->page[6][k] = k * 77;
    }
    shm_create(operand_work);
    shm_wait_for_end(1);
    expect(memcmp(s->page[6], s->page[8], 4096), 0);
    expect(memcmp(s->page[6], s->page[12], 4096), 0);
    expect(s->page[10][0], 12);
    expect(strcmp(s->bytes + 4096, "word"), 0);
}
