/*
 * rights NAME: views of pages, rights upcalls and alarms.
 *
 * The program's own upcall notes what it gets, and grants the access. Prints
 * one line for each check. Cases of test_rights.py that end the job print none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"

#define WORDS   (GLAZE_PAGE / 4)
#define PAGES   20
#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

extern const char rights_stub[], skip_stub[], alarm_stub[];
uint32_t access_cycles(volatile uint32_t *address);
uint32_t keeps(volatile uint32_t *address);
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc);
void rings(uint32_t, uint32_t, uint32_t pc);

static uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));

/* What the last upcall got, and how many there were. */
static volatile uint32_t upcalls, last, before_last, last_word;
static volatile bool in_section;

static volatile uint32_t *view(unsigned k)
{
    return (volatile uint32_t *)(GLAZE_VIEWS + k * GLAZE_PAGE);
}

static int32_t set(unsigned k, uint32_t rights)
{
    struct glaze_view one = { (uintptr_t)view(k) | rights,
                              (uintptr_t)page[k] };

    return glaze_view(&one, 1);
}

/* Called by the stub: grants what was denied. Returns the word. */
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc)
{
    unsigned k = (address - GLAZE_VIEWS) / GLAZE_PAGE;

    (void)pc;
    upcalls++;
    before_last = last;
    last = address & (~(GLAZE_PAGE - 1) | GLAZE_RIGHTS_STORE);
    last_word = word;
    in_section = glaze_info(GLAZE_I_HOLD);
    if (set(k, address & GLAZE_RIGHTS_STORE ? GLAZE_VIEW_WRITE
                                            : GLAZE_VIEW_READ)) {
        abort();
    }
    return word;
}

static void upcall_to(const char *stub)
{
    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)stub;
}

/* Checks one upcall since the last call, for page k. */
static void once(const char *name, unsigned k, uint32_t store, bool section)
{
    check(name, upcalls, 1);
    check("its page", last, (uintptr_t)view(k) | store);
    check("its section", last_word != 0, section);
    upcalls = 0;
}

/* ---- Loads and stores ----------------------------------------------------- */

static void loads(void)
{
    page[0][5] = 55;
    check("a load", view(0)[5], 55);
    once("one upcall for a load", 0, 0, false);
    check("again", view(0)[5], 55);
    check("no upcall", upcalls, 0);
    view(0)[6] = 66;
    once("one upcall for a store", 0, 1, false);
    check("the page has it", page[0][6], 66);
    page[0][7] = 77;
    check("and the view", view(0)[7], 77);
    set(0, GLAZE_VIEW_READ);
    view(0)[6]++;
    once("one upcall after write rights are gone", 0, 1, false);
    check("67", page[0][6], 67);
    set(0, GLAZE_VIEW_NONE);
    check("load-store unsigned byte",
          __atomic_test_and_set((volatile char *)view(0), 0), 0);
    check("an upcall for its load, and one for its store", upcalls, 2);
    upcalls = 0;
    set(0, GLAZE_VIEW_NONE);
    check("registers that have changed", keeps(view(0)), 0);
    check("one upcall", upcalls, 1);
    upcalls = 0;
}

/* Recursion, so that windows are on the stack at the time of the access. */
static uint32_t __attribute__((noinline)) deep(unsigned depth)
{
    uint32_t sum = depth ? deep(depth - 1) : view(1)[0];

    asm volatile ("" : "+r" (sum));
    return sum + 1;
}

static void windows(void)
{
    for (unsigned depth = 0; depth < 12; depth++) {
        set(1, GLAZE_VIEW_NONE);
        page[1][0] = 100;
        check("depth", deep(depth), 101 + depth);
    }
    check("upcalls", upcalls, 12);
    upcalls = 0;
}

static volatile double one = 1.5;

static void fpu(void)
{
    double a = one * 2;

    set(2, GLAZE_VIEW_NONE);
    asm volatile ("" : "+e" (a));
    (void)view(2)[0];
    asm volatile ("" : "+e" (a));
    check("the FPU's registers", a * 2 == 6, true);
    once("one upcall", 2, 0, false);
}

/* ---- Handlers and sections ------------------------------------------------ */

static volatile uint32_t handled, seen;

static void handler(void)
{
    uint32_t k = udm_arg(0);

    udm_dispose();
    seen = view(k)[1];
    handled++;
}

static void before_dispose(void)
{
    seen = view(udm_arg(0))[1];
    udm_dispose();
    handled++;
}

static void null(void)
{
    udm_dispose();
    handled++;
}

