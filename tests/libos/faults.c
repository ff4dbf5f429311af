/*
 * Faults on pages in backing store, while other threads run.
 *
 * There are two jobs: "faults", and "faults hog PAGES". The hog takes the
 * node's memory once, so that the other job's pages go to backing store, and
 * ends. The kernel first evicts pages of the process that has most in memory,
 * so "faults" begins with more pages than it needs. Only node 0 does anything;
 * all messages go from it to itself.
 *
 * Prints one line per check and the number of failures; the exit status is 1
 * if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define PAGES   40
#define MORE    140
#define WORDS   (GLAZE_PAGE / 4)

static volatile uint32_t page[PAGES][WORDS]
    __attribute__((aligned(GLAZE_PAGE)));

/* ---- Checks -------------------------------------------------------------- */

/*
 * A thread that prints must not wait for a page while another thread prints:
 * newlib's streams have no locks. So threads do not switch on faults during a
 * check.
 */
static bool switching;

static void expect(const char *name, uint32_t got, uint32_t want)
{
    udm_thread_switch_on_fault(false);
    check(name, got, want);
    udm_thread_switch_on_fault(switching);
}

static void expect_notes(const char *name, const char *want)
{
    udm_thread_switch_on_fault(false);
    check_notes(name, want);
    udm_thread_switch_on_fault(switching);
}

/* ---- How pages go out ---------------------------------------------------- */

/* Called by the hog: waits until the other job has taken the pages it
 * needs. */
static void wait_for_other(void)
{
    struct glaze_count count;

    do {
        glaze_yield();
        glaze_count(&count);
    } while (count.frames_free > count.frames - PAGES - MORE);
}

static void take(unsigned pages)
{
    volatile char *memory = malloc(pages * GLAZE_PAGE);

    for (unsigned k = 0; k < pages; k++) {
        memory[k * GLAZE_PAGE] = 1;
    }
}

static void all_out(void)
{
    struct glaze_count count;

    for (unsigned k = 0; k < PAGES; k++) {
        for (unsigned i = 0; i < WORDS; i++) {
            page[k][i] = 1000 * k + i;
        }
    }
    take(MORE);                 /* after page[], so that these go out later */
    do {
        glaze_yield();
        glaze_count(&count);
    } while (count.processes > 1);
    expect("pages are out", count.pages_out > PAGES / 2, true);
}

static unsigned next_page;      /* the next one that is untouched */

static uint32_t arrivals(void)
{
    return glaze_info(GLAZE_I_ARRIVALS);
}

/* ---- Messages during a fault --------------------------------------------- */

static volatile uint32_t handled;

static void counting(void)
{
    note(udm_arg(0));
    udm_dispose();
    handled++;
}

static void send(char letter)
{
    udm_inject(udm_node(), counting, letter);
}

/* Waits for a flag that follows a page, which takes some 80,000 cycles. */
static void await(volatile bool *what)
{
    uint32_t start = udm_cycles32();

    while (!*what && udm_cycles32() - start < 4000000) {
    }
    expect("what was waited for has come", *what, true);
}

static volatile bool done;

/* ---- Faults outside of sections ------------------------------------------ */

static void *reads(void *unused)
{
    unsigned k = next_page++;

    (void)unused;
    note('a');
    expect("its word", page[k][7], 1000 * k + 7);
    note('b');
    done = true;
    return NULL;
}

static void test_thread(void)
{
    udm_thread_t *thread;
    uint32_t before = arrivals();

    done = false;
    handled = 0;
    thread = udm_thread_create(reads, NULL, UDM_HIGH);
    note('m');
    for (int i = 0; i < 2; i++) {
        send('.');
        settle();
    }
    expect("messages are handled meanwhile", handled, 2);
    memset(notes, 0, sizeof(notes));
    note('n');
    expect("no page has come", arrivals() - before, 0);
    await(&done);
    expect("one page has come", arrivals() - before, 1);
    udm_thread_join(thread);
    expect_notes("a thread that has its page goes first", "nb");
}

/* The only thread waits for a page. */
static void test_alone(void)
{
    unsigned k = next_page++;
    uint32_t before = arrivals();

    handled = 0;
    send('h');
    expect("the only thread's word", page[k][9], 1000 * k + 9);
    expect("its page has come", arrivals() - before, 1);
    settle();
    expect("a message meanwhile", handled, 1);
    expect_notes("is handled", "h");
}

/* More threads wait for pages than the kernel keeps track of. */
static void *sums(void *k)
{
    return (void *)page[(uintptr_t)k][1];
}

static void test_many(void)
{
    enum { MANY = 10 };
    udm_thread_t *thread[MANY];
    uint32_t sum = 0, want = 0, before = arrivals();

    for (unsigned i = 0; i < MANY; i++) {
        unsigned k = next_page++;

        want += page[0][0] + 1000 * k + 1;
        thread[i] = udm_thread_create(sums, (void *)(uintptr_t)k, UDM_NORMAL);
    }
    for (unsigned i = 0; i < MANY; i++) {
        sum += (uintptr_t)udm_thread_join(thread[i]);
    }
    expect("ten words", sum, want);
    expect("but for one, others have run meanwhile", arrivals() - before,
          MANY - 1);
}

