/*
 * Faults: what a process does when it has no right to a page.
 *
 * A page is fetched from its home to be read. Before the first write in an
 * interval to a page of another home, a copy is made, the twin, to find out what
 * has been written. A home writes its pages without a twin; other nodes that ask
 * for a page that the open interval has written get it when the interval has
 * ended. So no node sees a write before its interval has ended.
 *
 * Node 0 is the home of all pages at first. After the first barrier of all
 * processes, the first process that writes a page becomes its home for ever.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "shm-state.h"
#include "udm-work.h"

struct page *pages;
uint32_t shm_self, shm_count;

/* ---- Versions: which intervals a fetched page has ----------------------- */

/*
 * A home tells with a page which intervals of which writers it has. If the
 * reader has not seen one of them, it has come upon a write without an acquire:
 * a busy flag, or a page that processes share by accident. So that it sees also
 * what was written before, it acquires from that writer.
 */
static struct {
    uint32_t number;            /* PAGES: no page is being fetched */
    bool refused;               /* there is no such page */
    bool again;                 /* notices say that the copy is old */
} fetching = { .number = PAGES };

static uint32_t *versions;      /* pairs of writer and interval */
static uint32_t version_count;  /* words */

void page_changed(struct page *page, uint32_t writer, uint32_t seq)
{
    if (!page->version) {
        page->version = private_take(shm_count * sizeof(uint32_t));
    }
    page->version[writer] = seq;
    page->changes++;
    visit_changed(page - pages);
}

static uint32_t fetched_version(uint32_t writer)
{
    for (uint32_t k = 0; k < version_count; k += 2) {
        if (versions[k] == writer) {
            return versions[k + 1];
        }
    }
    return 0;
}

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

/* Acquires what the fetched copy shows. */
static void acquire_versions(void)
{
    for (uint32_t k = 0; k < version_count; k += 2) {
        if (versions[k] != shm_self && versions[k + 1] > vector[versions[k]]) {
            interval_close();
            interval_acquire(versions[k], versions[k + 1]);
        }
    }
}

void shm_on_versions(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    memcpy(versions, words, count * sizeof(uint32_t));
    version_count = count;
}

/* Two versions go with a page. */
#define NEAR            2
#define NO_NODE         0xffffffff

/*
 * Finds the intervals of a page that not all nodes have seen. The first ones go
 * into `near`. If there are more, all are posted as a message.
 */
static void tell_versions(uint32_t node, const struct page *page,
                          uint32_t near[2 * NEAR])
{
    uint32_t found = 0;

    near[0] = near[2] = NO_NODE;
    near[1] = near[3] = 0;
    for (uint32_t k = 0; page->version && k < shm_count; k++) {
        if (page->version[k] <= known_to_all[k] || k == node) {
            continue;
        }
        if (found < NEAR) {
            near[2 * found] = k;
            near[2 * found + 1] = page->version[k];
        } else {
            if (found == NEAR) {
                post_begin(node, OP_VERSIONS);
                post_words(near, 2 * NEAR);
            }
            post_word(k);
            post_word(page->version[k]);
        }
        found++;
    }
    if (found > NEAR) {
        post_end();
        near[0] = near[2] = NO_NODE;
    }
}

static void take_version(uint32_t writer, uint32_t seq)
{
    if (writer != NO_NODE) {
        versions[version_count++] = writer;
        versions[version_count++] = seq;
    }
}

/* ---- The home's own accesses -------------------------------------------- */

static uint32_t *listed, listed_count;

/* Returns whether the process may write a page without a notice. */
static bool is_own(const struct page *page)
{
    return page->rights == GLAZE_VIEW_WRITE && !(page->flags & PAGE_DIRTY);
}

/* Returns whether the page has, or may have, writes of the open interval. On
 * the home. */
static bool is_open(const struct page *page)
{
    return (is_own(page) || page->flags & PAGE_DIRTY) && !interval_closed;
}

