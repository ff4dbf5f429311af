/*
 * What a program must not do with CRL; the arguments name the node that makes
 * the mistake, and the case. Two nodes. Region 1 has its home on node 0. A
 * comment "ends: CASE" marks the line at which the job ends.
 *
 *     regionmistakes NODE CASE
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/crl.h"
#include "udm-thread.h"
#include "udm.h"

static rid_t rid;
static char *data;
static const char *name;
static double storage[4];

#define IS(text) (strcmp(name, text) == 0)

/*
 * A call with a place of its own: the compiler must not merge it with others,
 * nor let it return from the function.
 */
#define WRONG(call) \
    do { \
        call; \
        asm volatile ("" : : "i" (__LINE__)); \
    } while (0)

#define CASES static void __attribute__((noinline))

static void handler(void)
{
    udm_dispose();
    WRONG(rgn_start_read(data));        /* ends: handler */
}

static void handler_endatom(void)
{
    udm_dispose();
    udm_endatom();
    WRONG(rgn_map(rid));                /* ends: handler-endatom */
}

static void *other_thread(void *unused)
{
    WRONG(rgn_map(rid));                /* ends: threads */
    return unused;
}

CASES two_threads(void)
{
    crl_wait(CRL_WAIT_BLOCK);
    udm_thread_create(other_thread, NULL, UDM_NORMAL);
    rgn_barrier();
}

/* Comes late to the barrier, so that the other node waits there. */
CASES come_late(void)
{
    uint64_t end = udm_cycles() + 100000;

    while (udm_cycles() < end) {
    }
}

CASES before_init(void)
{
    if (IS("init-create")) {
        WRONG(rgn_create(4));           /* ends: init-create */
    } else if (IS("init-map")) {
        WRONG(rgn_map(1));              /* ends: init-map */
    } else if (IS("init-barrier")) {
        WRONG(rgn_barrier());           /* ends: init-barrier */
    } else if (IS("init-delete")) {
        WRONG(rgn_delete(1));           /* ends: init-delete */
    }
}

CASES operations(void)
{
    if (IS("write-in-read")) {
        rgn_start_read(data);
        WRONG(rgn_start_write(data));   /* ends: write-in-read */
    } else if (IS("read-in-write")) {
        rgn_start_write(data);
        WRONG(rgn_start_read(data));    /* ends: read-in-write */
    } else if (IS("write-in-write")) {
        rgn_start_write(data);
        WRONG(rgn_start_write(data));   /* ends: write-in-write */
    } else if (IS("end-read")) {
        WRONG(rgn_end_read(data));      /* ends: end-read */
    } else if (IS("end-write")) {
        WRONG(rgn_end_write(data));     /* ends: end-write */
    } else if (IS("end-read-twice")) {
        rgn_start_read(data);
        rgn_end_read(data);
        WRONG(rgn_end_read(data));      /* ends: end-read-twice */
    } else if (IS("end-other")) {
        rgn_start_read(data);
        WRONG(rgn_end_write(data));     /* ends: end-other */
    } else if (IS("end-other-write")) {
        rgn_start_write(data);
        WRONG(rgn_end_read(data));      /* ends: end-other-write */
    } else if (IS("too-many")) {
        for (;;) {
            WRONG(rgn_start_read(data));/* ends: too-many */
        }
    } else if (IS("flush-open")) {
        rgn_start_read(data);
        WRONG(rgn_flush(data));         /* ends: flush-open */
    } else if (IS("unmap-open")) {
        rgn_start_write(data);
        WRONG(rgn_unmap(data));         /* ends: unmap-open */
    }
}

