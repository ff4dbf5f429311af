/*
 * Process control.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "buffer/buffer.h"
#include "delivery/delivery.h"
#include "machine/pending.h"
#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "services/opened.h"
#include "machine/chores.h"
#include "machine/kind.h"
#include "services/mbcf/aside.h"
#include "services/shrimp/maps.h"
#include "services/mm/message_slots.h"
#include "machine/ni.h"
#include "delivery/control.h"
#include "machine/debts.h"
#include "machine/gids.h"
#include "delivery/fpu.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"

/* ---- Beginning ---------------------------------------------------------- */

/*
 * Returns the colour of a process's first page. Three jobs have pages of their
 * own colours: a message for one that is put into its buffer while another one
 * runs does not evict lines of the latter's pages.
 */
static unsigned process_colour(unsigned gid)
{
    return FRAME_COLOUR_PROCESS - 3 * ((gid + 2) % 3);
}

/* Fills in process and information page, which are zeros. */
static __attribute__((cold)) void pages_init(struct process *p, unsigned gid)
{
    p->gid = gid;
    p->info = (struct information *)((uint32_t)p - GLAZE_PAGE);
    p->info->gid = gid;
    p->info->node = ni_node();
    p->info->nodes = ni_nodes();
    p->info->ahead = ni_offset();
    p->info->is_soft = soft;
    p->info->netif = kind->number;
}

/* Takes adjacent frames for upcall, information and process page. */
static __attribute__((cold)) struct process *pages_alloc(unsigned gid)
{
    uint32_t first = frames_alloc_together(3, process_colour(gid));
    struct process *p = (struct process *)(first + 2 * GLAZE_PAGE);

    if (!first) {
        return NULL;
    }
    pages_init(p, gid);
    return p;
}

__attribute__((cold)) bool process_create_idle(void)
{
    idle = current = pages_alloc(GID_NONE);
    if (!current) {
        return false;
    }
    current->info->mode = GLAZE_BUFFERED;
    current->state = PROCESS_NONE;
    return true;
}

static __attribute__((cold)) void registers_start(struct process *p)
{
    struct registers *r = &p->registers;

    r->psr = PSR_S;
    r->pc = p->program->entry & ~3u;
    r->npc = r->pc + 4;
    r->windows = 1;
    r->out[6] = GLAZE_MAIN_STACK_TOP - FRAME_MIN;
    r->g[6] = GLAZE_UPCALL;
    p->ni.uac = FUGU_UAC_INTERRUPT_DISABLE;
}

struct process *process_alloc(unsigned gid)
{
    return pages_alloc(gid);
}

__attribute__((cold)) void process_clear_part(struct process *p, unsigned part)
{
    unsigned gid = p->gid;

    processes[gid] = NULL;
    memset((char *)process_upcall(p) + part * GLAZE_PAGE, 0, GLAZE_PAGE);
    if (part == PROCESS_PARTS - 1) {
        pages_init(p, gid);
    }
}

__attribute__((cold))
void process_prepare(struct process *p, const struct image_program *program,
                     const char *name, unsigned name_length, const char *rest,
                     unsigned length)
{
    p->program = program;
    p->info->timeslice = timeslice;
    p->info->seed = seed;
    p->info->shm_order = shm_order;
    p->info->shm_visits = shm_visits;
    p->info->args_length = name_length + length;
    memcpy(p->info->args, name, name_length);
    memcpy(p->info->args + name_length, rest, length);
}

__attribute__((cold)) enum memory_result process_make(struct process *p)
{
    enum memory_result result;

    if (!space_create(p, p->gid)) {
        return MEMORY_NO_FRAME;
    }
    result = memory_load(p);
    if (result != MEMORY_OK) {
        return result;
    }
    if (!space_map(p, GLAZE_UPCALL, (uint32_t)process_upcall(p),
                   ACCESS_RW_RW) ||
        !space_make_entry(p, GLAZE_BUFFER)) {   /* for extend.c */
        return MEMORY_NO_FRAME;
    }
    buffer_init(p);
    p->info->mode = kind->mode;
    p->info->head = kind->record;
    meter_clear(p->gid);
    registers_start(p);
    process_made(p);
    return MEMORY_OK;
}

/* Gives the upcall page back, unless another process is to have it. */
static void free_upcall(const struct process *p)
{
    if (!processes_recur) {
        frame_free((uint32_t)process_upcall(p));
    }
}

/* ---- Switches ----------------------------------------------------------- */

