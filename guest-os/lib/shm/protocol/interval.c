/*
 * Intervals, vector times and the log.
 *
 * A process's run is cut into intervals: one ends at each release. The record
 * of an interval lists the pages that the process has written in it. A node
 * keeps the records that it has seen in its log, and passes them on to a node
 * that acquires from it (lazy release consistency: Keleher, Cox and Zwaenepoel,
 * ISCA 1992). That node forgets its copies of these pages. An interval ends
 * when the homes of its pages have acknowledged its writes, so a page that is
 * fetched after an acquire has all that the acquire has brought
 * (home-based: Zhou, Iftode and Li, OSDI 1996).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "carry.h"

uint32_t *vector, *floors, *known_to_all;
bool alone = true, fixing, interval_closed, written_away;

/* Records: writer, interval, number of words, then runs of pages and entries for what
 * locks carry (carry.c). */
#define RECORD_WORDS    3       /* as in interval_words() */
#define RUN_BITS        ENTRY_BITS      /* of the first page; above: more pages */
#define RUN_MOST        (1u << (32 - RUN_BITS))

/*
 * The log has two halves. Records go into the newer one. When that is full, the
 * older one is emptied and becomes the newer one. So a node that falls behind by
 * less than half a log finds all the records that it lacks.
 */
struct half {
    uint32_t *words, count;
    uint32_t *places, records;  /* where the records begin; their number */
    uint32_t *last;             /* by node: floors[] once this half is emptied */
};

static struct half halves[2], *newer = &halves[0], *older = &halves[1];
static uint32_t half_words;

uint32_t shm_log_words __attribute__((weak)) = LOG_WORDS;

static uint32_t *dirty, dirty_count;    /* pages of the open interval */
static uint32_t entries[CARRY_RECORD_MOST];     /* of the interval that ends */

/* Nodes that wait for the end of an interval of this node. */
static struct {
    bool waits;
    uint32_t seq;
    uint32_t *seen;
} *asking;

void interval_init(void)
{
    vector = private_take(shm_count * sizeof(uint32_t));
    floors = private_take(shm_count * sizeof(uint32_t));
    known_to_all = private_take(shm_count * sizeof(uint32_t));
    half_words = shm_log_words / 2;
    for (uint32_t k = 0; k < 2; k++) {
        halves[k].words = private_take(half_words * sizeof(uint32_t));
        halves[k].places = private_take(half_words / RECORD_WORDS *
                                        sizeof(uint32_t));
        halves[k].last = private_take(shm_count * sizeof(uint32_t));
    }
    dirty = private_take(PAGES * sizeof(uint32_t));
    asking = private_take(shm_count * sizeof(*asking));
}

/* ---- The log ------------------------------------------------------------ */

static void raise_floors(const uint32_t *to)
{
    for (uint32_t k = 0; k < shm_count; k++) {
        floors[k] = floors[k] > to[k] ? floors[k] : to[k];
    }
}

/* Forgets all records. */
static void log_clear(void)
{
    newer->count = newer->records = older->count = older->records = 0;
    raise_floors(vector);
}

/* Forgets the records of the older half, and begins a new one. */
static void log_turn(void)
{
    struct half *empty = older;

    counts.collections++;
    raise_floors(older->last);
    memcpy(newer->last, vector, shm_count * sizeof(uint32_t));
    empty->count = empty->records = 0;
    older = newer;
    newer = empty;
}

/* Makes room for a record. Returns false if half the log is too small for it. */
static bool log_room(uint32_t words)
{
    if (words > half_words) {
        return false;
    }
    if (newer->count + words > half_words) {
        log_turn();
    }
    return true;
}

/* The record that has been written at the log's end belongs to the log. */
static void log_append(void)
{
    newer->places[newer->records++] = newer->count;
    newer->count += interval_words(newer->words + newer->count);
}

static uint32_t log_records(void)
{
    return older->records + newer->records;
}

/* Returns a record: 0 is the oldest one. */
static const uint32_t *log_record(uint32_t k)
{
    return k < older->records
           ? older->words + older->places[k]
           : newer->words + newer->places[k - older->records];
}

/* Appends this node's record of the pages that are dirty, and of so many words of
 * entries. */
static void log_own(uint32_t seq, uint32_t entry_count)
{
    uint32_t *record, runs = 0, *run = NULL;

    if (!log_room(RECORD_WORDS + dirty_count + entry_count)) {
        floors[shm_self] = seq;
        return;
    }
    record = newer->words + newer->count;
    for (uint32_t k = 0; k < dirty_count; k++) {
        if (run && dirty[k] == dirty[k - 1] + 1 &&
            *run >> RUN_BITS < RUN_MOST - 1) {
            *run += 1u << RUN_BITS;
        } else {
            run = &record[RECORD_WORDS + runs++];
            *run = dirty[k];
        }
    }
    record[0] = shm_self;
    record[1] = seq;
    record[2] = runs + entry_count;
    memcpy(record + RECORD_WORDS + runs, entries, entry_count * sizeof(uint32_t));
    log_append();
}

