/*
 * One copy of memory for many nodes.
 *
 * The nodes of the list stand in a tree below node 0, in order. Each one sends a
 * piece on when it has come, while the next one is on its way to it. A node's
 * handlers store pages where they belong, and note them in a list, `items`; its
 * thread sends them on. All pieces come from one node, so they stay in order.
 *
 * A page that is not in memory would take the handler that stores it to buffered
 * mode, where a page takes four times as long. So node 0 announces what will come,
 * and the other nodes touch those pages first. After each WINDOW items a node waits
 * until the next ones have got them. So a node that comes to buffered mode all the
 * same, as beside other jobs, needs little memory for what it has not handled, and
 * gets out of that mode again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "start.h"

struct item {
    uint32_t at;                /* 0: there are no more */
    uint32_t zeros;             /* bytes to clear; 0: the page has come */
};

/* On node 0, what tree_send() sends. */
static struct item *items;
static uint32_t items_most;
static volatile uint32_t items_come;

/* What is announced: neighbouring pages that will come. */
static struct run {
    uint32_t at, bytes;
} *runs;
static uint32_t runs_count, items_announced;
#define RUNS_MOST       1024    /* no more are announced; all pages come */

/* The tree, on the nodes that it is for: a list of nodes. */
static uint32_t arity, *members, members_count;

/* ---- Forwarding ---------------------------------------------------------- */

/* Makes room for so many items. Handlers find it in memory. */
static void items_room(uint32_t most)
{
    if (most > items_most) {
        items_most = most;
        if (items) {            /* that array is lost: so not often */
            items_most *= 2;
        }
        items = private_take(items_most * sizeof(*items));
    }
    memset(items, 0, most * sizeof(*items));
    items_come = 0;
}

/* ---- Windows -------------------------------------------------------------- */

#define WINDOW          16

/* The nodes below this one, and how many items they have got. An old message may
 * say too many: then this node waits once less. */
static uint32_t below[2], below_count, items_sent;
static volatile uint32_t taken[2];

/* Word: items that node `source` has got. */
void shm_on_tree_taken(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)count;
    for (uint32_t k = 0; k < below_count; k++) {
        if (below[k] == source) {
            taken[k] = words[0];
        }
    }
    wake();
}

/* Tells the node that sends, in a handler. */
static void tell(uint32_t source)
{
    uint32_t come = items_come;

    if (come % WINDOW == 0) {
        post(source, OP_TREE_TAKEN, &come, 1);
    }
}

static void add(uint32_t at, uint32_t zeros)
{
    if (items_come == items_most) {
        mistake("a node gets more pages than node 0 has announced");
    }
    items[items_come].at = at;
    items[items_come].zeros = zeros;
    items_come++;
    wake();
}

/* Handler: a page has come. */
static void on_page(void)
{
    uint32_t at = udm_arg(0), source = udm_source();

    udm_storeback((void *)at, 0, udm_body_length());
    udm_dispose();
    add(at, 0);
    tell(source);
}

/* Words: an item that is no page. */
void shm_on_tree_item(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)count;
    add(words[0], words[1]);
    tell(source);
}

/* Finds the nodes below the one at `place` of the list, from 1; 0: node 0. */
static void find_below(const uint32_t *nodes, uint32_t count, uint32_t place)
{
    items_sent = below_count = taken[0] = taken[1] = 0;
    for (uint32_t k = arity * place; k < arity * (place + 1) && k < count;
         k++) {
        below[below_count++] = nodes[k];
    }
}

/* Sends an item to the nodes below. */
static void send(const struct item *item)
{
    for (uint32_t k = 0; k < below_count; k++) {
        if (item->at && !item->zeros) {
            udm_inject_body(below[k], on_page, (void *)item->at, GLAZE_PAGE,
                            item->at);
        } else {
            udm_beginatom();
            post(below[k], OP_TREE_ITEM, (const uint32_t *)item, 2);
            udm_endatom();
        }
    }
    items_sent++;
    for (uint32_t k = 0; k < below_count && items_sent % WINDOW == 0; k++) {
        wait_for(&taken[k], items_sent);
    }
}

