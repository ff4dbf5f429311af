/*
 * The pager.
 *
 * A process that waits for a page has noted the page (process_wait_for_page())
 * and changed nothing else: its pc is at the instruction that needs the page.
 * A page that has never been touched needs a frame. A page that is out needs a
 * frame and backing store. If no frame is free, another page goes out. If no
 * page can go out, a job ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>

#include "buffer/buffer.h"
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/gids.h"
#include "machine/kind.h"
#include "machine/pending.h"
#include "buffer/end.h"
#include "policy/evict.h"
#include "policy/pager.h"
#include "policy/timeslot.h"
#include "memory/water.h"
#include "services/shrimp/maps.h"
#include "services/shrimp/shoot.h"
#include "delivery/control.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "buffer/backing.h"

/* Reads ahead if more than one in this many frames is free. */
#define SPARE           8

/* Ends the wait for a page of p that another node needs: it is in memory, or is not
 * needed. */
static void remote_came(struct process *p)
{
    p->remote = 0;
    p->remote_came = true;
    chores_wait |= kind->pages_for;
}

/* Ends p's waits for pages that are in memory now. */
static void look(struct process *p)
{
    if (p->state == PROCESS_PAGING && !p->wants_frame &&
        space_is_in(p, p->wanted)) {
        process_page_came(p);
    }
    if (p->remote && space_is_in(p, p->remote)) {
        remote_came(p);
    }
    fault_came(p);
    timeslot_page_came(p);
}

static void page_came(struct process *p, uint32_t page)
{
    if (process_has_ended(p)) {
        return;
    }
    buffer_page_came(p, page);
    evict_spares(p, page);
    look(p);
}

void pager_init(void)
{
    backing_init(page_came);
}

/* Returns the page that a process needs next; 0: none. */
static uint32_t page_wanted(const struct process *p)
{
    return p->faults ? p->fault[0] :
           p->state == PROCESS_PAGING ? p->wanted : 0;
}

/*
 * Returns whether p waits for a frame, or for a page that is not in backing
 * store.
 */
static bool wants_frame(struct process *p)
{
    return p->state == PROCESS_PAGING &&
           (p->wants_frame || !space_is_out(p, p->wanted));
}

/*
 * A process may take a frame of the reserve: no page can go out, or a message that
 * waited has had the last frame. Reset when a process has been served.
 */
static bool takes_reserve;

/*
 * While messages wait for frames, frames go to messages and processes in turn.
 * Otherwise messages would take each frame that becomes free: the reserve would never
 * be full again, and a process would wait as long as messages come.
 */
__attribute__((cold)) void pager_message_came(void)
{
    takes_reserve = true;
}

/*
 * Returns whether a frame is free for a page or a grant: more than the reserve
 * for messages, while pages can go out. The frame of a message whose turn it is does
 * not count.
 */
static bool frame_is_free(void)
{
    uint32_t free = frames_free();
    bool message = delivery_starved() && !takes_reserve;

    return free > water_reserve + message ||
           (free && (takes_reserve || !backing_usable()));
}

/* Gives p the frame that it waits for. Returns false if no frame is free. */
static bool grant(struct process *p)
{
    uint32_t frame = frame_alloc_patient(FRAME_COLOUR_ANY);

    if (frame) {
        process_grant(p, frame);
    }
    return frame;
}

/*
 * Serves such a wait: gives p a frame, or makes a page that p has touched for the
 * first time, or that has been unmapped in the meantime. Returns false if no frame
 * is free.
 */
static bool fill(struct process *p)
{
    if (!frame_is_free()) {
        return false;
    }
    if (p->wants_frame) {
        return grant(p);
    }
    if (!memory_fill(p, p->wanted)) {
        return false;
    }
    evict_spares(p, p->wanted);
    process_page_came(p);
    return true;
}

void pager_fault(bool may)
{
    delivery_free_network(GLAZE_IN_FAULT);
    if (maps_wait()) {
        return;
    }
    if (may && wants_frame(current) && fill(current)) {
        takes_reserve = false;
    } else {
        chores_wait |= CHORE_PAGER;
    }
}

/* What the pager has done for a process or message that needs a page or a frame. */
enum served {
    NOTHING,                    /* backing store is busy, or p needs no page */
    LATER,                      /* no time is left, to look at all processes or to end
                                   a job */
    ROOM,                       /* a frame is being made free for the page */
    SERVED,                     /* the page is on its way, or in memory; or p
                                   no longer waits */
};

