/*
 * places NAME: rights upcalls in more places (docs/glaze.md, "Views"): delay
 * slots, all widths, an upcall's own accesses, other threads, handlers of buffered
 * messages, launches in handlers and sections, operands of each system call; lists
 * that end at an error, views under paging, no frame for a table; and which pages
 * are fresh.
 *
 * The upcall of each case grants the access. Prints one line for each check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define WORDS   (GLAZE_PAGE / 4)
#define PAGES   4
#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

typedef volatile uint32_t word;
typedef double __attribute__((may_alias)) aliasing_double;

extern const char rights_stub[];
uint32_t denied(uint32_t address, uint32_t section, uint32_t pc);

/* places.S */
uint32_t in_taken_branch(word *), in_annulled_branch(word *), in_call(word *);
uint32_t in_return(word *), load_double(word *), swaps(word *, uint32_t);
void store_double(word *, uint32_t);
void load_fp(word *, const double *, double *), store_fp(word *, const double *);

/* volatile: they change through their views as well. */
static word page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t upcalls, nested;

static word *view(unsigned k)
{
    return (word *)(GLAZE_VIEWS + k * GLAZE_PAGE);
}

static int32_t set(unsigned k, uint32_t rights)
{
    struct glaze_view one = { (uintptr_t)view(k) | rights,
                              (uintptr_t)page[k] };

    return glaze_view(&one, 1);
}

/* Called by the stub: grants what was denied. The first upcall of the case
 * "nested" touches another view itself. */
uint32_t denied(uint32_t address, uint32_t section, uint32_t pc)
{
    unsigned k = (address - GLAZE_VIEWS) / GLAZE_PAGE;

    (void)pc;
    upcalls++;
    if (nested) {
        nested = 0;
        check("the other view, in the upcall", view(1)[3], 103);
    }
    if (set(k, address & GLAZE_RIGHTS_STORE ? GLAZE_VIEW_WRITE
                                            : GLAZE_VIEW_READ)) {
        abort();
    }
    return section;
}

static void none(unsigned k)
{
    set(k, GLAZE_VIEW_NONE);
}

/* Checks a result and the number of upcalls, and takes page 0's rights away. */
static void result(const char *name, uint32_t got, uint32_t want)
{
    check(name, got, want);
    check("one upcall", upcalls, 1);
    upcalls = 0;
    none(0);
}

/* ---- Instructions ----------------------------------------------------------- */

static void slots(void)
{
    page[0][0] = 77;
    result("in the delay slot of a branch", in_taken_branch(view(0)), 77);
    result("of an annulled branch", in_annulled_branch(view(0)), 77);
    result("of a call", in_call(view(0)), 154);
    result("of a return", in_return(view(0)), 77);
}

static void widths(void)
{
    static const double half = 0.5;
    double sum;

    page[0][0] = 0x01020304;
    page[0][1] = 10;
    result("a byte", ((volatile uint8_t *)view(0))[3], 4);
    result("two bytes", ((volatile int16_t *)view(0))[1], 0x0304);
    result("two words", load_double(view(0)), 0x0102030e);
    store_double(view(0), 20);
    result("a store of two words", page[0][0] * 100 + page[0][1], 2021);
    ((volatile uint8_t *)view(0))[2] = 1;
    result("of a byte", page[0][0], 276);
    ((volatile uint16_t *)view(0))[0] = 2;
    result("of two bytes", page[0][0], 0x20114);
    none(0);
    check("an exchange", swaps(view(0), 5), 0x20114);
    check("its store", page[0][0], 5);
    check("two upcalls at most", upcalls == 1 || upcalls == 2, true);
    upcalls = 0;
    none(0);
    *(volatile aliasing_double *)page[0] = 3.0;
    load_fp(view(0), &half, &sum);
    result("a double, and another register", sum == 3.5, true);
    store_fp(view(0), &half);
    result("a store of a double", *(volatile aliasing_double *)page[0] == 1.0, true);
}

/* ---- Where the access is ---------------------------------------------------- */

static void in_upcall(void)
{
    page[0][3] = 3;
    page[1][3] = 103;
    nested = 1;
    check("the first view", view(0)[3], 3);
    check("two upcalls", upcalls, 2);
}

static void *reads(void *from)
{
    return (void *)*(word *)from;
}

static void threads(void)
{
    udm_thread_t *thread;

    page[0][9] = 909;
    thread = udm_thread_create(reads, (void *)&view(0)[9], UDM_HIGH);
    result("in another thread", (uint32_t)udm_thread_join(thread), 909);
}