void tree_expect(const uint32_t *words, uint32_t count)
{
    items_announced = words[0];
    runs_count = (count - 1) / 2;
    memcpy(runs, words + 1, runs_count * sizeof(*runs));
}

uint32_t tree_pages(void)
{
    uint32_t pages = 0;

    for (uint32_t k = 0; k < runs_count; k++) {
        pages += runs[k].bytes / GLAZE_PAGE;
    }
    return pages;
}

void tree_make_room(void)
{
    items_room(items_announced);
    memset(members, 0, shm_count * sizeof(*members));
    for (uint32_t k = 0; k < runs_count; k++) {
        for (uint32_t at = 0; at < runs[k].bytes; at += GLAZE_PAGE) {
            (void)*(volatile char *)(runs[k].at + at);
        }
    }
}

/* Words: arity, nodes. tree_forward() follows. */
void shm_on_tree(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    arity = words[0];
    members_count = count - 1;
    memcpy(members, words + 1, members_count * sizeof(*members));
    node_command(COMMAND_FORWARD);
}

void tree_forward(void)
{
    uint32_t place = 0, next = 0;
    struct item item;

    while (members[place++] != shm_self) {
    }
    find_below(members, members_count, place);
    do {
        wait_for(&items_come, next + 1);
        item = items[next++];
        send(&item);
    } while (item.at);
    for (uint32_t k = 0; k < items_come; k++) {         /* nothing comes now */
        zero_clear(items[k].at, items[k].zeros);
    }
    copy_watch();
    udm_beginatom();
    post(0, OP_TREE_HELD, NULL, 0);
    udm_endatom();
}

/* ---- Node 0 -------------------------------------------------------------- */

void shm_on_tree_held(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)words;
    (void)count;
    tree_held(source);
}

/* Notes a page for the announcement. */
static void announce(uint32_t at)
{
    struct run *last = &runs[runs_count - 1];

    if (runs_count && last->at + last->bytes == at) {
        last->bytes += GLAZE_PAGE;
    } else if (runs_count < RUNS_MOST) {
        runs[runs_count++] = (struct run) { at, GLAZE_PAGE };
    }
}

static void collect(struct range range, enum pieces which)
{
    struct piece piece;

    while (piece_next(&range, which, &piece)) {
        add(piece.at, piece.zero ? piece.bytes : 0);
        if (!piece.zero) {
            announce(piece.at);
        }
    }
}

void tree_collect(bool changed)
{
    struct range data = data_pages(), heap = heap_range();

    runs_count = 0;
    items_room((data.to - data.from + heap.to - heap.from) / GLAZE_PAGE + 1);
    if (!changed) {
        copy_watch();
    }
    collect(data, changed ? PIECES_CHANGED_ONCE : PIECES_ALL);
    collect(heap, changed ? PIECES_CHANGED_ONCE : PIECES_NOT_ZERO);
    add(0, 0);
}

void tree_announce(void)
{
    post_word(items_come);
    post_words((const uint32_t *)runs, runs_count * sizeof(*runs) / 4);
}

/*
 * A chain takes each page from a node once, so pages follow each other twice as
 * fast as in a tree of two branches. The tree has fewer steps.
 */
void tree_send(const uint32_t *nodes, uint32_t count)
{
    arity = items_come > count ? 1 : 2;
    for (uint32_t k = 0; k < count; k++) {
        udm_beginatom();
        post_begin(nodes[k], OP_TREE);
        post_word(arity);
        post_words(nodes, count);
        post_end();
        udm_endatom();
    }
    find_below(nodes, count, 0);
    for (uint32_t k = 0; count && k < items_come; k++) {
        send(&items[k]);
    }
}

void tree_init(void)
{
    members = private_take(shm_count * sizeof(*members));
    runs = private_take(RUNS_MOST * sizeof(*runs));
}
