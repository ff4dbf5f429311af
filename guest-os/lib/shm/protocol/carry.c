/*
 * Words that locks carry from one holder to the next.
 *
 * A counter under a lock is the worst case for pages: each holder fetches the page,
 * copies it, compares it with the copy and sends the difference home, all for one
 * word. So a process that has taken a lock, and stores few words of a page that it
 * can only read, does these stores in the upcall of the fault. The words go with the
 * lock, in the message that passes it on, and the next holder stores them in its own
 * copy of the page (lazy hybrid protocol: Dwarkadas, Keleher, Cox and Zwaenepoel,
 * "Evaluation of Release Consistent Software Distributed Shared Memory on Emerging
 * Network Technology", ISCA 1993). These words need no twin, no difference, no fetch,
 * and no interval.
 *
 * A lock carries words of a few pages. As long as the process takes and gives that lock
 * alone, nobody else can know of the stores. All else makes them known: another lock, a
 * barrier, a flag, and a store to their page that the lock cannot carry. Then the words
 * go to the home of the page, and they become an *entry* in the interval's record. Each
 * process that has had the words since does that, as any of them may be the one from
 * which another process learns of the writes; but for those that meet the entry of
 * another process. A process that acquires the record stores the words of the entry in
 * its copy, so it keeps that. A visit sends the words to the home only.
 *
 * The stores that a lock carries are numbered, and the number of the last one goes with
 * the lock. A node knows of its memory of a page, home or copy, which store of the lock
 * was the last one that it has (lasts.c), and takes later ones alone. For it may have a
 * later write to the same word: by a process that uses the word without the lock, or
 * under another lock. Whoever does that has seen the lock's store before, and its home
 * has it before the later write. So memory that has a later write has the number of the
 * store.
 *
 * This holds as well if records are applied in the order in which they became known, as
 * they are in the log. Records that a barrier brings come in no order. Their entries
 * have no words (entry_strip()): a copy that lacks the stores is forgotten.
 *
 * Only without the order of writes (versions.c): the home of the page shows such a
 * store before earlier ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "carry.h"
#include "pages.h"

/* Most words of a page that a lock carries. A program that tests the library may have
 * fewer. */
#define CARRY_MOST      8
uint32_t shm_carry_most __attribute__((weak)) = CARRY_MOST;

#define PAGES_MOST      4       /* pages of which a lock carries words */
#define OPEN_MOST       (2 * PAGES_MOST)

/* A section that stores what is carried, and also writes what cannot be, is a miss. A
 * miss adds MISS to the page's, and a section whose stores are carried takes one away.
 * The stores to a page with MISSES_MOST are no longer carried. So one section in MISS
 * may always miss. */
#define MISS            8
#define MISSES_MOST     16

/* Words of a page that a lock carries. The home may lack them. */
struct carried {
    uint32_t lock;
    uint32_t number, home;      /* of the page */
    uint32_t shown;             /* the last store that the home has from here */
    uint32_t count;
    struct word {
        uint32_t place, value;
        uint32_t seq;           /* of its last store */
    } word[CARRY_MOST];         /* the last store is the last word's */
};

#define WORD_WORDS      (sizeof(struct word) / sizeof(uint32_t))

/* All of them, the first ones first: a lock that is taken or given makes the words of
 * others known. So there are those of two locks at most: one that was given last, and
 * one around it. */
static struct carried *open[OPEN_MOST];
static uint32_t open_count;

/* The locks that the process has, the last one last; others that it took after them.
 * None if the order of writes is kept. */
static struct held {
    uint32_t lock, *seq;
    bool stored;                /* it has carried a store */
} held[OPEN_MOST];
static uint32_t held_count, held_more;

/* Returns the lock that carries the process's stores, or NULL. */
static struct held *current(void)
{
    return held_count && !held_more ? &held[held_count - 1] : NULL;
}

void carry_took(uint32_t lock, uint32_t *seq)
{
    if (held_more || held_count == OPEN_MOST) {
        held_more++;
    } else {
        held[held_count++] = (struct held) { lock, seq, false };
    }
}

/* Mostly, the last one is given first. */
void carry_gave(uint32_t lock)
{
    uint32_t k = held_count;

    while (k && held[k - 1].lock != lock) {
        k--;
    }
    if (!k) {
        held_more--;
        return;
    }
    if (k < held_count) {
        memmove(held + k - 1, held + k, (held_count - k) * sizeof(*held));
    }
    held_count--;
}

void carry_start(void)
{
    held_count = held_more = 0;
}

bool carry_in_section(void)
{
    return current();
}

/* ---- What is carried ------------------------------------------------------ */

