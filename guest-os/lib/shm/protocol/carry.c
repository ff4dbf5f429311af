/*
 * Words that a lock carries from one holder to the next.
 *
 * A counter under a lock is the worst case for pages: each holder fetches the page,
 * copies it, compares it with the copy and sends the difference home, all for one
 * word. So a process that has taken a lock, and stores few words of one page that it
 * can only read, does these stores in the upcall of the fault. The words go with the
 * lock, in the message that passes it on, and the next holder stores them in its own
 * copy of the page (lazy hybrid protocol: Dwarkadas, Keleher, Cox and Zwaenepoel,
 * "Evaluation of Release Consistent Software Distributed Shared Memory on Emerging
 * Network Technology", ISCA 1993). These words need no twin, no difference, no fetch,
 * and no interval.
 *
 * The words stay with the lock as long as the process takes and gives that lock alone.
 * All else makes them writes like others: another lock, a barrier, a flag, and a store
 * to their page that the lock cannot carry. Then they go to the page's home, and the
 * page into the interval's record, by each process that has had them since: each of
 * them may be the one from which another process learns of the writes. A visit sends
 * them to the home only.
 *
 * A process may store to a carried word again without the lock, as far as no other
 * process uses the word: the lock still carries the old value. So stores that a lock
 * carries are numbered, and the number of the last one goes with the lock. What a lock
 * carries has all that it has carried before, or that is at the home already. So the
 * home takes no word whose store's number is not higher than that of the last words it
 * has taken of this lock: words come late from older holders, or from holders that
 * passed them on while the home has got later writes.
 *
 * The same holds for a copy. The next holder stores words in its copy if that *follows*
 * the lock: the process has had the page since it stored or took the lock's last words
 * that it knows, and has turned to nothing else. It stores those alone that are new.
 * Any other copy may have later writes to these words. Then the home decides: the
 * process forgets the copy, and sends the words home before it fetches the page.
 *
 * Only without the order of writes (versions.c): the home of the page shows such a
 * store before earlier ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "carry.h"
#include "names.h"
#include "pages.h"

/* Most words that a lock carries. A program that tests the library may have fewer. */
#define CARRY_MOST      8
uint32_t shm_carry_most __attribute__((weak)) = CARRY_MOST;

/* A section that stores what is carried, and also writes what cannot be, is a miss. A
 * miss adds MISS to the page's, and a section whose stores are carried takes one away.
 * The stores to a page with MISSES_MOST are no longer carried. So one section in MISS
 * may always miss. */
#define MISS            8
#define MISSES_MOST     16

/* A word: its place in shared memory, and which of its bytes are carried. No two
 * carried words have the same bytes. */
#define PLACE(number, k, bytes) \
    (((number) * PAGE_WORDS + (k)) << 4 | (bytes))
#define PLACE_WORD(place)       ((place) >> 4)
#define PLACE_PAGE(place)       (PLACE_WORD(place) / PAGE_WORDS)
#define PLACE_BYTES(place)      ((place) & 15)

_Static_assert((uint64_t)PAGES * PAGE_WORDS << 4 <= 1ull << 32,
               "a word's place fits in a word");

/* What a lock carries. The home may lack it. */
static struct {
    uint32_t lock;
    uint32_t number, home;      /* of the page */
    uint32_t seq;               /* of the last store */
    uint32_t shown;             /* the last store that the home has from here */
    uint32_t had;               /* the last store known when the lock was taken */
    bool follows;               /* a copy on this node has the words up to `had` (with
                                   the lock: `seq`), and nothing of later holders */
    uint32_t count;             /* words; 0: there are none */
    struct word {
        uint32_t place, value;
        uint32_t seq;           /* of its last store */
    } word[CARRY_MOST];
} carried;

#define WORD_WORDS      (sizeof(struct word) / sizeof(uint32_t))

/* The lock that the process has taken last; 0: it has given a lock since. */
static struct {
    uint32_t lock, *seq;
    bool stored;                /* it has carried a store since */
} held;

void carry_took(uint32_t lock, uint32_t *seq)
{
    held.lock = lock;
    held.seq = seq;
    held.stored = false;
}

void carry_gave(void)
{
    held.lock = 0;
}

bool carry_in_section(void)
{
    return held.lock && !order_kept;
}

bool carry_is_open(void)
{
    return carried.count;
}

uint32_t carry_lock(void)
{
    return carried.lock;
}

bool carry_stays(uint32_t lock)
{
    return carried.count && carried.lock == lock &&
           !(pages[carried.number].flags & PAGE_DIRTY);
}

/* ---- Pages -------------------------------------------------------------- */

/* By lock, on a home: the last store that has come to one of its pages. */
struct last {
    struct named name;
    uint32_t seq;
};

static struct names lasts;

static uint32_t bits_of(uint32_t bytes)
{
    uint32_t bits = 0;

    for (uint32_t k = 0; k < 4; k++) {
        bits |= bytes & 1u << k ? 0xffu << 8 * k : 0;
    }
    return bits;
}

/* Stores a word's bytes. */
static void put(uint32_t place, uint32_t value)
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