static volatile uint32_t handled, seen;

static void reads_first(void)
{
    seen += view(0)[udm_arg(0)];
    udm_dispose();
    handled++;
}

static void reads_last(void)
{
    uint32_t k = udm_arg(0);

    udm_dispose();
    seen += view(0)[k];
    handled++;
}

/* Handlers of messages that the kernel has put into the buffer. */
static void buffered(void)
{
    page[0][4] = 4;
    page[0][5] = 50;
    for (unsigned round = 0; round < 2; round++) {
        seen = handled = 0;
        udm_beginatom();
        glaze_divert();
        for (unsigned k = 0; k < 3; k++) {
            udm_inject(udm_node(), round ? reads_last : reads_first, 4);
            udm_inject(udm_node(), round ? reads_last : reads_first, 5);
        }
        settle();
        udm_endatom();
        while (handled < 6) {
        }
        result("handlers of the buffer", seen, 162);
    }
}

static void takes(void)
{
    udm_storeback((void *)page[2], 0, 64);
    udm_dispose();
    handled++;
}

static void launches_one(void)
{
    udm_dispose();
    udm_inject_body(udm_node(), takes, (void *)view(0), 64);
    handled++;
}

/* A body of a view, launched in a handler and in a section: the descriptor is
 * there when the launch is tried again. */
static void launches(void)
{
    for (unsigned k = 0; k < 16; k++) {
        page[0][k] = 600 + k;
    }
    handled = 0;
    udm_inject(udm_node(), launches_one);
    while (handled < 2) {
    }
    result("a launch in a handler", page[2][15], 615);
    page[0][15] = 1;
    handled = 0;
    udm_beginatom();
    udm_inject_body(udm_node(), takes, (void *)view(0), 64);
    check("the section is open", udm_atomic(), true);
    udm_endatom();
    while (handled < 1) {
    }
    result("a launch in a section", page[2][15], 1);
}

/* ---- Operands of system calls ------------------------------------------------- */

static void operands(void)
{
    struct glaze_file *file = (struct glaze_file *)view(0);
    struct glaze_fp *fp = (struct glaze_fp *)view(0);
    struct glaze_measure *measure = (struct glaze_measure *)view(0);
    int32_t number;

    memset((void *)page[0], 0, GLAZE_PAGE);
    result("FILE", glaze_file(0, file), 0);
    result("INPUT", glaze_input((void *)view(0), 8), 4);
    check("its bytes", !memcmp((void *)page[0], "abc\n", 4), true);
    check("READ, at the end of the input, touches nothing",
          glaze_read((void *)view(0), 8), 0);
    result("ERROR", glaze_error((void *)view(0), 4), 4);
    result("MEASURE", glaze_measure(measure, false), 0);
    result("FP_SAVE", glaze_fp_save(fp), 0);
    glaze_fp_load(fp);
    check("FP_LOAD reads and writes", upcalls == 1 || upcalls == 2, true);
    upcalls = 0;
    none(0);
    memcpy((void *)page[0], "operand", 8);
    number = glaze_named(FUGU_FILES_CREATE, (const char *)view(0), 7, 0);
    result("NAMED", number >= 0, true);
    result("PUT", glaze_put(number, 0, (void *)view(0), 7), 7);
    memset((void *)page[0], 0, 8);
    result("GET", glaze_get(number, 0, (void *)view(0), 7), 7);
    check("what PUT has written", !memcmp((void *)page[0], "operand", 8), true);
}

/* ---- Lists, paging, tables ------------------------------------------------------ */

static void lists(void)
{
    struct glaze_view list[20];

    none(0);
    for (unsigned k = 0; k < 20; k++) {
        list[k] = (struct glaze_view) { (uintptr_t)view(k) | GLAZE_VIEW_READ,
                                        (uintptr_t)page[k % PAGES] };
    }
    page[2][0] = 222;
    page[3][0] = 333;
    list[3].view |= 3;
    check("an entry in the middle", -glaze_view(list, 4), EINVAL);
    check("the entries before it have been done", view(2)[0], 222);
    check("no upcall", upcalls, 0);
    check("the entry has not", view(3)[0], 333);
    check("one upcall", upcalls, 1);
    for (unsigned k = 0; k < 18; k++) {
        list[k].view = (uintptr_t)view(0) | (k % 2 ? GLAZE_VIEW_READ
                                                   : GLAZE_VIEW_NONE);
        list[k].page = (uintptr_t)page[0];
    }
    list[17].view = (uintptr_t)view(0) | 3;
    check("in the second part of a list", -glaze_view(list, 20), EINVAL);
}

