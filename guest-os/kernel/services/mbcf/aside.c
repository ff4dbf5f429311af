/*
 * Commands that have been set aside, and the chore that goes on with them.
 *
 * arrive.c sets commands aside. dispatch.c calls the chore, and control.c
 * aside_close() when a process ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/chores.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "services/mbcf/aside.h"
#include "services/mbcf/casts.h"
#include "services/mbcf/completions.h"
#include "services/mbcf/execute.h"
#include "services/mbcf/head.h"
#include "services/mbcf/load.h"
#include "services/mbcf/outcome.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/replies.h"

/*
 * Cycles until the network is tried again, while something waits for it. The
 * way from there to a user's next instruction takes the kernel some 1,000
 * cycles. The timer must not be due by then: it would interrupt before the
 * message at the head, each time, and two nodes that wait for each other's
 * space would take no message any more. Each time that nothing could be sent,
 * twice as many cycles pass until the next one: a destination that takes nothing
 * costs the programs here little, and what waits for it comes at most so late.
 */
#define RETRY           3000
#define RETRY_MOST      96000

static uint32_t retry = RETRY;

unsigned aside_hurry;

/* ---- Commands that wait -------------------------------------------------- */

void aside_try_later(void)
{
    uint64_t at = now() + retry;

    if (at < chores_at) {
        chores_wait |= CHORE_MBCF;
    }
    chores_later(CHORE_MBCF, at);
}

void aside_add(struct mbcf_task *t, const struct packet *c, uint32_t status)
{
    *task_aside(t, t->aside_count++) = *c;
    if (status == OUTCOME_NO_TIME) {
        chores_wait |= CHORE_MBCF;
    } else if (status == EXECUTE_LATER) {
        aside_try_later();
    } else {
        chores_wait |= CHORE_PAGER;
    }
}

/* Removes waiting command number k, and frees its body. */
static void remove_waiting(struct mbcf_task *t, uint32_t k)
{
    task_body_free(task_aside(t, k)->body);
    t->aside_count--;
    if (!k) {
        t->aside_first = t->aside_first + 1 < TASK_ASIDE ? t->aside_first + 1 : 0;
        return;
    }
    for (; k < t->aside_count; k++) {
        *task_aside(t, k) = *task_aside(t, k + 1);
    }
}

/* Makes waiting command number k the first one. None before it has its source. */
static void bring_forward(struct mbcf_task *t, uint32_t k)
{
    struct packet c = *task_aside(t, k);

    for (; k; k--) {
        *task_aside(t, k) = *task_aside(t, k - 1);
    }
    *task_aside(t, 0) = c;
}

/* ---- Parts of long commands ---------------------------------------------- */

/* Bytes that a command stores or loads at once: some 3,500 cycles if they have to be
 * shifted. */
#define STORE_MOST      1024

/*
 * Stores the next part of a long command. Until the last one, other commands for which
 * structures say where they store wait (outcome_judge()). So only the task itself can
 * change the place: then the command begins again. Returns false for other commands,
 * and for the last part.
 */
static bool store_part(struct process *p, struct packet *c)
{
    if (packet_bytes(c) <= STORE_MOST || !c->body) {
        return false;
    }
    if (packet_is_pointed(c)) {
        uint32_t place = execute_target(p, c);

        c->body_done = place == c->word[0] ? c->body_done : 0;
        c->word[0] = place;     /* the header's: packets alone need that */
    }
    return packet_bytes(c) - c->body_done > STORE_MOST &&
           execute_part(p, c, STORE_MOST);
}

/* Returns whether bytes of a READ have to be loaded in parts that are not the last. */
static bool is_read_of_parts(const struct packet *c)
{
    return packet_is_shifted_read(c) &&
           packet_bytes(c) - (c->body ? c->body_done : 0) > STORE_MOST;
}

/*
 * Loads the next part of such a READ, to a frame of its own or to the page that the
 * node keeps for that. Returns false if another READ has that page.
 */
static bool read_part(struct process *p, struct packet *c)
{
    uint32_t done = c->body ? c->body_done : 0;

    if (!c->body) {
        c->body = frame_alloc_to_fill(task_colour_beside(packet_address(c)));
        c->body = c->body ? c->body : task_scratch_lend();
    }
    if (c->body) {
        reach_load(p, (void *)(c->body + done), packet_address(c) + done, STORE_MOST);
        c->body_done = done + STORE_MOST;
    }
    return c->body;
}

