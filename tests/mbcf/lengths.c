/*
 * WRITE and READ of all lengths and alignments, and long commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"

static const struct {
    uint32_t bytes, to, from;
} lengths[] = {
    { 1, 3, 5 }, { 4, 8, 12 }, { 7, 1, 2 }, { 31, 2, 9 }, { 32, 4, 3 },
    { 33, 4, 8 }, { 34, 7, 4 }, { 100, 4094, 16 }, { 1024, 3584, 3 },
    { 1024, 3072, 8 }, { 1024, 3076, 8 },       /* up to a page's last word, a word beyond */
    { 4096, 4, 8 },
    { 4093, 4096, 1 }, { 4096, 0, 0 }, { 4096, 4096, 0 }, { 4096, 2048, 0 },
    { 4096, 2047, 2 }, { 4096, 4092, 4092 }, { 9000, 100, 33 },
    { 12288, 4096, 0 },
};

#define COUNT   (sizeof(lengths) / sizeof(*lengths))

static uint8_t pattern(uint32_t k)
{
    return k * 7 + k / 251 + 1;
}

/* Returns how many bytes are wrong: outside of the range they are 0. */
static uint32_t wrong(const uint8_t *bytes, uint32_t to, uint32_t from,
                      uint32_t count)
{
    uint32_t found = 0;

    for (uint32_t k = 0; k < PAGES * GLAZE_PAGE; k++) {
        found += bytes[k] != (k - to < count ? pattern(from + k - to) : 0);
    }
    return found;
}

/* Node 0 writes to `target` of node 1, which clears it after each write. */
static void write_all(uint8_t *target, void (*clear)(void))
{
    for (uint32_t k = 0; k < PAGES * GLAZE_PAGE; k++) {
        local[k] = pattern(k);
    }
    for (unsigned k = 0; k < COUNT; k++) {
        uint32_t bytes = lengths[k].bytes, to = lengths[k].to;

        if (udm_node() == 0) {
            check("write", mbcf_write_now(1, (uintptr_t)&target[to],
                                          &local[lengths[k].from], bytes),
                  MBCF_DONE);
        }
        udm_barrier();
        if (udm_node() == 1) {
            check("bytes", wrong(target, to, lengths[k].from, bytes), 0);
            clear();
        }
        udm_barrier();
    }
}

static void clear_memory(void)
{
    memset(memory, 0, sizeof(memory));
}

void case_lengths(void)
{
    write_all(memory, clear_memory);
}

/* Pages that have not been touched: each write waits for them. */
#define FRESH   0x30000000

static void clear_fresh(void)
{
    glaze_unmap(FRESH, PAGES * GLAZE_PAGE);
    glaze_map(FRESH, PAGES * GLAZE_PAGE);
}

void case_fresh(void)
{
    clear_fresh();
    udm_barrier();
    write_all((uint8_t *)FRESH, clear_fresh);
}

/*
 * Pages whose frames do not follow each other: the last page gets the first frame. They
 * are watched, so the first write to each takes the slow path.
 */
static void clear_scattered(void)
{
    clear_fresh();
    for (uint32_t page = PAGES; page--;) {
        *(volatile uint32_t *)(FRESH + page * GLAZE_PAGE) = 0;
    }
    glaze_watch(FRESH, PAGES * GLAZE_PAGE);
}

/* Returns the cycles of a write of 1 KB to the first page, on node 0. */
static uint32_t cost(uint32_t to)
{
    uint32_t start;

    udm_barrier();
    clear_scattered();
    udm_barrier();
    start = udm_cycles32();
    if (udm_node() == 0) {
        mbcf_write_now(1, FRESH + to, local, 1024);
    }
    return udm_cycles32() - start;
}

void case_scattered(void)
{
    uint32_t before, last;

    clear_scattered();
    udm_barrier();
    write_all((uint8_t *)FRESH, clear_scattered);
    cost(0);
    before = cost(2048);
    last = cost(3072);
    if (udm_node() == 0) {
        check("nothing is copied that ends with its page", last < before + 500, true);
        check("what ends a word later is", cost(3076) > before + 2000,
              true);
    } else {
        cost(0);
    }
}

