/*
 * By page, the last store of each lock that this node's memory of the page has.
 *
 * The stores that a lock carries have numbers (carry.c). A page may have words of
 * several locks. Its home notes the last store of each lock that has come. With the
 * page go these numbers, so a copy's are known as well. A lock has the number 0 if none
 * of its stores had come when the copy was made.
 *
 * Without the order of writes, a page brings no versions: the numbers come in their
 * place (versions.c). The home tells those of few locks. Those of others are not known
 * then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "carry.h"
#include "names.h"
#include "pages.h"

#define TOLD_MOST       6       /* locks that a home tells with a page */
#define MORE            1       /* in place of a lock: there are others */
#define KEPT_MOST       8       /* visits */

struct last {
    struct last *next;
    uint32_t lock, seq;
};

struct lasts {
    struct named name;          /* the page's address */
    struct last *first;         /* the one that changed last comes first */
    bool more;                  /* numbers of locks that are not here are not known */
    uint8_t kept;               /* visits that have kept the old copy, one after the
                                   other */
    uint32_t visit;             /* the number of visits when a lock last brought
                                   words, or carried a store */
};

static struct names table;

static struct lasts *recent;    /* those looked up last */

static struct lasts *lasts_of(uint32_t number)
{
    struct lasts *lasts = recent;

    if (!(pages[number].flags & PAGE_MERGED)) {
        return NULL;
    }
    if (!lasts || lasts->name.address != page_view(number)) {
        lasts = named_before(&table, page_view(number));
        recent = lasts ? lasts : recent;
    }
    return lasts;
}

/* The same. Makes them if there are none. */
static struct lasts *make_lasts(uint32_t number)
{
    struct lasts *lasts = lasts_of(number);

    if (!lasts) {
        pages[number].flags |= PAGE_MERGED;
        lasts = named(&table, page_view(number), sizeof(*lasts));
    }
    return lasts;
}

uint32_t last_get(uint32_t number, uint32_t lock)
{
    const struct lasts *lasts = lasts_of(number);
    const struct last *last = lasts ? lasts->first : NULL;
    uint32_t seq;

    while (last && last->lock != lock) {
        last = last->next;
    }
    /* A copy becomes home after a barrier alone: all words had come home before. */
    seq = last ? last->seq : lasts && lasts->more ? LAST_UNKNOWN : 0;
    return seq == LAST_UNKNOWN && is_home(&pages[number]) ? 0 : seq;
}

/* Takes a lock out of the list, or makes one. */
static struct last *take_out(struct lasts *lasts, uint32_t lock)
{
    struct last **at = &lasts->first, *last;

    while (*at && (*at)->lock != lock) {
        at = &(*at)->next;
    }
    last = *at;
    if (last) {
        *at = last->next;
    } else {
        last = private_take(sizeof(*last));
        last->lock = lock;
    }
    return last;
}

static struct lasts *set(uint32_t number, uint32_t lock, uint32_t seq)
{
    struct lasts *lasts = make_lasts(number);
    struct last *last = lasts->first;

    if (!last || last->lock != lock) {
        last = take_out(lasts, lock);
        last->next = lasts->first;
        lasts->first = last;
    }
    last->seq = seq;
    return lasts;
}

void last_set(uint32_t number, uint32_t lock, uint32_t seq)
{
    set(number, lock, seq)->visit = counts.visits;
}

/* ---- With a page --------------------------------------------------------- */

uint32_t lasts_tell(uint32_t number, uint32_t pairs[2 * LASTS_MOST])
{
    const struct lasts *lasts = lasts_of(number);
    const struct last *last = lasts ? lasts->first : NULL;
    uint32_t count = 0;

    for (; last && count < TOLD_MOST; last = last->next, count++) {
        pairs[2 * count] = last->lock;
        pairs[2 * count + 1] = last->seq;
    }
    if (last) {
        pairs[2 * count] = MORE;
        pairs[2 * count++ + 1] = 0;
    }
    return count;
}

_Static_assert(TOLD_MOST + 1 <= LASTS_MOST, "all that is told has room");

void lasts_fetched(uint32_t number, const uint32_t *pairs, uint32_t count)
{
    struct lasts *lasts = lasts_of(number);

    if (lasts) {
        lasts->more = false;
        lasts->kept = 0;
        for (struct last *last = lasts->first; last; last = last->next) {
            last->seq = count && pairs[2 * count - 2] == MORE ? LAST_UNKNOWN : 0;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        if (pairs[2 * k] == MORE) {
            make_lasts(number)->more = true;
        } else {
            set(number, pairs[2 * k], pairs[2 * k + 1]);
        }
    }
}

bool lasts_keep(uint32_t number)
{
    struct lasts *lasts = lasts_of(number);

    if (!lasts || lasts->visit != counts.visits || lasts->kept == KEPT_MOST) {
        return false;
    }
    lasts->kept++;
    return true;
}

bool lasts_kept(uint32_t number)
{
    const struct lasts *lasts = lasts_of(number);

    return lasts && lasts->kept;
}
