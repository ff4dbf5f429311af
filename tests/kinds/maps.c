/*
 * Maps over the network, with SHRIMP's interface: each rule of docs/shrimp.md.
 *
 *      maps ring [TURNS]       each node maps pages to the next one and sends: whole
 *                              pages, parts, unaligned ranges, waits, fences
 *      maps automatic          stores to mapped pages are sent, one by one and merged:
 *                              those of the program and those of the kernel
 *      maps copies             the kernel stores to a mapped page while the Outgoing
 *                              FIFO is full; reads the file "copies" of 256 bytes
 *      maps errors             each error that a call returns
 *      maps ends               exports and mappings that end, and are made anew
 *      maps pins               pins as many pages as it may
 *      maps lets               exports to job 2, and by a key, and waits for a word
 *      maps uses               job 2: maps to job 1, and sends the word
 *      maps grants             all nodes map to node 0 until it has no place left
 *      maps halves             the other half of a page is mapped, and its mapping
 *                              ends, while the engine sends from the first one
 *      maps exits              node 1 exits first, while others send to it
 *      maps faults NAME        node 1 does what ends its job
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "glaze-calls.h"
#include "ring.h"
#include "shrimp.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

static uint32_t node, nodes, next, before;

/* In the program's data: they are touched for the first time when they are mapped. */
static volatile uint32_t out[4 * WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[4 * WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_in[WORDS] __attribute__((aligned(PAGE)));

enum { DATA = 10, FLAGS = 50 };

static void check_true(const char *name, bool holds)
{
    check(name, holds, true);
}

static uint32_t dropped(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.dropped;
}

static uint32_t value(uint32_t of, uint32_t turn, uint32_t i)
{
    return (of + 1) << 24 | turn << 16 | i;
}

/* Sends a word of flag_out to the next node. */
static void tell(uint32_t word, uint32_t what)
{
    flag_out[word] = what;
    shrimp_send(&flag_out[word], 4);
    while (!shrimp_is_sent(&flag_out[word])) {
    }
}

/* Exports flags and maps them to the next node. */
static void make_flags(void)
{
    check("flags are exported", shrimp_export(FLAGS, flag_in, PAGE), 0);
    check_true("and mapped", shrimp_map(flag_out, PAGE, next, FLAGS, 0,
                                        SHRIMP_DELIBERATE) >= 0);
}

static void tell_turn(uint32_t turn)
{
    tell(1, turn);
}

/* Uses word 1 of the flags. */
static void ring_barrier(void)
{
    ring_token(node, &flag_in[1], tell_turn);
}

/* ---- ring ----------------------------------------------------------------- */

static void send_turn(uint32_t turn, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = 0; i < 4 * WORDS; i++) {
        out[i] = value(node, turn, i);
    }
    shrimp_send((const volatile char *)out + from, bytes);
    shrimp_fence();
    tell(0, turn + 1);
}

/* `offset`: how much further the bytes lie in the receiver's memory. */
static void check_turn(uint32_t turn, uint32_t from, uint32_t bytes, uint32_t offset)
{
    uint32_t first = from / 4, last = (from + bytes) / 4, wrong = 0;

    shrimp_wait(&flag_in[0], turn + 1);
    for (uint32_t i = first; i < last; i++) {
        wrong += in[i + offset / 4] != value(before, turn, i);
    }
    check("all words have arrived", wrong, 0);
}

static void ring(uint32_t turns, bool alone)
{
    int32_t map;

    make_flags();
    check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
    map = shrimp_map(out, sizeof(out), next, DATA, 0, SHRIMP_DELIBERATE);
    check_true("and mapped", map >= 0);
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint32_t from = turn * 1000 & 0x1ffc, bytes = 4 + (turn * 4444 & 0x1ffc);

        send_turn(turn, from, bytes);
        check_turn(turn, from, bytes, 0);
        ring_barrier();
    }
    check("the mapping ends", shrimp_unmap(map), 0);
    /* Three pages to three and a half: each page goes to two. */
    map = shrimp_map(out, 3 * PAGE, next, DATA, 2048, SHRIMP_DELIBERATE);
    check_true("another one has another offset", map >= 0);
    ring_barrier();
    for (uint32_t i = 0; i < 3 * WORDS; i++) {
        out[i] = value(node, 99, i);
    }
    for (uint32_t i = 0; i < 3 * PAGE; i += 2048) {
        shrimp_send((const volatile char *)out + i, 2048);
    }
    shrimp_fence();
    tell(0, 100);
    check_turn(99, 0, 3 * PAGE, 2048);
    ring_barrier();
    check("it ends too", shrimp_unmap(map), 0);
    check("and the export", shrimp_unexport(DATA), 0);
    if (alone) {
        check("nothing was dropped", dropped(), 0);
    }
}

