/*
 * Pages: what versions.c, home.c and fault.c share.
 *
 * "In a section" means in an atomic section or in a handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_PAGES_H
#define SHM_PAGES_H

#include "shm-state.h"

/* ---- Messages between a process and a home ------------------------------ */

#define WANTS_HOME      1       /* flags of OP_FETCH */
#define HAS_COPY        2
#define FIRST_READER    4       /* would be home of a page that node 0 has written */
#define HOME_NONE       0xffffffff      /* in an answer: there is no such page */
#define HOME_SHARED     0x10000 /* added to a new home: there are copies */
#define HOME_FIXED      0x20000 /* added to a home: it is that for ever */
#define NO_CHANGES      0xffffffff      /* in an answer: no new count of them */

/* Two versions go with a page. */
#define NEAR            2
#define NO_NODE         0xffffffff

/* ---- versions.c --------------------------------------------------------- */

/* Makes the table of versions. shm_count must be known. */
void versions_init(void);

/*
 * Finds the intervals of a page that not all nodes have seen. The first ones go
 * into `near`. If there are more, all are posted as a message, and `near` names
 * no node. On the home, in a section. The caller must send the page with `near`
 * after that, in the same section. No post_begin() may be open.
 */
void tell_versions(uint32_t node, const struct page *page,
                   uint32_t near[2 * NEAR]);

/*
 * Versions of the one page that this node fetches. The thread calls
 * versions_begin() before it asks for the page. The versions must be there when
 * the thread sees the answer: by shm_on_versions(), which replaces all, then by
 * take_version() for each of `near`, in the handler of the answer.
 */
void versions_begin(void);
void take_version(uint32_t writer, uint32_t seq);

/* Returns the last interval of `writer` that came with the page fetched last;
 * 0: none. The caller must know whether that is the page it asks about. */
uint32_t fetched_version(uint32_t writer);

/* Without the order of writes: takes which stores of locks the fetched copy has
 * (lasts.c). For the thread. */
void take_lasts(uint32_t number);

/* Acquires what the fetched copy shows. For the thread, outside of atomic
 * sections. It may close the open interval. */
void acquire_versions(void);

/* Acquires what a page of this home shows. The caller must ensure what
 * acquire_versions() needs. More writes may come meanwhile. */
void acquire_own(const struct page *page);

/* Returns whether a page has versions that go with it: of writes that some process may
 * not have seen. On the home, in a section. */
bool has_news(const struct page *page);

/* Returns whether a page has writes that this node has not acquired. On the
 * home, in a section: the answer holds until the section ends. */
bool has_unseen(const struct page *page);

/* ---- home.c ------------------------------------------------------------- */

/* Makes the lists of the home's side. shm_count must be known. */
void home_init(void);

/* ---- fault.c ------------------------------------------------------------ */

/*
 * Handler of a page's body: page, home, changes, two versions. The home may send
 * it only to a node whose fetch waits for the page: the page has memory there.
 */
void shm_on_page(void);

#endif /* SHM_PAGES_H */
