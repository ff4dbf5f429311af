/*
 * Operations one after the other, to see which messages they take.
 *
 *     steps BYTES STEP...
 *
 * Node 0 makes a region of BYTES bytes, and all nodes map it. A step is a node
 * and a letter; a barrier follows each step:
 *
 *     r, w    a read, a write operation
 *     R, W    starts one, e ends it (the barrier comes in between)
 *     f       rgn_flush()
 *     u, m    rgn_unmap(), rgn_map()
 *     d       rgn_delete()
 *     b       the node waits by blocking from now on
 *     -       nothing
 *
 * In the end, each node prints its statistics, if they are not all zero:
 *
 *     node N: NAME VALUE...
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "crl.h"

static rid_t rid;
static uint32_t *data;
static char open_;              /* 'R', 'W', or 0 */

static __attribute__((noinline)) void operate(char what)
{
    switch (what) {
    case 'r':
    case 'R':
        rgn_start_read(data);
        break;
    case 'w':
    case 'W':
        rgn_start_write(data);
        data[0]++;
        break;
    case 'f':
        rgn_flush(data);
        break;
    case 'u':
        rgn_unmap(data);
        break;
    case 'm':
        data = rgn_map(rid);
        break;
    case 'd':
        rgn_delete(rid);
        break;
    case 'b':
        crl_wait(CRL_WAIT_BLOCK);
        break;
    }
    if (what == 'r' || (what == 'e' && open_ == 'R')) {
        rgn_end_read(data);
    }
    if (what == 'w' || (what == 'e' && open_ == 'W')) {
        rgn_end_write(data);
    }
    open_ = what == 'R' || what == 'W' ? what : 0;
}

static void print(const char *name, uint32_t value)
{
    if (value) {
        printf(" %s %lu", name, (unsigned long)value);
    }
}

static void print_statistics(void)
{
    static const char *const calls[CRL_CALLS] = {
        [CRL_CREATE] = "create", [CRL_DELETE] = "delete", [CRL_MAP] = "map",
        [CRL_UNMAP] = "unmap", [CRL_START_READ] = "start-read",
        [CRL_END_READ] = "end-read", [CRL_START_WRITE] = "start-write",
        [CRL_END_WRITE] = "end-write", [CRL_FLUSH] = "flush",
    };
    struct crl_statistics s;

    crl_statistics(&s);
    printf("node %u:", crl_self_addr);
    for (unsigned k = 0; k < CRL_CALLS; k++) {
        if (calls[k] && s.call[k].hits + s.call[k].misses) {
            printf(" %s %lu+%lu", calls[k], (unsigned long)s.call[k].hits,
                   (unsigned long)s.call[k].misses);
        }
    }
    print("requests", s.requests);
    print("grants", s.grants);
    print("invalidations", s.invalidations);
    print("recalls", s.recalls);
    print("acknowledgements", s.acknowledgements);
    print("writebacks", s.writebacks);
    print("flushes", s.flushes);
    print("bytes", s.bytes);
    print("evictions", s.evictions);
    print("deferred", s.deferred);
    printf("\n");
}

int main(int argc, char **argv)
{
    crl_init();
    if (crl_self_addr == 0) {
        rid = rgn_create(atoi(argv[1]));
        rgn_bcast_send(sizeof(rid), &rid);
    } else {
        rgn_bcast_recv(sizeof(rid), &rid);
    }
    data = rgn_map(rid);
    crl_statistics_reset();
    rgn_barrier();
    for (int k = 2; k < argc; k++) {
        if ((unsigned)atoi(argv[k]) == crl_self_addr) {
            operate(argv[k][1]);
        }
        rgn_barrier();
    }
    print_statistics();
    return 0;
}
