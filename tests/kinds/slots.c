/*
 * Messages of the M-Machine under Glaze (mm.h): --ni m-machine.
 *
 *      slots                   checks shared ranges and each handler of the library
 *      slots pinned            node 0 stores to memory that node 1 shares: it stays
 *      slots out               the same, and node 1 does not share it: it is out
 *      slots fresh             node 0 stores to pages of node 1 that nothing has touched
 *      slots fills CYCLES      shares as many pages as it may, and keeps them for so long
 *      slots trips CYCLES      node 0 asks node 1, which computes, for so long, and
 *                              counts replies, and those that took long
 *      slots waits             checks waits for a word: node 0 stores at each moment
 *      slots sleeper           node 1 waits for one word, and says how often it was woken
 *      slots wakes CYCLES      node 1 waits again and again, and node 0 stores
 *      slots computes COUNT    computes, and says how long that has taken at node 1
 *      slots large             shares the largest range, and ends that
 *      slots flood CYCLES      all nodes send to all for so long, and exit
 *      slots crash CYCLES      the same, and then a handler does something wrong
 *      slots exits             node 1 exits, and node 0 sends it LATE messages
 *      slots brief CYCLES      checks that no message of another job comes, sends to all
 *                              for so long, and exits
 *      slots asleep            waits for ever
 *      slots stray CYCLES      checks for so long that no message of another job comes,
 *                              sends, and exits
 *      slots replies CYCLES    the same, and the message is a reply, of priority 1
 *      slots late CYCLES       node 1 exits, and node 0 sends to it for so long
 *      slots dropped           checks that node 1 has dropped LATE messages
 *      slots MISTAKE [NUMBER]  does something that ends the job
 *
 * Prints one line for each check that fails, and their number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slots.h"

volatile uint32_t memory[2 * WORDS] __attribute__((aligned(PAGE)));
struct mm_shared all;
static unsigned checks, failed;

void check(const char *what, uint32_t found, uint32_t expected)
{
    checks++;
    if (found != expected) {
        failed++;
        printf("FAIL: node %lu: %s: %ld, not %ld\n", (unsigned long)udm_node(), what,
               (long)found, (long)expected);
    }
}

void meet(uint32_t times)
{
    mm_send3(mm_at(&all, 0, &memory[READY]), MM_HANDLER_IP(mm_add), 1,
             mm_at(&all, udm_node(), &memory[OLD]), MM_HANDLER_IP(mm_store));
    if (udm_node() == 0) {
        while (memory[READY] < times * udm_nodes()) {
        }
        for (uint32_t node = 0; node < udm_nodes(); node++) {
            mm_send1(mm_at(&all, node, &memory[READY + 1]), MM_HANDLER_IP(mm_store),
                     times);
        }
    }
    while (memory[READY + 1] < times) {
    }
}

/* ---- Ranges --------------------------------------------------------------- */

static int32_t share(uint32_t offset, volatile void *at, size_t bytes)
{
    struct mm_shared shared;

    return mm_share(&shared, offset, at, bytes);
}

