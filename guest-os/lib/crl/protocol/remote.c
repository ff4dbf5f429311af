/*
 * Copies of regions on nodes that are not the home.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "protocol/message.h"

void crl_remote_refresh(struct region *r)
{
    uint32_t open = readers(r) * WORD_READER;
    bool fast = r->maps && !r->waiting && !r->demand;

    if (writer(r)) {
        r->word = fast ? WORD_WRITE : WORD_WRITE_SLOW;
    } else if (fast) {
        r->word = r->state == EXCLUSIVE ? WORD_FAST + open
                : r->state == SHARED ? WORD_FAST + open + WORD_SHARED
                : r->state == INVALID ? WORD_ASK : WORD_SLOW;
    } else {
        r->word = WORD_SLOW + open;
    }
}

static void acknowledge(uint32_t node, uint32_t home)
{
    crl_counts.acknowledgements++;
    udm_inject(node, crl_on_acknowledge, home);
}

void crl_remote_send(struct region *r, enum state state, enum purpose purpose)
{
    r->state = state;
    if (!crl_send_at_once(RID_NODE(r->rid), crl_on_back, crl_on_back_part,
                          r->home, purpose, r)) {
        crl_send(r, purpose);
    }
    crl_counts.bytes += r->size;
    crl_counts.writebacks += purpose != FLUSH;
    crl_counts.flushes += purpose == FLUSH;
}

void crl_remote_serve(struct region *r)
{
    bool must_wait = r->demand == RECALL_SHARED ? writer(r) : !closed(r);

    if (r->demand && !must_wait) {
        enum demand demand = r->demand;

        r->demand = NO_DEMAND;
        if (demand == INVALIDATE) {
            r->state = INVALID;
            acknowledge(RID_NODE(r->rid), r->home);
        } else if (demand == RECALL_SHARED) {
            crl_remote_send(r, SHARED, WRITEBACK_SHARED);
        } else {
            crl_remote_send(r, INVALID, WRITEBACK);
        }
    }
    crl_remote_refresh(r);
}

/* ---- Handlers: what the thread has asked for ---------------------------- */

/* Opens the operation for which the thread waits. */
static inline void granted(struct region *r, enum purpose purpose)
{
    r->waiting = NOTHING;
    if (purpose == GRANT_SHARED) {
        r->state = SHARED;
        r->word = WORD_FAST + WORD_SHARED + WORD_READER;
    } else {
        r->state = EXCLUSIVE;
        r->word = WORD_WRITE;
    }
    crl_wake();
}

/* Arguments: the region's address here, enum purpose, the data. */
void crl_on_data(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t purpose = udm_arg(1);

    crl_take_words(r);
    udm_dispose();
    granted(r, purpose);
}

/* Arguments: the region's address here, enum purpose, the body's offset. */
void crl_on_data_part(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t purpose = udm_arg(1);
    bool all = crl_take_part(r);

    udm_dispose();
    if (all) {
        granted(r, purpose);
    }
}

/* Argument: the region's address here. */
void crl_on_grant(void)
{
    struct region *r = (struct region *)udm_arg(0);

    udm_dispose();
    granted(r, GRANT_EXCLUSIVE);
}

/* ---- Handlers: demands of the home -------------------------------------- */

/*
 * Arguments: rid, the region's address on the home. This node may have dropped
 * its copy without telling the home, or may not know the region any more.
 */
void crl_on_invalidate(void)
{
    struct region *r = crl_find(udm_arg(0));
    uint32_t home = udm_arg(1), node = udm_source();

    udm_dispose();
    if (!r || closed(r)) {
        if (r) {
            r->state = INVALID;
            crl_remote_refresh(r);
        }
        acknowledge(node, home);
    } else {
        r->demand = INVALIDATE;
        crl_remote_serve(r);
    }
}

/*
 * Arguments: rid, RECALL_SHARED or RECALL_INVALID. If the copy is not exclusive
 * any more, the data are on their way already.
 */
void crl_on_recall(void)
{
    struct region *r = crl_find(udm_arg(0));
    uint32_t demand = udm_arg(1);

    udm_dispose();
    if (r && r->state == EXCLUSIVE) {
        r->demand = demand;
        crl_remote_serve(r);
    }
}

/* ---- Deferred data ------------------------------------------------------ */

void crl_sent(struct region *r)
{
    if (r->directory) {
        r->directory->kind = NOTHING;
        crl_home_advance(r);
    } else if (r->demand == FORGET) {
        crl_forgotten(RID_NODE(r->rid), r->home);
        crl_forget(r);
    } else if (r->demand == EVICT) {
        crl_forget(r);
    } else {
        crl_remote_refresh(r);
    }
}