/* ---- Faults in handlers and sections ------------------------------------- */

static void faulting_handler(void)
{
    unsigned k = udm_arg(0);

    note('h');
    expect("a handler's word", page[k][3], 1000 * k + 3);
    expect("its argument still", udm_arg(0), k);
    expect("its section still", udm_atomic(), true);
    udm_dispose();
    note('i');
    done = true;
}

static void test_handler(void)
{
    uint32_t before = arrivals();

    done = false;
    handled = 0;
    udm_inject(udm_node(), faulting_handler, next_page++);
    settle();
    note('m');
    send('1');
    send('2');
    settle();
    settle();
    note('n');
    expect("what it has interrupted runs", udm_atomic(), false);
    expect("and no other handler", handled, 0);
    await(&done);
    settle();
    expect_notes("messages wait for a handler that waits for a page",
                "hmni12");
    expect("one page has come", arrivals() - before, 1);
}

static void *reads_in_section(void *unused)
{
    unsigned k = next_page++;

    (void)unused;
    udm_beginatom();
    note('a');
    expect("its word", page[k][5], 1000 * k + 5);
    note('b');
    expect("its section still", udm_atomic(), true);
    expect("and sees the message", udm_arg(0), '1');
    udm_poll();
    note('c');
    udm_endatom();
    note('d');
    done = true;
    return NULL;
}

static void test_section(void)
{
    uint32_t before = arrivals();
    udm_thread_t *thread;

    done = false;
    handled = 0;
    thread = udm_thread_create(reads_in_section, NULL, UDM_HIGH);
    note('m');
    send('1');
    send('2');
    settle();
    settle();
    expect("others see no message", udm_available(), false);
    udm_beginatom();            /* the thread's page arrives in here */
    while (arrivals() == before) {
    }
    note('n');
    udm_endatom();
    await(&done);
    udm_thread_join(thread);
    expect_notes("messages wait for a section that waits for a page",
                "amnb1c2d");
    expect("and then are fast again", glaze_info(GLAZE_I_MODE), GLAZE_FAST);
}

/* ---- What a fault must not disturb --------------------------------------- */

static uint32_t body[WORDS], body_words;

static void with_body(void)
{
    body_words = udm_body_length() / 4;
    body[0] = udm_arg(0);
    udm_storeback(&body[1], 0, udm_body_length() - 4);
    udm_dispose();
    done = true;
}

static void *sends(void *unused)
{
    (void)unused;
    while (!done) {
        send('.');
        memset(notes, 0, sizeof(notes));
        udm_thread_yield();
    }
    return NULL;
}

static void test_body(void)
{
    udm_thread_t *thread = udm_thread_create(sends, NULL, UDM_NORMAL);
    unsigned k = next_page++, wrong = 0;
    uint32_t before = arrivals();

    done = false;
    handled = 0;
    udm_inject_body(udm_node(), with_body, page[k], GLAZE_PAGE, 4711);
    expect("its page has come", arrivals() - before, 1);
    expect("others have sent meanwhile", handled > 0, true);
    await(&done);
    udm_thread_join(thread);
    for (unsigned i = 1; i < WORDS; i++) {
        wrong += body[i] != 1000 * k + i - 1;
    }
    expect("words of a body that was out", wrong, 0);
    expect("all of them", body_words, WORDS);
    expect("the argument", body[0], 4711);
    memset(notes, 0, sizeof(notes));
}

static volatile double one = 1.0;

static void *computes(void *unused)
{
    (void)unused;
    while (!done) {
        one = one * 3 / 3;
        udm_thread_yield();
    }
    return NULL;
}

static void test_floats(void)
{
    udm_thread_t *thread;
    unsigned k = next_page++;
    double x = one * 5, y = one / 4;
    uint32_t word;

    done = false;
    thread = udm_thread_create(computes, NULL, UDM_NORMAL);
    asm volatile ("" : "+f" (x), "+f" (y));
    asm volatile ("ld [%3], %0" : "=r" (word), "+f" (x), "+f" (y)
                  : "r" (&page[k][2]) : "memory");
    done = true;
    expect("floats", (uint32_t)(int)(x * 1000 + y * 100), 5025);
    expect("the word", word, 1000 * k + 2);
    udm_thread_join(thread);
}

int main(int argc, char **argv)
{
    uint32_t before = arrivals();

    if (udm_node()) {
        return 0;
    }
    if (argc > 2) {
        wait_for_other();
        take(atoi(argv[2]));
        return 0;
    }
    all_out();
    expect("a word", page[0][0], 0);
    next_page++;
    expect("not asked for", arrivals() - before, 0);
    switching = true;
    udm_thread_switch_on_fault(true);
    test_thread();
    test_alone();
    test_many();
    test_handler();
    test_section();
    test_body();
    test_floats();
    return check_end();
}
