/*
 * What operations cost: cycles, means over all pairs of home and requester.
 *
 *     regioncosts BYTES
 *
 * Three nodes or more. The readers are the nodes after the requester that are
 * not the home. A line for each kind of operation:
 *
 *     KIND cycles MEAN
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "crl.h"
#include "pause.h"
#include "random.h"
#include "udm-collective.h"

enum { WARM = 2, ROUNDS = 4 };
enum { CLOCK = 3 };             /* cycles of udm_cycles32() */

static rid_t rids[64];
static char *data[64];
static unsigned bytes;

static bool is_reader(unsigned home, unsigned requester, unsigned readers)
{
    unsigned found = 0;

    for (unsigned k = 1; found < readers; k++) {
        unsigned node = (requester + k) % crl_num_nodes;

        if (node != home && node != requester) {
            found++;
            if (node == crl_self_addr) {
                return true;
            }
        }
    }
    return false;
}

/* Gives all copies of a region up. */
static void reset(unsigned home)
{
    rgn_barrier();
    rgn_flush(data[home]);
    rgn_barrier();
    if (crl_self_addr == home) {
        rgn_start_write(data[home]);
        rgn_end_write(data[home]);
    }
    rgn_barrier();
}

/* Returns the cycles of an operation, on its node, and 0 elsewhere. */
static uint32_t measure(unsigned home, unsigned requester, unsigned readers,
                        bool write)
{
    uint32_t cycles = 0;

    reset(home);
    if (is_reader(home, requester, readers)) {
        rgn_start_read(data[home]);
        rgn_end_read(data[home]);
    }
    rgn_barrier();
    spin_for(2000);
    if (crl_self_addr == requester) {
        uint32_t start = udm_cycles32();

        if (write) {
            rgn_start_write(data[home]);
        } else {
            rgn_start_read(data[home]);
        }
        cycles = udm_cycles32() - start - CLOCK;
        if (write) {
            rgn_end_write(data[home]);
        } else {
            rgn_end_read(data[home]);
        }
    } else {
        spin_for(5000);
    }
    rgn_barrier();
    return cycles;
}

static void all(const char *kind, unsigned readers, bool write)
{
    uint32_t sum = 0, count = 0;
    int64_t total;

    for (unsigned round = 0; round < WARM + ROUNDS; round++) {
        for (unsigned home = 0; home < crl_num_nodes; home++) {
            for (unsigned node = 0; node < crl_num_nodes; node++) {
                uint32_t cycles = 0;

                if (node != home) {
                    cycles = measure(home, node, readers, write);
                }
                if (round >= WARM && node != home) {
                    sum += cycles;
                    count++;
                }
            }
        }
    }
    total = udm_reduce_all_int(UDM_SUM, sum);
    if (crl_self_addr == 0) {
        printf("%s cycles %.1f\n", kind, (double)total / count);
    }
}

static void hits(void)
{
    char *mine = data[crl_self_addr];
    uint32_t cycles[3];

    rgn_barrier();
    for (unsigned round = 0; round < WARM + ROUNDS; round++) {
        cycles[0] = udm_cycles32();
        rgn_start_read(mine);
        rgn_end_read(mine);
        cycles[1] = udm_cycles32();
        rgn_start_write(mine);
        rgn_end_write(mine);
        cycles[2] = udm_cycles32();
    }
    if (crl_self_addr == 0) {
        printf("read-hit cycles %lu\nwrite-hit cycles %lu\n",
               (unsigned long)cycles[1] - cycles[0] - CLOCK,
               (unsigned long)cycles[2] - cycles[1] - CLOCK);
    }
}

int main(int argc, char **argv)
{
    bytes = atoi(argv[argc - 1]);
    crl_init();
    for (unsigned k = 0; k < crl_num_nodes; k++) {
        if (k == crl_self_addr) {
            rids[k] = rgn_create(bytes);
            rgn_bcast_send(sizeof(rid_t), &rids[k]);
        } else {
            rgn_bcast_recv(sizeof(rid_t), &rids[k]);
        }
        data[k] = rgn_map(rids[k]);
    }
    hits();
    all("read-miss", 0, false);
    all("write-miss-0", 0, true);
    all("write-miss-1", 1, true);
    if (crl_num_nodes >= 8) {
        all("write-miss-6", 6, true);
    }
    return 0;
}