static bool pauses;             /* a search had to pause when this step began */
static bool one_waits_for_first;        /* a process does: evict_must_wait() */

/* Returns whether a page may be searched for that can go out. */
static bool may_search(void)
{
    return backing_idle() && !shoot_is_on() && !pauses && !evict_pauses(CHORE_PAGER_ON);
}

/*
 * Takes the processor from the process that runs, so that its pages can go, and starts
 * to send one out. Returns whether that has begun. Both are one step: between two steps
 * that process may get the processor back (dispatch.c), each time.
 */
static bool stop_current(void)
{
    struct process *ran = current;

    if (ran == idle || !backing_usable()) {
        return false;
    }
    process_switch(idle);
    evict_look_again();
    return evict_start_own(ran);
}

/*
 * Cycles to end a job, with its line, and whether there has been no time for that: a
 * search has found that no page can go out, for whatever process or message. The next
 * step does not search again, unless something has been made free since.
 */
#define END_MOST        9000

static bool end_is_next;

/* Returns whether this entry has time to end a job. If not, the next one has. */
static __attribute__((cold)) bool may_end_job(void)
{
    static unsigned put_off;

    end_is_next = !kernel_begins(kernel_has_time(now(), END_MOST), &put_off);
    return !end_is_next;
}

/* Starts to make a frame free for p. Returns NOTHING if it has to wait for others,
 * LATER if no page can go out. */
static __attribute__((cold)) enum served start_for(struct process *p)
{
    if (evict_start() || (p->faults && fault_stop(p)) || stop_current() ||
        evict_start_spared(p)) {
        return ROOM;
    }
    if (evict_must_wait(p)) {
        one_waits_for_first = true;
        return NOTHING;
    }
    return evict_start_own(p) ? ROOM : LATER;
}

/*
 * Gets a frame for p, or for a command to it or a reply. Caller must have seen that
 * none is free.
 */
static __attribute__((cold)) enum served get_frame(struct process *p, bool command)
{
    enum served served = LATER;

    if (!may_search()) {
        return NOTHING;
    }
    if (!end_is_next && (served = start_for(p)) != LATER) {
        return served;
    }
    if (frames_free() && !takes_reserve) {
        takes_reserve = true;
        return ROOM;
    }
    if (command && !p->remote_own) {    /* no job ends for it: it is another task's */
        p->remote_refused = p->remote;
        remote_came(p);
        return SERVED;
    }
    if (!may_end_job()) {
        return LATER;
    }
    if (evict_other_job(p)) {
        return ROOM;
    }
    if (!command && p->wants_frame && p->state == PROCESS_PAGING) {
        process_refuse(p);
    } else {
        job_overflow(p);
    }
    return SERVED;
}

/*
 * Makes a frame free for the message that waits in the network, or ends a job. Its
 * process does not run meanwhile, so its pages can go.
 */
static __attribute__((cold)) enum served serve_message(void)
{
    enum served served = ROOM;

    if (!delivery_starved() || frames_free() || !may_search()) {
        return NOTHING;
    }
    backing_payer = delivery_starved()->gid;
    debts_work_for(backing_payer);
    if (end_is_next ||
        (!evict_start() && !stop_current() && !evict_start_spared(idle))) {
        if (!may_end_job()) {
            served = LATER;
        } else {
            evict_job(delivery_starved());
        }
    }
    backing_payer = GID_NONE;
    return served;
}

static struct process *made;    /* waits for a frame, and is being made */

bool pager_make(struct process *p)
{
    if (made && made != p) {
        return false;
    }
    made = p;
    chores_wait |= CHORE_PAGER;
    return true;
}

/* Ends the wait of the process that is being made. */
static enum served made_goes_on(uint32_t frame)
{
    made->granted = frame;
    made->refused = !frame;
    made = NULL;
    chores_wait |= CHORE_JOBS;
    return SERVED;
}

