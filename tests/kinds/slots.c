/*
 * Messages of the M-Machine under Glaze (mm.h): --ni m-machine.
 *
 *      slots                   checks shared ranges and each handler of the library
 *      slots paging            node 0 stores to memory of node 1 that goes out and comes
 *      slots pinned            the same, and node 1 shares that memory: it stays
 *      slots both              the first, and every other word comes as a reply
 *      slots unmapped          node 0 stores to memory of node 1 that is out, and node 1
 *                              gives it back while it comes
 *      slots trips CYCLES      node 0 asks node 1, which computes, for so long, and
 *                              counts replies, and those that took long
 *      slots waits             checks waits for a word: node 0 stores at each moment
 *      slots out               node 1 waits for a word whose page goes out meanwhile
 *      slots pushes            touches many pages of node 1
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

#include "glaze-calls.h"
#include "mm.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

/* Two pages of each node: what others store there, and what they add to. */
static volatile uint32_t memory[2 * WORDS] __attribute__((aligned(PAGE)));
static struct mm_shared all;
static unsigned checks, failed;

enum { CAME = 0, BLOCK = 8, REPLY = 16, SUM = 24, READY = 32, OLD = 40 };

static void check(const char *what, uint32_t found, uint32_t expected)
{
    checks++;
    if (found != expected) {
        failed++;
        printf("FAIL: node %lu: %s: %ld, not %ld\n", (unsigned long)udm_node(), what,
               (long)found, (long)expected);
    }
}

/* Waits until all nodes have come here so often. */
static void meet(uint32_t times)
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

#define FAR     0x30000000      /* offsets in the window that nothing else uses */

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

/* ---- Pages that go out ---------------------------------------------------- */

#define PAGES   16
#define ROUNDS  20
#define OTHERS  130

static volatile uint32_t away[PAGES * WORDS] __attribute__((aligned(PAGES * PAGE)));
static volatile uint32_t others[OTHERS * WORDS] __attribute__((aligned(PAGE)));

/* Whether the words of odd pages come as replies, for which node 1 asks. */
static bool both;

static void ask_for_words(void)
{
    struct mm_shared there = { .window = MM_WINDOW + FAR, .address = (uintptr_t)away,
                               .bytes = sizeof(away) };

    for (uint32_t k = 1; k < ROUNDS * PAGES; k += 2) {
        mm_send3(mm_at(&all, 0, memory), MM_HANDLER_IP(mm_reply),
                 mm_at(&there, 1, &away[k % PAGES * WORDS + k / PAGES]),
                 MM_HANDLER_IP(mm_store), k + 1);
    }
    mm_send3(mm_at(&all, 0, memory), MM_HANDLER_IP(mm_reply),
             mm_at(&all, 1, &memory[REPLY]), MM_HANDLER_IP(mm_store), 1);
    mm_wait(&memory[REPLY], 0);
    mm_send1(mm_at(&all, 0, &memory[OLD]), MM_HANDLER_IP(mm_store), 1);
}

static void store_away(void)
{
    struct mm_shared shared;

    check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    mm_wait(&memory[CAME], 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t page = 0; page < PAGES; page += both ? 2 : 1) {
            mm_send1(mm_at(&shared, 1, &away[page * WORDS + round]),
                     MM_HANDLER_IP(mm_store), 1 + round * PAGES + page);
        }
    }
    mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    if (both) {
        mm_wait(&memory[OLD], 0);
    }
}

static uint32_t pages_in(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.ins;
}

static void check_away(bool pinned)
{
    struct mm_shared shared;
    uint32_t before;

    if (pinned) {
        check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    }
    for (uint32_t page = 0; page < PAGES; page++) {
        away[page * WORDS + WORDS - 1] = 1;
    }
    for (uint32_t k = 0; k < 2 * OTHERS; k++) {
        others[k % OTHERS * WORDS]++;
    }
    before = pages_in();
    mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    if (both) {
        ask_for_words();
    }
    mm_wait(&memory[CAME], 0);
    /* Another one may have come for the program itself. */
    check("all pages have come", (pages_in() - before) / PAGES, !pinned);
    for (uint32_t k = 0; k < ROUNDS * PAGES; k++) {
        check("a word", away[k % PAGES * WORDS + k / PAGES], k + 1);
    }
}

