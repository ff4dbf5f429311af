/*
 * Cases of bad: accesses to addresses that do not belong to the process. The
 * first argument is the address.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bad.h"

static void load(void)
{
    uint32_t value;

    asm volatile ("ld [%1], %0" /* ends: load */
                  : "=r" (value) : "r" (argument(0)));
}

static void load_byte(void)
{
    uint32_t value;

    asm volatile ("ldub [%1], %0" /* ends: load-byte */
                  : "=r" (value) : "r" (argument(0)));
}

static void load_double(void)
{
    uint64_t value;

    asm volatile ("ldd [%1], %0" /* ends: load-double */
                  : "=r" (value) : "r" (argument(0)));
}

static void store(void)
{
    asm volatile ("st %0, [%1]" /* ends: store */
                  : : "r" (argument(1)), "r" (argument(0)));
}

static void store_byte(void)
{
    asm volatile ("stb %%g0, [%0]" /* ends: store-byte */
                  : : "r" (argument(0)));
}

static void store_double(void)
{
    asm volatile ("std %%g0, [%0]" /* ends: store-double */
                  : : "r" (argument(0)));
}

static void swap(void)
{
    uint32_t value = 0;

    asm volatile ("swap [%1], %0" /* ends: swap */
                  : "+r" (value) : "r" (argument(0)));
}

static void load_float(void)
{
    asm volatile ("ld [%0], %%f0" /* ends: load-float */
                  : : "r" (argument(0)) : "%f0");
}

static void store_float(void)
{
    asm volatile ("st %%f0, [%0]" /* ends: store-float */
                  : : "r" (argument(0)));
}

static void jump(void)
{
    asm volatile ("jmpl %0, %%o7; nop" /* ends: jump */
                  : : "r" (argument(0)) : "o7");
}

/* Loads from a page that was mapped and is no longer. */
static void unmapped(void)
{
    uint32_t page = 0x20000000;

    glaze_map(page, GLAZE_PAGE);
    *(volatile uint32_t *)page = 1;
    glaze_unmap(page, GLAZE_PAGE);
    (void)*(volatile uint32_t *)page; /* ends: unmapped */
}

/* Executes code that the process has written, where code is not allowed. */
static void run_data(void)
{
    static uint32_t code[2] = { 0x81c3e008, 0x01000000 };       /* retl; nop */

    asm volatile ("jmpl %0, %%o7; nop" : : "r" (code) : "o7");
}

static void run_stack(void)
{
    volatile uint32_t code[2] = { 0x81c3e008, 0x01000000 };

    asm volatile ("jmpl %0, %%o7; nop" : : "r" (code) : "o7");
}

/* Sends a body from memory that does not belong to the process. */
static void send_body(void)
{
    udm_inject_body(udm_node(), good_handler, /* ends: send-body */
                    argument(0), 64);
}

static uint32_t target;
static volatile uint32_t stored;

static void storing_handler(void)
{
    udm_storeback((void *)target, 0, 64); /* ends: store-back */
    stored++;
    udm_dispose();
}

/* Stores a body where the process may not write, from the network or from
 * the buffer. */
static void store_back(void)
{
    static uint32_t body[16];

    /* The first body has an allowed target, so that all the handler's pages
     * are there. */
    target = (uintptr_t)body;
    udm_inject_body(udm_node(), storing_handler, body, sizeof(body));
    while (!stored) {
    }
    target = argument(0);
    fresh_slot();
    if (argument(1)) {
        glaze_divert();
    }
    udm_inject_body(udm_node(), storing_handler, body, sizeof(body));
    pause_for_message();
}

/*
 * Reads parts of the buffer that are not the oldest message's body of 8 bytes:
 * the arguments are offset and number of bytes. The next body is its neighbour.
 */
static void forge_length(void)
{
    static uint32_t body[1024];

    udm_beginatom();
    glaze_divert();
    for (unsigned i = 1; i <= 3; i++) {
        udm_inject_body(udm_node(), good_handler, body, 8);
        while (glaze_info(GLAZE_I_INSERTED) < i) {
        }
    }
    udm_storeback(body, argument(0), argument(1));
}

static void with_record(void)
{
    udm_beginatom();
    glaze_divert();
    udm_inject(udm_node(), good_handler);
    while (!udm_available()) {
    }
    asm volatile ("st %%g0, [%%g6]" : : : "memory"); /* ends: store-record */
}

const struct bad_case memory_cases[] = {
    { "load", load, false },
    { "load-byte", load_byte, false },
    { "load-double", load_double, false },
    { "store", store, false },
    { "store-byte", store_byte, false },
    { "store-double", store_double, false },
    { "swap", swap, false },
    { "load-float", load_float, false },
    { "store-float", store_float, false },
    { "jump", jump, false },
    { "unmapped", unmapped, false },
    { "run-data", run_data, false },
    { "run-stack", run_stack, false },
    { "send-body", send_body, false },
    { "store-back", store_back, false },
    { "forge-length", forge_length, false },
    { "store-record", with_record, false },
    { 0 },
};