/* Returns an interval of a node: another node, which has seen so much, can get the
 * records of all later ones from here. */
static uint32_t base_of(uint32_t node, const uint32_t *seen)
{
    return seen[node] > floors[node] ? seen[node] : floors[node];
}

/*
 * Posts the records that a node lacks, oldest first. The log has one record of each
 * interval above the floors, so the walk back from the newest one ends when so many
 * have been found as the node lacks intervals.
 */
static void post_lacking(const uint32_t *seen)
{
    uint32_t k = log_records(), intervals = 0;

    for (uint32_t n = 0; n < shm_count; n++) {
        uint32_t base = base_of(n, seen);

        intervals += vector[n] > base ? vector[n] - base : 0;
    }
    while (k && intervals) {
        const uint32_t *record = log_record(--k);

        intervals -= record[1] > base_of(record[0], seen);
    }
    for (; k < log_records(); k++) {
        const uint32_t *record = log_record(k);

        if (record[1] > base_of(record[0], seen)) {
            post_words(record, interval_words(record));
        }
    }
}

void interval_post_gap(uint32_t node, uint32_t seq)
{
    post_word(node);
    post_word(seq);
    post_word(0);
}

void interval_post(const uint32_t *seen)
{
    for (uint32_t n = 0; n < shm_count; n++) {
        if (seen[n] < floors[n]) {
            interval_post_gap(n, floors[n]);
        }
    }
    post_lacking(seen);
}

/* Posts a record whose entries have no words. */
static void post_stripped(const uint32_t *record)
{
    uint32_t stripped[ENTRY_STRIPPED], words = interval_words(record);
    uint32_t left = record[2], at = RECORD_WORDS;

    for (uint32_t k = RECORD_WORDS; k < words; k++) {
        if (is_entry(record[k])) {
            left -= entry_words(record + k) - entry_strip(record + k, stripped);
            k += entry_words(record + k) - 1;
        }
    }
    post_word(record[0]);
    post_word(record[1]);
    post_word(left);
    while (at < words) {
        if (is_entry(record[at])) {
            post_words(stripped, entry_strip(record + at, stripped));
            at += entry_words(record + at);
        } else {
            post_word(record[at++]);
        }
    }
}

void interval_post_own(uint32_t seq)
{
    uint32_t k = log_records(), base = seq, intervals;

    if (floors[shm_self] > seq) {
        base = floors[shm_self];
        interval_post_gap(shm_self, base);
    }
    intervals = vector[shm_self] - base;
    while (k && intervals) {
        intervals -= log_record(--k)[0] == shm_self;
    }
    for (; k < log_records(); k++) {
        const uint32_t *record = log_record(k);

        if (record[0] == shm_self && record[1] > base) {
            post_stripped(record);
        }
    }
}

/* ---- Acquire ------------------------------------------------------------ */

void interval_forget_all(void)
{
    for (uint32_t n = 0; n < pages_used; n++) {
        if (pages[n].rights && !is_home(&pages[n]) &&
            !(pages[n].flags & PAGE_DIRTY)) {
            rights_put(n, GLAZE_VIEW_NONE);
        }
    }
    rights_flush();
}

static void forget_run(uint32_t run, uint32_t writer, uint32_t seq)
{
    uint32_t first = run & ((1u << RUN_BITS) - 1);

    for (uint32_t n = first; n <= first + (run >> RUN_BITS); n++) {
        counts.notices++;
        page_noticed(n, writer, seq);
        if (pages[n].rights && !is_home(&pages[n])) {
            rights_put(n, GLAZE_VIEW_NONE);
        }
    }
}

static bool lacking;            /* records that have been applied had gaps */

/*
 * This node knows of an interval, and has or may have no records of the earlier ones
 * since the last that it has seen. So no other node gets those from here, and
 * interval_applied() forgets all copies.
 */
static void note_gap(uint32_t writer, uint32_t seq)
{
    lacking = true;
    udm_beginatom();
    floors[writer] = seq;
    vector[writer] = seq;
    udm_endatom();
}

static void apply_next(const uint32_t *record, uint32_t words)
{
    uint32_t writer = record[0], seq = record[1];

    udm_beginatom();
    if (log_room(words)) {
        memcpy(newer->words + newer->count, record, words * sizeof(uint32_t));
        log_append();
    } else {
        floors[writer] = seq;
    }
    vector[writer] = seq;
    udm_endatom();
    for (uint32_t k = RECORD_WORDS; k < words;) {
        if (is_entry(record[k])) {
            entry_apply(record + k);
            k += entry_words(record + k);
        } else {
            forget_run(record[k++], writer, seq);
        }
    }
}

uint32_t interval_apply_record(const uint32_t *record)
{
    uint32_t writer = record[0], seq = record[1], words = interval_words(record);
    bool empty = record[2] == 0;

    if (seq > vector[writer] + !empty) {
        note_gap(writer, empty ? seq : seq - 1);
    }
    if (seq > vector[writer]) {
        apply_next(record, words);
    }
    return words;
}