static uint32_t last_seq(const struct carried *c)
{
    return c->word[c->count - 1].seq;
}

static struct carried *find(uint32_t lock, uint32_t number)
{
    for (uint32_t k = 0; k < open_count; k++) {
        if (open[k]->lock == lock && open[k]->number == number) {
            return open[k];
        }
    }
    return NULL;
}

/* Returns how many pages a lock carries words of. */
static uint32_t pages_of(uint32_t lock)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < open_count; k++) {
        count += open[k]->lock == lock;
    }
    return count;
}

/* Returns one more, without words. The caller must know that there is room. */
static struct carried *add_open(uint32_t lock, uint32_t number, uint32_t home)
{
    struct carried *c = open[open_count];

    if (!c) {
        c = open[open_count] = private_take(sizeof(*c));
    }
    open_count++;
    c->lock = lock;
    c->number = number;
    c->home = home;
    c->shown = c->count = 0;
    return c;
}

/* Forgets one of them. Its memory is for the next one. */
static void remove_open(uint32_t k)
{
    struct carried *c = open[k];

    open_count--;
    memmove(open + k, open + k + 1, (open_count - k) * sizeof(*open));
    open[open_count] = c;
}

/* Returns whether the end of an interval for a lock makes these words known. */
static bool goes(const struct carried *c, uint32_t lock)
{
    return (c->lock != lock && lock != CARRY_ALL) ||
           pages[c->number].flags & PAGE_DIRTY;
}

bool carry_is_open(void)
{
    return open_count;
}

bool carry_goes(uint32_t lock)
{
    for (uint32_t k = 0; k < open_count; k++) {
        if (goes(open[k], lock)) {
            return true;
        }
    }
    return false;
}

/* ---- Pages -------------------------------------------------------------- */

static uint32_t bits_of(uint32_t bytes)
{
    uint32_t bits = 0;

    for (uint32_t k = 0; k < 4; k++) {
        bits |= bytes & 1u << k ? 0xffu << 8 * k : 0;
    }
    return bits;
}

/* Stores a word's bytes. */
static void carry_put(uint32_t place, uint32_t value)
{
    uint32_t *to = page_memory(PLACE_PAGE(place)) + PLACE_WORD(place) % PAGE_WORDS;
    uint32_t bits = bits_of(PLACE_BYTES(place));

    *to = (*to & ~bits) | (value & bits);
}

/* The page has several writers, so it never goes whole (difference.c). On the home, no
 * whole page that another node has begun to write before is taken. */
static void note_writer(uint32_t number)
{
    struct page *page = &pages[number];

    page->flags |= PAGE_MERGED;
    if (is_home(page)) {
        page->changes++;
        visit_changed(number);
    }
}

/* Stores the words whose stores come after the last one that this node's memory of the
 * page has. */
static void put_later(uint32_t lock, uint32_t number, const struct word *word,
                      uint32_t count, uint32_t last)
{
    page_map(number);
    for (uint32_t k = 0; k < count; k++) {
        if (word[k].seq > last) {
            carry_put(word[k].place, word[k].value);
        }
    }
    last_set(number, lock, word[count - 1].seq);
    note_writer(number);
}

/* Stores carried words in this node's memory of a page, home or copy, unless that has
 * them. Forgets a copy of which that is not known. Returns whether it has stored any:
 * rights_flush() is for the caller. */
static bool put_words(uint32_t lock, uint32_t number, const struct word *word,
                      uint32_t count)
{
    uint32_t last = last_get(number, lock);

    if (!is_home(&pages[number])) {
        if (!pages[number].rights) {
            return false;
        }
        if (last == LAST_UNKNOWN) {
            rights_put(number, GLAZE_VIEW_NONE);
            return false;
        }
    }
    if (word[count - 1].seq <= last) {
        return false;
    }
    put_later(lock, number, word, count, last);
    return true;
}

/* Words: lock, page, the node that sends them; carried words. */
void shm_on_carried(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t number = words[1], answer[2] = { number, NO_CHANGES };

    (void)source;
    if (!is_home(&pages[number])) {
        post(pages[number].home, OP_CARRIED, words, count);
        return;
    }
    if (put_words(words[0], number, (const struct word *)(words + 3),
                  (count - 3) / WORD_WORDS)) {
        answer[1] = pages[number].changes;
    }
    post(words[2], OP_ACKNOWLEDGE, answer, 2);
}

/* ---- A store ------------------------------------------------------------- */

/* Returns whether a carried word has no bytes but those of a store. */
static bool is_covered(const struct word *word, uint32_t place)
{
    return PLACE_WORD(word->place) == PLACE_WORD(place) &&
           !(PLACE_BYTES(word->place) & ~place);
}