/* Returns whether a READ in parts has a page for them, or gets one. */
static bool has_page(const struct packet *c)
{
    return c->body || frames_free() || task_scratch_second();
}

/* ---- The chore ----------------------------------------------------------- */

/*
 * Commands and replies that waited are done until a chore has taken so many cycles. The
 * rest waits for the next chore, which comes after programs have had as much time.
 */
#define CHORE_MOST      4000

/* After so many cycles a chore begins no command that moves many bytes. */
#define SOME            1000

static unsigned first_gid = 1;  /* where the next chore begins */
static bool worked;             /* this one has done a command */
static unsigned looks_left;     /* tasks at which it has still to look */

/* The most cycles of a step of one waiting command: a part of one with many bytes, or
 * a multicast, and its first packet. */
#define STEP_MOST       4500

/*
 * The cycles of the way into the kernel and back, if the timer has interrupted for
 * chores, or a message that waits for them: the job of the first command that is done
 * pays them, too. With a command a chore, they are a third of what programs lose.
 */
static uint32_t way;

static void charge(const struct packet *c, uint64_t since)
{
    outcome_charge(packet_source(c), now() - since + way);
    way = 0;
}

/*
 * Goes on with the waiting commands of p, and charges their jobs for what that takes.
 * Returns whether one waits for the network. Sets *over if others are left after one
 * that has been done, and the cycle stop_at has come. If one ends p, aside_close()
 * refuses those that are left.
 */
static bool step(struct process *p, uint64_t stop_at, bool *over)
{
    struct mbcf_task *t = p->mbcf;
    uint32_t k = 0, status;
    bool waits = false;

    while (k < t->aside_count && !process_has_ended(p) && !*over) {
        uint64_t start = now();
        struct packet c;

        message_look(STEP_MOST);
        status = outcome_judge(p, task_aside(t, k), k); /* its agent may have gone */
        if (status == REACH_LATER && k >= MBCF_ASIDE) {
            status = MBCF_BUSY;         /* it has waited for time alone */
        }
        waits |= status == EXECUTE_LATER;
        if (status >= REACH_LATER) {
            k++;
            continue;
        }
        if (!replies_room(1)) {
            return true;
        }
        c = *task_aside(t, k);
        if (status == MBCF_DONE && is_read_of_parts(&c) && !has_page(&c)) {
            waits = true;               /* it does not go before one that has it */
            k++;
            continue;
        }
        if (status == MBCF_DONE && packet_bytes(&c) > MBCF_INLINE_MAX &&
            (worked || (k && now() + CHORE_MOST > stop_at + SOME))) {
            bring_forward(t, k);        /* that takes long: first in the next chore */
            first_gid = p->gid;
            *over = true;
            return waits;
        }
        if (status == MBCF_DONE && is_read_of_parts(&c) && !read_part(p, &c)) {
            waits = true;
            k++;
            continue;
        }
        if (status == MBCF_DONE && (is_read_of_parts(task_aside(t, k)) ||
                                    store_part(p, &c))) {
            *task_aside(t, k) = c;
            charge(&c, start);
            *over = worked = true;
            return waits;
        }
        if (status == MBCF_DONE) {
            outcome_perform(p, &c);
            task_aside(t, k)->body = c.body;
        } else {
            outcome_refuse(p, &c, status);
        }
        remove_waiting(t, k);
        charge(&c, start);
        *over = t->aside_count && (c.body_done || now() >= stop_at);
        worked = true;
    }
    return waits;
}

/*
 * Does what waits at p. Returns as step() does. The pager refuses a page to what waits
 * now. What comes later does not get this refusal: there may be memory by then.
 */
static bool step_task(struct process *p, uint64_t stop_at, bool *over)
{
    uint64_t start = now(), before;
    bool waits = false;

    p->remote = 0;
    *over = completions_step(p, stop_at);
    waits = casts_continue(p, p->mbcf->aside_count ? STEP_MOST : 0);
    outcome_charge(p->gid, now() - start);
    waits |= step(p, stop_at, over);
    /* A multicast that waited begins here: nothing else may come that passes it on. */
    before = now();
    waits |= !process_has_ended(p) && casts_continue(p, 0);
    outcome_charge(p->gid, now() - before);
    p->mbcf->page.cycles += now() - start;
    if (!*over) {
        p->remote_refused = 0;
        chores_wait |= p->remote_came ? CHORE_PAGER : 0;        /* it may go out now */
        p->remote_came = false;
    }
    chores_wait |= p->remote ? CHORE_PAGER : 0;
    return waits;
}