void case_reads(void)
{
    for (uint32_t k = 0; k < PAGES * GLAZE_PAGE; k++) {
        memory[k] = udm_node() == 1 ? pattern(k) : 0;
    }
    udm_barrier();
    for (unsigned k = 0; k < COUNT && udm_node() == 0; k++) {
        memset(local, 0, sizeof(local));
        check("read", mbcf_read_now(1, &local[lengths[k].to],
                                    in_memory(lengths[k].from),
                                    lengths[k].bytes), MBCF_DONE);
        check("bytes", wrong(local, lengths[k].to, lengths[k].from,
                             lengths[k].bytes), 0);
    }
}

/* ---- Long commands -------------------------------------------------------- */

#define LONG    1024            /* bytes above which a command is long */
#define LONGS   4               /* long commands under way */

/* Requests a long command of node 1 whose bytes have to be shifted. `status` NULL: it is
 * silent. Returns the slots that are free then. */
static uint32_t begin_long(bool reads, volatile uint32_t *status)
{
    uint32_t options = status ? MBCF_STATUS : 0;

    if (reads) {
        mbcf_read(1, &local[3], in_memory(1), GLAZE_PAGE, options, status);
    } else {
        mbcf_write(1, in_memory(1), local, GLAZE_PAGE, options, status);
    }
    return mbcf_page()->free;
}

/* Requests as many as there are slots. Returns the least number that was free. */
static uint32_t many_longs(bool reads, bool silent)
{
    volatile uint32_t status[MBCF_SLOTS] = { 0 };
    uint32_t least = MBCF_SLOTS;

    for (unsigned k = 0; k < MBCF_SLOTS; k++) {
        uint32_t left = begin_long(reads, silent ? NULL : &status[k]);

        least = left < least ? left : least;
    }
    for (unsigned k = 0; k < MBCF_SLOTS && !silent; k++) {
        check("done", mbcf_await(&status[k]), MBCF_DONE);
    }
    return least;
}

/* Long commands wait until few of them are under way, on both paths. */
void case_longs(void)
{
    volatile uint32_t status[MBCF_SLOTS] = { 0 };
    uint32_t value = 1, least = 0;
    struct mbcf_request one = {
        .command = MBCF_READ, .task = 1, .address = in_memory(1), .bytes = LONG + 1,
        .local = (uintptr_t)&local[GLAZE_PAGE + 8],
    };

    memset(memory, udm_node(), sizeof(memory));
    memset(local, 0, sizeof(local));    /* no command waits for a page */
    udm_barrier();
    if (udm_node()) {
        return;
    }
    check("slots that READs leave", many_longs(true, false), MBCF_SLOTS - LONGS);
    check("slots that WRITEs leave", many_longs(false, false), MBCF_SLOTS - LONGS);
    check("slots that silent ones leave", many_longs(false, true), MBCF_SLOTS - LONGS);
    mbcf_write_now(1, in_memory(0), &value, sizeof(value));
    check("all are free", mbcf_page()->free, MBCF_SLOTS);
    for (unsigned k = 0; k < LONGS; k++) {
        least = begin_long(true, &status[k]);
    }
    check("four go at once", least, MBCF_SLOTS - LONGS);
    check("fast path", mbcf_try(&one, 1), (uint32_t)-EAGAIN);
    check("slow path", glaze_call4(GLAZE_MBCF, MBCF_REQUEST, (uintptr_t)&one, 1, 0),
          (uint32_t)-EAGAIN);
    one.bytes = LONG;
    mbcf_request(&one, 1);
    check("a shorter one goes", mbcf_page()->free, MBCF_SLOTS - LONGS - 1);
    for (unsigned k = 0; k < LONGS; k++) {
        check("done", mbcf_await(&status[k]), MBCF_DONE);
    }
    for (unsigned k = 0; k < LONGS - 1; k++) {
        begin_long(true, &status[k]);
    }
    for (unsigned k = LONGS - 1; k < MBCF_SLOTS - 2; k++) {
        mbcf_fetch_add(1, in_memory(0), 0, NULL, MBCF_STATUS, &status[k]);
    }
    check("short ones do not count", begin_long(true, &status[MBCF_SLOTS - 2]), 1);
    for (unsigned k = 0; k < MBCF_SLOTS - 1; k++) {
        check("done", mbcf_await(&status[k]), MBCF_DONE);
    }
    for (unsigned k = 0; k < MBCF_SILENT_MAX; k++) {
        mbcf_write(1, in_memory(0), &value, sizeof(value), 0, NULL);
    }
    check("silent ones are asked", mbcf_read_now(1, &local[3], in_memory(1), GLAZE_PAGE),
          MBCF_DONE);
}
