/*
 * The process's side: what a process does when it has no right to a page.
 *
 * A page is fetched from its home to be read. Before the first write in an
 * interval to a page of another home, a copy is made, the twin, to find out
 * what has been written.
 *
 * Node 0 is the home of all pages at first. After the first barrier of all
 * processes, the first process that writes a page becomes its home for ever. If
 * node 0 has written it before, the first one that reads it becomes its home
 * until then.
 *
 * This file asks for pages and homes, takes the answers, and gives the process
 * its rights. It also makes the table of pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "carry.h"
#include "pages.h"

struct page *pages;
uint32_t shm_self, shm_count;

/* ---- Answers ------------------------------------------------------------ */

static struct {
    uint32_t number;            /* PAGES: no page is being fetched */
    bool refused;               /* there is no such page */
    bool again;                 /* notices say that the copy is old */
} fetching = { .number = PAGES };

/* A copy that has an interval may have a part of it: not all differences had
 * come. But it has all that its home has written in the interval. */
void page_noticed(uint32_t number, uint32_t writer, uint32_t seq)
{
    uint32_t has = fetched_version(writer);

    if (number == PAGES ||
        (number == fetching.number &&
         (seq > has || (seq == has && writer != pages[number].home)))) {
        fetching.again = true;
    }
}

/*
 * Takes the answer to a request. A new home is home from here on: other nodes
 * may know already.
 */
static void take_answer(uint32_t number, uint32_t home, uint32_t changes)
{
    struct page *page = &pages[number];

    if (number != fetching.number) {
        mistake("a message came that the library does not send");
    }
    fetching.refused = home == HOME_NONE;
    if (!fetching.refused) {
        page->home = home;              /* 16 bits */
        page->changes = changes;
        if (home & HOME_FIXED) {
            page->flags |= PAGE_FIXED;
        }
        if (is_home(page) && home & HOME_SHARED) {
            page->flags |= PAGE_SHARED;
            page->reader = READERS;
        }
    }
    answered();
}

void shm_on_page(void)
{
    uint32_t number = udm_arg(0);
    const char *faults = faults_pause();

    take_answer(number, udm_arg(1), udm_arg(2));
    take_version(udm_arg(3), udm_arg(4));
    take_version(udm_arg(5), udm_arg(6));
    page_map(number);
    udm_storeback(page_memory(number), 0, GLAZE_PAGE);
    udm_dispose();
    faults_resume(faults);
}

/* Words: page, home, changes. */
void shm_on_zero_page(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    take_answer(words[0], words[1], words[2]);
    page_map(words[0]);
    memset(page_memory(words[0]), 0, GLAZE_PAGE);
}

/* Words: page, home (this node, or one that stays it), changes, whether this node
 * has a copy of the page. */
void shm_on_granted_home(uint32_t source, const uint32_t *words,
                         uint32_t count)
{
    (void)source;
    (void)count;
    take_answer(words[0], words[1], words[2] == NO_CHANGES
                                    ? pages[words[0]].changes : words[2]);
    if (!words[3]) {
        page_map(words[0]);
        memset(page_memory(words[0]), 0, GLAZE_PAGE);
    }
}

/* ---- Requests ----------------------------------------------------------- */

/*
 * Gets a copy of a page, or a new home for it, with what it shows. The kernel clears
 * the page's memory while the request is under way; if the answer comes before that,
 * its handler does it. `then` are the rights that the process is to have afterwards,
 * GLAZE_VIEW_NONE if that is not known: the kernel makes the view meanwhile, too. Only
 * this thread could use it before its time, and it waits here.
 */
