/*
 * changes NAME: which pages WATCH and UNCHANGED report as changed
 * (docs/glaze.md, "Pages that have changed"): each way in which a page can be
 * written, pages that are mapped, pages with views, and pages that are out.
 *
 * Prints one line for each check. A page's bit in the results stands for "has
 * changed".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define PAGES   8

static volatile uint8_t page[PAGES][GLAZE_PAGE]
    __attribute__((aligned(GLAZE_PAGE)));
static volatile uint8_t got;
static volatile uint32_t handled;

static int32_t watch(const volatile void *from, uint32_t pages)
{
    return glaze_watch((uintptr_t)from, pages * GLAZE_PAGE);
}

static uint32_t unchanged(const volatile void *from, uint32_t pages)
{
    return glaze_unchanged((uintptr_t)from, pages * GLAZE_PAGE) / GLAZE_PAGE;
}

/* Returns a bit for each page that has changed. */
static uint32_t changes(const volatile void *from, unsigned pages)
{
    const volatile uint8_t *at = from;
    uint32_t changed = 0;

    for (unsigned k = 0; k < pages; k++) {
        changed |= (unchanged(at + k * GLAZE_PAGE, 1) == 0) << k;
    }
    return changed;
}

/* ---- Stores ------------------------------------------------------------------------ */

static void stores(void)
{
    check("pages that were never written", changes(page, PAGES), 0);
    page[1][0] = 1;
    page[4][GLAZE_PAGE - 1] = 1;
    got = page[2][0];
    check("pages that were written", changes(page, PAGES), 0x12);
    check("unchanged up to one", unchanged(page, PAGES), 1);
    check("from there on", unchanged(page[1], 1), 0);
    check("up to the next", unchanged(page[2], 6), 2);
    check("watch", watch(page, PAGES), 0);
    check("none has changed", changes(page, PAGES), 0);
    got = page[1][0];
    check("a load changes nothing", changes(page, PAGES), 0);
    page[1][5] = 5;
    page[7][5] = 5;
    check("stores after it", changes(page, PAGES), 0x82);
    watch(page[7], 1);
    check("watch of one page", changes(page, PAGES), 2);
    page[7][6] = 6;
    check("its next store", changes(page, PAGES), 0x82);
    check("contents", page[1][0] + page[1][5] + page[7][5] + page[7][6], 17);
}

static void flushed(void)
{
    uint32_t at = (uintptr_t)page[3] + 2048;

    /* FLUSH stores all windows but the last one: one of them lies there. */
    asm volatile ("mov  %0, %%g1\n\t"
                  "save %%g1, 0, %%sp\n\t"
                  "save %%sp, 0, %%sp\n\t"
                  "ta   %1\n\t"
                  "restore\n\t"
                  "restore" : : "r" (at), "i" (GLAZE_TRAP_FLUSH)
                  : "g1", "g2", "g3", "memory", "cc");
}

/* The kernel writes into the process's memory. */
static void calls(void)
{
    struct glaze_fp *fp = (struct glaze_fp *)page[2];

    page[0][0] = page[1][0] = page[2][0] = page[3][0] = 1;
    watch(page, PAGES);
    glaze_count((struct glaze_count *)page[0]);
    check("a result", changes(page, PAGES), 1);
    glaze_measure((struct glaze_measure *)(page[1] + GLAZE_PAGE - 8), 0);
    check("a result over two pages", changes(page, PAGES), 7);
    watch(page, PAGES);
    glaze_fp_save(fp);
    check("FPU registers", changes(page, PAGES), 4);
    watch(page, PAGES);
    glaze_fp_load(fp);
    check("their mark", changes(page, PAGES), 4);
    watch(page, PAGES);
    udm_beginatom();
    flushed();
    udm_endatom();
    check("register windows", changes(page, PAGES), 8);
}

/* ---- Messages ---------------------------------------------------------------------- */

static void stores_body(void)
{
    udm_storeback((void *)udm_arg(0), 0, udm_body_length());
    udm_dispose();
    handled++;
}

static void send(unsigned to, uint32_t bytes)
{
    udm_inject_body(udm_node(), stores_body, (void *)page[0], bytes,
                    (uintptr_t)page[to] + GLAZE_PAGE / 2);
}