/* Stores the words whose stores come after one. */
static void put_later(const struct word *word, uint32_t count, uint32_t seq)
{
    for (uint32_t k = 0; k < count; k++) {
        if ((int32_t)(word[k].seq - seq) > 0) {
            put(word[k].place, word[k].value);
        }
    }
}

static struct last *last_of(uint32_t lock)
{
    return named(&lasts, lock, sizeof(struct last));
}

/* Stores carried words on their home, as far as it has no later ones of this lock.
 * Returns whether it has stored any. */
static bool put_at_home(uint32_t lock, uint32_t seq, uint32_t number,
                        const struct word *word, uint32_t count)
{
    struct last *last = last_of(lock);

    if ((int32_t)(seq - last->seq) <= 0) {
        return false;
    }
    page_map(number);
    put_later(word, count, last->seq);
    last->seq = seq;
    note_writer(number);
    return true;
}

/* Words: lock, number of the last store, page, the node that sends them; carried
 * words. */
void shm_on_carried(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t number = words[2], answer[2] = { number, NO_CHANGES };

    (void)source;
    if (!is_home(&pages[number])) {
        post(pages[number].home, OP_CARRIED, words, count);
        return;
    }
    if (put_at_home(words[0], words[1], number, (const struct word *)(words + 4),
                    (count - 4) / WORD_WORDS)) {
        answer[1] = pages[number].changes;
    }
    post(words[3], OP_ACKNOWLEDGE, answer, 2);
}

/* ---- A store ------------------------------------------------------------- */

#define OP3_ST          4
#define OP3_STB         5
#define OP3_STH         6
#define OP3_STD         7

/* Returns a register of the interrupted code. */
static uint32_t get(const struct interrupted *code, uint32_t r)
{
    uint32_t value;

    if (r == 0) {
        return 0;
    }
    if (r <= 4) {
        return code->global[r - 1];
    }
    if (r >= 8 && r < 16) {
        return code->out[r - 8];
    }
    if (r >= 16) {
        asm volatile ("ta %0" : : "i" (GLAZE_TRAP_FLUSH) : "memory");
        return ((const uint32_t *)code->out[6])[r - 16];
    }
    if (r == 5) {
        asm volatile ("mov %%g5, %0" : "=r" (value));
    } else if (r == 6) {
        asm volatile ("mov %%g6, %0" : "=r" (value));
    } else {
        asm volatile ("mov %%g7, %0" : "=r" (value));
    }
    return value;
}

/* A store: words from a place on. */
struct store {
    uint32_t words, place[2], value[2];
};

/* Reads from an instruction what it stores, and where. Returns false for all but st,
 * stb, sth and std, and for a store to another page. */
static bool decode(uint32_t number, const struct interrupted *code, struct store *s)
{
    static const uint8_t sizes[] = {
        [OP3_ST] = 4, [OP3_STB] = 1, [OP3_STH] = 2, [OP3_STD] = 8,
    };
    uint32_t insn = *(const uint32_t *)code->pc, op3 = insn >> 19 & 63;
    uint32_t rd = insn >> 25 & 31, address, size, value, k;

    if (insn >> 30 != 3 || op3 < OP3_ST || op3 > OP3_STD) {
        return false;
    }
    address = get(code, insn >> 14 & 31) +
              (insn & 1 << 13 ? (uint32_t)((int32_t)(insn << 19) >> 19)
                              : get(code, insn & 31));
    size = sizes[op3];
    if (page_number(address) != number || address % size) {
        return false;
    }
    k = address % GLAZE_PAGE / 4;
    value = get(code, rd);
    s->words = 1;
    if (size < 4) {
        uint32_t low = 4 - size - address % 4;  /* bytes below, in the word */

        s->place[0] = PLACE(number, k, ((1u << size) - 1) << low);
        s->value[0] = value << 8 * low;
    } else {
        s->place[0] = PLACE(number, k, 15);
        s->value[0] = value;
    }
    if (size == 8) {
        s->words = 2;
        s->place[1] = PLACE(number, k + 1, 15);
        s->value[1] = get(code, rd + 1);
    }
    return true;
}

/* Returns whether a carried word has no bytes but those of a store. */
static bool is_covered(const struct word *word, uint32_t place)
{
    return PLACE_WORD(word->place) == PLACE_WORD(place) &&
           !(PLACE_BYTES(word->place) & ~place);
}

/* Returns how many words would be carried with a store. */
static uint32_t words_with(const struct store *s)
{
    uint32_t count = carried.count + s->words;

    for (uint32_t k = 0; k < carried.count; k++) {
        for (uint32_t n = 0; n < s->words; n++) {
            count -= is_covered(&carried.word[k], s->place[n]);
        }
    }
    return count;
}

/* Adds what a store has stored. Its bytes are no longer those of earlier stores, and
 * other bytes of the word keep the numbers of theirs. */
static void add(uint32_t place, uint32_t value)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < carried.count; k++) {
        struct word *word = &carried.word[k];

        if (!is_covered(word, place)) {
            if (PLACE_WORD(word->place) == PLACE_WORD(place)) {
                word->place &= ~PLACE_BYTES(place);
            }
            carried.word[kept++] = *word;
        }
    }
    carried.word[kept] = (struct word) { place, value, carried.seq };
    carried.count = kept + 1;
}