/* Serves the process that is being made, as get_frame() serves others. */
static __attribute__((cold)) enum served serve_made(void)
{
    if (!made) {
        return NOTHING;
    }
    if (frame_is_free()) {
        return made_goes_on(frame_alloc_patient(FRAME_COLOUR_ANY));
    }
    if (!may_search()) {
        return NOTHING;
    }
    if (!end_is_next &&
        (evict_start() || stop_current() || evict_start_spared(idle))) {
        return ROOM;
    }
    if (frames_free()) {
        takes_reserve = true;
        return ROOM;
    }
    if (!may_end_job()) {
        return LATER;
    }
    return evict_for_new_job() ? ROOM : made_goes_on(0);
}

static __attribute__((cold)) enum served serve_out(struct process *p, uint32_t page,
                                                  bool command)
{
    uint32_t frame;

    if (!backing_idle()) {
        return NOTHING;         /* this page itself may be on its way */
    }
    if (!frame_is_free()) {
        return get_frame(p, command);
    }
    frame = frame_alloc_to_fill(frame_colour(page));
    backing_in(p, page, frame);
    return SERVED;
}

/* The same as fill(), for a process that has had to wait. */
static bool fill_waiting(struct process *p)
{
    bool filled = fill(p);

    if (filled) {
        timeslot_page_came(p);
    }
    return filled;
}

static enum served serve(struct process *p)
{
    uint32_t page = page_wanted(p);

    if (!page || process_has_ended(p)) {
        return NOTHING;
    }
    if (p->lost) {
        job_abort(p, STATUS_OVERFLOW, "a page of it cannot be read: the disk "
                  "of the backing store has failed", 0);
        return SERVED;
    }
    if (wants_frame(p)) {
        return fill_waiting(p) ? SERVED : get_frame(p, false);
    }
    if (!space_is_out(p, page)) {
        look(p);                /* a page of p->fault[] has been unmapped */
        return SERVED;
    }
    return serve_out(p, page, false);
}

/* Brings the page of p that a command of another task needs, or a reply to p. */
static __attribute__((cold)) enum served serve_remote(struct process *p)
{
    uint32_t page = p->remote;

    if (!page || process_has_ended(p)) {
        return NOTHING;
    }
    if (p->lost || space_is_in(p, page)) {
        remote_came(p);
        return SERVED;
    }
    if (space_is_out(p, page)) {
        return serve_out(p, page, true);
    }
    if (!frame_is_free() || !memory_fill(p, page)) {
        return get_frame(p, true);
    }
    evict_spares(p, page);
    remote_came(p);
    return SERVED;
}

/*
 * While commands to p wait for pages and p itself does, too, FRESH pages come for p
 * and then FRESH pages for commands. So a program that needs other pages all the time
 * keeps no command waiting for ever, nor do commands keep the program. The pages of one
 * turn stay in memory together (evict_spares()): most instructions and commands need no
 * more.
 */
static bool is_turn_of_commands(const struct process *p)
{
    return p->remote && (p->remote_turn >= FRESH || !page_wanted(p));
}

/* Serves what p waits for, or a command to it. */
static enum served serve_either(struct process *p)
{
    bool both = p->remote && page_wanted(p);
    enum served served = is_turn_of_commands(p) ? serve_remote(p) : serve(p);

    if (both && served == SERVED) {
        p->remote_turn = (p->remote_turn + 1) % (2 * FRESH);
    }
    return served;
}

/* Returns whether p, which may be NULL, needs a page or a frame. */
static bool needs_page(const struct process *p)
{
    return p && (page_wanted(p) || p->remote);
}

/* Serves p, which pays for that, unless it owes too much. */
static __attribute__((cold)) enum served serve_process(struct process *p)
{
    enum served served;

    if (!needs_page(p) || debts_hold_paging(p->gid)) {
        return NOTHING;
    }
    debts_work_for(p->gid);
    backing_payer = p->gid;
    served = serve_either(p);
    backing_payer = GID_NONE;
    return served;
}

static unsigned turn = 1;       /* GID that is served first */
static bool round_is_on;
static struct gids to_look;     /* at which this round has not looked yet, */
static unsigned at;             /* and the last one at which it has */
static bool from_turn;          /* something has happened that may let it be served */

/* Cycles to serve a process: a page is filled, or one is searched for that can go. */
#define SERVE_MOST      11000

static enum served serve_gid(unsigned gid)
{
    enum served served = processes[gid] ? serve_process(processes[gid]) : NOTHING;

    if (served != NOTHING) {
        turn = served == SERVED ? gid_after(gid) : gid;
    }
    return served;
}