CASES unmapped(void)
{
    if (IS("start-unmapped")) {
        rgn_unmap(data);
        WRONG(rgn_start_read(data));    /* ends: start-unmapped */
    } else if (IS("start-elsewhere")) {
        WRONG(rgn_start_write(storage + 2));/* ends: start-elsewhere */
    } else if (IS("start-inside")) {
        WRONG(rgn_start_read(data + 16));/* ends: start-inside */
    } else if (IS("flush-unmapped")) {
        rgn_unmap(data);
        WRONG(rgn_flush(data));         /* ends: flush-unmapped */
    } else if (IS("unmap-twice")) {
        rgn_unmap(data);
        WRONG(rgn_unmap(data));         /* ends: unmap-twice */
    } else if (IS("rid-unmapped")) {
        rgn_unmap(data);
        WRONG(rgn_rid(data));           /* ends: rid-unmapped */
    } else if (IS("size-unmapped")) {
        WRONG(rgn_size(storage + 2));   /* ends: size-unmapped */
    }
}

CASES names(void)
{
    if (IS("map-unknown")) {
        WRONG(rgn_map(rid + 1024));     /* ends: map-unknown */
    } else if (IS("map-zero")) {
        WRONG(rgn_map(0));              /* ends: map-zero */
    } else if (IS("map-no-node")) {
        WRONG(rgn_map(rid + 2));        /* ends: map-no-node */
    } else if (IS("map-deleted")) {
        rgn_unmap(data);
        rgn_delete(rid);
        WRONG(rgn_map(rid));            /* ends: map-deleted */
    } else if (IS("delete-twice")) {
        rgn_unmap(data);
        rgn_delete(rid);
        WRONG(rgn_delete(rid));         /* ends: delete-twice */
    } else if (IS("delete-zero")) {
        WRONG(rgn_destroy(0));          /* ends: delete-zero */
    } else if (IS("delete-mapped")) {
        WRONG(rgn_delete(rid));         /* ends: delete-mapped */
    } else if (IS("delete-elsewhere")) {
        rgn_delete(rid);
    } else if (IS("size-zero")) {
        WRONG(rgn_create(0));           /* ends: size-zero */
    } else if (IS("size-most")) {
        WRONG(rgn_create(UINT_MAX));    /* ends: size-most */
    }
}

CASES places(void)
{
    if (IS("handler")) {
        udm_inject(crl_self_addr, handler);
    } else if (IS("handler-endatom")) {
        udm_inject(crl_self_addr, handler_endatom);
    } else if (IS("atomic-start")) {
        udm_beginatom();
        WRONG(rgn_start_read(data));    /* ends: atomic-start */
    } else if (IS("atomic-map")) {
        udm_beginatom();
        WRONG(rgn_map(rid));            /* ends: atomic-map */
    } else if (IS("atomic-barrier")) {
        udm_beginatom();
        WRONG(rgn_barrier());           /* ends: atomic-barrier */
    } else if (IS("threads")) {
        two_threads();
    } else if (IS("init-twice")) {
        WRONG(crl_init());              /* ends: init-twice */
    } else if (IS("bcast-negative")) {
        WRONG(rgn_bcast_send(-4, storage));/* ends: bcast-negative */
    }
}

int main(int argc, char **argv)
{
    bool mine = argc > 2 && udm_node() == (uint32_t)atoi(argv[1]);

    name = argc > 2 ? argv[2] : "";
    if (mine) {
        before_init();
    }
    crl_init();
    if (crl_self_addr == 0) {
        rid = rgn_create(100);
        rgn_bcast_send(sizeof(rid), &rid);
    } else {
        rgn_bcast_recv(sizeof(rid), &rid);
    }
    if (mine != IS("delete-elsewhere")) {
        data = rgn_map(rid);
    }
    rgn_barrier();
    if (IS("bcast-none")) {
        WRONG(rgn_bcast_recv(4, storage));/* ends: bcast-none */
    } else if (IS("bcast-two")) {
        WRONG(rgn_bcast_send(4, storage));/* ends: bcast-two */
    }
    if (mine) {
        operations();
        unmapped();
        names();
        places();
    } else if (IS("threads")) {
        come_late();
    }
    rgn_barrier();
    return 0;
}