static void fetch(uint32_t number, uint32_t flags, uint32_t then)
{
    struct page *page = &pages[number];
    uint32_t words[3] = { number, flags, shm_self };

    if (!(flags & HAS_COPY) && carry_is_open()) {
        interval_show_carried(number);
    }
    do {
        fetching.number = number;
        fetching.again = false;
        versions_begin();
        ask_begin();
        udm_beginatom();
        post(page->home, OP_FETCH, words, 3);
        udm_endatom();
        page_map(number);
        rights_prepare(number, then);
        ask_end();
        if (fetching.refused) {
            mistake("access to shared memory that shm_malloc() has not "
                    "returned");
        }
        if (!(flags & HAS_COPY)) {
            counts.fetches++;
        }
        acquire_versions();
    } while (fetching.again && !is_home(page));
    fetching.number = PAGES;
    if (!order_kept && !(flags & HAS_COPY) && !is_home(page)) {
        take_lasts(number);
    }
}

/*
 * Makes this node the home of a page for ever, if it may be. Returns whether the answer
 * has brought a copy of the page, as that of fetch(number, 0) does: another node stays
 * its home.
 */
static bool take_home(uint32_t number)
{
    struct page *page = &pages[number];
    uint32_t flags = WANTS_HOME | (page->rights ? HAS_COPY : 0);

    if (!fixing || page->flags & PAGE_FIXED) {
        return false;
    }
    udm_beginatom();
    if (is_home(page)) {
        page->flags |= PAGE_FIXED;
    }
    udm_endatom();
    if (is_home(page)) {
        return false;
    }
    fetch(number, flags, GLAZE_VIEW_WRITE);
    return !(flags & HAS_COPY) && !is_home(page);
}

/* ---- Faults ------------------------------------------------------------- */

/* Copies line by line of the cache: each line is missed once, wherever the two
 * pages lie. */
static void copy(uint32_t *to, const uint32_t *from)
{
    typedef uint64_t __attribute__((may_alias)) pair_t;
    const pair_t *source = (const pair_t *)from;
    pair_t *target = (pair_t *)to;

    for (uint32_t k = 0; k < PAGE_WORDS / 2; k += 4) {
        pair_t a = source[k], b = source[k + 1];
        pair_t c = source[k + 2], d = source[k + 3];

        asm volatile ("" : "+r" (a), "+r" (b), "+r" (c), "+r" (d));
        target[k] = a;
        target[k + 1] = b;
        target[k + 2] = c;
        target[k + 3] = d;
    }
}

/*
 * Answers requests that wait for the end of the interval. The page of the fault
 * is given its rights after that: so that the process writes the page before the
 * next request ends the interval again. Returns in an atomic section.
 */
static void release_wanted(void)
{
    udm_beginatom();
    while (pages_wanted) {
        udm_endatom();
        interval_close();
        udm_beginatom();
    }
}

/* A copy of the page before its first write, and a place in the interval. */
static void begin_away(uint32_t number, uint32_t *twin)
{
    counts.twins++;
    if (!written_away) {
        visit_write();
    }
    COST_BEGIN("twin", page_view(number));
    copy(twin, page_memory(number));
    COST_END();
    pages[number].twin = twin;
    release_wanted();
    interval_write(number);
    udm_endatom();
    rights_set(number, GLAZE_VIEW_WRITE);
}

/*
 * Gives the process rights to a page of this home, when the process has acquired
 * all that the page shows. Writes get a place in the interval, unless the page is
 * the process's own. From the end of the section on, other nodes get the page
 * when the interval has ended.
 *
 * Returns false if another node has become the home meanwhile: it has been told
 * that there is no copy here.
 */
static bool begin_at_home(uint32_t number, bool store)
{
    struct page *page = &pages[number];

    page_map(number);
    release_wanted();
    while (has_unseen(page)) {
        udm_endatom();
        acquire_own(page);
        release_wanted();
    }
    if (!is_home(page)) {
        udm_endatom();
        return false;
    }
    if (store && page->flags & PAGE_SHARED) {
        interval_write(number);
    }
    rights_put(number, store ? GLAZE_VIEW_WRITE : GLAZE_VIEW_READ);
    udm_endatom();
    rights_flush();
    return true;
}

