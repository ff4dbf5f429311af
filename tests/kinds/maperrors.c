/*
 * Cases of maps.c: what maps may not do, and how much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "glaze-calls.h"
#include "maps.h"
#include "udm.h"

/* ---- errors --------------------------------------------------------------- */

static volatile uint32_t page[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t parts[2 * WORDS] __attribute__((aligned(PAGE)));

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

void errors(void)
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

/* ---- pins ----------------------------------------------------------------- */

void pins(void)
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