static void check_ranges(void)
{
    uint32_t heap = GLAZE_PROGRAM_END - 8 * MM_SEGMENT_MOST;
    struct mm_shared one;

    check("no power of two", share(FAR, memory, 3 * PAGE), -EINVAL);
    check("half a page", share(FAR, memory, PAGE / 2), -EINVAL);
    check("in a page", share(FAR, memory + 2, PAGE), -EINVAL);
    check("too large", share(FAR, (void *)heap, 2 * MM_SEGMENT_MOST), -EINVAL);
    check("a stack", share(FAR, (void *)(GLAZE_MAIN_STACK_TOP - PAGE), PAGE), -EINVAL);
    check("the kernel", share(FAR, (void *)FUGU_RAM_BASE, PAGE), -EINVAL);
    check("a window in a page", share(FAR + 4, memory, PAGE), -EINVAL);
    check("beyond the window", share(MM_WINDOW_SIZE, memory, PAGE), -ERANGE);
    check("before it", share(-PAGE, memory, PAGE), -ERANGE);
    check("one node too far",
          share(MM_WINDOW_SIZE - (udm_nodes() - 1) * PAGE, memory, PAGE), -ERANGE);
    check("the same window", share(0, memory, PAGE), -EEXIST);
    check("its last page", share((2 * udm_nodes() - 1) * PAGE, memory, PAGE), -EEXIST);
    check("text", share(FAR, (void *)GLAZE_PROGRAM, PAGE), -EFAULT);
    check("nothing", share(FAR, (void *)heap, PAGE), -EFAULT);
    check("another window", mm_share(&one, FAR, memory, PAGE), 0);
    check("unmap", glaze_unmap((uintptr_t)memory, PAGE), -EBUSY);
    check("unshare", mm_unshare(&one), 0);
    check("twice", mm_unshare(&one), -EINVAL);
    check("a segment that cannot be", (one.segment = 99, mm_unshare(&one)), -EINVAL);
    for (uint32_t k = 0; k < MM_SEGMENTS - 1; k++) {
        check("all segments", share(FAR + k * 0x1000000, memory, PAGE), 0);
    }
    check("one more", share(FAR - 0x1000000, memory, PAGE), -ENOSPC);
    for (one.segment = 1; one.segment < MM_SEGMENTS; one.segment++) {
        check("their end", mm_unshare(&one), 0);
    }
}

/* A quarter of the frames: node 0 alone has so much to share here. */
static void check_quota(void)
{
    uint32_t heap = GLAZE_PROGRAM_END - 8 * MM_SEGMENT_MOST;

    glaze_map(heap, MM_SEGMENT_MOST);
    check("too much", share(FAR - 0x8000000, (void *)heap, MM_SEGMENT_MOST), -ENOMEM);
    check("given up, and free", share(FAR - 0x8000000, memory, PAGE), 0);
}

/* ---- Messages ------------------------------------------------------------- */

static void check_messages(void)
{
    uint32_t node = udm_node(), nodes = udm_nodes(), next = (node + 1) % nodes;
    uint32_t before = (node + nodes - 1) % nodes;

    mm_send1(mm_at(&all, next, &memory[CAME]), MM_HANDLER_IP(mm_store), 100 + node);
    check("a word", mm_wait(&memory[CAME], 0), 100 + before);
    mm_send8(mm_at(&all, next, &memory[BLOCK]), MM_HANDLER_IP(mm_store8), 1, 2, 3, 4, 5,
             6, 7, 8 + node);
    check("a block", mm_wait(&memory[BLOCK + 7], 0), 8 + before);
    for (uint32_t k = 0; k < 7; k++) {
        check("its words", memory[BLOCK + k], k + 1);
    }
    mm_send3(mm_at(&all, next, &memory[0]), MM_HANDLER_IP(mm_reply),
             mm_at(&all, node, &memory[REPLY]), MM_HANDLER_IP(mm_store), 77);
    check("a reply", mm_wait(&memory[REPLY], 0), 77);
    mm_send0(mm_at(&all, next, &memory[0]), MM_HANDLER_IP(mm_null));
    mm_await();
    meet(2);
    for (uint32_t k = 0; k < 100; k++) {
        memory[OLD] = ~0u;
        mm_send3(mm_at(&all, 0, &memory[SUM]), MM_HANDLER_IP(mm_add), 1 + node,
                 mm_at(&all, node, &memory[OLD]), MM_HANDLER_IP(mm_store));
        mm_wait(&memory[OLD], ~0u);
    }
    meet(3);
    if (node == 0) {
        check("all have been added", memory[SUM], 100 * nodes * (nodes + 1) / 2);
    }
}

/* ---- Round trips ---------------------------------------------------------- */

#define LONG    3000