static void sections(void)
{
    page[3][1] = 31;
    handled = 0;
    udm_inject(udm_node(), handler, 3);
    while (!handled) {
    }
    check("a load in a handler", seen, 31);
    once("one upcall", 3, 0, true);
    set(3, GLAZE_VIEW_NONE);
    udm_inject(udm_node(), before_dispose, 3);
    while (handled < 2) {
    }
    check("before dispose", seen, 31);
    once("one upcall", 3, 0, true);
    set(3, GLAZE_VIEW_NONE);
    udm_beginatom();
    udm_inject(udm_node(), null);
    settle();
    check("a load in a section", view(3)[1], 31);
    check("it is open", udm_atomic(), true);
    check("the message waits", handled, 2);
    udm_endatom();
    while (handled < 3) {
    }
    once("one upcall", 3, 0, true);
    check("a section was suspended", in_section, true);
    check("none is any more", glaze_info(GLAZE_I_HOLD), 0);
    set(3, GLAZE_VIEW_NONE);
    udm_beginatom();
    glaze_divert();
    check("a load in buffered mode", view(3)[1], 31);
    udm_endatom();
    once("one upcall", 3, 0, true);
}

/* ---- The kernel's accesses ------------------------------------------------- */

static volatile uint32_t stored;

static void store_view(void)
{
    udm_storeback((void *)view(5), 0, 64);
    udm_dispose();
    stored++;
}

static void storebacks(bool buffered)
{
    set(4, GLAZE_VIEW_NONE);
    set(5, GLAZE_VIEW_NONE);
    memset(page[5], 0, sizeof(page[5]));
    for (unsigned k = 0; k < 16; k++) {
        page[4][k] = 400 + k;
    }
    stored = 0;
    if (buffered) {
        udm_beginatom();
        glaze_divert();
    }
    udm_inject_body(udm_node(), store_view, (void *)view(4), 64);
    if (buffered) {
        udm_endatom();
    }
    while (!stored) {
    }
    check("upcalls of launch and storeback", upcalls, 2);
    check("the launch's page", before_last, (uintptr_t)view(4));
    check("the storeback's page", last, (uintptr_t)view(5) | 1);
    check("a word", page[5][15], 415);
    upcalls = 0;
}

static void kernel(void)
{
    struct glaze_count *count = (struct glaze_count *)view(6);

    memcpy(page[7], "text of a view\n", 15);
    check("a write", glaze_write((void *)view(7), 15), 15);
    once("one upcall", 7, 0, false);
    glaze_count(count);
    once("one upcall", 6, 1, false);
    check("frames", count->frames != 0, true);
    set(6, GLAZE_VIEW_NONE);
    ((struct glaze_view *)page[6])[0] =
        (struct glaze_view) { (uintptr_t)view(8) | GLAZE_VIEW_READ,
                              (uintptr_t)page[8] };
    check("a list in a view", glaze_view((void *)view(6), 1), 0);
    once("one upcall", 6, 0, false);
    storebacks(false);
    storebacks(true);
}

/* ---- Lists ------------------------------------------------------------------ */

static void lists(void)
{
    struct glaze_view list[PAGES];
    struct glaze_count before, after;
    uint32_t sum = 0;

    for (unsigned k = 0; k < PAGES; k++) {
        page[k][0] = k;
        list[k] = (struct glaze_view) { (uintptr_t)view(k) | GLAZE_VIEW_READ,
                                        (uintptr_t)page[k] };
    }
    check("a list longer than a part", glaze_view(list, PAGES), 0);
    for (unsigned k = 0; k < PAGES; k++) {
        sum += view(k)[0];
    }
    check("all pages", sum, PAGES * (PAGES - 1) / 2);
    check("no upcall", upcalls, 0);
    check("an empty list", glaze_view(list, 0), 0);
    for (unsigned k = 0; k < PAGES; k++) {
        list[k].view = (uintptr_t)view(k) | GLAZE_VIEW_NONE;
    }
    check("no rights", glaze_view(list, PAGES), 0);
    check("again", glaze_view(list, PAGES), 0);
    sum = view(PAGES - 1)[0];
    once("one upcall", PAGES - 1, 0, false);

    /* A page that is unmapped takes its view with it. */
    void *more = malloc(3 * GLAZE_PAGE);
    uint32_t heap = ((uintptr_t)more + 2 * GLAZE_PAGE - 1) & -GLAZE_PAGE;
    glaze_unmap(heap, GLAZE_PAGE);
    glaze_count(&before);
    glaze_map(heap, GLAZE_PAGE);
    list[0] = (struct glaze_view) { (uintptr_t)view(50) | GLAZE_VIEW_WRITE,
                                    heap };
    check("a page of the heap", glaze_view(list, 1), 0);
    view(50)[0] = 1;
    check("unmapped", glaze_unmap(heap, GLAZE_PAGE), 0);
    glaze_count(&after);
    check("pages", after.process_pages, before.process_pages);
    check("mapped", glaze_map(heap, GLAZE_PAGE), 0);
    list[0].view = (uintptr_t)view(51) | GLAZE_VIEW_READ;
    check("another view of it", glaze_view(list, 1), 0);
    check("zero", view(51)[0], 0);
}

