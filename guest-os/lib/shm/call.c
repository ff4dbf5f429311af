/*
 * The program's calls: how they begin and end, and mistakes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "carry.h"
#include "view.h"

/* Cycles from the end of a call to an alarm that ends the interval: for setting
 * the alarm, some 800, and for the access that a fault was for. */
#define GRACE           2000

volatile struct shm_now shm_now;
bool fpu_interrupted;
struct shm_statistics counts;

static const char library[] = "shared memory";
static const char *const names[CALLS] = {
    [CALL_NONE] = library,
    [CALL_CREATE] = "shm_create()",
    [CALL_WAIT_FOR_END] = "shm_wait_for_end()",
    [CALL_LOCK] = "shm_lock()",
    [CALL_UNLOCK] = "shm_unlock()",
    [CALL_BARRIER] = "shm_barrier()",
    [CALL_FLAG] = "shm_flag_*()",
    [CALL_FLAG_WAIT] = "shm_flag_wait()",
    [CALL_FLAG_TAKE] = "shm_flag_take()",
    [CALL_FLAG_PUT] = "shm_flag_put()",
    [CALL_GETSUB] = "shm_getsub()",
    [CALL_MALLOC] = "shm_malloc()",
    [CALL_FREE] = "shm_free()",
    [CALL_FAULT] = "an access",
    [CALL_VISIT] = "a visit",
    [CALL_END] = "exit()",
    [CALL_BLOCK] = library,
};

const struct shm_view shm_view __attribute__((section(".view"), used)) = {
    .names = (uint32_t)&names[1],
    .calls = CALL_IDLE - 1,             /* a node without a process is in none */
    .now = (uint32_t)&shm_now,
    .call = offsetof(struct shm_now, call),
    .address = offsetof(struct shm_now, address),
    .caller = offsetof(struct shm_now, caller),
};

void mistake_at(const char *what, uint32_t pc)
{
    char text[240], place[32] = "";

    if (shm_now.call && shm_now.address) {
        snprintf(place, sizeof(place), " of 0x%lx",
                 (unsigned long)shm_now.address);
    }
    snprintf(text, sizeof(text), "%s%s: %s", names[shm_now.call], place, what);
    library_abort_at(text, pc);
}

void mistake(const char *what)
{
    mistake_at(what, shm_now.caller);
}

void call_await_visit(uint32_t psr)
{
    struct glaze_fp fp;

    while (shm_now.call == CALL_VISIT) {
        if (psr & PSR_EF) {
            glaze_fp_save(&fp);
        }
        udm_endatom();
        udm_thread_yield();
        udm_beginatom();
        if (psr & PSR_EF) {
            glaze_fp_load(&fp);
        }
    }
}

/* Returns whether a call is still going on, when a visit has ended. All threads but
 * this one may have waited. */
static __attribute__((noinline)) bool still_busy(void)
{
    if (!in_handler() && !udm_atomic()) {
        udm_beginatom();
        call_await_visit(0);
        udm_endatom();
    }
    return shm_now.call && shm_now.call != CALL_BLOCK;
}

void call_enter(enum call call, uint32_t address, uint32_t caller)
{
    bool busy = shm_now.call && still_busy();

    if (!busy) {
        shm_now.address = address;
        shm_now.caller = caller;
        shm_now.call = call;
    }
    if (in_handler()) {
        mistake_at("called in a handler", caller);
    }
    if (busy) {
        mistake_at("another thread is in a call", caller);
    }
    if (call != CALL_FAULT && call != CALL_VISIT && udm_atomic()) {
        mistake("called in an atomic section");
    }
}

/*
 * Ends the interval, or visits the process, soon. An access that follows the
 * call comes first. Not if that has been so already, and the alarm has come in
 * another call: else a loop of calls would never be visited. A fault whose alarm is
 * due has been preceded by others.
 */
static void set_alarm(bool fault)
{
    bool at_once = fault ? visit_due : visit_again;

    if (pages_wanted || (visit_due && !visit_put_off())) {
        visit_again = visit_due;
        visit_due = false;
        glaze_alarm(udm_cycles() + (at_once ? 0 : GRACE));
    }
}

void call_leave(void)
{
    bool atomic = udm_atomic(), fault = shm_now.call == CALL_FAULT;

    udm_beginatom();
    pages_settle();
    shm_now.call = CALL_NONE;
    shm_now.address = 0;
    fpu_interrupted = false;
    interval_closed = false;
    set_alarm(fault);
    if (!atomic) {
        udm_endatom();
    }
}

bool call_block(void)
{
    const uint32_t *list;

    if (shm_now.call || alone || half_described()) {
        return false;
    }
    shm_now.call = CALL_BLOCK;
    if (!interval_dirty(&list) && !carry_is_open() && !pages_wanted) {
        interval_closed = true;
        return false;
    }
    faults_show();
    udm_endatom();
    interval_close();
    udm_beginatom();
    faults_hide();
    call_leave();
    return true;
}

void call_unblock(void)
{
    if (shm_now.call == CALL_BLOCK) {
        call_leave();
    }
}

/* ---- What a program may ask --------------------------------------------- */

int shm_node(void)
{
    return shm_self;
}

int shm_nodes(void)
{
    return shm_count;
}

unsigned shm_clock(void)
{
    return udm_cycles() / 25;           /* 25 MHz */
}

void shm_statistics(struct shm_statistics *statistics)
{
    *statistics = counts;
}