static void paging(bool pinned)
{
    if (udm_node() == 0) {
        store_away();
    } else {
        check_away(pinned);
    }
}

/* Pages of the heap, which can be given back. A page takes longer from the disk. */
#define HEAP    0x20000000
#define SOON    5000

static void unmapped(void)
{
    volatile uint32_t *heap = (volatile uint32_t *)HEAP;
    struct mm_shared shared;

    glaze_map(HEAP, PAGES * PAGE);
    if (udm_node() == 0) {
        check("share", mm_share(&shared, FAR, heap, PAGES * PAGE), 0);
        mm_wait(&memory[CAME], 0);
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_send1(mm_at(&shared, 1, heap), MM_HANDLER_IP(mm_store), 1);
    } else {
        for (uint32_t page = 0; page < PAGES; page++) {
            heap[page * WORDS] = 1;
        }
        for (uint32_t k = 0; k < 2 * OTHERS; k++) {
            others[k % OTHERS * WORDS]++;
        }
        mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[CAME], 0);
        for (uint64_t end = udm_cycles() + SOON; udm_cycles() < end; ) {
        }
        glaze_unmap(HEAP, PAGES * PAGE);
    }
    for (;;) {                  /* the job ends meanwhile */
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

/* ---- Waits ---------------------------------------------------------------- */

static int32_t wait_once(const volatile void *word, uint32_t same)
{
    return glaze_call(GLAZE_MM, MM_WAIT, (uintptr_t)word, same);
}

static void pass(uint64_t cycles)
{
    for (uint64_t end = udm_cycles() + cycles; udm_cycles() < end; ) {
    }
}

static void check_wait_errors(void)
{
    check("in a word", wait_once((volatile char *)memory + 2, 0), -EINVAL);
    check("a stack", wait_once((void *)(GLAZE_MAIN_STACK_TOP - 8), 0), -EINVAL);
    check("the kernel", wait_once((void *)FUGU_RAM_BASE, 0), -EINVAL);
    check("nothing", wait_once((void *)(GLAZE_PROGRAM_END - PAGE), 0), -EFAULT);
    check("text", wait_once((void *)GLAZE_PROGRAM, 0), -EFAULT);
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

static void waits(void)
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

#define PUSHED  30000000        /* cycles */

static void out(void)
{
    uint32_t before = pages_in();

    if (udm_node() == 0) {
        check("share", mm_share(&all, FAR, away, PAGES * PAGE), 0);
        pass(PUSHED);
        mm_send1(mm_at(&all, 1, away), MM_HANDLER_IP(mm_store), 1);
        return;
    }
    check("a word", mm_wait(away, 0), 1);
    check("its page was out", pages_in() > before, 1);
}

static void pushes(void)
{
    for (uint32_t k = 0; udm_node() == 1 && k < 2 * OTHERS; k++) {
        others[k % OTHERS * WORDS]++;
    }
}

#define ASLEEP  2000000         /* cycles */

static void sleeper(void)
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

static void wakes(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;
    uint32_t waits = 0;

    if (udm_node() == 0) {
        for (uint32_t k = 1; udm_cycles() < end; k++) {
            mm_send1(mm_at(&all, 1, &memory[BLOCK]), MM_HANDLER_IP(mm_store), k);
        }
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        return;
    }
    while (!memory[CAME]) {
        wait_once(&memory[BLOCK], memory[BLOCK]);
        waits++;
    }
    check("it has waited often", waits > 10, 1);
}

static void computes(uint32_t count)
{
    uint64_t began = udm_cycles();

    for (volatile uint32_t k = 0; k < count; k++) {
    }
    if (udm_node() == 1) {
        printf("%lu cycles\n", (unsigned long)(udm_cycles() - began));
    }
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

/* ---- Messages for a process that has ended --------------------------------- */

#define LATE    50

static void exits(void)
{
    if (udm_node() == 1) {
        mm_wait(&memory[CAME], 0);      /* so the slot is in this job's memory */
        mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        glaze_exit(0);
    } else {
        uint64_t end;

        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[CAME], 0);
        end = udm_cycles() + 10000;     /* its memory is not given back yet */
        while (udm_cycles() < end) {
        }
        for (uint32_t k = 0; k < LATE; k++) {
            mm_send1(mm_at(&all, 1, &memory[k]), MM_HANDLER_IP(mm_store), 1);
        }
    }
}

/* All processes of the job have begun, and share their memory: each has stored here. */
static void gather(void)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        mm_send1(mm_at(&all, node, &memory[WORDS + udm_node()]), MM_HANDLER_IP(mm_store),
                 glaze_info(GLAZE_I_JOB));
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        check("a job", mm_wait(&memory[WORDS + node], 0), glaze_info(GLAZE_I_JOB));
    }
}