static void trips(uint64_t cycles)
{
    uint32_t replies = 0, took_long = 0;
    uint64_t before, end;

    if (udm_node() == 1) {
        mm_send1(mm_at(&all, 0, &memory[READY]), MM_HANDLER_IP(mm_store), 1);
        while (!memory[CAME]) {
        }
        return;
    }
    mm_wait(&memory[READY], 0); /* node 1 shares the memory to which it replies */
    before = udm_cycles();
    end = before + cycles;
    while (before < end) {
        uint64_t t;

        memory[REPLY] = 0;
        mm_send3(mm_at(&all, 1, memory), MM_HANDLER_IP(mm_reply),
                 mm_at(&all, 0, &memory[REPLY]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[REPLY], 0);
        t = udm_cycles();
        replies++;
        took_long += t - before > LONG;
        before = t;
    }
    mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    printf("%lu replies, %lu late\n", (unsigned long)replies, (unsigned long)took_long);
}

/* ---- The largest range ---------------------------------------------------- */

static void large(void)
{
    uint32_t heap = GLAZE_PROGRAM_END - MM_SEGMENT_MOST;
    struct mm_shared shared;

    glaze_map(heap, MM_SEGMENT_MOST);
    for (unsigned k = 0; k < 2; k++) {
        check("share", mm_share(&shared, FAR, (void *)heap, MM_SEGMENT_MOST), 0);
        check("unshare", mm_unshare(&shared), 0);
    }
}

/* ---- All to all ----------------------------------------------------------- */

static void flood(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    for (uint32_t node = 0; udm_cycles() < end; node = (node + 1) % udm_nodes()) {
        uint32_t back = mm_at(&all, udm_node(), &memory[OLD]);

        mm_send8(mm_at(&all, node, &memory[BLOCK]), MM_HANDLER_IP(mm_store8), 1, 2, 3,
                 4, 5, 6, 7, 8);
        mm_send3(mm_at(&all, node, &memory[SUM]), MM_HANDLER_IP(mm_add), 1, back,
                 MM_HANDLER_IP(mm_store));
        mm_send10(mm_at(&all, node, memory), MM_HANDLER_IP(mm_reply), back,
                  MM_HANDLER_IP(mm_null), 1, 2, 3, 4, 5, 6, 7, 8);
    }
}

static void crash(uint64_t cycles)
{
    flood(cycles);
    mistake("misaligned", NULL);
}

/* ---- Cases ---------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
    void (*run_for)(uint64_t cycles);   /* of a case with a number */
} cases[] = {
    { "pinned", pinned },
    { "out", out },
    { "fresh", fresh },
    { "waits", waits },
    { "sleeper", sleeper },
    { "large", large },
    { "exits", exits },
    { "asleep", asleep },
    { "dropped", dropped },
    { "fills", NULL, fills },
    { "trips", NULL, trips },
    { "wakes", NULL, wakes },
    { "computes", NULL, computes },
    { "flood", NULL, flood },
    { "crash", NULL, crash },
    { "brief", NULL, brief },
    { "stray", NULL, stray },
    { "replies", NULL, replies },
    { "late", NULL, late },
};

/* Returns whether there is a case of that name. Carries it out. */
static bool is_case(const char *name, uint64_t cycles)
{
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (strcmp(name, cases[k].name) == 0) {
            if (cases[k].run) {
                cases[k].run();
            } else {
                cases[k].run_for(cycles);
            }
            return true;
        }
    }
    return false;
}

static void make_mistake(const char *which, const char *number)
{
    gather();
    if (udm_node() == 0) {
        mistake(which, number);
    }
    for (;;) {                  /* the job ends meanwhile */
    }
}

static void check_all(void)
{
    check_ranges();
    meet(1);
    check_messages();
    if (udm_node() == 0) {
        check_quota();
    }
}

int main(int argc, char **argv)
{
    check("share", mm_share(&all, 0, memory, 2 * PAGE), 0);
    if (argc < 2) {
        check_all();
    } else if (!is_case(argv[1], argc > 2 ? strtoull(argv[2], NULL, 0) : 0)) {
        make_mistake(argv[1], argv[2]);
    }
    printf("%u checks, %u failed\n", checks, failed);
    return failed != 0;
}
