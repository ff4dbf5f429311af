/*
 * The home's side: what a node does with the pages whose home it is.
 *
 * A home writes its pages without a twin. Other nodes that ask for a page that
 * the open interval has written get it when the interval has ended. So no node
 * sees a write before its interval has ended. Until then, their requests are
 * *wanted*. If the order of writes is not kept (versions.c), they get the page
 * at once: if the process goes on to write it, that is noticed when the
 * interval ends. A request that can be granted gets the page, and perhaps its
 * home. The reply waits here if the network is busy.
 *
 * When writes of other nodes come, the home's own process loses its rights to
 * the page until it has acquired them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "pages.h"
#include "udm-work.h"

/* ---- The home's own accesses -------------------------------------------- */

static uint32_t *listed, listed_count;

/* Returns whether the process may write a page without a notice. */
static bool is_own(const struct page *page)
{
    return page->rights == GLAZE_VIEW_WRITE && !(page->flags & PAGE_DIRTY);
}

/* Returns whether the page has, or may have, writes of the open interval which no other
 * node may see. On the home. */
static bool is_open(const struct page *page)
{
    return order_kept && (is_own(page) || page->flags & PAGE_DIRTY) && !interval_closed;
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

/* ---- Grants and replies ------------------------------------------------- */

/* Replies that have to wait for the network. The home is that of the moment
 * when the request was granted: a home that changes later may not know of it
 * yet. */
static struct {
    uint32_t node, number, home, flags;
    bool passed_on;             /* a request for the new home, not a reply */
} *reply;
static volatile uint32_t first_reply, last_reply;

/* Returns a page's home, with HOME_FIXED if it is that for ever. */
static uint32_t home_word(const struct page *page)
{
    return page->home | (page->flags & PAGE_FIXED ? HOME_FIXED : 0);
}

/*
 * Sends a page. `home` is home_word() of the moment of the grant. Returns false if the
 * network is busy with another body. In an atomic section or a handler.
 */
static bool send_page(uint32_t node, uint32_t number, uint32_t home)
{
    const struct page *page = &pages[number];
    bool others = (home & ~HOME_FIXED) == node &&
                  (page->rights || page->reader != node + 1);
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
    udm_inject_body(node, shm_on_page,
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

    if (reply[first_reply % shm_count].passed_on) {
        words[1] = reply[first_reply % shm_count].flags;
        first_reply++;
        post(pages[number].home, OP_FETCH, words, 3);
    } else if (is_home(&pages[number]) && is_open(&pages[number])) {
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

static struct udm_work work = { .run = send_replies };

/*
 * A request for another home comes behind the replies that wait, one of which may
 * make that node the home: until then it would send the request back, and handlers
 * of such requests would keep the replies from being sent.
 */
static void pass_on_later(const uint32_t *words)
{
    reply[last_reply % shm_count].number = words[0];
    reply[last_reply % shm_count].flags = words[1];
    reply[last_reply % shm_count].node = words[2];
    reply[last_reply % shm_count].passed_on = true;
    last_reply++;
    udm_defer(&work);
}

static void serve(uint32_t node, uint32_t number)
{
    uint32_t home = home_word(&pages[number]);

    if (first_reply == last_reply && send_page(node, number, home)) {
        return;
    }
    reply[last_reply % shm_count].node = node;
    reply[last_reply % shm_count].number = number;
    reply[last_reply % shm_count].home = home;
    reply[last_reply % shm_count].passed_on = false;
    last_reply++;
    udm_defer(&work);
}

/* Another node becomes the home. This node may keep its copy. */
static void give_home(uint32_t number, uint32_t node)
{
    struct page *page = &pages[number];

    page->home = node;
    if (page->rights) {
        copy_note(number);
        visit_copy(node);
    }
    visit_changed(number);
}

/*
 * Returns whether a page's first reader becomes its home: node 0 has written the page,
 * and all processes have seen that. So node 0 does not send all of what it has
 * initialised to all nodes. (Versions of later writes would stay here.)
 */
static bool goes_to_reader(const struct page *page)
{
    return shm_self == 0 && page->flags & PAGE_MAPPED &&
           !(page->flags & (PAGE_FIXED | PAGE_DIRTY)) && !has_news(page);
}

/* Serves a request for a page of this home: words as in shm_on_fetch(). */
static void grant(const uint32_t *words)
{
    uint32_t number = words[0], node = words[2];
    struct page *page = &pages[number];
    bool shared = page->rights || (page->reader && page->reader != node + 1);

    if (words[1] & WANTS_HOME && page->flags & PAGE_DIRTY) {
        page->flags |= PAGE_FIXED;
    }
    if (words[1] & WANTS_HOME && !(page->flags & PAGE_FIXED)) {
        page->flags |= PAGE_FIXED;
        give_home(number, node);
        if (words[1] & HAS_COPY || !(page->flags & PAGE_MAPPED)) {
            uint32_t home = home_word(page) | (shared ? HOME_SHARED : 0);
            uint32_t answer[4] = { number, home, page->changes,
                                   words[1] & HAS_COPY };

            post(node, OP_GRANTED_HOME, answer, 4);
            return;
        }
    } else if (words[1] & FIRST_READER && goes_to_reader(page)) {
        give_home(number, node);
    }
    if (shared) {
        page->reader = READERS;
    }
    page->flags |= PAGE_SHARED;
    page->reader = !page->reader || page->reader == node + 1 ? node + 1
                                                             : READERS;
    if (words[1] & HAS_COPY) {
        uint32_t answer[4] = { number, home_word(page), NO_CHANGES, HAS_COPY };

        post(node, OP_GRANTED_HOME, answer, 4);
        return;
    }
    serve(node, number);
}

/* ---- Requests: wanted or answered --------------------------------------- */

static uint32_t (*wanted)[3];   /* requests */
volatile uint32_t pages_wanted; /* number of them */

/* Other nodes get copies of a page that was the process's own. Its next write takes a
 * fault, which gives the page a place in the interval. If the process is in a call, it
 * keeps its right up to pages_settle(): it writes nothing before. */
static void share(uint32_t number)
{
    page_version(&pages[number], shm_self, vector[shm_self]);
    pages[number].flags |= PAGE_SHARED;
    if (shm_now.call) {
        list(number);
    } else {
        rights_set(number, GLAZE_VIEW_READ);
    }
}

/*
 * Answers a request for a page, or passes it on to the page's home. An earlier
 * request may have changed the home while this one waited.
 */
static void answer_fetch(const uint32_t *words)
{
    struct page *page = &pages[words[0]];

    if (!is_home(page)) {
        if (first_reply != last_reply) {
            pass_on_later(words);
        } else {
            post(page->home, OP_FETCH, words, 3);
        }
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

void home_init(void)
{
    listed = private_take(PAGES * sizeof(uint32_t));
    wanted = private_take(shm_count * sizeof(wanted[0]));
    reply = private_take(shm_count * sizeof(*reply));
}