static void check_words_of(uint32_t job)
{
    for (uint32_t k = 0; k < WORDS; k++) {
        if (memory[k] && memory[k] != job) {
            check("a word of this job", memory[k], job);
        }
    }
}

static void brief(uint64_t cycles)
{
    uint32_t job = glaze_info(GLAZE_I_JOB), node = udm_node();
    uint64_t end;

    gather();
    end = udm_cycles() + cycles;
    while (udm_cycles() < end) {
        node = (node + 1) % udm_nodes();
        mm_send8(mm_at(&all, node, &memory[BLOCK]), MM_HANDLER_IP(mm_store8), job, job,
                 job, job, job, job, job, job);
        mm_send3(mm_at(&all, node, memory), MM_HANDLER_IP(mm_reply),
                 mm_at(&all, udm_node(), &memory[REPLY]), MM_HANDLER_IP(mm_store), job);
    }
    check_words_of(job);
}

/* Node 0 stores the job's number at node 1: its program, or its handler at priority 1. */
static void stray(uint64_t cycles, bool replies)
{
    uint32_t job = glaze_info(GLAZE_I_JOB), there = mm_at(&all, 1, &memory[BLOCK]);

    pass(cycles);
    check_words_of(job);
    if (udm_node() == 0 && replies) {
        memory[SUM] = job;
        mm_send3(mm_at(&all, 0, &memory[SUM]), MM_HANDLER_IP(mm_add), 1, there,
                 MM_HANDLER_IP(mm_store));
        while (memory[SUM] == job) {
        }
    } else if (udm_node() == 0) {
        mm_send1(there, MM_HANDLER_IP(mm_store), job);
    }
}

static void late(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    if (udm_node() == 1) {
        glaze_exit(0);
    }
    while (udm_cycles() < end) {
        mm_send0(mm_at(&all, 1, memory), MM_HANDLER_IP(mm_null));
    }
}

static void dropped(void)
{
    struct glaze_count count;
    uint64_t end = udm_cycles() + 300000;

    while (udm_cycles() < end) {
    }
    glaze_count(&count);
    check("dropped", count.dropped, udm_node() ? LATE : 0);
}

/* ---- Mistakes ------------------------------------------------------------- */

/* SEND with so many words: 10 are the most. */
#define SEND_WORDS(count, dest, handler) do { \
        register uint32_t g2 asm ("g2") = (dest); \
        register uint32_t g3 asm ("g3") = (handler); \
        asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_SEND(0), count, 2, 3)), \
                      "r" (g2), "r" (g3) : "memory"); \
    } while (0)

static void send_long(unsigned words)
{
    uint32_t dest = mm_at(&all, 1, memory), handler = MM_HANDLER_IP(mm_null);

    switch (words) {
    case 11:
        SEND_WORDS(11, dest, handler);
        break;
    case 12:
        SEND_WORDS(12, dest, handler);
        break;
    case 13:
        SEND_WORDS(13, dest, handler);
        break;
    case 14:
        SEND_WORDS(14, dest, handler);
        break;
    default:
        SEND_WORDS(15, dest, handler);
        break;
    }
}

/* Memory that node 0 alone has. */
static void store_to_nothing(void)
{
    struct mm_shared shared;

    glaze_map(HEAP, PAGE);
    mm_share(&shared, FAR, (void *)HEAP, PAGE);
    mm_send1(mm_at(&shared, 1, (void *)HEAP), MM_HANDLER_IP(mm_store), 1);
}

static void load_at_1(uint32_t address)
{
    mm_send1(mm_at(&all, 1, memory), MM_HANDLER_IP(load_there), address);
}

