/*
 * More regions than the cache of unmapped ones holds, and than the memory does.
 *
 *     manyregions cache|delete|race|fresh
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <malloc.h>

#include "glaze-calls.h"
#include "check.h"
#include "random.h"
#include "crl.h"

enum { CACHE = 1024, MORE = 3080, ALL = CACHE + MORE }; /* the table grows */
enum { ROUNDS = 40, SIZE = 100000 };

static rid_t rids[ALL];

/* Node 1 maps, changes and unmaps all regions of node 0. */
static void cache(void)
{
    struct crl_statistics s;
    uint32_t sum = 0;

    for (unsigned k = 0; k < ALL && crl_self_addr == 0; k++) {
        rids[k] = rgn_create(4);
    }
    if (crl_self_addr == 0) {
        rgn_bcast_send(sizeof(rids), rids);
    } else {
        rgn_bcast_recv(sizeof(rids), rids);
        crl_statistics_reset();
        for (unsigned k = 0; k < ALL; k++) {
            uint32_t *data = rgn_map(rids[k]);

            rgn_start_write(data);
            *data = k;
            rgn_end_write(data);
            rgn_unmap(data);
        }
        for (unsigned k = MORE; k < ALL; k++) {
            rgn_unmap(rgn_map(rids[k]));
        }
        crl_statistics(&s);
        check("evictions", s.evictions, MORE);
        check("flushes", s.flushes, MORE);
        check("maps that missed", s.call[CRL_MAP].misses, ALL);
        check("maps that hit", s.call[CRL_MAP].hits, CACHE);
        rgn_unmap(rgn_map(rids[0]));
        crl_statistics(&s);
        check("and the first one again", s.call[CRL_MAP].misses, ALL + 1);
    }
    rgn_barrier();
    for (unsigned k = 0; k < ALL && crl_self_addr == 0; k++) {
        uint32_t *data = rgn_map(rids[k]);

        rgn_start_read(data);
        sum += *data;
        rgn_end_read(data);
        rgn_unmap(data);
    }
    if (crl_self_addr == 0) {
        check("values", sum, ALL * (ALL - 1) / 2);
    }
}

/* All together need twice the memory of a node. */
static void delete(void)
{
    uint32_t wrong = 0, used = 0;
    rid_t rid = 0;

    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned home = k % crl_num_nodes;
        uint32_t *data;

        if (crl_self_addr == home) {
            rid = rgn_create(SIZE);
            rgn_bcast_send(sizeof(rid), &rid);
        } else {
            rgn_bcast_recv(sizeof(rid), &rid);
        }
        data = rgn_map(rid);
        rgn_start_write(data);
        data[SIZE / 4 - 1 - crl_self_addr] += k;
        rgn_end_write(data);
        rgn_barrier();
        rgn_start_read(data);
        for (unsigned node = 0; node < crl_num_nodes; node++) {
            wrong += data[SIZE / 4 - 1 - node] != k;
        }
        rgn_end_read(data);
        rgn_unmap(data);
        rgn_barrier();
        if (crl_self_addr == (home + 1) % crl_num_nodes) {
            rgn_delete(rid);
        }
        rgn_barrier();
        if (k == crl_num_nodes) {       /* this node has been a home, and no home */
            used = mallinfo().uordblks;
        }
    }
    check("values", wrong, 0);
    check("as much memory as after a few", mallinfo().uordblks - used < SIZE, true);
}

/*
 * Node 1 evicts a changed region. While its data are leaving, which takes some
 * 100,000 cycles, node 2 deletes the region.
 */
static void race(void)
{
    uint32_t *data;

    for (unsigned k = 0; k <= CACHE && crl_self_addr == 0; k++) {
        rids[k] = rgn_create(k == 0 ? SIZE : 4);
    }
    if (crl_self_addr == 0) {
        rgn_bcast_send(sizeof(rids), rids);
    } else {
        rgn_bcast_recv(sizeof(rids), rids);
    }
    for (unsigned k = 0; k < CACHE && crl_self_addr == 1; k++) {
        data = rgn_map(rids[k]);
        rgn_start_write(data);
        rgn_end_write(data);
        rgn_unmap(data);
    }
    rgn_barrier();
    if (crl_self_addr == 1) {
        struct crl_statistics s;

        rgn_unmap(rgn_map(rids[CACHE]));
        crl_statistics(&s);
        check("evictions", s.evictions, 1);
        check("data that had to wait", s.deferred, 1);
    } else if (crl_self_addr == 2) {
        uint32_t start;

        spin_for(20000);
        start = udm_cycles32();
        rgn_delete(rids[0]);
        check("the data have left first",
              udm_cycles32() - start > SIZE, true);
    }
}

/* Data that come to untouched memory take no fault in a handler. */
static void fresh(void)
{
    uint32_t *data, before;
    rid_t rid;

    if (crl_self_addr == 0) {
        rid = rgn_create(SIZE);
        rgn_bcast_send(sizeof(rid), &rid);
    } else {
        rgn_bcast_recv(sizeof(rid), &rid);
        data = rgn_map(rid);
        before = glaze_info(GLAZE_I_ENTRIES);
        rgn_start_read(data);
        before = glaze_info(GLAZE_I_ENTRIES) - before;
        check("data", data[0] + data[SIZE / 4 - 1], 0);
        rgn_end_read(data);
        check("buffered mode", before, 0);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    crl_init();
    if (!strcmp(argv[1], "cache")) {
        cache();
    } else if (!strcmp(argv[1], "delete")) {
        delete();
    } else if (!strcmp(argv[1], "race")) {
        race();
    } else {
        fresh();
    }
    rgn_barrier();
    return check_end();
}
