/*
 * Random operations on regions of 4 bytes to 100 KB, and a record of each, for
 * region_history.py.
 *
 *     history OPERATIONS SEED spin|block|mixed [divert]
 *
 * Each node does that many operations. Regions are deleted and made anew in
 * each of PHASES phases. Each write makes a new version of its region, which
 * the region's words tell. The records are in the file `history` of each node:
 * region << 1 | 1 for a write, version, and two times, between which the
 * operation was open: 24 bytes, in the order in which operations have ended.
 *
 * Prints the number of words that did not belong to their region's version.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "pause.h"
#include "random.h"
#include "lib/crl.h"

enum {
    PHASES = 3,
    REGIONS = 16,               /* of a phase */
    STRIDE = 61,                /* words: one of so many has the version */
};

static const unsigned sizes[REGIONS] = {
    4, 8, 12, 16, 40, 48, 49, 52, 100, 800, 4096, 4097, 5000, 8192, 20000,
    102400
};

static struct {
    rid_t rid;
    uint32_t *data;             /* NULL: not mapped */
    unsigned words;
} regions[REGIONS];

static struct {
    uint32_t what, version;
    uint64_t opened, closes;
} record;

static FILE *file;
static uint32_t own, phase, wrong;
static bool divert;

static uint32_t word_of(unsigned k, uint32_t version, uint32_t i)
{
    return version ? version * 0x9e3779b1u + k * 77 + i : 0;
}

/* Checks the words of the version that an operation has found. */
static uint32_t look(unsigned k)
{
    uint32_t *data = regions[k].data, words = regions[k].words, i;

    for (i = STRIDE; i < words; i += STRIDE) {
        wrong += data[i] != word_of(k, data[0], i);
    }
    if (words > 1) {
        wrong += data[words - 1] != word_of(k, data[0], words - 1);
    }
    return data[0];
}

static void change(unsigned k, uint32_t version)
{
    uint32_t *data = regions[k].data, words = regions[k].words, i;

    data[0] = version;
    for (i = STRIDE; i < words; i += STRIDE) {
        data[i] = word_of(k, version, i);
    }
    if (words > 1) {
        data[words - 1] = word_of(k, version, words - 1);
    }
}

/* Keeps a record of an operation that is open, and is about to end. */
static void keep(unsigned k, bool write, uint32_t version, uint64_t opened)
{
    record.what = (phase * REGIONS + k) << 1 | write;
    record.version = version;
    record.opened = opened;
    record.closes = udm_cycles();
    if (fwrite(&record, sizeof(record), 1, file) != 1) {
        perror("history");
        exit(1);
    }
}

static void pause(void)
{
    if (divert && random_next(&own) % 8 == 0) {
        glaze_divert();
    }
    if (random_next(&own) % 3 == 0) {
        spin_for(random_next(&own) % 2000);
    }
}

static void map(unsigned k)
{
    if (!regions[k].data) {
        regions[k].data = rgn_map(regions[k].rid);
        regions[k].words = rgn_size(regions[k].data) / 4;
    }
}

/* Within operations, others begin: reads of the same region, later regions. */
static void operate(unsigned k, bool write, unsigned depth)
{
    uint64_t opened;
    uint32_t version;

    map(k);
    if (write) {
        rgn_start_write(regions[k].data);
    } else {
        rgn_start_read(regions[k].data);
    }
    opened = udm_cycles();
    version = look(k);
    if (write) {
        change(k, ++version);
    }
    if (depth > 0 && random_next(&own) % 4 == 0) {
        unsigned other = k + random_next(&own) % (REGIONS - k);

        if (other != k) {
            operate(other, random_next(&own) % 2, depth - 1);
        } else if (!write) {
            operate(k, false, depth - 1);
        }
    }
    pause();
    keep(k, write, version, opened);
    if (write) {
        rgn_end_write(regions[k].data);
    } else {
        rgn_end_read(regions[k].data);
    }
}

/* Small regions are used more often than large ones. */
static unsigned any_region(void)
{
    return random_next(&own) % (random_next(&own) % REGIONS + 1);
}

static void act(void)
{
    unsigned k = any_region();

    pause();
    switch (random_next(&own) % 10) {
    case 0:
        map(k);
        rgn_flush(regions[k].data);
        break;
    case 1:
        map(k);
        rgn_unmap(regions[k].data);
        regions[k].data = NULL;
        break;
    case 2:
    case 3:
    case 4:
        operate(k, true, 2);
        break;
    default:
        operate(k, false, 2);
    }
}

/* All nodes together. Homes, and the nodes that delete, differ by phase. */
static void create(void)
{
    for (unsigned k = 0; k < REGIONS; k++) {
        regions[k].rid = 0;
        if ((k + phase) % crl_num_nodes == crl_self_addr) {
            regions[k].rid = rgn_create(sizes[k]);
            rgn_bcast_send(sizeof(rid_t), &regions[k].rid);
        } else {
            rgn_bcast_recv(sizeof(rid_t), &regions[k].rid);
        }
    }
}

static void delete(void)
{
    for (unsigned k = 0; k < REGIONS; k++) {
        if (regions[k].data) {
            rgn_unmap(regions[k].data);
            regions[k].data = NULL;
        }
    }
    rgn_barrier();
    for (unsigned k = 0; k < REGIONS; k++) {
        if ((k * 5 + phase) % crl_num_nodes == crl_self_addr) {
            rgn_delete(regions[k].rid);
        }
    }
    rgn_barrier();
}

int main(int argc, char **argv)
{
    uint32_t operations = atoi(argv[1]), seed = atoi(argv[2]);
    bool block = !strcmp(argv[3], "block") ||
                 (!strcmp(argv[3], "mixed") && udm_node() % 2);

    file = fopen("history", "wb");
    if (!file) {
        perror("history");
        return 1;
    }
    crl_init();
    crl_wait(block ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    divert = argc > 4;
    own = hash(seed, udm_node(), 6) | 1;
    for (phase = 0; phase < PHASES; phase++) {
        create();
        for (uint32_t i = 0; i < operations / PHASES; i++) {
            act();
        }
        rgn_barrier();
        delete();
    }
    printf("wrong words: %lu\n", (unsigned long)wrong);
    return wrong || fclose(file) != 0;
}