static void write_fault(uint32_t number)
{
    struct page *page = &pages[number];
    uint32_t *twin = is_home(page) ? NULL : twin_take();    /* it may drop copies */
    bool copy;

    counts.write_faults++;
    copy = take_home(number);
    if (is_home(page)) {
        if (begin_at_home(number, true)) {
            if (twin) {
                twin_give(twin);
            }
            return;
        }
        copy = false;
    }
    if (!twin) {
        twin = twin_take();
    }
    if (!page->rights && !copy) {
        fetch(number, 0, GLAZE_VIEW_WRITE);
    }
    begin_away(number, twin);
}

static void read_fault(uint32_t number)
{
    const struct page *page = &pages[number];

    counts.read_faults++;
    while (!is_home(page) || !begin_at_home(number, false)) {
        bool first = fixing && page->home == 0 && !(page->flags & PAGE_FIXED);

        fetch(number, first && memory_is_plenty ? FIRST_READER : 0, GLAZE_VIEW_READ);
        if (!is_home(page)) {
            rights_set(number, GLAZE_VIEW_READ);
            return;
        }
    }
}

/* Fetches the page of a store that the lock which is held may carry. Returns whether it
 * carries the store: then this is done. */
static bool store_fetched(uint32_t number, struct interrupted *code)
{
    bool done;

    read_fault(number);
    udm_beginatom();
    done = carry_store(number, code);
    udm_endatom();
    return done;
}

/* Ends the job over an access; the line names its address, or the page where the
 * kernel tells no more. */
static void __attribute__((noreturn)) refuse(const char *what, uint32_t address,
                                             uint32_t pc)
{
    uint32_t at = address & ~GLAZE_RIGHTS_STORE;
    char text[100];

    snprintf(text, sizeof(text), "%s, %s 0x%lx", what,
             at % GLAZE_PAGE ? "address" : "the page at", (unsigned long)at);
    mistake_at(text, pc);
}

/*
 * Called by the stub of rights upcalls. `address` may be that of the page
 * alone; `section` is not 0 if an atomic section was open. The interrupted code tries
 * its access again, or goes on behind it if the store has been done here.
 */
void shm_fault(uint32_t address, uint32_t section, uint32_t pc, uint32_t psr,
               struct interrupted *code)
{
    bool store = address & GLAZE_RIGHTS_STORE;
    uint32_t number = page_number(address), start = udm_cycles32();

    if (section || in_handler()) {
        refuse("a handler or an atomic section touches shared memory", address,
               pc);
    }
    if (half_described()) {
        refuse("a launch takes a body from shared memory", address, pc);
    }
    call_await_visit(psr);
    call_enter(CALL_FAULT, address & -GLAZE_PAGE, pc);
    fpu_interrupted = psr & PSR_EF;
    if (number >= PAGES || (shm_self == 0 && number >= malloc_pages())) {
        mistake("access to shared memory that shm_malloc() has not returned");
    }
    if (store) {
        COST_BEGIN("write_fault", address & ~GLAZE_RIGHTS_STORE);
    } else {
        COST_BEGIN("read_fault", address);
    }
    if (store && carry_store(number, code)) {
        COST_END();
        counts.write_faults++;
        counts.fault_cycles += udm_cycles32() - start;
        call_leave();
        return;
    }
    udm_endatom();
    page_room(number);
    if (!store) {
        read_fault(number);
    } else if (!carry_fetches(number) || !store_fetched(number, code)) {
        write_fault(number);
    }
    COST_END();
    counts.fault_cycles += udm_cycles32() - start;
    visit_waited(udm_cycles32() - start);
    udm_beginatom();
    call_leave();
}

void pages_init(void)
{
    pages = private_take(PAGES * sizeof(*pages));
    copies = private_take(PAGES * sizeof(uint32_t));
    home_init();
    versions_init();
    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)shm_fault_stub;
}