void interval_applied(void)
{
    rights_flush();
    if (lacking) {
        lacking = false;
        page_noticed(PAGES, 0, 0);
        interval_forget_all();
    }
}

void interval_apply(const uint32_t *words, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        at += interval_apply_record(words + at);
    }
    interval_applied();
}

void interval_seen(const uint32_t *now)
{
    udm_beginatom();
    for (uint32_t k = 0; k < shm_count; k++) {
        vector[k] = now[k] > vector[k] ? now[k] : vector[k];
    }
    log_clear();
    udm_endatom();
}

/* ---- Release ------------------------------------------------------------ */

void interval_write(uint32_t number)
{
    if (!(pages[number].flags & PAGE_DIRTY)) {
        pages[number].flags |= PAGE_DIRTY;
        dirty[dirty_count++] = number;
        written_away |= !is_home(&pages[number]);
    }
}

uint32_t interval_dirty(const uint32_t **list)
{
    *list = dirty;
    return dirty_count;
}

static void answer_notices(uint32_t node)
{
    asking[node].waits = false;
    post_begin(node, OP_ANSWER);
    interval_post(asking[node].seen);
    post_end();
}

/* The interval has ended: other nodes may see it. In an atomic section. */
static void publish(uint32_t seq, uint32_t entry_count)
{
    for (uint32_t k = 0; k < dirty_count; k++) {
        struct page *page = &pages[dirty[k]];

        page->flags &= ~PAGE_DIRTY;
        if (page->twin) {
            twin_give(page->twin);
            page->twin = NULL;
        }
        if (is_home(page)) {
            page_changed(page, shm_self, seq);
        }
    }
    log_own(seq, entry_count);
    vector[shm_self] = seq;
    dirty_count = 0;
    written_away = false;
    for (uint32_t k = 0; k < shm_count; k++) {
        if (asking[k].waits && asking[k].seq <= seq) {
            answer_notices(k);
        }
    }
}

static uint32_t sent;           /* messages to homes that they acknowledge, ever */

/*
 * Sends the differences of all dirty pages of other homes that have one of these
 * flags, or of all if there is no flag.
 */
static void send_differences(uint32_t seq, uint8_t flag)
{
    for (uint32_t k = 0; k < dirty_count; k++) {
        struct page *page = &pages[dirty[k]];

        if (!is_home(page) && page->twin && (!flag || page->flags & flag)) {
            page->flags &= ~flag;
            sent += difference_send(dirty[k], seq);
        }
    }
}

/* Sends what has been written to the homes, and publishes the interval. Words that this
 * lock carries, or CARRY_ALL, may be none of that. */
static void close_dirty(uint32_t lock)
{
    uint32_t seq = vector[shm_self] + 1, refused = differences_refused;

    for (uint32_t k = 0; k < dirty_count; k++) {
        if (pages[dirty[k]].rights) {
            rights_put(dirty[k], GLAZE_VIEW_READ);
        }
    }
    sent += carry_send(lock);
    if (written_away) {
        send_differences(seq, 0);
    }
    rights_flush();             /* while the homes work: this thread writes nothing */
    wait_for(&differences_acknowledged, sent);
    if (differences_refused != refused) {
        send_differences(seq, PAGE_REFUSED);
        wait_for(&differences_acknowledged, sent);
    }
    udm_beginatom();
    publish(seq, carry_end(lock, entries));
    udm_endatom();
}

void interval_close_for(uint32_t lock)
{
    if (dirty_count || (!order_kept && carry_goes(lock))) {
        close_dirty(lock);
    }
    interval_closed = true;
    if (pages_wanted) {
        pages_release();
    }
}

void interval_close(void)
{
    interval_close_for(0);
}

void interval_show_carried(uint32_t number)
{
    sent += carry_show(number);
    wait_for(&differences_acknowledged, sent);
}

void interval_show(void)
{
    interval_show_carried(PAGES);
    interval_close_for(CARRY_ALL);
}

/* ---- Acquiring from a node ---------------------------------------------- */

/* Words: the interval that has to have ended, then what the asker has seen. */
void shm_on_notices(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)count;
    if (!asking[source].seen) {
        asking[source].seen = private_take(shm_count * sizeof(uint32_t));
    }
    memcpy(asking[source].seen, words + 1, shm_count * sizeof(uint32_t));
    asking[source].seq = words[0];
    asking[source].waits = true;
    if (words[0] <= vector[shm_self]) {
        answer_notices(source);
    }
}

void interval_acquire(uint32_t from, uint32_t seq)
{
    if (from == shm_self) {
        return;
    }
    ask_begin();
    udm_beginatom();
    post_begin(from, OP_NOTICES);
    post_word(seq);
    post_words(vector, shm_count);
    post_end();
    udm_endatom();
    ask_end();
    interval_apply(answer_words, answer_count);
}