static void refuses(const char *name, uint32_t at, const void *shown)
{
    struct glaze_view one = { at, (uintptr_t)shown };

    check(name, -glaze_view(&one, 1), EINVAL);
}

/* Lists that move a view, and whose last entry has to wait for its page. */
static void moves(void)
{
    struct glaze_view address[] = {
        { (uintptr_t)view(20) | GLAZE_VIEW_NONE, (uintptr_t)page[0] },
        { (uintptr_t)view(21) | GLAZE_VIEW_WRITE, (uintptr_t)page[0] },
        { (uintptr_t)view(22) | GLAZE_VIEW_WRITE, (uintptr_t)page[1] },
    };
    struct glaze_view shown[] = {
        { (uintptr_t)view(21) | GLAZE_VIEW_NONE, (uintptr_t)page[0] },
        { (uintptr_t)view(21) | GLAZE_VIEW_WRITE, (uintptr_t)page[2] },
        { (uintptr_t)view(23) | GLAZE_VIEW_WRITE, (uintptr_t)page[3] },
    };
    struct glaze_view first = { (uintptr_t)view(20) | GLAZE_VIEW_WRITE,
                                (uintptr_t)page[0] };

    page[0][0] = 7;
    check("a view", glaze_view(&first, 1), 0);
    check("the view moves", glaze_view(address, 3), 0);
    check("the page", view(21)[0], 7);
    page[2][0] = 9;
    check("another page is shown", glaze_view(shown, 3), 0);
    check("that page", view(21)[0], 9);
    check("no upcall", upcalls, 0);
}

static void errors(void)
{
    uint32_t first = (uintptr_t)view(0);

    check("a list that is not there",
          -glaze_view((void *)0x20000000, 1), EFAULT);
    refuses("below the views", GLAZE_VIEWS - GLAZE_PAGE, page[0]);
    refuses("above the views", GLAZE_VIEWS_END, page[0]);
    refuses("rights 3", first | 3, page[0]);
    refuses("an address within a page", first | 4, page[0]);
    refuses("a page that does not begin there", first | 1, &page[0][1]);
    refuses("text", first | 1,
            (void *)((uintptr_t)errors & -GLAZE_PAGE));
    refuses("a stack", first | 1, (void *)(GLAZE_MAIN_STACK_TOP - GLAZE_PAGE));
    refuses("the information page", first | 1, (void *)GLAZE_INFO);
    refuses("RAM", first | 1, (void *)0x40000000);
    refuses("a view of a view", first | 1, (void *)view(1));
    refuses("no memory", first | 1, (void *)0x30000000);
    set(0, GLAZE_VIEW_READ);
    refuses("a second view", (uintptr_t)view(1) | 1, page[0]);
    refuses("a view that shows another page", first | 1, page[1]);
    refuses("its end", first, page[1]);
    check("the view is still there", view(0)[5], page[0][5]);
}

/* ---- Alarms ----------------------------------------------------------------- */

static volatile uint32_t rung;
static volatile uint64_t rung_at;

void rings(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    (void)unused0;
    (void)unused1;
    (void)pc;
    rung_at = udm_cycles();
    rung++;
}

static void spin(uint32_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    while (udm_cycles() < end) {
    }
}

/*
 * Sets an alarm, and before it comes another one in its place, which comes after this
 * many cycles, or never. Another job may get the node in between, so that the first
 * alarm comes: then it sets both anew.
 */
#define NEVER   UINT64_MAX
static void alarm_replaced(uint64_t after)
{
    uint32_t before = rung;
    uint64_t first;

    do {
        rung = before;
        first = udm_cycles() + 5000;
        glaze_alarm(first);
        glaze_alarm(after == NEVER ? NEVER : udm_cycles() + after);
    } while (udm_cycles() >= first);
}

static void alarms(void)
{
    uint64_t at = udm_cycles() + 20000;

    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    glaze_alarm(at);
    spin(15000);
    check("not before its cycle", rung && rung_at < at, false);
    spin(10000);
    check("once", rung, 1);
    check("at once", rung_at >= at && rung_at < at + 20000, true);
    spin(10000);
    check("not again", rung, 1);

    glaze_alarm(udm_cycles() + 20000);  /* the call may take as long as an entry may */
    udm_beginatom();
    spin(30000);
    check("not in a section", rung, 1);
    udm_endatom();
    check("at its end", rung, 2);

    alarm_replaced(NEVER);
    spin(10000);
    check("called off", rung, 2);
    alarm_replaced(60000);      /* the kernel may work for a job that has ended */
    spin(10000);
    check("put off", rung, 2);
    spin(52000);
    check("it comes", rung, 3);
    glaze_alarm(udm_cycles() - 1);
    check("a cycle of the past", rung, 4);
    UPCALL->alarm.entry = 0;
    glaze_alarm(udm_cycles() + 1000);
    spin(5000);
    check("without an entry", rung, 4);
}