/* ---- automatic ------------------------------------------------------------ */

/* Stores of each size, at the places in the page that turn and size give. */
static void store_all(uint32_t turn)
{
    volatile uint8_t *bytes = (volatile uint8_t *)out;

    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        out[i] = value(node, turn, i);
    }
    for (uint32_t i = 0; i < WORDS / 2; i += 2) {
        *(volatile uint64_t *)&out[2 * WORDS + i] =
            (uint64_t)value(node, turn, i) << 32 | value(node, turn, i + 1);
    }
    for (uint32_t i = 0; i < 100; i++) {
        bytes[10 * PAGE / 4 + 4 * i + i % 4] = turn + i;
        *(volatile uint16_t *)&bytes[11 * PAGE / 4 + 4 * i + i % 2 * 2] = turn + i;
    }
}

static void check_stores(uint32_t turn)
{
    volatile uint8_t *bytes = (volatile uint8_t *)in;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        wrong += in[i] != value(before, turn, i);
    }
    for (uint32_t i = 0; i < WORDS / 2; i++) {
        wrong += in[2 * WORDS + i] != value(before, turn, i);
    }
    for (uint32_t i = 0; i < 100; i++) {
        wrong += bytes[10 * PAGE / 4 + 4 * i + i % 4] != (uint8_t)(turn + i);
        wrong += *(volatile uint16_t *)&bytes[11 * PAGE / 4 + 4 * i + i % 2 * 2] !=
                 (uint16_t)(turn + i);
    }
    check("all stores have arrived", wrong, 0);
}

/* The kernel stores to mapped pages as the program does: nothing is lost where the
 * Outgoing FIFO is nearly full. */
static void let_kernel_store(void)
{
    struct glaze_count *there = (struct glaze_count *)in;
    struct glaze_count *here = (struct glaze_count *)out;

    for (uint32_t turn = 0; turn < 50; turn++) {
        for (uint32_t i = 0; i < 160; i++) {
            out[WORDS + i] = value(node, turn, i);
        }
        glaze_count(here);
    }
    shrimp_fence();
    ring_barrier();
    check_true("what the kernel stores is sent", there->frames > 0);
    check("the kernels have the same frames", there->frames, here->frames);
    for (uint32_t i = 0; i < 160; i++) {
        check("so is what was stored before it", in[WORDS + i], value(before, 49, i));
    }
    ring_barrier();
}

static void automatic(void)
{
    uint32_t before_it;
    int32_t map;

    make_flags();
    for (uint32_t mode = SHRIMP_SINGLE; mode <= SHRIMP_BLOCKED; mode++) {
        check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
        map = shrimp_map(out, sizeof(out), next, DATA, 0, mode);
        check_true("and mapped", map >= 0);
        for (uint32_t turn = 1; turn < 4; turn++) {
            store_all(10 * mode + turn);
            shrimp_fence();
            ring_barrier();
            check_stores(10 * mode + turn);
            ring_barrier();
            shrimp_set_mode(&out[3], mode ^ 3);     /* of one page: it stays right */
        }
        let_kernel_store();
        check("the export ends", shrimp_unexport(DATA), 0);
        ring_barrier();
        before_it = dropped();
        for (uint32_t i = 0; i < 10; i++) {
            out[WORDS + 16 * i] = 0;
        }
        shrimp_fence();
        ring_barrier();
        check("stores are dropped then, and counted", dropped() - before_it, 10);
        check("nothing has changed there", in[WORDS], value(before, 49, 0));
        check("the mapping ends", shrimp_unmap(map), 0);
        out[WORDS] = 0;
        check("and no store is sent any more", dropped() - before_it, 10);
        ring_barrier();
    }
}

/* ---- copies --------------------------------------------------------------- */

/* All nodes send to node 0, so that each waits long for room. Each turn leaves a little
 * less of it for the kernel, down to what the threshold leaves. */
