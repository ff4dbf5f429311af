/*
 * Deleting a region: the home makes all nodes that know it forget it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "region.h"

static volatile uint8_t deleting;       /* until the home has answered */
static bool existed;

static uint32_t *known(struct directory *d)
{
    return d->shared + (crl_num_nodes + 31) / 32;
}

void crl_known_by(struct region *r, uint32_t node)
{
    known(r->directory)[node / 32] |= 1u << node % 32;
}

/* Handler. Argument: whether the region existed. */
static void on_deleted(void)
{
    existed = udm_arg(0);
    udm_dispose();
    deleting = false;
    crl_wake();
}

/* All nodes have forgotten the region. In an atomic section. */
static void finish(struct region *r)
{
    uint32_t node = r->directory->requester;

    crl_counts_keep(r);
    free(r->directory);
    crl_free(r);
    if (node == crl_self_addr) {
        existed = true;
        deleting = false;
        crl_wake();
    } else {
        udm_inject(node, on_deleted, true);
    }
}

/* Handler on the home. Argument: the region's address here. */
static void on_forgotten(void)
{
    struct region *r = (struct region *)udm_arg(0);

    udm_dispose();
    if (--r->directory->awaited == 0) {
        finish(r);
    }
}

void crl_forgotten(uint32_t node, uint32_t home)
{
    udm_inject(node, on_forgotten, home);
}

/*
 * Handler. Arguments: rid, the region's address on the home. If a thread is
 * sending data of the region home, crl_sent() answers when they have left: the
 * home frees the region's memory when all nodes have answered.
 */
static void on_forget(void)
{
    rid_t rid = udm_arg(0);
    uint32_t home = udm_arg(1), node = udm_source();
    struct region *r = crl_find(rid);

    udm_dispose();
    if (crl_maps_now(rid) || (r && r->maps)) {
        crl_mistake_of(CRL_DELETE, rid,
                       "deleted while this node has it mapped");
    }
    if (r && r->sending) {
        r->demand = FORGET;
        return;
    }
    if (r) {
        crl_forget(r);
    }
    crl_forgotten(node, home);
}

/* On the home, in an atomic section: deletes a region for a node. */
static void delete(rid_t rid, uint32_t node)
{
    struct region *r = crl_find(rid);
    struct directory *d;

    if (!r || !r->directory) {
        udm_inject(node, on_deleted, false);
        return;
    }
    if (r->maps) {
        crl_mistake_of(CRL_DELETE, rid,
                       "deleted while this node has it mapped");
    }
    d = r->directory;
    d->requester = node;
    d->awaited = 1;
    crl_remove(r);
    for (uint32_t other = 0; other < crl_num_nodes; other++) {
        if (known(d)[other / 32] >> other % 32 & 1) {
            d->awaited++;
            udm_inject(other, on_forget, rid, (uintptr_t)r);
        }
    }
    if (--d->awaited == 0) {
        finish(r);
    }
}

/* Handler on the home. Argument: rid. */
static void on_delete(void)
{
    rid_t rid = udm_arg(0);
    uint32_t node = udm_source();

    udm_dispose();
    delete(rid, node);
}

void rgn_delete(rid_t rid)
{
    struct region *r;

    CRL_ENTER(CRL_DELETE, rid);
    if (RID_NUMBER(rid) == 0 || RID_NODE(rid) >= crl_num_nodes) {
        crl_mistake(rid, "there is no such region");
    }
    udm_beginatom();
    r = crl_find(rid);
    if (r && r->maps) {
        crl_mistake(rid, "this node has it mapped");
    }
    udm_endatom();
    deleting = true;
    if (RID_NODE(rid) == crl_self_addr) {
        udm_beginatom();
        delete(rid, crl_self_addr);
        udm_endatom();
    } else {
        udm_inject(RID_NODE(rid), on_delete, rid);
    }
    crl_await(&deleting);
    if (!existed) {
        crl_mistake(rid, "there is no such region");
    }
    crl_miss();
}

void rgn_destroy(rid_t rid) __attribute__((alias("rgn_delete")));