/* Returns whether this entry has time to serve a process. */
static bool has_time(void)
{
    static unsigned put_off;

    return kernel_begins(kernel_has_time(now(), SERVE_MOST), &put_off);
}

/* Returns the GID at which the round looks next; GID_NONE: it is over. */
static unsigned next_to_look(void)
{
    unsigned gid;

    if (one_waits_for_first) {
        one_waits_for_first = false;
        to_look = (struct gids) { { 0 } };
        gids_add(&to_look, evict_first());
    }
    gid = gids_after(&to_look, at);
    return gid ? gid : gids_after(&to_look, GID_NONE);
}

/*
 * Serves the processes that wait for pages in turn. A turn lasts until the
 * page is on its way. Otherwise the frame that is made free for one process
 * could go to another process every time. A round looks at all of them, for which it
 * may need several entries into the kernel. What happens meanwhile lets it look at the
 * one whose turn it is, and at all others once more, from where it is: so it reaches
 * each of them, however often that is.
 *
 * If one has to wait for the process that comes first (evict.h), no page can go for
 * any other one either: the round goes to that process, and ends. To look at each of
 * the others would take a search for each, and rounds that begin meanwhile would never
 * reach the first one. It is served then, or waits for its page or for backing store,
 * or runs: each of these ends with an event that makes another round. If it waits for a
 * message then, it may stay the current process, and process_wait() is the event.
 */
static __attribute__((cold)) enum served serve_next(void)
{
    enum served served = NOTHING;
    unsigned gid;

    if (from_turn || !round_is_on) {
        at = round_is_on ? at : turn;
        round_is_on = true;
        from_turn = one_waits_for_first = false;
        to_look = processes_needy;
        gids_remove(&to_look, turn);
        served = serve_gid(turn);
        if (!needs_page(processes[turn])) {
            gids_remove(&processes_needy, turn);
        }
    }
    while (served == NOTHING && (gid = next_to_look())) {
        if (!needs_page(processes[gid]) || process_has_ended(processes[gid])) {
            gids_remove(&processes_needy, gid);
        } else if (!has_time()) {
            return LATER;
        } else {
            served = serve_gid(gid);
        }
        gids_remove(&to_look, gid);
        at = gid;
    }
    round_is_on = false;
    return served;
}

/* Serves the processes that run, and the one that is being made, in turn. */
static enum served serve_any(void)
{
    static bool made_is_next;
    enum served served = made_is_next ? serve_made() : serve_next();

    if (served == NOTHING) {
        served = made_is_next ? serve_next() : serve_made();
    }
    if (served == SERVED) {
        made_is_next = !made_is_next;
        takes_reserve = false;
    }
    return served;
}

/*
 * Fetches the pages that buffers need next, while their processes run, if
 * enough frames are free.
 */
static __attribute__((cold)) void read_ahead(void)
{
    if (frames_free() <= frames_total() / SPARE) {
        return;
    }
    for (unsigned gid = 1; gid <= processes_last && backing_idle(); gid++) {
        struct process *p = processes[gid];
        uint32_t page;

        if (!gids_has(&processes_here, gid) || !p->buffer_pages_out ||
            p->suspended || p->lost || debts_hold_paging(gid)) {
            continue;
        }
        page = buffer_ahead(p);
        if (page) {
            backing_in(p, page, frame_alloc_to_fill(frame_colour(page)));
        }
    }
}

__attribute__((cold)) void pager_goes_on(void)
{
    enum served served;

    evict_look_again();
    pauses = evict_pauses(CHORE_PAGER_ON);
    end_is_next = end_is_next && !process_frees();
    served = serve_message();
    if (served == NOTHING) {
        served = serve_any();
    }
    end_is_next = end_is_next && served == LATER;
    if (served == LATER) {
        chores_later(CHORE_PAGER_ON, now());
    } else if (served == ROOM && evict_pauses(CHORE_PAGER_ON)) {
        return;                 /* the search goes on then */
    } else if (served != NOTHING) {
        chores_wait |= CHORE_PAGER_ON;  /* another process may be next */
    } else if (frames_free() < water_reserve && may_search()) {
        if (evict_start()) {    /* messages have taken the reserve */
            chores_wait |= CHORE_PAGER_ON;
        }
    } else {
        read_ahead();
    }
}

void pager_step(void)
{
    evict_round_begins();
    from_turn = true;
    pager_goes_on();
}
