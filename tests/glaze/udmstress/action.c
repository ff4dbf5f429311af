/*
 * What a node does between its sends: everything that could disturb a message,
 * or that a message could disturb.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"

#define FRESH_PAGES     256
#define FRESH_START     (GLAZE_PROGRAM_END - FRESH_PAGES * GLAZE_PAGE)
#define FSR_MASK        0xc0000c00      /* rounding and fcc: can be written */

uint32_t long_time = 4000;

void spin(uint32_t loops)
{
    for (volatile uint32_t i = 0; i < loops; i++) {
        /* interrupts are taken here */
    }
    exits_note();
}

/* ---- Memory -------------------------------------------------------------- */

uint32_t *fresh_page(void)
{
    static volatile uint32_t used;
    uint32_t uac = udm_uac();
    uint32_t address;

    udm_beginatom();
    address = FRESH_START + used % FRESH_PAGES * GLAZE_PAGE;
    used++;
    glaze_unmap(address, GLAZE_PAGE);
    CHECK(glaze_map(address, GLAZE_PAGE) == 0);
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        udm_endatom();
    }
    return (uint32_t *)address;
}

void do_fresh_page(void)
{
    uint32_t *page = fresh_page();
    uint32_t first = chance(64);

    for (uint32_t i = first; i < GLAZE_PAGE / 4; i += 61) {
        CHECK(page[i] == 0);
        page[i] = 0xdeadbeef;
    }
}

void do_memory(void)
{
    char text[48], *copy = malloc(chance(512) + sizeof(text));
    unsigned number = chance(65536);

    CHECK(copy);
    snprintf(text, sizeof(text), "%u %x %s", number, number, "and so on");
    strcpy(copy, text);
    CHECK((unsigned)atoi(copy) == number);
    free(copy);
}

/* ---- Registers ----------------------------------------------------------- */

void do_recursion(void)
{
    CHECK(check_windows(chance(16), chance(1 << 20) << 12, chance(32)) == 0);
}

static void with_codes(uint32_t (*check)(uint32_t seed, uint32_t a, uint32_t b,
                                         uint32_t icc))
{
    static const struct {
        uint32_t a, b, icc;
    } sums[] = {
        { 0x00000000, 0x00000000, 4 }, { 0x00000001, 0x00000001, 0 },
        { 0x80000000, 0x00000001, 8 }, { 0x80000000, 0x80000000, 7 },
        { 0xffffffff, 0x00000001, 5 }, { 0xffffffff, 0xffffffff, 9 },
        { 0x7fffffff, 0x00000001, 10 }, { 0x80000000, 0x80000001, 3 },
        { 0x00000003, 0xffffffff, 1 },
    };
    unsigned k = chance(8) + chance(2);

    CHECK(check(chance(1 << 20) << 12, sums[k].a, sums[k].b,
                sums[k].icc) == 0);
}

void do_registers(void)
{
    with_codes(check_registers);
}

void do_dispose(void)
{
    with_codes(check_dispose);
}

/* Adds numbers whose sums are exact, so that rounding does not matter. */
void do_float(void)
{
    uint32_t n = chance(16) + 1;
    double sum = 0, step = 0.5;

    for (uint32_t i = 0; i < n; i++) {
        sum += step * (double)(int)i;
        spin(chance(8));
    }
    CHECK((uint32_t)(int)(4 * sum) == n * (n - 1));
}

void do_float_registers(void)
{
    uint64_t in[16] __attribute__((aligned(8))), out[16];
    uint32_t fsr = (chance(4) << 30 | chance(4) << 10) & FSR_MASK;

    for (unsigned i = 0; i < 16; i++) {
        in[i] = (uint64_t)chance(1 << 20) << 40 | chance(1 << 20) << 4;
    }
    CHECK((check_float(in, out, chance(256), fsr) & FSR_MASK) == 0);
    CHECK(memcmp(in, out, sizeof(in)) == 0);
}

/* ---- Threads ------------------------------------------------------------- */

static udm_mutex_t mutex;

static void lock(void)
{
    udm_mutex_lock(&mutex);
}

static void unlock(void)
{
    udm_mutex_unlock(&mutex);
}

/* A thread that is woken inside its section runs first, so the caller's
 * section is suspended too. */
void do_mutex(void)
{
    static volatile unsigned inside;

    if (udm_thread_self()) {
        section_suspend(lock);
    } else {
        lock();                 /* a handler, which may become a thread here */
    }
    CHECK(inside == 0);
    inside = 1;
    if (chance(2)) {
        spin(chance(128));
    } else if (!udm_atomic()) {
        udm_thread_yield();
    }
    CHECK(inside == 1);
    inside = 0;
    if (udm_thread_self()) {
        section_suspend(unlock);
    } else {
        unlock();
    }
}

/* ---- All actions --------------------------------------------------------- */

/* Yields within a section: others run, perhaps in sections too. */
void do_yields(void)
{
    for (uint32_t i = chance(4); i > 0; i--) {
        section_suspend(udm_thread_yield);
        spin(chance(256));
    }
}

static void in_section(void)
{
    switch (chance(8)) {
    case 0:
        spin(chance(8) == 0 ? long_time : chance(256));
        section_poll(chance(4));
        break;
    case 1:
        while (section_poll(1)) {
            spin(chance(64));
        }
        break;
    case 2:
        do_fresh_page();
        section_poll(16);
        break;
    case 3:
        glaze_divert();
        spin(chance(256));
        section_poll(chance(8));
        break;
    case 4:
        do_yields();
        section_poll(chance(4));
        break;
    case 5:
        do_recursion();
        section_poll(16);
        do_registers();
        break;
    case 6:
        do_memory();
        do_float_registers();
        break;
    case 7:
        do_mutex();
        spin(chance(256));
        section_poll(chance(8));
        break;
    }
}

void do_something(void)
{
    switch (chance(16)) {
    case 0: case 1: case 2: case 3:
        spin(chance(128));
        break;
    case 4:
        spin(chance(4) == 0 ? long_time : chance(1024));
        break;
    case 5: case 6:
        do_recursion();
        break;
    case 7: case 8:
        do_registers();
        break;
    case 9:
        do_float_registers();
        break;
    case 10:
        do_fresh_page();
        do_memory();
        break;
    case 11:
        do_mutex();
        udm_thread_yield();
        break;
    case 12:
        switch (chance(16)) {
        case 0:
            glaze_divert();
            break;
        case 1:
            glaze_yield();
            break;
        default:
            workers_wake();
            break;
        }
        break;
    case 13:
        if (glaze_info(GLAZE_I_SOFT)) {
            section_quick();
            break;
        }
        __attribute__((fallthrough));
    default:
        section_open();
        in_section();
        section_close();
        break;
    }
}
