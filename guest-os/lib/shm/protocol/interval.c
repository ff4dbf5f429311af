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

#include "shm-state.h"

uint32_t *vector, *floors, *known_to_all;
bool alone = true, fixing, interval_closed, written_away;

/* Records: writer, interval, number of runs, then the runs of pages. */
#define RECORD_WORDS    3       /* as in interval_words() */
#define RUN_BITS        17      /* of the first page; above: more pages */
#define RUN_MOST        (1u << (32 - RUN_BITS))

_Static_assert(PAGES <= 1u << RUN_BITS, "a run's word has a page's number");

static uint32_t *log, log_count;
static uint32_t *places, record_count;  /* where the log's records begin */
static uint32_t *dirty, dirty_count;    /* pages of the open interval */

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
    log = private_take(LOG_WORDS * sizeof(uint32_t));
    places = private_take(LOG_WORDS / RECORD_WORDS * sizeof(uint32_t));
    dirty = private_take(PAGES * sizeof(uint32_t));
    asking = private_take(shm_count * sizeof(*asking));
}

/* ---- The log ------------------------------------------------------------ */

/*
 * Forgets all records. A node that has seen less forgets all copies when it
 * acquires from this one.
 */
static void log_clear(void)
{
    log_count = record_count = 0;
    memcpy(floors, vector, shm_count * sizeof(uint32_t));
}

/* Makes room for a record. Returns false if the log is too small for it. */
static bool log_room(uint32_t count)
{
    if (log_count + count > LOG_WORDS) {
        counts.collections++;
        log_clear();
    }
    return count <= LOG_WORDS;
}

static bool log_lacks(const uint32_t *seen)
{
    for (uint32_t k = 0; k < shm_count; k++) {
        if (seen[k] < floors[k]) {
            return true;
        }
    }
    return false;
}

/* The record that has been written at the log's end belongs to the log. */
static void log_append(void)
{
    places[record_count++] = log_count;
    log_count += interval_words(log + log_count);
}

/* Appends this node's record of the pages that are dirty. */
static void log_own(uint32_t seq)
{
    uint32_t *record, runs = 0, *run = NULL;

    if (!log_room(RECORD_WORDS + dirty_count)) {
        floors[shm_self] = seq;
        return;
    }
    record = log + log_count;
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
    record[2] = runs;
    log_append();
}

/* Returns whether a node that has seen so much lacks a record. */
static bool is_lacking(const uint32_t *record, const uint32_t *seen)
{
    return record[1] > seen[record[0]];
}

/*
 * Posts the records that a node lacks, oldest first. Each interval of `vector` has
 * one record at most, so the walk back from the newest one ends when so many have
 * been found as the node lacks intervals.
 */
static void post_lacking(const uint32_t *seen)
{
    uint32_t k = record_count, intervals = 0;

    for (uint32_t n = 0; n < shm_count; n++) {
        intervals += vector[n] > seen[n] ? vector[n] - seen[n] : 0;
    }
    while (k && intervals) {
        intervals -= is_lacking(log + places[--k], seen);
    }
    for (; k < record_count; k++) {
        const uint32_t *record = log + places[k];

        if (is_lacking(record, seen)) {
            post_words(record, interval_words(record));
        }
    }
}

void interval_post(const uint32_t *seen)
{
    bool lacks = log_lacks(seen);

    post_word(lacks);
    if (lacks) {
        post_words(vector, shm_count);
    } else {
        post_lacking(seen);
    }
}

void interval_post_own(uint32_t seq)
{
    uint32_t k = record_count, intervals = vector[shm_self] - seq;

    while (k && intervals) {
        intervals -= log[places[--k]] == shm_self;
    }
    for (; k < record_count; k++) {
        const uint32_t *record = log + places[k];

        if (record[0] == shm_self && record[1] > seq) {
            post_words(record, interval_words(record));
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

uint32_t interval_apply_record(const uint32_t *record)
{
    uint32_t writer = record[0], seq = record[1], words = interval_words(record);

    if (seq > vector[writer]) {
        udm_beginatom();
        if (log_room(words)) {
            memcpy(log + log_count, record, words * sizeof(uint32_t));
            log_append();
        } else {
            floors[writer] = seq;
        }
        vector[writer] = seq;
        udm_endatom();
        for (uint32_t k = RECORD_WORDS; k < words; k++) {
            forget_run(record[k], writer, seq);
        }
    }
    return words;
}

void interval_seen(const uint32_t *now, bool all)
{
    udm_beginatom();
    for (uint32_t k = 0; k < shm_count; k++) {
        if (now[k] > vector[k]) {
            vector[k] = now[k];
        }
    }
    if (all) {
        log_clear();
    }
    udm_endatom();
}

void interval_apply(const uint32_t *words, uint32_t count)
{
    uint32_t at = 1;

    if (words[0]) {
        interval_seen(words + 1, true);
        page_noticed(PAGES, 0, 0);
        interval_forget_all();
        return;
    }
    while (at < count) {
        at += interval_apply_record(words + at);
    }
    rights_flush();
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
static void publish(uint32_t seq)
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
    vector[shm_self] = seq;
    log_own(seq);
    dirty_count = 0;
    written_away = false;
    for (uint32_t k = 0; k < shm_count; k++) {
        if (asking[k].waits && asking[k].seq <= seq) {
            answer_notices(k);
        }
    }
}

/*
 * Sends the differences of all dirty pages of other homes that have one of these
 * flags, or of all if there is no flag. Waits until the homes have them.
 */
static void send_differences(uint32_t seq, uint8_t flag)
{
    static uint32_t sent;       /* ever */

    for (uint32_t k = 0; k < dirty_count; k++) {
        struct page *page = &pages[dirty[k]];

        if (!is_home(page) && (!flag || page->flags & flag)) {
            page->flags &= ~flag;
            sent += difference_send(dirty[k], seq);
        }
    }
    wait_for(&differences_acknowledged, sent);
}

/* Sends what has been written to the homes, and publishes the interval. */
static void close_dirty(void)
{
    uint32_t seq = vector[shm_self] + 1, refused = differences_refused;

    for (uint32_t k = 0; k < dirty_count; k++) {
        if (pages[dirty[k]].rights) {
            rights_put(dirty[k], GLAZE_VIEW_READ);
        }
    }
    rights_flush();
    if (written_away) {
        send_differences(seq, 0);
        if (differences_refused != refused) {
            send_differences(seq, PAGE_REFUSED);
        }
    }
    udm_beginatom();
    publish(seq);
    udm_endatom();
}

void interval_close(void)
{
    if (dirty_count) {
        close_dirty();
    }
    interval_closed = true;
    if (pages_wanted) {
        pages_release();
    }
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