/* Touches pages of the heap until the node has no more than `left` frames.
 * Returns the heap, from its first whole page on. */
static uint8_t *fill(uint32_t left, uint32_t most)
{
    uint8_t *heap = memalign(GLAZE_PAGE, most * GLAZE_PAGE);
    struct glaze_count count;

    for (uint32_t k = 0; k < most; k++) {
        glaze_count(&count);
        if (count.frames_free <= left) {
            break;
        }
        heap[k * GLAZE_PAGE] = k;
    }
    return heap;
}

/* With a disk: more pages with views than there are frames. They go out and come
 * back with their views, at whichever address they are used. */
static void views_out(void)
{
    enum { MANY = 400, FIRST = 100 };
    uint8_t *heap = memalign(GLAZE_PAGE, MANY * GLAZE_PAGE);
    uint32_t wrong = 0, errors = 0, pages;
    struct glaze_count count;

    for (unsigned k = 0; k < MANY; k++) {
        struct glaze_view one = {
            (uintptr_t)view(FIRST + k) | GLAZE_VIEW_WRITE,
            (uintptr_t)heap + k * GLAZE_PAGE };

        errors += glaze_view(&one, 1) != 0;
        view(FIRST + k)[1] = k;
    }
    for (unsigned round = 1; round < 3; round++) {
        for (unsigned k = 0; k < MANY; k++) {
            word *own = (word *)(heap + k * GLAZE_PAGE);
            word *shown = view(FIRST + k);

            wrong += (k % 2 ? own : shown)[1] != k;
            (k % 3 ? own : shown)[2] += round;
            wrong += (k % 3 ? shown : own)[2] != round * (round + 1) / 2;
        }
    }
    check("views of all pages", errors, 0);
    check("what they show", wrong, 0);
    check("no upcall", upcalls, 0);
    glaze_count(&count);
    check("pages are out", count.pages_out > 100, true);
    struct glaze_view other[] = {
        { (uintptr_t)view(FIRST) | GLAZE_VIEW_READ,
          (uintptr_t)heap + GLAZE_PAGE },
        { (uintptr_t)view(FIRST + MANY) | GLAZE_VIEW_READ, (uintptr_t)heap } };
    check("a view of another page", -glaze_view(&other[0], 1), EINVAL);
    check("a second view", -glaze_view(&other[1], 1), EINVAL);
    none(0);
    glaze_unmap((uintptr_t)heap + (MANY - 1) * GLAZE_PAGE, GLAZE_PAGE);
    glaze_unmap((uintptr_t)heap + 200 * GLAZE_PAGE, GLAZE_PAGE);
    glaze_map((uintptr_t)heap + 200 * GLAZE_PAGE, GLAZE_PAGE);
    other[0] = (struct glaze_view) {
        (uintptr_t)view(FIRST + 200) | GLAZE_VIEW_READ,
        (uintptr_t)heap + GLAZE_PAGE * 200 };
    check("a page that is mapped anew", glaze_view(&other[0], 1), 0);
    check("is zero", view(FIRST + 200)[2], 0);
    other[0] = (struct glaze_view) {
        (uintptr_t)view(FIRST + 1) | GLAZE_VIEW_READ,
        (uintptr_t)heap + GLAZE_PAGE };
    check("rights change", glaze_view(&other[0], 1), 0);
    for (unsigned k = 2; k < MANY - 1; k++) {   /* page 1 goes out */
        heap[k * GLAZE_PAGE]++;
    }
    check("a page that may be read", view(FIRST + 1)[1], 1);
    check("no upcall", upcalls, 0);
    /* Pages that are unmapped are counted no more, wherever they were. */
    glaze_count(&count);
    pages = count.process_pages + count.pages_out;
    glaze_unmap((uintptr_t)heap, (MANY - 1) * GLAZE_PAGE);
    glaze_count(&count);
    check("fewer pages in memory and out",
          pages - count.process_pages - count.pages_out, MANY - 1);
}

/* With a disk: a page with a view, and without one, goes out and comes back. */
static void paging(void)
{
    struct glaze_count count;
    uint8_t *heap;
    uint32_t sum = 0;

    page[0][8] = 88;
    set(0, GLAZE_VIEW_WRITE);
    heap = malloc(600 * GLAZE_PAGE);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned k = 0; k < 600; k++) {
            heap[k * GLAZE_PAGE] += k;
        }
        view(0)[8]++;
        sum += page[0][8];
    }
    glaze_count(&count);
    check("pages have gone out", count.outs > 600, true);
    check("the view and its page", sum, 89 + 90 + 91);
    check("no upcall", upcalls, 0);
    none(0);
    for (unsigned k = 0; k < 600; k++) {
        heap[k * GLAZE_PAGE] += k;
    }
    result("the page after its view has ended", view(0)[8], 91);
}