/* Returns how many words would be carried with a store. */
static uint32_t words_with(const struct carried *c, const struct store *s)
{
    uint32_t count = c->count + s->words;

    for (uint32_t k = 0; k < c->count; k++) {
        for (uint32_t n = 0; n < s->words; n++) {
            count -= is_covered(&c->word[k], s->place[n]);
        }
    }
    return count;
}

/* Adds what a store has stored. Its bytes are no longer those of earlier stores, and
 * other bytes of the word keep the numbers of theirs. */
static void add(struct carried *c, uint32_t place, uint32_t value, uint32_t seq)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < c->count; k++) {
        struct word *word = &c->word[k];

        if (!is_covered(word, place)) {
            if (PLACE_WORD(word->place) == PLACE_WORD(place)) {
                word->place &= ~PLACE_BYTES(place);
            }
            c->word[kept++] = *word;
        }
    }
    c->word[kept] = (struct word) { place, value, seq };
    c->count = kept + 1;
}

/* Returns whether the lock that is held may carry words of a page. A page that is the
 * process's own costs nothing to write. A home that may still move is no home to send
 * words to. */
static bool may_carry(uint32_t number)
{
    const struct page *page = &pages[number];

    return current() && page->rights == GLAZE_VIEW_READ &&
           !(page->flags & PAGE_DIRTY) && page->misses < MISSES_MOST &&
           (!is_home(page) || page->flags & PAGE_SHARED) &&
           (page->flags & PAGE_FIXED || !fixing);
}

bool carry_fetches(uint32_t number)
{
    const struct page *page = &pages[number];

    return current() && page->rights == GLAZE_VIEW_NONE && !is_home(page) &&
           page->misses < MISSES_MOST;
}

/* Returns where the words of a store may be carried, or NULL. */
static struct carried *room_for(uint32_t lock, uint32_t number, const struct store *s)
{
    struct carried *c = find(lock, number);

    if (c) {
        return words_with(c, s) <= shm_carry_most ? c : NULL;
    }
    return open_count < OPEN_MOST && pages_of(lock) < PAGES_MOST &&
                   s->words <= shm_carry_most
               ? add_open(lock, number, pages[number].home) : NULL;
}

bool carry_store(uint32_t number, struct interrupted *code)
{
    struct page *page = &pages[number];
    struct held *lock = current();
    struct carried *c;
    struct store s;

    if (!may_carry(number) || !store_decode(number, code, &s)) {
        return false;
    }
    c = room_for(lock->lock, number, &s);
    if (!c) {
        return false;
    }
    ++*lock->seq;
    for (uint32_t k = 0; k < s.words; k++) {
        add(c, s.place[k], s.value[k], *lock->seq);
        carry_put(s.place[k], s.value[k]);
    }
    last_set(number, lock->lock, *lock->seq);
    note_writer(number);
    if (!lock->stored && page->misses) {
        page->misses--;
    }
    lock->stored = true;
    if (!is_home(page)) {
        visit_write();
    }
    code->pc = code->npc;
    code->npc += 4;
    counts.carried_stores++;
    return true;
}

/* ---- With the lock -------------------------------------------------------- */

/* What a lock brings of one page begins with a word: the page's home, how many pages
 * there are from this one on, the number of carried words. */
#define PAGE_WORD(home, pages, count)   ((home) << 16 | (pages) << 8 | (count))

_Static_assert(GRANT_WORDS >= 1 + PAGES_MOST * (1 + WORD_WORDS * CARRY_MOST),
               "a message has room for what a lock carries");

void carry_post(uint32_t lock, uint32_t seq)
{
    uint32_t left = pages_of(lock);

    post_word(seq);
    if (!left) {
        post_word(0);
    }
    for (uint32_t k = 0; left; k++) {
        if (open[k]->lock == lock) {
            post_word(PAGE_WORD(open[k]->home, left--, open[k]->count));
            post_words((const uint32_t *)open[k]->word, WORD_WORDS * open[k]->count);
        }
    }
}

/*
 * Words that this process has had, and that the lock does not bring, are at the home,
 * and the records say so.
 */
uint32_t carry_take(uint32_t lock, uint32_t *seq, const uint32_t *words)
{
    uint32_t at = 2, left = words[1] >> 8 & 0xff;

    udm_beginatom();
    *seq = words[0];
    for (uint32_t k = open_count; k; k--) {
        if (open[k - 1]->lock == lock) {
            remove_open(k - 1);
        }
    }
    for (at = left ? 1 : 2; left; left--) {
        uint32_t count = words[at] & 0xff, home = words[at] >> 16;
        struct carried *c;

        if (open_count == OPEN_MOST) {
            mistake("a message came that the library does not send");
        }
        c = add_open(lock, PLACE_PAGE(words[at + 1]), home);
        c->count = count;
        memcpy(c->word, words + at + 1, count * sizeof(struct word));
        at += 1 + WORD_WORDS * count;
    }
    udm_endatom();
    return at;
}