/* Returns whether a page has writes that this node has not acquired. */
static bool has_unseen(const struct page *page)
{
    for (uint32_t k = 0; page->version && k < shm_count; k++) {
        if (page->version[k] > vector[k] && k != shm_self) {
            return true;
        }
    }
    return false;
}

static void list(uint32_t number)
{
    if (!(pages[number].flags & PAGE_LISTED)) {
        pages[number].flags |= PAGE_LISTED;
        listed[listed_count++] = number;
    }
}

void page_arrived(uint32_t number)
{
    struct page *page = &pages[number];

    if (!page->rights || !has_unseen(page)) {
        return;
    }
    if (shm_now.call) {
        list(number);
    } else {
        rights_set(number, GLAZE_VIEW_NONE);
    }
}

void pages_settle(void)
{
    for (uint32_t k = 0; k < listed_count; k++) {
        struct page *page = &pages[listed[k]];

        page->flags &= ~PAGE_LISTED;
        if (has_unseen(page)) {
            rights_put(listed[k], GLAZE_VIEW_NONE);
        } else if (is_own(page) && page->flags & PAGE_SHARED) {
            rights_put(listed[k], GLAZE_VIEW_READ);
        }
    }
    listed_count = 0;
    rights_flush();
}

/* Acquires what a page of this home shows. */
static void acquire_own(const struct page *page)
{
    for (uint32_t k = 0; page->version && k < shm_count; k++) {
        if (page->version[k] > vector[k] && k != shm_self) {
            interval_close();
            interval_acquire(k, page->version[k]);
        }
    }
}

/* ---- The home's side ---------------------------------------------------- */

#define WANTS_HOME      1       /* flags of OP_FETCH */
#define HAS_COPY        2
#define HOME_NONE       0xffffffff      /* in an answer: there is no such page */
#define HOME_SHARED     0x10000 /* added to a new home: there are copies */
#define NO_CHANGES      0xffffffff      /* in an answer: no new count of them */

/* Replies that have to wait for the network. The home is that of the moment
 * when the request was granted: a home that changes later may not know of it
 * yet. */
static struct {
    uint32_t node, number, home;
} *reply;
static volatile uint32_t first_reply, last_reply;

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
        page->home = home;              /* without HOME_SHARED: 16 bits */
        page->changes = changes;
        if (is_home(page) && home & HOME_SHARED) {
            page->flags |= PAGE_SHARED;
        }
    }
    answered();
}

/* Handler of a page's body: page, home, changes, two versions. */
static void on_page(void)
{
    uint32_t number = udm_arg(0);

    take_answer(number, udm_arg(1), udm_arg(2));
    take_version(udm_arg(3), udm_arg(4));
    take_version(udm_arg(5), udm_arg(6));
    udm_storeback(page_memory(number), 0, GLAZE_PAGE);
    udm_dispose();
}

/*
 * Sends a page. Returns false if the network is busy with another body. In an
 * atomic section or a handler.
 */
static bool send_page(uint32_t node, uint32_t number, uint32_t home)
{
    const struct page *page = &pages[number];
    bool others = home == node && (page->rights || page->reader != node + 1);
    uint32_t words[3] = { number, home | (others ? HOME_SHARED : 0),
                          page->changes };
    uint32_t near[2 * NEAR];

    if (!(page->flags & PAGE_MAPPED)) {
        post(node, OP_ZERO_PAGE, words, 3);
        return true;
    }
    if (!udm_body_space()) {
        return false;
    }
    tell_versions(node, page, near);
    udm_inject_body(node, on_page,
                    page->twin ? page->twin : page_memory(number), GLAZE_PAGE,
                    number, words[1], words[2], near[0], near[1], near[2],
                    near[3]);
    return true;
}

static void want(const uint32_t *words);

/* Sends the first reply, if the network takes it. The process may have begun to
 * write the page again: then the request waits for the end of its interval. */