/* Views in new segments, until no frame is left for a table. */
static void tables(void)
{
    enum { SEGMENT = 1 << 18, LAST = 16 };
    uint8_t *heap = fill(2, 1000);
    uint32_t k;
    int32_t error;

    for (k = LAST; k < (GLAZE_VIEWS_END - GLAZE_VIEWS) / SEGMENT; k++) {
        struct glaze_view one = {
            (GLAZE_VIEWS + k * SEGMENT) | GLAZE_VIEW_READ,
            (uintptr_t)heap + k * GLAZE_PAGE };

        error = glaze_view(&one, 1);
        if (error) {
            break;
        }
    }
    glaze_unmap((uintptr_t)heap, LAST * GLAZE_PAGE);    /* room for the rest */
    check("no frame for a table", -error, ENOMEM);
    check("views were made before", k > LAST, true);
    for (uint32_t made = LAST; made < k; made++) {
        upcalls += *(word *)(GLAZE_VIEWS + made * SEGMENT) !=
                   *(word *)(heap + made * GLAZE_PAGE);
    }
    check("they show their pages", upcalls, 0);
}

/* ---- Fresh pages ------------------------------------------------------------------ */

static uint8_t zeros[4 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t numbers[2 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE))) =
    { [GLAZE_PAGE] = 5 };

static uint32_t fresh_from(const void *from, uint32_t pages)
{
    return glaze_fresh((uintptr_t)from, pages * GLAZE_PAGE) / GLAZE_PAGE;
}

static void fresh(void)
{
    uint8_t *heap = memalign(GLAZE_PAGE, 100 * GLAZE_PAGE);
    struct glaze_count before, after;
    volatile uint8_t got;

    glaze_count(&before);
    check("a heap", fresh_from(heap, 64), 64);
    check("64 pages at most", fresh_from(heap, 90), 64);
    check("variables", fresh_from(zeros, 4), 4);
    glaze_count(&after);
    check("no page was made", after.process_pages, before.process_pages);
    heap[10 * GLAZE_PAGE] = 1;
    got = heap[20 * GLAZE_PAGE];
    check("up to a page that was written", fresh_from(heap, 64), 10);
    check("that page", fresh_from(heap + 10 * GLAZE_PAGE, 64), 0);
    check("up to a page that was read",
          fresh_from(heap + 11 * GLAZE_PAGE, 64), 9 + got);
    zeros[2 * GLAZE_PAGE] = 1;
    check("variables up to one that was written", fresh_from(zeros, 4), 2);
    check("variables with values", fresh_from(numbers, 2), 0);
    check("text", fresh_from((void *)((uintptr_t)fresh & -GLAZE_PAGE), 1), 0);
    check("memory that is not mapped", fresh_from((void *)0x30000000, 1), 0);
    glaze_unmap((uintptr_t)heap + 10 * GLAZE_PAGE, GLAZE_PAGE);
    check("an unmapped page", fresh_from(heap, 64), 10);
    glaze_map((uintptr_t)heap + 10 * GLAZE_PAGE, GLAZE_PAGE);
    check("mapped again", fresh_from(heap, 64), 20);
    check("nothing", glaze_fresh((uintptr_t)heap, 0), 0);
    check("not a page", -glaze_fresh((uintptr_t)heap + 4, GLAZE_PAGE), EINVAL);
    check("not whole pages", -glaze_fresh((uintptr_t)heap, 100), EINVAL);
    check("a stack", -glaze_fresh(GLAZE_MAIN_STACK, GLAZE_PAGE), EINVAL);
}

int main(int argc, char **argv)
{
    static const struct check_case cases[] = {
        { "slots", slots }, { "widths", widths }, { "nested", in_upcall },
        { "threads", threads }, { "buffered", buffered },
        { "launches", launches }, { "operands", operands },
        { "partial", lists }, { "paging", paging },
        { "views-out", views_out }, { "tables", tables }, { "fresh", fresh },
    };
    const struct check_case *one;

    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)rights_stub;
    one = check_case(argc, argv, cases, sizeof(cases) / sizeof(*cases));
    if (!one) {
        return 2;
    }
    one->run();
    return check_failures != 0;
}
