/*
 * The start of processes: what the files of this folder share.
 *
 * The first process's memory is its data (program.ld says which), its heap, and
 * the used part of its stack. A node that has no process may hold a *copy* of
 * the data's whole pages and of the heap, as they were when node 0 last began
 * its record of changed pages (docs/glaze.md). Node 0 makes copies on many nodes
 * at once, by a tree. A process that is created on such a node needs only what
 * has changed since then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_START_H
#define SHM_START_H

#include "shm-state.h"

/* ---- pieces.c: memory in pieces ------------------------------------------ */

struct range {
    uint32_t from, to;
};

/* Return the program's data; the whole pages in it; the heap, in whole pages. */
struct range data_range(void);
struct range data_pages(void);
struct range heap_range(void);

/* Which pieces of a range a walk finds. */
enum pieces {
    PIECES_ALL,
    PIECES_NOT_ZERO,
    PIECES_CHANGED,             /* changed pages, and parts of pages */
    PIECES_CHANGED_ONCE,        /* changed pages: their record begins anew */
};

/* Bytes of one page, or zeros. */
struct piece {
    uint32_t at, bytes;
    bool zero;                  /* all bytes are 0, of up to 8 pages */
};

/*
 * Finds the first piece of *range, and takes it away from there. Returns false if
 * there is none. Pages that were never touched stay so.
 */
bool piece_next(struct range *range, enum pieces which, struct piece *piece);

/* Clears a range, except pages that were never touched. */
void zero_clear(uint32_t at, uint32_t bytes);

/* Begins this node's record of changed pages anew, for data and heap. */
void copy_watch(void);

/* Returns whether no page of data and heap has changed since copy_watch(). */
bool copy_is_unchanged(void);

/* ---- node.c: a node without a process ------------------------------------ */

/* What node 0 wants of a node without a process. */
enum command {
    COMMAND_COPY,               /* make room for a copy */
    COMMAND_FORWARD,            /* tree_forward() */
    COMMAND_BEGIN,              /* make room for memory of a process */
    COMMAND_RUN,                /* run the process */
};

/* Serves commands of node 0, for ever. */
void node_serve(void);

/* Notes a command for this node, in a handler. */
void node_command(enum command what);

/* ---- copies.c: node 0's copies on other nodes ------------------------------ */

void copies_init(void);

/*
 * Called before a process is created on a node, beside `others` and the first one.
 * Makes copies on the node and on others that are free, or brings copies up to
 * date, unless the node's copy will do.
 */
void copies_prepare(uint32_t node, uint32_t others);

/*
 * Copies this process's memory to a node, which gets a process. `sp`: where the
 * used part of the stack begins. The node's own copy helps if it has one, and is
 * used up.
 */
void copies_send(uint32_t node, uint32_t sp);

/* ---- tree.c: one copy for many nodes ------------------------------------- */

/*
 * On node 0, in this order: tree_collect() notes the whole pages of data and heap,
 * or what has `changed` in them, and begins the record of changed pages anew.
 * tree_announce() adds a description of that to the op that is being posted.
 * tree_send() sends it to the nodes of a list: node 0 sends to the first nodes of
 * the list, which send to the next ones. tree_held() is called in a handler for
 * each node that has everything, later.
 */
void tree_init(void);
void tree_collect(bool changed);
void tree_announce(void);
void tree_send(const uint32_t *nodes, uint32_t count);
void tree_held(uint32_t node);

/*
 * On the other nodes: tree_expect() notes what tree_announce() has added, in a
 * handler, and tree_pages() returns how many pages will come. tree_make_room()
 * gives them memory, and tree_forward() does this node's part of tree_send().
 */
void tree_expect(const uint32_t *words, uint32_t count);
uint32_t tree_pages(void);
void tree_make_room(void);
void tree_forward(void);

/* ---- sproc.c -------------------------------------------------------------- */

/* Fills the program's variables that lie in shared memory. On node 0, before any
 * allocation. */
void sproc_init(void);

/* ---- process.c ------------------------------------------------------------ */

/* Returns whether a node could get a process, on node 0. */
bool node_is_free(uint32_t node);

#endif /* SHM_START_H */
