/*
 * Random operations on regions of all sizes, by all nodes at the same time.
 *
 *     regions ROUNDS SEED spin|block|mixed [divert]
 *
 * The first word of a region is its version, and the other words follow from
 * version and region. A node checks in each operation that the version is not
 * older than the one it has seen before, and that all words belong to it. Each
 * write operation makes a new version. In the end, the versions are as many as
 * there were write operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "check.h"
#include "random.h"
#include "crl.h"
#include "udm-collective.h"

enum { REGIONS = 24 };

static const unsigned sizes[] = {
    4, 8, 13, 16, 48, 49, 56, 800, 4096, 4097, 9000, 30000
};

static struct {
    rid_t rid;
    uint32_t *data;             /* NULL: not mapped */
    uint32_t seen, writes;
} regions[REGIONS];

static uint32_t own, wrong_version, wrong_words, wrong_address, wrong_size;
static bool divert;

static unsigned size_of(unsigned k)
{
    return sizes[k % (sizeof(sizes) / sizeof(sizes[0]))];
}

static uint32_t word_of(unsigned k, uint32_t version, uint32_t i)
{
    return version ? version * 0x9e3779b1u + k * 77 + i : 0;
}

static void look(unsigned k)
{
    uint32_t *data = regions[k].data, words = size_of(k) / 4;

    wrong_version += data[0] < regions[k].seen;
    regions[k].seen = data[0];
    for (uint32_t i = 1; i < words; i++) {
        wrong_words += data[i] != word_of(k, data[0], i);
    }
}

static void change(unsigned k)
{
    uint32_t *data = regions[k].data, words = size_of(k) / 4;

    look(k);
    regions[k].seen = ++data[0];
    regions[k].writes++;
    for (uint32_t i = 1; i < words; i++) {
        data[i] = word_of(k, data[0], i);
    }
}

static void read_nested(unsigned k, unsigned depth)
{
    rgn_start_read(regions[k].data);
    look(k);
    if (depth) {
        read_nested(k, depth - 1);
    }
    rgn_end_read(regions[k].data);
}

/* Two regions at once, in order of their numbers: no node waits for ever. */
static void both(unsigned k)
{
    unsigned other = k + 1 + random_next(&own) % (REGIONS - k);

    rgn_start_write(regions[k].data);
    change(k);
    if (other < REGIONS && regions[other].data) {
        read_nested(other, 0);
    }
    rgn_end_write(regions[k].data);
}

static void map(unsigned k)
{
    if (!regions[k].data) {
        regions[k].data = rgn_map(regions[k].rid);
        wrong_address += (uintptr_t)regions[k].data % 8 != 0 ||
                         rgn_rid(regions[k].data) != regions[k].rid;
        wrong_size += rgn_size(regions[k].data) != size_of(k);
    }
}

static void operate(void)
{
    unsigned k = random_next(&own) % REGIONS;

    if (divert && random_next(&own) % 8 == 0) {
        glaze_divert();
    }
    if (random_next(&own) % 3) {
        spin_for(random_next(&own) % 3000);
    }
    map(k);
    switch (random_next(&own) % 8) {
    case 0:
        rgn_flush(regions[k].data);
        break;
    case 1:
        rgn_unmap(regions[k].data);
        regions[k].data = NULL;
        break;
    case 2:
    case 3:
        rgn_start_write(regions[k].data);
        change(k);
        rgn_end_write(regions[k].data);
        break;
    case 4:
        both(k);
        break;
    default:
        read_nested(k, random_next(&own) % 3);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = atoi(argv[1]), seed = atoi(argv[2]), lost = 0;
    bool block = !strcmp(argv[3], "block") ||
                 (!strcmp(argv[3], "mixed") && udm_node() % 2);

    crl_init();
    crl_wait(block ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    divert = argc > 4;
    own = hash(seed, udm_node(), 6) | 1;
    for (unsigned k = 0; k < REGIONS; k++) {
        if (k % crl_num_nodes == crl_self_addr) {
            regions[k].rid = rgn_create(size_of(k));
            rgn_bcast_send(sizeof(rid_t), &regions[k].rid);
        } else {
            rgn_bcast_recv(sizeof(rid_t), &regions[k].rid);
        }
    }
    for (uint32_t round = 0; round < rounds; round++) {
        operate();
    }
    rgn_barrier();
    for (unsigned k = 0; k < REGIONS; k++) {
        int64_t writes = udm_reduce_all_int(UDM_SUM, regions[k].writes);

        map(k);
        read_nested(k, 0);
        lost += regions[k].seen != writes;
        rgn_unmap(regions[k].data);
    }
    rgn_barrier();
    for (unsigned k = 0; k < REGIONS; k++) {
        if (k % 7 % crl_num_nodes == crl_self_addr) {
            rgn_delete(regions[k].rid);
        }
    }
    rgn_barrier();
    check("versions", wrong_version, 0);
    check("words", wrong_words, 0);
    check("addresses", wrong_address, 0);
    check("sizes", wrong_size, 0);
    check("lost writes", lost, 0);
    return check_end();
}
