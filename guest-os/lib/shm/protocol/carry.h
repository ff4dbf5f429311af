/*
 * Words that locks carry from one holder to the next (carry.c, lasts.c, store.c).
 *
 * "In a section" means in an atomic section or in a handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_CARRY_H
#define SHM_CARRY_H

#include "shm-state.h"

/* Code that a fault has interrupted, as stub.S stores it. */
struct interrupted {
    uint32_t pc, npc;           /* where it goes on */
    uint32_t global[4];         /* %g1 to %g4 */
    uint32_t out[8];            /* its locals and ins are on the stack after a
                                   GLAZE_TRAP_FLUSH, at out[6] */
};

/* A word: its place in shared memory, and which of its bytes are carried. No two
 * carried words have the same bytes. */
#define PLACE(number, k, bytes) \
    (((number) * PAGE_WORDS + (k)) << 4 | (bytes))
#define PLACE_WORD(place)       ((place) >> 4)
#define PLACE_PAGE(place)       (PLACE_WORD(place) / PAGE_WORDS)
#define PLACE_BYTES(place)      ((place) & 15)

_Static_assert((uint64_t)PAGES * PAGE_WORDS << 4 <= 1ull << 32,
               "a word's place fits in a word");

/* ---- store.c -------------------------------------------------------------- */

/* A store: words and their places. */
struct store {
    uint32_t words, place[2], value[2];
};

/* Reads from an instruction what it stores, and where. Returns false for all but st,
 * stb, sth and std, and for a store to another page. */
bool store_decode(uint32_t number, const struct interrupted *code, struct store *s);

/* ---- lasts.c --------------------------------------------------------------- */

#define LAST_UNKNOWN    0xffffffff
#define LASTS_MOST      7

/* Return and set the number of the last store of a lock that this node's memory of a
 * page has; 0: none, LAST_UNKNOWN: of a copy. In a section. */
uint32_t last_get(uint32_t number, uint32_t lock);
void last_set(uint32_t number, uint32_t lock, uint32_t seq);

/* Stores what is to be told with a page: pairs of lock and number. Returns how many. In
 * a section. */
uint32_t lasts_tell(uint32_t number, uint32_t pairs[2 * LASTS_MOST]);

/* A copy has come with these pairs. In a section. */
void lasts_fetched(uint32_t number, const uint32_t *pairs, uint32_t count);

/* Returns whether a visit keeps an old copy: a lock has brought words of the page since
 * the last visit, and not many visits have kept it. */
bool lasts_keep(uint32_t number);

/* Returns whether a visit has kept a copy that has not been fetched again since. */
bool lasts_kept(uint32_t number);

/* ---- carry.c --------------------------------------------------------------- */

/* The process takes a lock, or gives one. `seq` is this node's number of the lock's
 * carried stores, which goes with the lock. carry_start(): a process begins, and has no
 * lock that an earlier one still held. Only if the order of writes is dropped. In a
 * section. */
void carry_took(uint32_t lock, uint32_t *seq);
void carry_gave(uint32_t lock);
void carry_start(void);

/* Returns whether the process is in the section of a lock that may carry its stores. */
bool carry_in_section(void);

/*
 * carry_is_open() returns whether there are carried words. carry_goes() returns whether
 * the end of an interval makes any of them known: those of this lock may stay with it.
 * CARRY_ALL: those of all locks may.
 */
#define CARRY_ALL       1
bool carry_is_open(void);
bool carry_goes(uint32_t lock);

/*
 * Lets the lock that is held carry the store which has no right to the page, and does
 * the store; `code` goes on behind it. Returns false if it cannot: then the page needs
 * a twin. The process can read the page. In a section.
 */
bool carry_store(uint32_t number, struct interrupted *code);

/* Returns whether carry_store() may do so once the page has been fetched. */
bool carry_fetches(uint32_t number);

/* Posts what a lock carries: the beginning of OP_GRANT. In a section. */
void carry_post(uint32_t lock, uint32_t seq);

/* Takes what a lock has brought: the beginning of a message. Returns how many words of
 * it that was. For the thread, which is about to apply the records that follow. The
 * words of other locks must have been made known. */
uint32_t carry_take(uint32_t lock, uint32_t *seq, const uint32_t *words);

/* Stores what the lock has brought in this node's memory of the pages. After the
 * records. For the thread. */
void carry_apply(uint32_t lock);

/*
 * Send carried words to their homes, unless those have them, and return how many
 * acknowledgements will come. carry_send(): what the end of an interval for a lock
 * makes known. carry_show(): all words of a page; PAGES: of all pages.
 */
uint32_t carry_send(uint32_t lock);
uint32_t carry_show(uint32_t number);

/* Writes entries of the interval's record for what carry_send() has sent, and forgets
 * the words: the homes have them. Returns how many words that are. In a section, before
 * the interval's pages are clean. */
#define CARRY_RECORD_MOST       224
uint32_t carry_end(uint32_t lock, uint32_t *to);

/* ---- Entries of records ------------------------------------------------------ */

/* An entry lies among the runs of pages (interval.c). Its first word has this number in
 * place of a page's. */
#define ENTRY_BITS      17
#define ENTRY_MARK      ((1u << ENTRY_BITS) - 1)

_Static_assert(PAGES <= ENTRY_MARK, "no page has the number of an entry");

static inline bool is_entry(uint32_t word)
{
    return (word & ENTRY_MARK) == ENTRY_MARK;
}

uint32_t entry_words(const uint32_t *entry);

/* Writes the entry without its words. Returns how many words that are. */
#define ENTRY_STRIPPED  4
uint32_t entry_strip(const uint32_t *entry, uint32_t *to);

/* Applies an entry of another node's record: rights_flush() is for the caller. No page
 * may be dirty. */
void entry_apply(const uint32_t *entry);

#endif /* SHM_CARRY_H */