static void mistake(const char *which, const char *number)
{
    uint32_t there = mm_at(&all, 1, memory), word = number ? strtoul(number, NULL, 0) : 0;

    if (strcmp(which, "to") == 0) {
        mm_send0(word, MM_HANDLER_IP(mm_null));
    } else if (strcmp(which, "handler") == 0) {
        mm_send0(there, word);
    } else if (strcmp(which, "text") == 0) {
        mm_send0(there, (uintptr_t)mistake);
    } else if (strcmp(which, "data") == 0) {
        mm_send0(there, (uintptr_t)memory);
    } else if (strcmp(which, "words") == 0) {
        send_long(word);
    } else if (strcmp(which, "extent") == 0) {
        mm_send1(mm_at(&all, 1, memory + 2 * WORDS) - 4, MM_HANDLER_IP(mm_store8), 1);
    } else if (strcmp(which, "ended") == 0) {
        mm_unshare(&all);
        mm_send0(there, MM_HANDLER_IP(mm_null));
    } else if (strcmp(which, "misaligned") == 0) {
        mm_send1(there + 2, MM_HANDLER_IP(mm_store), 1);
    } else if (strcmp(which, "reply") == 0) {
        mm_send3(there, MM_HANDLER_IP(mm_reply), word, MM_HANDLER_IP(mm_store), 1);
    } else if (strcmp(which, "priority") == 0) {
        mm_send3(there, MM_HANDLER_IP(mm_reply), there, MM_HANDLER_IP(mm_reply), 1);
    } else if (strcmp(which, "load") == 0) {
        load_at_1(word);
    } else if (strcmp(which, "nothing") == 0) {
        store_to_nothing();
    } else if (strcmp(which, "register") == 0) {
        *(volatile uint32_t *)(FUGU_NI_KERNEL_BASE + FUGU_K_MM_PRIORITY) = 1;
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
    if (argc > 1 && strcmp(argv[1], "paging") == 0) {
        paging(false);
    } else if (argc > 1 && strcmp(argv[1], "both") == 0) {
        both = true;
        paging(false);
    } else if (argc > 1 && strcmp(argv[1], "pinned") == 0) {
        paging(true);
    } else if (argc > 1 && strcmp(argv[1], "unmapped") == 0) {
        unmapped();
    } else if (argc > 2 && strcmp(argv[1], "trips") == 0) {
        trips(strtoul(argv[2], NULL, 0));
    } else if (argc > 1 && strcmp(argv[1], "waits") == 0) {
        waits();
    } else if (argc > 1 && strcmp(argv[1], "out") == 0) {
        out();
    } else if (argc > 1 && strcmp(argv[1], "pushes") == 0) {
        pushes();
    } else if (argc > 1 && strcmp(argv[1], "sleeper") == 0) {
        sleeper();
    } else if (argc > 2 && strcmp(argv[1], "wakes") == 0) {
        wakes(strtoul(argv[2], NULL, 0));
    } else if (argc > 2 && strcmp(argv[1], "computes") == 0) {
        computes(strtoul(argv[2], NULL, 0));
    } else if (argc > 2 && strcmp(argv[1], "flood") == 0) {
        flood(strtoul(argv[2], NULL, 0));
    } else if (argc > 2 && strcmp(argv[1], "crash") == 0) {
        flood(strtoul(argv[2], NULL, 0));
        mistake("misaligned", NULL);
    } else if (argc > 1 && strcmp(argv[1], "large") == 0) {
        large();
    } else if (argc > 1 && strcmp(argv[1], "exits") == 0) {
        exits();
    } else if (argc > 2 && strcmp(argv[1], "brief") == 0) {
        brief(strtoul(argv[2], NULL, 0));
    } else if (argc > 1 && strcmp(argv[1], "asleep") == 0) {
        mm_wait(&memory[CAME], 0);
    } else if (argc > 2 && strcmp(argv[1], "stray") == 0) {
        stray(strtoul(argv[2], NULL, 0), false);
    } else if (argc > 2 && strcmp(argv[1], "replies") == 0) {
        stray(strtoul(argv[2], NULL, 0), true);
    } else if (argc > 2 && strcmp(argv[1], "late") == 0) {
        late(strtoul(argv[2], NULL, 0));
    } else if (argc > 1 && strcmp(argv[1], "dropped") == 0) {
        dropped();
    } else if (argc > 1) {
        gather();
        if (udm_node() == 0) {
            mistake(argv[1], argv[2]);
        }
        for (;;) {              /* the job ends meanwhile */
        }
    } else {
        check_all();
    }
    printf("%u checks, %u failed\n", checks, failed);
    return failed != 0;
}
