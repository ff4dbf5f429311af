/*
 * Operations that operate.S does not do: those that miss, those that meet a
 * request of another node, and mistakes.
 *
 * operate.S enters the first four functions in the atomic section that it has
 * opened. `uac` is UAC before that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "region.h"

void crl_start_read(void *data, uint32_t uac);
void crl_end_read(void *data, uint32_t uac);
void crl_start_write(void *data, uint32_t uac);
void crl_end_write(void *data, uint32_t uac);

/* ---- Remote copies: the usual misses ------------------------------------ */

/* Returns true if a call may begin: crl_enter() ends the job otherwise. */
static inline bool may_begin(uint32_t uac)
{
    return !(uac & FUGU_UAC_INTERRUPT_DISABLE) && !crl_now.call &&
           !in_handler();
}

/*
 * Asks the home for what an operation of a remote copy needs. Waits until a
 * handler has opened the operation. Enters in an atomic section, and closes it.
 * The request leaves before all bookkeeping.
 */
static inline void ask_home(struct region *r, enum crl_call call,
                            udm_handler_t handler, uint32_t address)
{
    uint32_t start = udm_cycles32();

    udm_inject(RID_NODE(r->rid), handler, r->home, address);
    r->waiting = handler == crl_on_read ? READ : WRITE;
    r->word = WORD_SLOW;
    crl_now.call = call + 1;
    crl_now.rid = r->rid;
    crl_now.caller = (uintptr_t)__builtin_return_address(0);
    crl_counts.requests++;
    crl_counts.call[call].misses++;
    udm_endatom();
    crl_await(&r->waiting);
    crl_now.call = 0;
    crl_counts.call[call].cycles += udm_cycles32() - start;
}

/* ---- All other cases ---------------------------------------------------- */

/* Begins a call, with its checks, and returns the region. */
static inline struct region *enter(enum crl_call call, void *data,
                                   uint32_t uac)
{
    crl_enter(call, 0, uac, (uintptr_t)__builtin_return_address(0));
    return crl_region(data);
}

/*
 * An operation misses, on the home or on a FRESH copy. Enters in an atomic
 * section, and closes it.
 */
static void miss(struct region *r, enum request kind)
{
    if (!r->directory && r->state == FRESH) {
        udm_endatom();
        crl_touch(r);
        udm_beginatom();
    }
    r->waiting = kind;
    if (r->directory) {
        crl_home_request(r, kind, crl_self_addr, 0);
    } else {
        uint32_t address = (uintptr_t)r + (kind == WRITE && r->state == SHARED);

        crl_remote_refresh(r);
        crl_counts.requests++;
        udm_inject(RID_NODE(r->rid), kind == READ ? crl_on_read : crl_on_write,
                   r->home, address);
    }
    udm_endatom();
    crl_await(&r->waiting);
    crl_miss();
}

static bool readable(const struct region *r)
{
    return r->directory ? crl_home_readable(r) : r->state >= SHARED;
}

static bool writable(const struct region *r)
{
    return r->directory ? crl_home_writable(r) : r->state == EXCLUSIVE;
}

void crl_start_read(void *data, uint32_t uac)
{
    struct region *r = REGION(data);

    if (r->word == WORD_ASK && may_begin(uac)) {
        ask_home(r, CRL_START_READ, crl_on_read, (uintptr_t)r);
        return;
    }
    r = enter(CRL_START_READ, data, uac);
    if (writer(r)) {
        crl_mistake(r->rid, "a write operation is open");
    }
    if (readers(r) * WORD_READER >= WORD_MOST) {
        crl_mistake(r->rid, "too many read operations are open");
    }
    if (readable(r)) {
        r->word += WORD_READER;
        crl_refresh(r);
        r->reads++;
        udm_endatom();
        crl_end();
    } else {
        miss(r, READ);
    }
}

void crl_start_write(void *data, uint32_t uac)
{
    struct region *r = REGION(data);

    if ((r->word == WORD_ASK ||
         (r->word == WORD_FAST + WORD_SHARED && !r->directory)) &&
        may_begin(uac)) {
        ask_home(r, CRL_START_WRITE, crl_on_write,
                 (uintptr_t)r + (r->word == WORD_FAST + WORD_SHARED));
        return;
    }
    r = enter(CRL_START_WRITE, data, uac);
    if (writer(r)) {
        crl_mistake(r->rid, "a write operation is open");
    }
    if (readers(r)) {
        crl_mistake(r->rid, "a read operation is open");
    }
    if (writable(r)) {
        r->word = WORD_WRITE_SLOW;
        crl_refresh(r);
        r->writes++;
        udm_endatom();
        crl_end();
    } else {
        miss(r, WRITE);
    }
}

/* Serves what has waited for the end of an operation. Closes the section. */
static void serve(struct region *r)
{
    bool served = r->directory ? r->directory->kind : r->demand;

    if (r->directory) {
        crl_home_advance(r);
    } else {
        crl_remote_serve(r);
    }
    udm_endatom();
    if (served) {
        crl_miss();
    } else {
        crl_end();
    }
}

void crl_end_read(void *data, uint32_t uac)
{
    struct region *r = enter(CRL_END_READ, data, uac);

    if (readers(r) == 0) {
        crl_mistake(r->rid, "no read operation is open");
    }
    r->word -= WORD_READER;
    serve(r);
}

void crl_end_write(void *data, uint32_t uac)
{
    struct region *r = enter(CRL_END_WRITE, data, uac);

    if (!writer(r)) {
        crl_mistake(r->rid, "no write operation is open");
    }
    r->word = WORD_SLOW;
    serve(r);
}

void rgn_flush(void *data)
{
    struct region *r;

    CRL_ENTER(CRL_FLUSH, 0);
    r = crl_region(data);
    if (!closed(r)) {
        crl_mistake(r->rid, "an operation is open");
    }
    if (r->directory) {
        crl_hit();
        return;
    }
    udm_beginatom();
    if (r->state == EXCLUSIVE) {
        crl_remote_send(r, INVALID, FLUSH);
        crl_remote_refresh(r);
        udm_endatom();
        crl_miss();
    } else {
        r->state = INVALID;
        crl_remote_refresh(r);
        udm_endatom();
        crl_hit();
    }
}