/* Returns the GID after another one, of those that have had a process here. */
static unsigned next_gid(unsigned gid)
{
    return gid == GID_SERVER ? 1 : gid == processes_last ? GID_SERVER : gid + 1;
}

/* The most cycles of a task's replies and commands in a chore, before it looks at the
 * time: a part of a reply, one step, the first packets of multicasts. */
#define TASK_MOST       (2 * STEP_MOST)

/* Cycles to look at a waiting command that cannot be done. */
#define LOOK_MOST       300

/* Returns whether a chore that has looked at other tasks has time for p. */
static bool may_step(const struct process *p, uint64_t began)
{
    return worked ? now() < began + CHORE_MOST
                  : kernel_has_time(now(), TASK_MOST +
                                    LOOK_MOST * p->mbcf->aside_count);
}

/*
 * Counts a task at which the chore has looked. `whole` says whether the chore had time
 * for all of its commands. Once that is so for all tasks, one after the other, no
 * command waits for time any more. An event starts looks_left anew, but not
 * aside_hurry: what the event brings may need the message that waits at the head.
 */
static void note_look(bool whole)
{
    if (whole) {
        looks_left--;
        aside_hurry -= aside_hurry != 0;
    } else {
        looks_left = tasks_open;
        aside_hurry = aside_hurry ? tasks_open : 0;
    }
}

/*
 * What waits for the network is tried again after some cycles, and not at once:
 * meanwhile this node takes messages, which others may wait for in turn.
 */
void aside_goes_on(void)
{
    uint32_t sent = packets_sent;
    uint64_t began = now();
    bool waits = false, over = false, first = true;
    unsigned gid = first_gid;

    if (head_is_in_parts()) {
        chores_later(CHORE_MBCF, now() + RETRY);        /* or when that is done */
        return;
    }
    first_gid = 0;
    worked = false;
    way = current->registers.trap == FUGU_TT_IRQ(FUGU_IRQ_TIMER) ||
          (aside_hurry && current->registers.trap == FUGU_TT_IRQ(FUGU_IRQ_MISMATCH))
          ? began - kernel_since + LOAD_SLOW_PATH : 0;
    replies_step(TASK_MOST);
    for (unsigned k = 0; looks_left && k < GID_MAX && !over; k++) {
        struct process *p = task_of(gid);

        if (p && !first && !may_step(p, began)) {
            over = true;
            break;
        }
        gid = next_gid(gid);
        if (p) {
            first = false;
            waits |= step_task(p, began + CHORE_MOST, &over);
            note_look(!over);
        }
    }
    first_gid = !over ? 1 : first_gid ? first_gid : gid;
    if (over) {
        chores_later(CHORE_MBCF_ON, aside_hurry ? now() : 2 * now() - began);
        chores_owed |= aside_hurry != 0;        /* before other commands come */
    } else {
        aside_hurry = 0;
    }
    if (waits || !replies_none()) {
        retry = packets_sent != sent ? RETRY
              : retry < RETRY_MOST ? 2 * retry : retry;
        chores_later(CHORE_MBCF, now() + retry);
        load_add_long(0, began, now());
    } else {
        retry = RETRY;
    }
}

void aside_step(void)
{
    looks_left = tasks_open;
    aside_goes_on();
}

void aside_close(struct process *p)
{
    struct packet left[TASK_ASIDE];
    uint32_t count, casts;

    if (!p->mbcf) {
        return;
    }
    count = p->mbcf->aside_count;
    for (uint32_t k = 0; k < count; k++) {
        left[k] = *task_aside(p->mbcf, k);
    }
    casts = p->mbcf->casts;
    task_close(p);              /* a reply may need one of its frames */
    casts_close(casts);
    for (uint32_t k = 0; k < count && replies_room(1); k++) {
        outcome_refuse(NULL, &left[k], MBCF_NO_TASK);
    }
    chores_wait |= CHORE_MBCF;
}
