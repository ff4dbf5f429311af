/*
 * How a call begins and ends. Mistakes end the job, with status 118 and a line
 * that names call and region.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "library.h"
#include "region.h"
#include "view.h"

unsigned crl_self_addr, crl_num_nodes;
struct crl_now crl_now;

/* ---- Mistakes ----------------------------------------------------------- */

static const char *const names[CRL_CALLS] = {
    [CRL_CREATE] = "rgn_create()",
    [CRL_DELETE] = "rgn_delete()",
    [CRL_MAP] = "rgn_map()",
    [CRL_UNMAP] = "rgn_unmap()",
    [CRL_START_READ] = "rgn_start_read()",
    [CRL_END_READ] = "rgn_end_read()",
    [CRL_START_WRITE] = "rgn_start_write()",
    [CRL_END_WRITE] = "rgn_end_write()",
    [CRL_FLUSH] = "rgn_flush()",
    [CRL_BARRIER] = "rgn_barrier()",
    [CRL_BCAST] = "rgn_bcast_*()",
    [CRL_REDUCE] = "rgn_reduce_*()",
    [CRL_OTHER] = "CRL",
};

const struct crl_view crl_view __attribute__((section(".view"), used)) = {
    .names = (uint32_t)names,
    .calls = CRL_CALLS,
    .now = (uint32_t)&crl_now,
    .call = offsetof(struct crl_now, call),
    .rid = offsetof(struct crl_now, rid),
    .caller = offsetof(struct crl_now, caller),
};

static void end_job(enum crl_call call, rid_t rid, const char *what,
                    uint32_t pc) __attribute__((noreturn));

static void end_job(enum crl_call call, rid_t rid, const char *what,
                    uint32_t pc)
{
    char text[160], region[32] = "";

    if (rid) {
        snprintf(region, sizeof(region), "region 0x%lx: ", (unsigned long)rid);
    }
    snprintf(text, sizeof(text), "%s: %s%s", names[call], region, what);
    library_abort_at(text, pc);
}

void crl_mistake(rid_t rid, const char *what)
{
    end_job(crl_now.call - 1, rid, what, crl_now.caller);
}

void crl_mistake_of(enum crl_call call, rid_t rid, const char *what)
{
    end_job(call, rid, what, 0);
}

void crl_bad_message(void)
{
    crl_mistake_of(CRL_OTHER, 0, "a message came that the library does not send");
}

/* ---- Beginning and end -------------------------------------------------- */

void crl_enter(enum crl_call call, rid_t rid, uint32_t uac, uint32_t caller)
{
    bool busy = crl_now.call, handler = !udm_thread_self();

    crl_now.call = call + 1;
    crl_now.rid = rid;
    crl_now.caller = caller;
    if (handler) {
        crl_mistake(rid, "called in a handler");
    }
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        crl_mistake(rid, "called in an atomic section");
    }
    if (busy) {
        crl_mistake(rid, "another thread is in a call");
    }
    if (crl_num_nodes == 0) {
        crl_mistake(rid, "called before crl_init()");
    }
    crl_now.start = udm_cycles32();
}

void crl_end(void)
{
    crl_now.call = 0;
}

void crl_hit(void)
{
    crl_counts.call[crl_now.call - 1].hits++;
    crl_now.call = 0;
}

void crl_miss(void)
{
    crl_drain();
    crl_counts.call[crl_now.call - 1].misses++;
    crl_counts.call[crl_now.call - 1].cycles += udm_cycles32() - crl_now.start;
    crl_now.call = 0;
}

struct region *crl_region(void *data)
{
    struct region *r = REGION(data);

    if (!data || (uintptr_t)data % 16 || !is_word(r->word) ||
        !r->maps) {
        crl_mistake(0, "the address is not that of a mapped region");
    }
    crl_now.rid = r->rid;
    return r;
}