static void send_reply(void)
{
    uint32_t node = reply[first_reply % shm_count].node;
    uint32_t number = reply[first_reply % shm_count].number;
    uint32_t words[3] = { number, 0, node };

    if (is_home(&pages[number]) && is_open(&pages[number])) {
        want(words);
        first_reply++;
    } else if (send_page(node, number, reply[first_reply % shm_count].home)) {
        first_reply++;
    }
}

static void send_replies(struct udm_work *work)
{
    (void)work;
    while (first_reply != last_reply) {
        udm_beginatom();
        send_reply();
        udm_endatom();
    }
}

static void serve(uint32_t node, uint32_t number)
{
    static struct udm_work work = { .run = send_replies };
    uint32_t home = pages[number].home;

    if (first_reply == last_reply && send_page(node, number, home)) {
        return;
    }
    reply[last_reply % shm_count].node = node;
    reply[last_reply % shm_count].number = number;
    reply[last_reply % shm_count].home = home;
    last_reply++;
    udm_defer(&work);
}

/* Serves a request for a page of this home: words as in shm_on_fetch(). */
static void grant(const uint32_t *words)
{
    uint32_t number = words[0], node = words[2];
    struct page *page = &pages[number];
    bool shared = page->rights || (page->reader && page->reader != node + 1);

    if (shm_self == 0 && words[1] & WANTS_HOME && page->flags & PAGE_DIRTY) {
        page->flags |= PAGE_FIXED;
    }
    if (shm_self == 0 && words[1] & WANTS_HOME &&
        !(page->flags & PAGE_FIXED)) {
        page->home = node;
        if (page->rights) {
            copy_note(number);
            visit_copy(node);
        }
        visit_changed(number);
        if (words[1] & HAS_COPY || !(page->flags & PAGE_MAPPED)) {
            uint32_t answer[4] = { number, node | (shared ? HOME_SHARED : 0),
                                   page->changes, words[1] & HAS_COPY };

            post(node, OP_GRANTED_HOME, answer, 4);
            return;
        }
    }
    if (shared) {
        page->reader = READERS;
    }
    page->flags |= PAGE_SHARED;
    page->reader = !page->reader || page->reader == node + 1 ? node + 1
                                                             : READERS;
    if (shm_self == 0 && words[1] & HAS_COPY) {
        uint32_t answer[4] = { number, 0, NO_CHANGES, HAS_COPY };

        post(node, OP_GRANTED_HOME, answer, 4);
        return;
    }
    serve(node, number);
}

/* ---- Pages of one process ----------------------------------------------- */

static uint32_t (*wanted)[3];   /* requests */
volatile uint32_t pages_wanted; /* number of them */

/* Other nodes get copies of a page that was the process's own. */
static void share(uint32_t number)
{
    page_changed(&pages[number], shm_self, vector[shm_self]);
    pages[number].flags |= PAGE_SHARED;
    list(number);
}

/*
 * Answers a request for a page, or passes it on to the page's home. An earlier
 * request may have changed the home while this one waited. The process must
 * not be writing the page as its own.
 */
static void answer_fetch(const uint32_t *words)
{
    struct page *page = &pages[words[0]];

    if (!is_home(page)) {
        post(page->home, OP_FETCH, words, 3);
        return;
    }
    if (is_own(page) && !(page->flags & PAGE_SHARED)) {
        share(words[0]);
    }
    grant(words);
}

void pages_release(void)
{
    udm_beginatom();
    for (uint32_t k = 0; k < pages_wanted; k++) {
        answer_fetch(wanted[k]);
    }
    pages_wanted = 0;
    pages_settle();
    udm_endatom();
    udm_defer_run();
}

/* Ends the interval soon, by an alarm or in the call that the thread is in. */
static void want(const uint32_t *words)
{
    memcpy(wanted[pages_wanted++], words, sizeof(wanted[0]));
    if (shm_now.call) {
        wake();
    } else {
        glaze_alarm(udm_cycles());
    }
}

