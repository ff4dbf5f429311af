/*
 * Regions: creating, mapping and unmapping.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "region.h"

#define NUMBERS (1u << 22)      /* that a rid has room for */

/* ---- Creating ----------------------------------------------------------- */

/* Returns a rid for a new region: not one that exists, nor a recent one. */
static rid_t new_rid(void)
{
    static uint32_t number;
    bool taken;
    rid_t rid;

    do {
        number = (number + 1) % NUMBERS;
        rid = RID(number, crl_self_addr);
        udm_beginatom();        /* handlers free regions */
        taken = crl_find(rid);
        udm_endatom();
    } while (number == 0 || taken);
    return rid;
}

rid_t rgn_create(unsigned size)
{
    unsigned words = (crl_num_nodes + 31) / 32;
    struct directory *d;
    struct region *r;

    CRL_ENTER(CRL_CREATE, 0);
    if (size == 0) {
        crl_mistake(0, "the size is 0");
    }
    r = crl_allocate(new_rid(), size, true);
    d = calloc(1, sizeof(*d) + 2 * words * sizeof(d->shared[0]));
    if (!d) {
        crl_mistake(r->rid, "no memory is left for the region");
    }
    d->owner = NONE;
    d->first = NONE;
    r->directory = d;
    crl_add(r);
    crl_miss();
    return r->rid;
}

/* ---- Asking a home ------------------------------------------------------ */

static rid_t asked;             /* rgn_map() asks about this region; 0: none */
static volatile uint8_t asking; /* until the answer has come */
static uint32_t answer_size;    /* 0: there is no such region */
static uint32_t answer_home;

bool crl_maps_now(rid_t rid)
{
    return asked == rid;
}

/* Handler. Arguments: the region's size, and its address on the home. */
static void on_answer(void)
{
    answer_size = udm_arg(0);
    answer_home = udm_arg(1);
    udm_dispose();
    asking = false;
    crl_wake();
}

/* Handler on the home. Argument: rid. */
static void on_ask(void)
{
    struct region *r = crl_find(udm_arg(0));
    uint32_t node = udm_source();

    udm_dispose();
    if (!r || !r->directory) {
        udm_inject(node, on_answer, 0, 0);
    } else {
        crl_known_by(r, node);
        udm_inject(node, on_answer, r->size, (uintptr_t)r);
    }
}

/* Makes this node know a region of another one. */
static struct region *ask(rid_t rid)
{
    struct region *r;

    asked = rid;
    asking = true;
    crl_counts.requests++;
    udm_inject(RID_NODE(rid), on_ask, rid);
    crl_await(&asking);
    if (answer_size == 0) {
        crl_mistake(rid, "there is no such region");
    }
    r = crl_allocate(rid, answer_size, false);
    r->home = answer_home;
    r->maps = 1;
    crl_remote_refresh(r);
    crl_add(r);
    asked = 0;
    return r;
}

/* ---- Mapping ------------------------------------------------------------ */

void *rgn_map(rid_t rid)
{
    struct region *r;

    CRL_ENTER(CRL_MAP, rid);
    udm_beginatom();
    r = crl_find(rid);
    if (r) {
        if (r->maps++ == 0 && !r->directory) {
            crl_cache_take(r);
        }
        crl_refresh(r);
        udm_endatom();
        crl_hit();
        return r->data;
    }
    udm_endatom();
    if (RID_NUMBER(rid) == 0 || RID_NODE(rid) >= crl_num_nodes ||
        RID_NODE(rid) == crl_self_addr) {
        crl_mistake(rid, "there is no such region");
    }
    r = ask(rid);
    crl_miss();
    return r->data;
}

void rgn_unmap(void *data)
{
    struct region *r;

    CRL_ENTER(CRL_UNMAP, 0);
    r = crl_region(data);
    if (r->maps == 1 && !closed(r)) {
        crl_mistake(r->rid, "an operation is open");
    }
    udm_beginatom();
    r->maps--;
    crl_refresh(r);
    if (r->maps == 0 && !r->directory) {
        crl_cache_put(r);
    }
    udm_endatom();
    crl_cache_trim(CACHE_MOST);
    crl_hit();
}

rid_t rgn_rid(void *data)
{
    rid_t rid;

    CRL_ENTER(CRL_OTHER, 0);
    rid = crl_region(data)->rid;
    crl_end();
    return rid;
}

unsigned rgn_size(void *data)
{
    unsigned size;

    CRL_ENTER(CRL_OTHER, 0);
    size = crl_region(data)->size;
    crl_end();
    return size;
}