/* An alarm that comes while it has no entry does not come later. */
static void lost(void)
{
    UPCALL->alarm.sp = UPCALL->message.sp;
    glaze_alarm(udm_cycles() + 1000);
    spin(5000);
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    spin(5000);
    check("an alarm without an entry is lost", rung, 0);
    glaze_alarm(udm_cycles() + 1000);
    spin(5000);
    check("the next one comes", rung, 1);
    UPCALL->alarm.entry = 0;
    glaze_alarm(udm_cycles() + 3000);   /* the section begins before that */
    udm_beginatom();
    spin(5000);
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    udm_endatom();
    spin(5000);
    check("an entry set in a section serves the alarm at its end", rung, 2);
}

/* An alarm every 3,000 cycles, and messages to itself. */
static void storm(void)
{
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    handled = 0;
    for (unsigned k = 0; k < 200; k++) {
        uint32_t before = rung;

        glaze_alarm(udm_cycles() + 500 + 37 * k);
        udm_inject(udm_node(), null);
        while (rung == before) {
        }
    }
    while (handled < 200) {
    }
    check("alarms", rung, 200);
    check("messages", handled, 200);
}

static volatile double seed = 3.25, sum;
static volatile uint32_t floated;

/* A handler that ends its section, then has values in the FPU for a while. */
static void float_handler(void)
{
    double a, b;

    udm_dispose();
    udm_endatom();
    a = seed * 1000;
    b = a + 1;
    asm volatile ("" : "+e" (a), "+e" (b));
    (void)view(3)[0];                   /* a rights upcall */
    asm volatile ("" : "+e" (a), "+e" (b));
    spin(20000);
    asm volatile ("" : "+e" (a), "+e" (b));
    sum = a + b;
    floated++;
}

/* An alarm interrupts a handler, which has interrupted code with values in the
 * FPU. All three keep theirs. */
static void floats(void)
{
    double x = seed, y = seed * 2;

    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    for (unsigned k = 1; k <= 2; k++) {
        set(3, GLAZE_VIEW_NONE);
        glaze_alarm(udm_cycles() + 10000);
        asm volatile ("" : "+e" (x), "+e" (y));
        udm_inject(udm_node(), float_handler);
        while (floated < k) {
            asm volatile ("" : "+e" (x), "+e" (y));
        }
        asm volatile ("" : "+e" (x), "+e" (y));
        check("alarms", rung, k);
        check("upcalls", upcalls, k);
        check("the handler's values", sum == 6501, true);
        check("the interrupted code's values", x == 3.25 && y == 6.5, true);
    }
}

/* ---- Costs ------------------------------------------------------------------ */

static void cost(void)
{
    uint32_t hit, skipped;

    set(9, GLAZE_VIEW_READ);
    for (unsigned k = 0; k < 3; k++) {
        hit = access_cycles(view(9));
    }
    set(9, GLAZE_VIEW_NONE);
    upcall_to(skip_stub);
    for (unsigned k = 0; k < 3; k++) {
        skipped = access_cycles(view(9));
    }
    printf("rights: %lu cycles\n", (unsigned long)(skipped - hit));
}

/* ---- Mistakes that end the job ---------------------------------------------- */

static void stack_in_view(void)
{
    asm volatile ("mov %0, %%sp\n\t"
                  "ta 3\n\t"
                  "mov %0, %%sp\n\t"
                  "save %%sp, -96, %%sp\n\tta 3"
                  : : "r" ((uintptr_t)view(10) + 2048) : "memory");
}

int main(int argc, char **argv)
{
    static const struct check_case cases[] = {
        { "loads", loads }, { "windows", windows }, { "fpu", fpu },
        { "sections", sections }, { "kernel", kernel }, { "lists", lists },
        { "moves", moves },
        { "errors", errors }, { "alarms", alarms }, { "lost", lost },
        { "storm", storm },
        { "floats", floats }, { "cost", cost },
        { "stack", stack_in_view },
    };
    const struct check_case *one;

    upcall_to(rights_stub);
    if (argc == 2 && !strcmp(argv[1], "no-entry")) {
        UPCALL->rights.entry = 0;
        return view(0)[0];
    }
    one = check_case(argc, argv, cases, sizeof(cases) / sizeof(*cases));
    if (!one) {
        return 2;
    }
    one->run();
    return check_failures != 0;
}