void carry_apply(uint32_t lock)
{
    udm_beginatom();
    for (uint32_t k = 0; k < open_count; k++) {
        if (open[k]->lock == lock) {
            put_words(lock, open[k]->number, open[k]->word, open[k]->count);
        }
    }
    udm_endatom();
    rights_flush();
}

/* ---- To the home ----------------------------------------------------------- */

/* Sends words to their home, unless it has them. Returns how many acknowledgements will
 * come. */
static uint32_t send(struct carried *c)
{
    struct page *page = &pages[c->number];

    if (is_home(page) || c->shown == last_seq(c)) {
        return 0;
    }
    c->shown = last_seq(c);
    udm_beginatom();
    post_begin(page->flags & PAGE_FIXED ? page->home : c->home, OP_CARRIED);
    post_word(c->lock);
    post_word(c->number);
    post_word(shm_self);
    post_words((const uint32_t *)c->word, WORD_WORDS * c->count);
    post_end();
    udm_endatom();
    return 1;
}

uint32_t carry_show(uint32_t number)
{
    uint32_t sent = 0;

    for (uint32_t k = 0; k < open_count; k++) {
        if (number == PAGES || open[k]->number == number) {
            sent += send(open[k]);
        }
    }
    return sent;
}

uint32_t carry_send(uint32_t lock)
{
    uint32_t sent = 0;

    for (uint32_t k = 0; k < open_count; k++) {
        struct page *page = &pages[open[k]->number];

        if (goes(open[k], lock)) {
            if (current() && page->flags & PAGE_DIRTY && page->misses < MISSES_MOST) {
                page->misses += MISS;
            }
            sent += send(open[k]);
        }
    }
    return sent;
}

/* ---- Entries of records ------------------------------------------------------ */

/* An entry's words: mark and number of carried words, lock, page, last store; the
 * carried words. */
#define ENTRY_WORDS     4
#define ENTRY_COUNT(entry)      ((entry)[0] >> ENTRY_BITS)

_Static_assert(CARRY_RECORD_MOST == OPEN_MOST * (ENTRY_WORDS + WORD_WORDS * CARRY_MOST),
               "all entries have room");

/* A page that is dirty is listed itself. */
uint32_t carry_end(uint32_t lock, uint32_t *to)
{
    uint32_t words = 0;

    for (uint32_t k = 0; k < open_count;) {
        const struct carried *c = open[k];

        if (!goes(c, lock)) {
            k++;
            continue;
        }
        if (!(pages[c->number].flags & PAGE_DIRTY)) {
            to[words] = ENTRY_MARK | c->count << ENTRY_BITS;
            to[words + 1] = c->lock;
            to[words + 2] = c->number;
            to[words + 3] = last_seq(c);
            memcpy(to + words + ENTRY_WORDS, c->word, c->count * sizeof(struct word));
            words += ENTRY_WORDS + WORD_WORDS * c->count;
        }
        remove_open(k);
    }
    return words;
}

uint32_t entry_words(const uint32_t *entry)
{
    return ENTRY_WORDS + WORD_WORDS * ENTRY_COUNT(entry);
}

uint32_t entry_strip(const uint32_t *entry, uint32_t *to)
{
    memcpy(to, entry, ENTRY_WORDS * sizeof(uint32_t));
    to[0] = ENTRY_MARK;
    return ENTRY_WORDS;
}

_Static_assert(ENTRY_WORDS <= ENTRY_STRIPPED, "a stripped entry has room");

void entry_apply(const uint32_t *entry)
{
    uint32_t lock = entry[1], number = entry[2], seq = entry[3];
    uint32_t count = ENTRY_COUNT(entry);
    const struct carried *c;

    udm_beginatom();
    if (!is_home(&pages[number]) && pages[number].rights) {
        uint32_t last = last_get(number, lock);

        if (count) {
            put_words(lock, number, (const struct word *)(entry + ENTRY_WORDS), count);
        } else if (last < seq || last == LAST_UNKNOWN) {
            rights_put(number, GLAZE_VIEW_NONE);
        }
    }
    for (uint32_t k = open_count; k; k--) {
        c = open[k - 1];
        if (c->lock == lock && c->number == number && last_seq(c) <= seq) {
            remove_open(k - 1);
        }
    }
    udm_endatom();
}
