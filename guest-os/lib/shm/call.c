/*
 * The program's calls: how they begin and end, and mistakes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "shm-state.h"
#include "view.h"

/* Cycles from a call to an alarm that ends the interval: for the access that a
 * fault was for. */
#define GRACE           500

volatile struct shm_now shm_now;
bool fpu_interrupted;
struct shm_statistics counts;

static const char *const names[CALLS] = {
    [CALL_NONE] = "shared memory",
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

void call_enter(enum call call, uint32_t address, uint32_t caller)
{
    bool busy = shm_now.call;

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

void call_leave(void)
{
    bool atomic = udm_atomic();

    udm_beginatom();
    pages_settle();
    shm_now.call = CALL_NONE;
    shm_now.address = 0;
    fpu_interrupted = false;
    interval_closed = false;
    if (pages_wanted || visit_due) {
        glaze_alarm(udm_cycles() + GRACE);
    }
    if (!atomic) {
        udm_endatom();
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