/* Gives p the network interface. */
static void network_switch(const struct process *p)
{
    bool buffered = p->info->mode == GLAZE_BUFFERED;

    ni_load(&p->ni);
    ni_set_timeout(buffered ? 0 : atomicity_timeout);
    /* Together: in between a message could go to the wrong process. */
    ni_divert(buffered);
    ni_set_gid(p->gid);
}

void process_spare_no_more(struct process *p)
{
    if (p->state != PROCESS_PAGING && p->fresh_next) {
        memset(p->fresh, 0, sizeof(p->fresh));
        p->fresh_next = 0;
        chores_wait |= CHORE_PAGER;     /* these pages may go out now */
    }
}

static bool switched;

bool process_switched(void)
{
    bool result = switched;

    switched = false;
    return result;
}

void process_switch(struct process *p)
{
    struct process *before = current;

    if (p == current) {
        return;
    }
    if (current->state != PROCESS_NONE && !process_has_ended(current)) {
        delivery_free_network(GLAZE_IN_QUANTUM);
        ni_save(&current->ni);
        process_spare_no_more(current);
    } else {
        ni_forget();
    }
    fpu_switch(p);
    switched = true;
    current = p;
    space_switch(p);
    network_switch(p);
    debts_leave(before);        /* it has paid for the switch up to here */
}

/* Cycles for others between two parts of an address space that is given back. */
#define FREE_PAUSE      20000

/* ---- End ---------------------------------------------------------------- */

static struct gids unfreed;     /* of processes that have ended and have memory */
static uint64_t free_at;        /* when the next part of it may go */

/* The chores that wait for frames look again: the pager, for a process or for a message
 * that has none, and overflow control. */
#define WAIT_FOR_FRAMES (CHORE_PAGER | CHORE_OVERFLOW)

bool process_frees(void)
{
    return gids_after(&unfreed, GID_NONE);
}

/*
 * Gives back a part of p's address space, which may have many tables. The next process
 * of the GID may wait for the last part (process_is_freed()).
 */
static __attribute__((cold)) void free_part(struct process *p)
{
    uint32_t before = frames_free();
    bool all = space_destroy(p);

    if (all) {
        gids_remove(&unfreed, p->gid);
        chores_wait |= CHORE_JOBS | WAIT_FOR_FRAMES;
    } else if (frames_free() > before) {
        chores_wait |= WAIT_FOR_FRAMES;
    }
    free_at = now() + FREE_PAUSE;
    if (process_frees()) {
        chores_later(CHORE_FREE, free_at);
    }
}

__attribute__((cold)) bool process_free_part(bool idles)
{
    unsigned gid = gids_after(&unfreed, GID_NONE);

    if (gid && !idles && now() < free_at) {
        chores_later(CHORE_FREE, free_at);
        return true;
    }
    for (; gid; gid = gids_after(&unfreed, gid)) {
        struct process *p = processes[gid];

        if (p && p->state == PROCESS_ENDED && p->regions) {
            free_part(p);
            return true;
        }
        gids_remove(&unfreed, gid);     /* it was given up, without memory */
    }
    return false;
}

/* Its memory is given back later: an end takes long enough without that. */
static __attribute__((cold)) void free_later(unsigned gid)
{
    gids_add(&unfreed, gid);
    free_at = now() + FREE_PAUSE;
    chores_later(CHORE_FREE, free_at);
}

__attribute__((cold)) void process_give_up(struct process *p)
{
    p->state = PROCESS_ENDED;
    processes[p->gid] = p;
    free_upcall(p);
    free_later(p->gid);
}

bool process_is_freed(const struct process *p)
{
    return !p->regions;
}

/*
 * Ends a process. The process's page stays: messages that still come find
 * there that the process has ended.
 */
static __attribute__((cold)) void reap(struct process *p)
{
    if (p == current) {
        process_switch(idle);
    }
    p->state = PROCESS_ENDED;
    message_slots_end(p);               /* before any page of it is another's */
    buffer_destroy(p);
    aside_close(p);
    opened_remove_all(p);
    fpu_forget(p);
    free_upcall(p);
    if (maps_end(p)) {
        free_later(p->gid);
    }
}

__attribute__((cold)) void process_end_goes_on(struct process *p)
{
    free_later(p->gid);
}

__attribute__((cold)) void process_reap_doomed(void)
{
    struct process *p;

    while ((p = process_take_doomed())) {
        reap(p);
    }
}
