/*
 * The state of processes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>

#include "machine/chores.h"
#include "machine/gids.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/process.h"
#include "view.h"

/* Checks the offsets that the assembly uses. */
#define CHECK(name, field) \
    _Static_assert(offsetof(struct process, field) == (name), #name)
CHECK(P_PSR, registers.psr);
CHECK(P_PC, registers.pc);
CHECK(P_NPC, registers.npc);
CHECK(P_TRAP, registers.trap);
CHECK(P_Y, registers.y);
CHECK(P_WINDOWS, registers.windows);
CHECK(P_G + 4, registers.g);
CHECK(P_OUT, registers.out);
CHECK(P_WINDOW, registers.window);
CHECK(P_INSERT, insert_next);
CHECK(P_INSERT + 4, insert_end);
CHECK(P_LATE_END, insert_late_end);
CHECK(P_TAIL, tail);
CHECK(P_TAIL + 4, tail_note);
CHECK(P_SLOT_END, slot_end);
CHECK(P_TIMEOUT, timeout);
CHECK(P_BODY, body_tail);
CHECK(P_BODY + 4, body_shift);
_Static_assert(sizeof(struct window) == 64, "as WINDOW_STORE writes it");
_Static_assert(RECORD_SIZE >= RECORD_BODY + 4 && RECORD_SIZE % 8 == 0,
               "a record holds a message");
_Static_assert(sizeof(struct process) <= GLAZE_PAGE, "one page");
_Static_assert(GID_MAX < 32 * GIDS_WORDS, "a set of GIDs has all");
_Static_assert(offsetof(struct process, fp) % 8 == 0 &&
               offsetof(struct process, fp.f) % 8 == 0,
               "doubles go there");

#define CHECK_INFO(name, field) \
    _Static_assert(offsetof(struct information, field) == (name), #name)
CHECK_INFO(GLAZE_I_HEAD, head);
CHECK_INFO(GLAZE_I_STOP, stop);
CHECK_INFO(GLAZE_I_MODE, mode);
CHECK_INFO(GLAZE_I_HOLD, hold);
CHECK_INFO(GLAZE_I_NODE, node);
CHECK_INFO(GLAZE_I_NODES, nodes);
CHECK_INFO(GLAZE_I_GID, gid);
CHECK_INFO(GLAZE_I_TIMESLICE, timeslice);
CHECK_INFO(GLAZE_I_INSERTED, inserted);
CHECK_INFO(GLAZE_I_ENTRIES, entries);
CHECK_INFO(GLAZE_I_CAUSES, causes);
CHECK_INFO(GLAZE_I_GANG, gang);
CHECK_INFO(GLAZE_I_SUSPENSIONS, suspensions);
CHECK_INFO(GLAZE_I_RESUMPTIONS, resumptions);
CHECK_INFO(GLAZE_I_ARRIVALS, arrivals);
CHECK_INFO(GLAZE_I_SEED, seed);
CHECK_INFO(GLAZE_I_GANGED, ganged);
CHECK_INFO(GLAZE_I_AHEAD, ahead);
CHECK_INFO(GLAZE_I_SOFT, is_soft);
CHECK_INFO(GLAZE_I_JOB, job);
CHECK_INFO(GLAZE_I_SHM_ORDER, shm_order);
CHECK_INFO(GLAZE_I_SHM_VISITS, shm_visits);
CHECK_INFO(GLAZE_I_NETIF, netif);
CHECK_INFO(GLAZE_I_AWAY, away);
CHECK_INFO(GLAZE_I_EMPTY, empty);
CHECK_INFO(GLAZE_I_ARGS_LENGTH, args_length);
CHECK_INFO(GLAZE_I_ARGS, args);
_Static_assert(sizeof(struct information) == GLAZE_PAGE, "one page");

struct process *current;
struct process *idle;
struct process *processes[GID_MAX + 1];
struct gids processes_ready, processes_here, processes_needy;
unsigned processes_last;
unsigned processes_alive;
bool processes_recur;
bool processes_changed = true;    /* makes the first table of slots (turns.h) */

uint32_t timeslice = 500000;
uint32_t seed;
uint32_t shm_order, shm_visits = 1;

const struct kernel_view kernel_view __attribute__((section(".view"))) = {
    .processes = (uint32_t)processes,
    .current = (uint32_t)&current,
    .state = offsetof(struct process, state),
    .wanted = offsetof(struct process, wanted),
    .suspended = offsetof(struct process, suspended),
    .program = offsetof(struct process, program),
    .regions = offsetof(struct process, regions),
    .info = offsetof(struct process, info),
    .tail = offsetof(struct process, tail),
};

/* ---- Beginning ---------------------------------------------------------- */

/* p waits for nothing any more. */
static void runs(struct process *p)
{
    p->state = PROCESS_RUNNABLE;
    if (!p->suspended) {
        gids_add(&processes_ready, p->gid);
    }
}

static void waits(struct process *p, enum process_state state)
{
    p->state = state;
    gids_remove(&processes_ready, p->gid);
}

__attribute__((cold)) void process_made(struct process *p)
{
    p->state = PROCESS_NEW;
    processes[p->gid] = p;
    gids_add(&processes_here, p->gid);
}

__attribute__((cold)) void process_begin(struct process *p)
{
    runs(p);
    if (p->gid != GID_SERVER) {
        processes_last = p->gid > processes_last ? p->gid : processes_last;
        processes_alive++;
        processes_changed = true;
        process_note(p, GLAZE_E_BEGUN);
    }
}

/* ---- What the scheduler's server learns --------------------------------- */

#define OFTEN   (GLAZE_E_BLOCKED | GLAZE_E_WOKEN)

static uint32_t watched;
bool process_noted;

void process_note(struct process *p, uint32_t events)
{
    p->events |= events & (watched | ~OFTEN);
    process_noted |= (events & watched) != 0;
}

void process_watch(uint32_t events)
{
    watched = events;
}

/* ---- Waiting ------------------------------------------------------------ */

/*
 * Neither UAC nor PIL may keep a message from interrupting the kernel's wait.
 */
void process_wait(void)
{
    uint32_t uac = ni_uac();

    waits(current, PROCESS_WAITING);
    current->waits_for = 0;     /* nothing of an earlier wait wakes it */
    if (current->fresh_next && gids_after(&processes_needy, GID_NONE)) {
        chores_wait |= CHORE_PAGER;     /* its newest pages may go out now (evict.c) */
    }
    current->waits_with = uac & FUGU_UAC_USER;
    ni_set_uac(uac & ~FUGU_UAC_USER);
    current->registers.psr &= ~PSR_PIL;
    process_note(current, GLAZE_E_BLOCKED);
}

void process_wake(struct process *p)
{
    if (p->state != PROCESS_WAITING) {
        return;
    }
    runs(p);
    process_note(p, GLAZE_E_WOKEN);
    if (p == current) {
        ni_set_uac(ni_uac() | p->waits_with);
    } else {
        p->ni.uac |= p->waits_with;
    }
}

void process_wait_for_page(struct process *p, uint32_t address)
{
    waits(p, PROCESS_PAGING);
    gids_add(&processes_needy, p->gid);
    p->wanted = address & ~(GLAZE_PAGE - 1);
    p->wants_frame = false;
    process_note(p, GLAZE_E_BLOCKED);
}

void process_page_came(struct process *p)
{
    if (p->state == PROCESS_PAGING) {
        runs(p);
        process_note(p, GLAZE_E_WOKEN);
    }
}

void process_wait_for_frame(struct process *p, uint32_t address)
{
    process_wait_for_page(p, address);
    p->wants_frame = true;
}

void process_grant(struct process *p, uint32_t frame)
{
    p->granted = frame;
    process_page_came(p);
}

void process_refuse(struct process *p)
{
    p->refused = true;
    process_page_came(p);
}

__attribute__((cold)) void process_suspend(struct process *p, bool suspended)
{
    p->suspended = suspended;
    if (suspended) {
        gids_remove(&processes_ready, p->gid);
    } else if (p->state == PROCESS_RUNNABLE) {
        gids_add(&processes_ready, p->gid);
    }
}

/* ---- End ---------------------------------------------------------------- */

bool process_doomed;
static struct gids doomed;

__attribute__((cold)) void process_doom(struct process *p)
{
    processes_alive -= p->state != PROCESS_NEW && p->gid != GID_SERVER;
    waits(p, PROCESS_DOOMED);
    gids_remove(&processes_here, p->gid);
    gids_add(&doomed, p->gid);
    p->insert_next = p->insert_end = p->insert_late_end = 0;
    process_doomed = processes_changed = true;
    process_note(p, GLAZE_E_ENDED);
}

__attribute__((cold)) struct process *process_take_doomed(void)
{
    unsigned gid = gids_after(&doomed, GID_NONE);

    gids_remove(&doomed, gid);
    process_doomed = gid;
    return gid ? processes[gid] : NULL;
}