static void copies(void)
{
    char *to = (char *)&out[2 * WORDS] + 4, *there = (char *)&in[2 * WORDS] + 4;
    int file = open("copies", O_RDONLY), wrong = 0;

    make_flags();
    check_true("there is the file", file >= 0);
    check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
    check_true("and mapped", shrimp_map(out, sizeof(out), 0, DATA, 0,
                                        SHRIMP_SINGLE) >= 0);
    for (uint32_t words = 240; words < 260; words++) {
        check("it is read from its start", lseek(file, 0, SEEK_SET), 0);
        for (uint32_t i = 0; i < words; i++) {
            out[i] = value(0, words, i);
        }
        check("to a mapped page", read(file, to, 256), 256);
        shrimp_fence();
    }
    ring_barrier();
    for (uint32_t i = 0; i < 259 && !node; i++) {
        wrong += in[i] != value(0, 259, i);
    }
    for (uint32_t i = 0; i < 256; i++) {
        wrong += to[i] != (char)(i * 7) || (!node && there[i] != to[i]);
    }
    check("all has arrived", wrong, 0);
    ring_barrier();
}

/* ---- errors --------------------------------------------------------------- */

static volatile uint32_t page[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t parts[2 * WORDS] __attribute__((aligned(PAGE)));

static uint32_t address_of(const volatile void *at)
{
    return (uintptr_t)at;
}

static int32_t export_at(uint32_t number, uint32_t address, uint32_t bytes)
{
    struct shrimp_export e = { .address = address, .bytes = bytes };

    return shrimp_export_to(number, &e);
}

static void check_exports(void)
{
    struct shrimp_export odd = { .address = address_of(page), .bytes = 8, .who = 3 };

    check("an odd address", export_at(1, address_of(page) + 4, 8), -EINVAL);
    check("an odd size", export_at(1, address_of(page), 12), -EINVAL);
    check("no bytes", export_at(1, address_of(page), 0), -EINVAL);
    check("too many", export_at(1, address_of(page), SHRIMP_EXPORT_MOST + 8), -EINVAL);
    check("a stack", export_at(1, GLAZE_MAIN_STACK_TOP - PAGE, 8), -EINVAL);
    check("a range of views", export_at(1, GLAZE_VIEWS, 8), -EINVAL);
    check("the upcall page", export_at(1, GLAZE_UPCALL, 8), -EINVAL);
    check("the kernel's RAM", export_at(1, FUGU_RAM_BASE, 8), -EINVAL);
    check("past the end", export_at(1, GLAZE_PROGRAM_END - 8, 16), -EINVAL);
    check("nobody", shrimp_export_to(1, &odd), -EINVAL);
    check("the text", export_at(1, address_of(shrimp_export) & ~7u, 8), -EFAULT);
    check("what is not mapped", export_at(1, GLAZE_PROGRAM_END - PAGE, 8), -EFAULT);
    check("a structure that is not there",
          shrimp_export_to(1, (struct shrimp_export *)8), -EFAULT);
    check("an export that is not there", shrimp_unexport(1), -ENOENT);
    for (uint32_t k = 0; k < SHRIMP_EXPORTS - 1; k++) {   /* and that of the flags */
        check("an export", export_at(100 + k, address_of(page) + 8 * k, 8), 0);
    }
    check("one more", export_at(1, address_of(page), 8), -ENOSPC);
    check("one of the same number", export_at(100, address_of(page), 8), -EEXIST);
    for (uint32_t k = 0; k < SHRIMP_EXPORTS - 1; k++) {
        check("it ends", shrimp_unexport(100 + k), 0);
    }
    check("an operation that is not there", glaze_call(GLAZE_SHRIMP, 6, 0, 0), -EINVAL);
}

/* What maps in these checks: all is as it should be, but for what one changes. */
static const struct shrimp_map sound = {
    .bytes = PAGE, .number = DATA, .mode = SHRIMP_DELIBERATE,
};

static struct shrimp_map wanted;

static int32_t try_map(void)
{
    int32_t result = shrimp_map_to(&wanted);

    wanted = sound;
    wanted.address = address_of(parts);
    wanted.node = next;
    return result;
}

#define CHECK_MAP(name, want, ...) \
    do { \
        __VA_ARGS__; \
        check(name, try_map(), want); \
    } while (0)

static void check_arguments(void)
{
    CHECK_MAP("an odd address", -EINVAL, wanted.address += 4);
    CHECK_MAP("an odd size", -EINVAL, wanted.bytes = 12);
    CHECK_MAP("no bytes", -EINVAL, wanted.bytes = 0);
    CHECK_MAP("too many", -EINVAL, wanted.bytes = SHRIMP_MAP_MOST + 8);
    CHECK_MAP("an odd offset", -EINVAL, wanted.offset = 4);
    CHECK_MAP("no such node", -EINVAL, wanted.node = nodes);
    CHECK_MAP("no such job", -EINVAL, wanted.job = GLAZE_JOBS_LISTED + 1);
    CHECK_MAP("no mode", -EINVAL, wanted.mode = 0);
    CHECK_MAP("no such mode", -EINVAL, wanted.mode = 4);
    CHECK_MAP("a stack", -EINVAL, wanted.address = GLAZE_MAIN_STACK_TOP - PAGE);
    CHECK_MAP("a view", -EINVAL, wanted.address = GLAZE_VIEWS);
    CHECK_MAP("the kernel's RAM", -EINVAL, wanted.address = FUGU_RAM_BASE);
    CHECK_MAP("the text", -EFAULT, wanted.address = address_of(shrimp_map) & -PAGE);
    CHECK_MAP("what is not mapped", -EFAULT,
              wanted.address = GLAZE_PROGRAM_END - PAGE);
    CHECK_MAP("a job that is not there", -ESRCH, wanted.job = 200);
    CHECK_MAP("past the end", -ERANGE, wanted.offset = 8);
    CHECK_MAP("far past the end", -ERANGE, wanted.offset = 0xfffffff8);
    CHECK_MAP("a wrong key", -EACCES, wanted.number = DATA + 1; wanted.key[0] = 5);
    CHECK_MAP("another job's export", -EACCES, wanted.number = DATA + 2);
    check("a structure that is not there",
          shrimp_map_to((struct shrimp_map *)8), -EFAULT);
    check("a mapping that is not there", shrimp_unmap(SHRIMP_MAPS - 1), -EINVAL);
    check("one that cannot be", shrimp_unmap(SHRIMP_MAPS), -EINVAL);
    check("nor this", shrimp_unmap(-1), -EINVAL);
}

/* Maps a part of `parts`, from offset `from` in it on, to the same offset. */
static int32_t map_part(uint32_t from, uint32_t bytes, uint32_t further)
{
    wanted.address += from;
    wanted.offset = from % PAGE + further;
    wanted.bytes = bytes;
    wanted.number = DATA + 3;
    return try_map();
}

static void check_parts(void)
{
    int32_t lower, upper;

    check("two boundaries", map_part(8, 16, 0), -EINVAL);
    check("a part that goes to two pages", map_part(8, PAGE - 8, 16), -EINVAL);
    lower = map_part(0, 1000, 0);
    check_true("a lower part", lower >= 0);
    check("its place is taken", map_part(0, 1000, 0), -EBUSY);
    check("all of the page, too", map_part(0, PAGE, 0), -EBUSY);
    check("a part that is not beside it", map_part(1008, PAGE - 1008, 0), -EINVAL);
    check("a part that overlaps it", map_part(992, PAGE - 992, 0), -EINVAL);
    upper = map_part(1000, PAGE - 1000, -8);
    check_true("an upper part", upper >= 0);
    check("the lower one ends", shrimp_unmap(lower), 0);
    check("not twice", shrimp_unmap(lower), -EINVAL);
    lower = map_part(0, 1000, 16);
    check_true("and is made again", lower >= 0);
    check("both end", shrimp_unmap(upper), 0);
    check("in this order", shrimp_unmap(lower), 0);
    upper = map_part(0, PAGE, 0);
    check_true("then the page is whole", upper >= 0);
    check("and ends", shrimp_unmap(upper), 0);
}

/* What else is refused for pages with mappings. */
static void check_pages(void)
{
    char *heap = (char *)(GLAZE_PROGRAM_END - 4 * PAGE);
    struct glaze_view view = {
        .page = address_of(heap), .view = GLAZE_VIEWS + GLAZE_VIEW_READ,
    };
    int32_t map;

    check("pages", glaze_map((uintptr_t)heap, 3 * PAGE), 0);
    heap[0] = 1;
    check("a view", glaze_view(&view, 1), 0);
    wanted.address = address_of(heap);
    check("of a page that is to be mapped", try_map(), -EBUSY);
    view.view = GLAZE_VIEWS;
    check("the view goes", glaze_view(&view, 1), 0);
    wanted.address = address_of(heap) + PAGE;
    map = try_map();
    check_true("a page of the heap is mapped", map >= 0);
    view.page += PAGE;
    view.view = GLAZE_VIEWS + GLAZE_VIEW_READ;
    check("it gets no view", glaze_view(&view, 1), -EBUSY);
    check("and is not unmapped", glaze_unmap((uintptr_t)heap, 3 * PAGE), -EBUSY);
    check("but what is before it", glaze_fresh((uintptr_t)heap, PAGE), 0);
    check("no call writes to its commands",
          glaze_call(GLAZE_COUNT, address_of(heap) + PAGE + SHRIMP_COMMANDS, 0, 0),
          -EFAULT);
    check("nor reads them", glaze_call(GLAZE_WRITE,
                                       address_of(heap) + PAGE + SHRIMP_COMMANDS, 8, 0),
          -EFAULT);
    check("the mapping ends", shrimp_unmap(map), 0);
    check("now it is unmapped", glaze_unmap((uintptr_t)heap, 3 * PAGE), 0);
}

static void fill_maps(void)
{
    int32_t map[SHRIMP_MAPS], made = 0;

    /* The export's last bytes, from the last bytes of the program's pages. */
    for (uint32_t k = 0; k < SHRIMP_MAPS - 1; k++) {
        uint32_t at = GLAZE_PROGRAM_END - (k + 64) * PAGE;

        glaze_map(at, PAGE);
        wanted.address = at;
        map[k] = try_map();
        made += map[k] >= 0;
    }
    check("all mappings but one, beside that of the flags", made, SHRIMP_MAPS - 1);
    check("one more", try_map(), -ENOSPC);
    for (uint32_t k = 0; k < SHRIMP_MAPS - 1; k++) {
        made -= shrimp_unmap(map[k]) == 0;
    }
    check("all end", made, 0);
}

/* An update is no store of the process, so its record cannot tell what has changed. */
static void check_record(void)
{
    glaze_watch(address_of(in), PAGE);
    check("a page that is mapped in counts as changed",
          glaze_unchanged(address_of(in), PAGE), 0);
    check("nor is it unmapped", glaze_unmap(address_of(in), PAGE), -EBUSY);
}

static void errors(void)
{
    struct shrimp_export keyed = { address_of(in), PAGE, SHRIMP_KEY, 0, { 5, 6 } };
    struct shrimp_export others = { address_of(in), PAGE, SHRIMP_A_JOB, 99, { 0, 0 } };

    make_flags();
    check_exports();
    check("an export", shrimp_export(DATA, in, PAGE), 0);
    check("one with a key", shrimp_export_to(DATA + 1, &keyed), 0);
    check("one for job 99", shrimp_export_to(DATA + 2, &others), 0);
    check("a longer one", shrimp_export(DATA + 3, in, 2 * PAGE), 0);
    wanted = sound;
    ring_barrier();
    wanted.address = address_of(parts);
    wanted.node = next;
    check_arguments();
    check_parts();
    check_pages();
    fill_maps();
    CHECK_MAP("the right key", 1, wanted.number = DATA + 1; wanted.key[0] = 5;
              wanted.key[1] = 6);
    ring_barrier();
    check_record();
    ring_barrier();
}

/* ---- ends ----------------------------------------------------------------- */

/* Each node ends its export while the one before it has mapped to it. */
static void ends(void)
{
    uint32_t before_it;
    int32_t map;

    make_flags();
    for (uint32_t turn = 0; turn < 3; turn++) {
        check("an export", shrimp_export(DATA, in, PAGE), 0);
        map = shrimp_map(out, PAGE, next, DATA, 0, SHRIMP_DELIBERATE);
        check_true("is mapped", map >= 0);
        out[turn] = value(node, turn, 1);
        shrimp_send(&out[turn], 4);
        shrimp_fence();
        ring_barrier();
        check("what was sent is there", in[turn], value(before, turn, 1));
        check("the export ends", shrimp_unexport(DATA), 0);
        ring_barrier();
        before_it = dropped();
        out[turn] = 0;
        shrimp_send(&out[turn], 4);
        shrimp_fence();
        ring_barrier();
        check("what is sent then is dropped", in[turn], value(before, turn, 1));
        check("and counted", dropped() - before_it, 1);
        check("the mapping is there until it is ended", shrimp_unmap(map), 0);
        check("once", shrimp_unmap(map), -EINVAL);
        ring_barrier();
    }
}

/* ---- pins ----------------------------------------------------------------- */

static void pins(void)
{
    static int32_t map[SHRIMP_MAPS];
    struct glaze_count count;
    uint32_t made, at = GLAZE_PROGRAM + 0x8000000, most;

    make_flags();
    glaze_count(&count);
    most = count.frames / 4;
    check("an export", shrimp_export(DATA, in, PAGE), 0);
    ring_barrier();
    /* Its own pages are pinned, a page of the target's once. */
    wanted = sound;
    for (made = 0; made < SHRIMP_MAPS - 1; made++, at += 16 * PAGE) {
        glaze_map(at, 16 * PAGE);
        for (uint32_t k = 0; k < 16; k++) {
            *(volatile uint32_t *)(uintptr_t)(at + k * PAGE) = k;
        }
        map[made] = export_at(1000, at, 16 * PAGE);
        wanted = (struct shrimp_map) {
            .address = at, .bytes = 16 * PAGE, .node = node, .number = 1000,
            .mode = SHRIMP_DELIBERATE,
        };
        map[made] = shrimp_map_to(&wanted);
        shrimp_unexport(1000);
        if (map[made] < 0) {
            break;
        }
    }
    check("at last no frame may be pinned", map[made], -ENOMEM);
    check("a quarter of them is", made, (most - 3) / 16);
    while (made) {
        check("each ends", shrimp_unmap(map[--made]), 0);
    }
    check_true("then there is room again",
               shrimp_map(out, PAGE, next, DATA, 0, SHRIMP_DELIBERATE) >= 0);
    ring_barrier();
}

/* ---- lets, uses ----------------------------------------------------------- */

static const uint32_t key[2] = { 0x12345678, 0x9abcdef0 };

static void lets(void)
{
    struct shrimp_export for_job = { address_of(in), PAGE, SHRIMP_A_JOB, 2, { 0, 0 } };
    struct shrimp_export keyed = {
        address_of(in) + PAGE, PAGE, SHRIMP_KEY, 0, { key[0], key[1] },
    };

    check("one for job 2", shrimp_export_to(DATA, &for_job), 0);
    check("one with a key", shrimp_export_to(DATA + 1, &keyed), 0);
    shrimp_wait(&in[5], value(before, 1, 5));
    shrimp_wait(&in[WORDS + 6], value(before, 2, 6));
}

/* Maps a page of `out`, when job 1 has exported what it is to be mapped to. */
static int32_t map_to_job(uint32_t number, volatile uint32_t *from, uint32_t wrong)
{
    int32_t result = -ENOENT;

    for (uint32_t k = 0; k < 10000 && result == -ENOENT; k++) {
        wanted = (struct shrimp_map) {
            .address = address_of(from), .bytes = PAGE, .node = next, .job = 1,
            .number = number, .mode = SHRIMP_SINGLE, .key = { key[0] ^ wrong, key[1] },
        };
        result = shrimp_map_to(&wanted);
    }
    return result;
}

static void uses(void)
{
    int32_t map;

    map = map_to_job(DATA, out, 0);
    check_true("to what is for this job", map >= 0);
    check("not by a wrong key", map_to_job(DATA + 1, out + WORDS, 1), -EACCES);
    check_true("by the right one", map_to_job(DATA + 1, out + WORDS, 0) >= 0);
    check("no such export of another job", map_to_job(DATA + 2, out + 2 * WORDS, 0),
          -ENOENT);
    out[5] = value(node, 1, 5);
    shrimp_fence();
    check("one mapping ends", shrimp_unmap(map), 0);
    out[WORDS + 6] = value(node, 2, 6);
}

/* ---- grants --------------------------------------------------------------- */

/* Returns the sum of a number over all nodes on node 0, by a token in a ring. */
static uint32_t sum(uint32_t mine)
{
    if (node) {
        mine += shrimp_wait_change(&flag_in[2], 0);
    }
    tell(2, mine);
    return node ? 0 : shrimp_wait_change(&flag_in[2], 0);
}

static void grants(void)
{
    int32_t map[SHRIMP_MAPS], made = 0, last = 0;
    uint32_t all;

    make_flags();
    check("an export", shrimp_export(DATA, in, PAGE), 0);
    ring_barrier();
    for (uint32_t at = GLAZE_PROGRAM_END - 64 * PAGE; last >= 0; at += PAGE) {
        glaze_map(at, PAGE);
        wanted = sound;
        wanted.address = at;
        wanted.bytes = 8;
        last = shrimp_map_to(&wanted);
        if (last >= 0) {
            map[made++] = last;
        }
    }
    check("no place is left, here or there", last, -ENOSPC);
    all = sum(made);
    check("node 0 has had 96 places, with that for flags", all,
          node ? 0 : SHRIMP_GRANTS - 1);
    ring_barrier();
    while (made) {
        check("each ends", shrimp_unmap(map[--made]), 0);
    }
    ring_barrier();
    wanted = sound;
    wanted.address = address_of(out);
    check_true("then there are places again", shrimp_map_to(&wanted) >= 0);
    ring_barrier();
}

/* ---- exits ---------------------------------------------------------------- */

/* Node 1 exits while all others send to it, and one waits for an export of it. */
static void exits(void)
{
    int32_t map;

    if (node == 1) {
        check("an export", shrimp_export(DATA, in, sizeof(in)), 0);
        check("flags", shrimp_export(FLAGS, flag_in, PAGE), 0);
        for (uint32_t k = 0; k < nodes; k++) {
            if (k != node) {
                shrimp_wait(&flag_in[k], 1);
            }
        }
        return;
    }
    map = shrimp_map(out, sizeof(out), 1, DATA, 0, SHRIMP_DELIBERATE);
    check_true("is mapped", map >= 0);
    check_true("flags are, too", shrimp_map(flag_out, PAGE, 1, FLAGS, 0,
                                            SHRIMP_DELIBERATE) >= 0);
    tell(node, 1);
    for (uint32_t k = 0; k < 100; k++) {
        shrimp_send(out, sizeof(out));
    }
    shrimp_fence();
    check_true("updates for it were dropped here", dropped() > 0);
    check("its end is told to who waits for an export",
          shrimp_map(page, PAGE, 1, DATA + 1, 0, SHRIMP_DELIBERATE), -ESRCH);
    check("the mapping ends", shrimp_unmap(map), 0);
}

/* ---- halves --------------------------------------------------------------- */

#define HALF    (PAGE / 2)

static int32_t map_upper(uint32_t mode)
{
    int32_t map = shrimp_map(out + WORDS / 2, HALF, next, DATA, HALF, mode);

    check_true("the other half is mapped", map >= 0);
    return map;
}

static void halves(void)
{
    int32_t upper = -1;

    make_flags();
    check("data are exported", shrimp_export(DATA, in, PAGE), 0);
    check_true("a half is mapped",
               shrimp_map(out, HALF, next, DATA, 0, SHRIMP_DELIBERATE) >= 0);
    for (uint32_t turn = 0; turn < 6; turn++) {
        uint32_t wrong = 0;

        for (uint32_t i = 0; i < WORDS / 2; i++) {
            out[i] = value(node, turn, i);
        }
        shrimp_send(out, HALF);
        if (turn % 2) {
            check("its mapping ends", shrimp_unmap(upper), 0);
        } else {
            upper = map_upper(turn % 4 ? SHRIMP_SINGLE : SHRIMP_DELIBERATE);
        }
        shrimp_fence();
        tell(0, turn + 1);
        shrimp_wait(&flag_in[0], turn + 1);
        for (uint32_t i = 0; i < WORDS / 2; i++) {
            wrong += in[i] != value(before, turn, i);
        }
        check("all words of the first half have come", wrong, 0);
        ring_barrier();
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "automatic", automatic }, { "copies", copies },
    { "errors", errors }, { "ends", ends }, { "pins", pins }, { "exits", exits },
    { "lets", lets }, { "uses", uses }, { "grants", grants },
    { "halves", halves },
};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "ring";

    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    before = (node + nodes - 1) % nodes;
    if (!strcmp(what, "ring")) {
        ring(argc > 2 ? atoi(argv[2]) : 8, argc <= 2);
    }
    for (uint32_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (!strcmp(what, cases[k].name)) {
            cases[k].run();
        }
    }
    return check_end();
}