static void storebacks(void)
{
    for (unsigned k = 0; k < PAGES; k++) {
        page[k][0] = k;
    }
    watch(page, PAGES);
    send(1, 64);
    while (handled < 1) {
    }
    check("storeback", changes(page, PAGES), 2);
    udm_beginatom();
    glaze_divert();
    send(3, 64);
    send(5, GLAZE_PAGE);
    settle();
    udm_endatom();
    while (handled < 3) {
    }
    check("storeback from the buffer", changes(page, PAGES), 0x6a);
}

/* ---- Maps and views ---------------------------------------------------------------- */

static void maps(void)
{
    uint8_t *heap = memalign(GLAZE_PAGE, 80 * GLAZE_PAGE);
    struct glaze_count before, after;

    got = 0;                    /* what comes next is in memory now */
    glaze_count(&after);
    glaze_count(&before);
    watch(heap, 80);
    got = unchanged(heap, 80);
    glaze_count(&after);
    check("64 pages at most", got, 64);
    check("no page was made for it", after.process_pages,
          before.process_pages);
    got = heap[0];
    check("a first load", changes(heap, PAGES), 0);
    heap[GLAZE_PAGE] = 1;
    check("a first store", changes(heap, PAGES), 2);
    glaze_unmap((uintptr_t)heap, 4 * GLAZE_PAGE);
    check("unmapped pages", changes(heap, PAGES), 0);
    glaze_map((uintptr_t)heap, 3 * GLAZE_PAGE);
    check("mapped pages", changes(heap, PAGES), 7);
    got = heap[2 * GLAZE_PAGE];
    check("a load there", changes(heap, PAGES), 7);
    watch(heap, PAGES);
    check("watched while fresh", changes(heap, PAGES), 0);
    got = heap[GLAZE_PAGE];
    check("a load after it", changes(heap, PAGES), 0);
    glaze_map((uintptr_t)heap, 4 * GLAZE_PAGE);
    check("mapped twice", changes(heap, PAGES), 8);
}

static int32_t view(unsigned k, uint32_t rights)
{
    struct glaze_view one = { (GLAZE_VIEWS + k * GLAZE_PAGE) | rights,
                              (uintptr_t)page[k] };

    return glaze_view(&one, 1);
}

static void views(void)
{
    page[0][0] = page[1][0] = page[2][0] = 1;
    watch(page, PAGES);
    view(1, GLAZE_VIEW_READ);
    check("a view", changes(page, PAGES), 2);
    watch(page, PAGES);
    check("watched", changes(page, PAGES), 2);
    view(1, GLAZE_VIEW_WRITE);
    *(volatile uint8_t *)(GLAZE_VIEWS + GLAZE_PAGE) = 7;
    view(1, GLAZE_VIEW_NONE);
    check("a view that is gone", changes(page, PAGES), 2);
    watch(page, PAGES);
    check("watched without it", changes(page, PAGES), 0);
    page[1][1] = 1;
    check("a store after it", changes(page, PAGES), 2);
    check("contents", page[1][0], 7);
}

/* ---- Paging ------------------------------------------------------------------------ */

#define LARGE   600

/* With a disk, and less memory than LARGE pages. */
static void paging(void)
{
    uint8_t *heap = memalign(GLAZE_PAGE, LARGE * GLAZE_PAGE);
    uint32_t wrong = 0, sum = 0;
    struct glaze_count count;

    for (unsigned k = 0; k < LARGE; k++) {
        heap[k * GLAZE_PAGE] = 1;
    }
    watch(heap, LARGE);                 /* many of them are out */
    for (unsigned k = 0; k < LARGE; k++) {
        wrong += changes(heap + k * GLAZE_PAGE, 1);
    }
    check("watched while out", wrong, 0);
    for (unsigned k = 0; k < LARGE; k++) {
        sum += heap[k * GLAZE_PAGE];
        if (k % 3 == 0) {
            heap[k * GLAZE_PAGE + 1] = 1;
        }
    }
    for (unsigned k = 0; k < LARGE; k++) {
        wrong += changes(heap + k * GLAZE_PAGE, 1) != (k % 3 == 0);
    }
    check("written before they went out", wrong, 0);
    for (unsigned k = 0; k < LARGE; k++) {
        sum += heap[k * GLAZE_PAGE + 1];
        wrong += changes(heap + k * GLAZE_PAGE, 1) != (k % 3 == 0);
    }
    check("in again", wrong, 0);
    check("contents", sum, LARGE + LARGE / 3);
    glaze_count(&count);
    check("pages have gone out", count.outs > LARGE, true);
}