/* Returns whether the lock that is held may carry words of a page. A page that is the
 * process's own costs nothing to write. A home that may still move is no home to send
 * words to. */
static bool may_carry(uint32_t number)
{
    const struct page *page = &pages[number];

    return held.lock && !order_kept && page->rights == GLAZE_VIEW_READ &&
           !(page->flags & PAGE_DIRTY) && page->misses < MISSES_MOST &&
           (!is_home(page) || page->flags & PAGE_SHARED) &&
           (page->flags & PAGE_FIXED || !fixing) &&
           (!carried.count ||
            (carried.lock == held.lock && carried.number == number));
}

bool carry_fetches(uint32_t number)
{
    const struct page *page = &pages[number];

    return held.lock && !order_kept && page->rights == GLAZE_VIEW_NONE &&
           !is_home(page) && page->misses < MISSES_MOST;
}

bool carry_store(uint32_t number, struct interrupted *code)
{
    struct page *page = &pages[number];
    struct store s;

    if (!may_carry(number) || !decode(number, code, &s)) {
        return false;
    }
    if (words_with(&s) > shm_carry_most) {
        return false;
    }
    if (!carried.count) {
        carried.lock = held.lock;
        carried.number = number;
        carried.home = page->home;
        carried.shown = 0;
    }
    carried.seq = ++*held.seq;
    carried.follows = true;
    for (uint32_t k = 0; k < s.words; k++) {
        add(s.place[k], s.value[k]);
        put(s.place[k], s.value[k]);
    }
    note_writer(number);
    if (!held.stored && page->misses) {
        page->misses--;
    }
    held.stored = true;
    if (is_home(page)) {
        last_of(held.lock)->seq = carried.seq;
    } else {
        visit_write();
    }
    code->pc = code->npc;
    code->npc += 4;
    counts.carried_stores++;
    return true;
}

/* ---- With the lock -------------------------------------------------------- */

void carry_post(uint32_t lock, uint32_t seq)
{
    uint32_t count = carried.lock == lock ? carried.count : 0;

    post_word(seq);
    post_word(carried.home << 16 | count);
    post_words((const uint32_t *)carried.word, WORD_WORDS * count);
}

/*
 * If the lock brings nothing, all that it has carried is at the home, what this process
 * may have of it as well, and the records say so.
 */
uint32_t carry_take(uint32_t lock, uint32_t *seq, const uint32_t *words)
{
    const struct word *word = (const struct word *)(words + 2);
    uint32_t count = words[1] & 0xffff;

    udm_beginatom();
    carried.follows = carried.follows && carried.count && carried.lock == lock &&
                      count && PLACE_PAGE(word->place) == carried.number;
    carried.had = carried.seq;
    *seq = words[0];
    carried.lock = lock;
    carried.seq = words[0];
    carried.shown = 0;
    carried.home = words[1] >> 16;
    carried.count = count;
    memcpy(carried.word, word, count * sizeof(struct word));
    carried.number = PLACE_PAGE(carried.word[0].place);
    udm_endatom();
    return 2 + WORD_WORDS * count;
}

void carry_apply(void)
{
    uint32_t number = carried.number;
    const struct page *page = &pages[number];

    if (!carried.count) {
        return;
    }
    if (!is_home(page) && page->rights && !carried.follows) {
        rights_set(number, GLAZE_VIEW_NONE);
    }
    udm_beginatom();
    if (is_home(page)) {
        put_at_home(carried.lock, carried.seq, number, carried.word, carried.count);
    } else if (page->rights) {
        put_later(carried.word, carried.count, carried.had);
        note_writer(number);
    }
    udm_endatom();
}

/* ---- A fetch ---------------------------------------------------------------- */

bool carry_goes_first(uint32_t number)
{
    return carried.count && carried.number == number;
}

void carry_fetched(uint32_t number)
{
    if (carry_goes_first(number)) {
        carried.follows = held.lock == carried.lock;
        note_writer(number);
    }
}

/* ---- The end of the interval ----------------------------------------------- */

uint32_t carry_send(void)
{
    struct page *page = &pages[carried.number];

    if (!carried.count) {
        return 0;
    }
    if (held.lock && page->flags & PAGE_DIRTY && page->misses < MISSES_MOST) {
        page->misses += MISS;
    }
    if (is_home(page) || carried.shown == carried.seq) {
        return 0;
    }
    carried.shown = carried.seq;
    udm_beginatom();
    post_begin(page->flags & PAGE_FIXED ? page->home : carried.home, OP_CARRIED);
    post_word(carried.lock);
    post_word(carried.seq);
    post_word(carried.number);
    post_word(shm_self);
    post_words((const uint32_t *)carried.word, WORD_WORDS * carried.count);
    post_end();
    udm_endatom();
    return 1;
}

void carry_end(void)
{
    if (carried.count) {
        interval_write(carried.number);
        carried.count = 0;
    }
}