/* Words: page, flags, the node that asks. */
void shm_on_fetch(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t number = words[0], node = words[2];
    struct page *page = &pages[number];

    (void)source;
    (void)count;
    if (shm_self == 0 && number >= malloc_pages()) {
        uint32_t answer[2] = { number, HOME_NONE };

        post(node, OP_ZERO_PAGE, answer, 2);
    } else if (is_home(page) && is_open(page)) {
        want(words);
    } else {
        answer_fetch(words);
    }
}

/* ---- The process's side ------------------------------------------------- */

/* Words: page, home, changes. */
void shm_on_zero_page(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    take_answer(words[0], words[1], words[2]);
    memset(page_memory(words[0]), 0, GLAZE_PAGE);
}

/* Words: page, home (this node, or node 0 for ever), changes, whether this node
 * has a copy of the page. */
void shm_on_granted_home(uint32_t source, const uint32_t *words,
                         uint32_t count)
{
    (void)source;
    (void)count;
    take_answer(words[0], words[1], words[2] == NO_CHANGES
                                    ? pages[words[0]].changes : words[2]);
    if (!words[3]) {
        memset(page_memory(words[0]), 0, GLAZE_PAGE);
    }
}

/* Gets a copy of a page, or a new home for it, with what it shows. */
static void fetch(uint32_t number, uint32_t flags)
{
    struct page *page = &pages[number];
    uint32_t words[3] = { number, flags, shm_self };

    page_map(number);
    do {
        fetching.number = number;
        fetching.again = false;
        version_count = 0;
        ask(page->home, OP_FETCH, words, 3);
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
}

/* Makes this node the home of a page, if it may be. */
static void take_home(uint32_t number)
{
    struct page *page = &pages[number];

    if (!fixing || page->home || page->flags & PAGE_FIXED) {
        return;
    }
    if (shm_self == 0) {
        udm_beginatom();
        if (is_home(page)) {
            page->flags |= PAGE_FIXED;
        }
        udm_endatom();
    } else {
        fetch(number, WANTS_HOME | (page->rights ? HAS_COPY : 0));
        if (!page->home) {
            page->flags |= PAGE_FIXED;
        }
    }
}

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
    copy(twin, page_memory(number));
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
    uint32_t *twin;

    counts.write_faults++;
    take_home(number);
    if (is_home(page) && begin_at_home(number, true)) {
        return;
    }
    twin = twin_take();                 /* first: it may drop copies */
    if (!page->rights) {
        fetch(number, 0);
    }
    begin_away(number, twin);
}

static void read_fault(uint32_t number)
{
    counts.read_faults++;
    if (is_home(&pages[number]) && begin_at_home(number, false)) {
        return;
    }
    fetch(number, 0);
    rights_set(number, GLAZE_VIEW_READ);
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
 * alone; `section` is not 0 if an atomic section was open.
 */
void shm_fault(uint32_t address, uint32_t section, uint32_t pc, uint32_t psr)
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
    call_enter(CALL_FAULT, address & -GLAZE_PAGE, pc);
    fpu_interrupted = psr & PSR_EF;
    if (number >= PAGES || (shm_self == 0 && number >= malloc_pages())) {
        mistake("access to shared memory that shm_malloc() has not returned");
    }
    udm_endatom();
    page_map(number);
    if (store) {
        write_fault(number);
    } else {
        read_fault(number);
    }
    counts.fault_cycles += udm_cycles32() - start;
    visit_waited(udm_cycles32() - start);
    udm_beginatom();
    call_leave();
}

void pages_init(void)
{
    pages = private_take(PAGES * sizeof(*pages));
    copies = private_take(PAGES * sizeof(uint32_t));
    listed = private_take(PAGES * sizeof(uint32_t));
    wanted = private_take(shm_count * sizeof(wanted[0]));
    versions = private_take(2 * shm_count * sizeof(uint32_t));
    reply = private_take(shm_count * sizeof(*reply));
    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)shm_fault_stub;
}