/* ---- Other tasks ------------------------------------------------------------------- */

/* Node 0 writes node 1's pages 0 to 2, and reads page 3 into its own page 4. */
static void tasks(void)
{
    mbcf_open();
    for (unsigned k = 0; k < PAGES; k++) {
        page[k][0] = 1;
    }
    watch(page, PAGES);
    udm_barrier();
    if (udm_node() == 0) {
        static const uint32_t word = 5;

        check("write", mbcf_write_now(1, (uintptr_t)page[0], &word, 4),
              MBCF_DONE);
        check("add", mbcf_fetch_add_now(1, (uintptr_t)page[1], 5), 1 << 24);
        check("write a page", mbcf_write_now(1, (uintptr_t)page[2],
              (const void *)page[5], GLAZE_PAGE), MBCF_DONE);
        check("read a page", mbcf_read_now(1, (void *)page[4],
              (uintptr_t)page[3], GLAZE_PAGE), MBCF_DONE);
        check("read a word", mbcf_read_now(1, (void *)page[6],
              (uintptr_t)page[3], 4), MBCF_DONE);
    }
    udm_barrier();
    check("pages that the other task changed", changes(page, PAGES),
          udm_node() ? 7 : 0x50);
    udm_barrier();
}

/* ---- Ranges ------------------------------------------------------------------------ */

static void ranges(void)
{
    static const struct {
        const char *name;
        uint32_t address, bytes, error;
    } wrong[] = {
        { "not a page", GLAZE_PROGRAM + 4, GLAZE_PAGE, EINVAL },
        { "not whole pages", GLAZE_PROGRAM, 100, EINVAL },
        { "before the program", GLAZE_PROGRAM - GLAZE_PAGE, GLAZE_PAGE, EINVAL },
        { "beyond its end", GLAZE_PROGRAM_END, GLAZE_PAGE, EINVAL },
        { "over its end", GLAZE_PROGRAM_END - GLAZE_PAGE, 2 * GLAZE_PAGE, EINVAL },
        { "a view", GLAZE_VIEWS, GLAZE_PAGE, EINVAL },
        { "the upcall page", GLAZE_UPCALL, GLAZE_PAGE, EINVAL },
        { "nothing", GLAZE_PROGRAM, 0, 0 },
        { "text", GLAZE_PROGRAM, GLAZE_PAGE, 0 },
        { "memory that is not mapped", 0x30000000, 100 * GLAZE_PAGE, 0 },
    };

    for (unsigned k = 0; k < sizeof(wrong) / sizeof(*wrong); k++) {
        check(wrong[k].name, -glaze_watch(wrong[k].address, wrong[k].bytes),
              wrong[k].error);
    }
    for (unsigned k = 0; k < 7; k++) {
        check(wrong[k].name, -glaze_unchanged(wrong[k].address, wrong[k].bytes),
              wrong[k].error);
    }
    check("nothing is unchanged", glaze_unchanged(GLAZE_PROGRAM, 0), 0);
    check("text is unchanged", unchanged((void *)GLAZE_PROGRAM, 1), 1);
    check("as is what is not mapped", unchanged((void *)0x30000000, 90), 64);
}

int main(int argc, char **argv)
{
    static const struct check_case cases[] = {
        { "stores", stores }, { "calls", calls }, { "storebacks", storebacks },
        { "maps", maps }, { "views", views }, { "paging", paging },
        { "tasks", tasks }, { "ranges", ranges },
    };
    const struct check_case *one;

    one = check_case(argc, argv, cases, sizeof(cases) / sizeof(*cases));
    if (!one) {
        return 2;
    }
    one->run();
    return check_failures != 0;
}
