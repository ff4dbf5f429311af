/*
 * Packets of MBCF that arrive, and commands that wait.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/pending.h"
#include "services/mbcf/arrive.h"
#include "services/mbcf/casts.h"
#include "services/mbcf/execute.h"
#include "services/mbcf/head.h"
#include "services/mbcf/load.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/keys.h"
#include "services/mbcf/queue.h"
#include "services/mbcf/quick_packet.h"
#include "services/mbcf/replies.h"
#include "services/mbcf/requests.h"
#include "machine/ni.h"
#include "machine/debts.h"
#include "memory/frames.h"

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
static unsigned hurry;          /* commands wait for this chore alone: so many tasks
                                   have to be looked at before others come */

/* The status of a command that waits behind another one of its source, */
#define BEHIND          0x102
/* and of one for which this entry into the kernel has no time. */
#define NO_TIME         0x103

bool arrive_is_head(void)
{
    return ni_head_of_kernel() && ni_head_word(1) == (uint32_t)packet_handler;
}

/*
 * Lets the chore begin, which then comes again until nothing waits. If its time
 * is set already, it comes then: not for each packet that comes meanwhile.
 */
static void try_again_later(void)
{
    uint64_t at = now() + retry;

    if (at < chores_at) {
        chores_wait |= CHORE_MBCF;
    }
    chores_later(CHORE_MBCF, at);
}

/* The most cycles of a step of one waiting command: a part of one with many bytes, or
 * a multicast, and its first packet. */
#define STEP_MOST       4500

/* Passes multicasts of p on, as casts_step() does. Returns whether something waits for
 * the network. */
static inline bool cast_on(struct process *p, uint32_t others)
{
    return p->mbcf->casts && casts_step(p, others);
}

/*
 * Charges a job for cycles that the kernel has taken from the program that runs
 * (debts.h).
 */
static void charge_job(unsigned gid, uint32_t cycles)
{
    if (process_can_run(current)) {
        debts_charge(gid, cycles);
    }
}

/* ---- One command --------------------------------------------------------- */

/*
 * Returns the status of a refusal's reply. A kernel that asks a task that has gone gets
 * MBCF_DONE: the silent commands before will get no other reply.
 */
static uint32_t status_for(const struct packet *c, uint32_t status)
{
    return packet_command(c) == PACKET_ASK && status == MBCF_NO_TASK ? MBCF_DONE
                                                                     : status;
}

static void refuse(struct process *p, const struct packet *c, uint32_t status)
{
    struct packet reply = reply_to(c, status_for(c, status));

    if (p) {
        p->mbcf->page.refused++;
    }
    reply_send(&reply);
}

/* Does a command that has been checked. */
static void perform(struct process *p, struct packet *c)
{
    struct packet reply = reply_to(c, MBCF_DONE);
    struct mbcf_page *page = &p->mbcf->page;
    bool wakes = packet_options(c) & MBCF_WAKES &&
                 (packet_command(c) != MBCF_WRITE_QUEUE ||
                  queue_may_wake(p, c));

    if (packet_command(c) == PACKET_ASK) {
        reply_send(&reply);
        return;
    }
    if (execute(p, c, &reply) && packet_options(c) & PACKET_LOUD) {
        reply_send(&reply);
    }
    page->commands++;
    if (wakes) {
        page->wakes++;
        process_wake(p);
    }
}

/* ---- Commands that wait -------------------------------------------------- */

static struct packet *waiting(struct mbcf_task *t, uint32_t k)
{
    return &t->aside[(t->aside_first + k) % TASK_ASIDE];
}

static bool same_source(const struct packet *a, const struct packet *b)
{
    return a->node == b->node && packet_source(a) == packet_source(b);
}

/* Returns whether one of the first `count` waiting commands has c's source. */
static bool waits_behind(struct mbcf_task *t, const struct packet *c,
                         uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (same_source(waiting(t, k), c)) {
            return true;
        }
    }
    return false;
}

/* Returns whether a command waits that a structure tells where to store, and that has
 * stored a part. */
static bool stores_entry(struct mbcf_task *t)
{
    for (uint32_t k = 0; k < t->aside_count; k++) {
        if (waiting(t, k)->body_done && packet_is_pointed(waiting(t, k))) {
            return true;
        }
    }
    return false;
}

/* Returns MBCF_DONE if a command may reach its target, or why not. */
static uint32_t check_key(const struct process *p, const struct packet *c)
{
    uint32_t agent = packet_agent(c);

    if (p && packet_command(c) == MBCF_WRITE_QUEUE && !agent) {
        return MBCF_DONE;       /* needs no key */
    }
    if (p && packet_command(c) == MBCF_CANCEL) {
        return !agent && packet_key(c) == keys_of_cancel(ni_node(), p->number,
                                                         c->node,
                                                         packet_source(c))
               ? MBCF_DONE : MBCF_BAD_KEY;
    }
    return task_check(p, agent, packet_key(c));
}

/*
 * Finds out what becomes of a command, if the first `before` of p's waiting
 * commands came earlier. Returns a status as execute_check() does, or BEHIND.
 */
static uint32_t judge(struct process *p, const struct packet *c,
                     uint32_t before)
{
    bool asks = packet_command(c) == PACKET_ASK;        /* a kernel: needs no key */
    uint32_t status = !asks ? check_key(p, c) : p ? MBCF_DONE : MBCF_NO_TASK;

    if (status != MBCF_DONE) {
        return status;
    }
    if (waits_behind(p->mbcf, c, before) ||
        (packet_is_pointed(c) && !c->body_done && stores_entry(p->mbcf))) {
        return BEHIND;
    }
    return asks ? MBCF_DONE : execute_check(p, c);
}

/* Lets a command wait, whose body is at c->body. */
static void set_aside(struct mbcf_task *t, const struct packet *c,
                      uint32_t status)
{
    *waiting(t, t->aside_count++) = *c;
    if (status == NO_TIME) {
        chores_wait |= CHORE_MBCF;
    } else if (status == EXECUTE_LATER) {
        try_again_later();
    } else {
        chores_wait |= CHORE_PAGER;
    }
}

/* Removes waiting command number k, and frees its body. */
static void remove_waiting(struct mbcf_task *t, uint32_t k)
{
    if (waiting(t, k)->body) {
        frame_free(waiting(t, k)->body & ~(GLAZE_PAGE - 1));
    }
    t->aside_count--;
    if (!k) {
        t->aside_first = (t->aside_first + 1) % TASK_ASIDE;
        return;
    }
    for (; k < t->aside_count; k++) {
        *waiting(t, k) = *waiting(t, k + 1);
    }
}

/* Makes waiting command number k the first one. None before it has its source. */
static void bring_forward(struct mbcf_task *t, uint32_t k)
{
    struct packet c = *waiting(t, k);

    for (; k; k--) {
        *waiting(t, k) = *waiting(t, k - 1);
    }
    *waiting(t, 0) = c;
}

/* Bytes that a command stores or loads at once: some 3,500 cycles if they have to be
 * shifted. */
#define STORE_MOST      1024

/*
 * Stores the next part of a long command. Until the last one, other commands for which
 * structures say where they store wait (judge()). So only the task itself can change
 * the place: then the command begins again. Returns false for other commands, and for
 * the last part.
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

/* Returns whether the bytes of a READ have to be shifted before they can be sent. */
static bool is_shifted_read(const struct packet *c)
{
    return packet_command(c) == MBCF_READ && c->word[5] & 3 &&
           packet_bytes(c) > MBCF_INLINE_MAX;
}

/*
 * Loads the next part of a long READ that has to be shifted, to a frame of its own.
 * Returns false for other commands, for the last part, and if no frame is free.
 */
static bool read_part(struct process *p, struct packet *c)
{
    uint32_t done = c->body ? c->body_done : 0;

    if (!is_shifted_read(c) || packet_bytes(c) - done <= STORE_MOST) {
        return false;
    }
    if (!c->body) {
        c->body = frame_alloc_to_fill(task_colour_beside(c->word[5]));
    }
    if (c->body) {
        reach_load(p, (void *)(c->body + done), c->word[5] + done, STORE_MOST);
        c->body_done = done + STORE_MOST;
    }
    return c->body;
}

/*
 * Goes on with the waiting commands of p, and charges their jobs for what that takes.
 * Returns whether one waits for the network. Sets *over if others are left after one
 * that has been done, and the cycle stop_at has come. If one ends p, arrive_close()
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

        status = judge(p, waiting(t, k), k);     /* its agent may have gone */
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
        c = *waiting(t, k);
        if (status == MBCF_DONE && packet_bytes(&c) > MBCF_INLINE_MAX &&
            (worked || (k && now() + CHORE_MOST > stop_at + SOME))) {
            bring_forward(t, k);        /* that takes long: first in the next chore */
            first_gid = p->gid;
            *over = true;
            return waits;
        }
        if (status == MBCF_DONE &&
            (store_part(p, &c) || read_part(p, &c))) {
            *waiting(t, k) = c;
            charge_job(packet_source(&c), now() - start);
            *over = worked = true;
            return waits;
        }
        if (status == MBCF_DONE) {
            perform(p, &c);
            waiting(t, k)->body = c.body;
        } else {
            refuse(p, &c, status);
        }
        remove_waiting(t, k);
        charge_job(packet_source(&c), now() - start);
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
    bool waits;

    p->remote = 0;
    *over = requests_step(p, stop_at);
    waits = cast_on(p, p->mbcf->aside_count ? STEP_MOST : 0);
    charge_job(p->gid, now() - start);
    waits |= step(p, stop_at, over);
    /* A multicast that waited begins here: nothing else may come that passes it on. */
    before = now();
    waits |= !process_has_ended(p) && cast_on(p, 0);
    charge_job(p->gid, now() - before);
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
 * command waits for time any more. An event starts looks_left anew, but not `hurry`:
 * what the event brings may need the message that waits at the head.
 */
static void note_look(bool whole)
{
    if (whole) {
        looks_left--;
        hurry -= hurry != 0;
    } else {
        looks_left = tasks_open;
        hurry = hurry ? tasks_open : 0;
    }
}

/*
 * What waits for the network is tried again after some cycles, and not at once:
 * meanwhile this node takes messages, which others may wait for in turn.
 */
void arrive_goes_on(void)
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
        chores_later(CHORE_MBCF_ON, hurry ? now() : 2 * now() - began);
        chores_owed |= hurry != 0;      /* before other commands come */
    } else {
        hurry = 0;
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

void arrive_step(void)
{
    looks_left = tasks_open;
    arrive_goes_on();
}

void arrive_close(struct process *p)
{
    struct packet left[TASK_ASIDE];
    uint32_t count, casts;

    if (!p->mbcf) {
        return;
    }
    count = p->mbcf->aside_count;
    for (uint32_t k = 0; k < count; k++) {
        left[k] = *waiting(p->mbcf, k);
    }
    casts = p->mbcf->casts;
    task_close(p);              /* a reply may need one of its frames */
    casts_close(casts);
    for (uint32_t k = 0; k < count && replies_room(1); k++) {
        refuse(NULL, &left[k], MBCF_NO_TASK);
    }
    chores_wait |= CHORE_MBCF;
}

/* ---- Packets ------------------------------------------------------------- */

/*
 * Finds out what becomes of a command now. Returns a status; MBCF_DONE: it can
 * be done; from REACH_LATER on: it has to wait.
 */
static uint32_t examine(struct process *p, const struct packet *c)
{
    uint32_t status = judge(p, c, p ? p->mbcf->aside_count : 0);
    uint32_t places = status == BEHIND && hurry ? TASK_ASIDE : MBCF_ASIDE;

    if (status >= REACH_LATER && p->mbcf->aside_count >= places) {
        return MBCF_BUSY;
    }
    return status;
}

static void act(struct process *p, struct packet *c, uint32_t status)
{
    if (status == MBCF_DONE) {
        perform(p, c);
    } else if (status < REACH_LATER) {
        refuse(p, c, status);
    } else {
        set_aside(p->mbcf, c, status);
    }
}

/*
 * Stores bytes of the body at the head that have to be copied, as many as there is time
 * for. Returns false if the rest can be stored at once. A FIFO or signal may have
 * another place by now: then the command begins again.
 */
static bool store_head(struct process *p, struct packet *c)
{
    static uint32_t place;
    uint32_t target = execute_target(p, c), part;

    if (packet_is_pointed(c) && target != place) {
        c->body_done = 0;
        head_note(c, 0);
    }
    place = target;
    part = head_part(c);
    if (c->body_done + part == packet_bytes(c)) {
        return false;
    }
    c->body = task_scratch_beside(p, target);
    packet_take_part(c->body, c->body_done, part);
    execute_part(p, c, part);
    head_note(c, c->body_done);
    return true;
}

/*
 * Loads bytes for a READ at the head that have to be shifted, as many as there is time
 * for. Returns false if these are the last, and if no frame is free.
 */
static bool load_head(struct process *p, struct packet *c)
{
    uint32_t page = task_scratch_second(), part = head_part(c);

    if (!page) {
        return false;
    }
    reach_load(p, (void *)(page + c->body_done), c->word[5] + c->body_done, part);
    c->body = page;
    c->body_done += part;
    head_note(c, c->body_done);
    return c->body_done < packet_bytes(c);
}

/* Does a part of a command at the head. Returns false if the rest can be done now. */
static bool do_head_part(struct process *p, struct packet *c)
{
    if (is_shifted_read(c)) {
        return load_head(p, c);
    }
    return packet_has_body(c) && !execute_place(p, c) && store_head(p, c);
}

/* Takes a command off the network. Returns false as arrive() does. The packet may stay
 * there for the rest of its bytes. */
static bool command(struct packet *c)
{
    struct process *p = task_of(packet_gid(c));
    uint32_t status, to = 0;

    c->body_done = head_done(c);
    status = examine(p, c);
    if (status == MBCF_DONE && do_head_part(p, c)) {
        return true;
    }
    if (packet_has_body(c) && status == MBCF_DONE &&
        !execute_keeps_body(p, c)) {
        to = execute_place(p, c);
        c->body = to ? 0 : task_scratch_beside(p, execute_target(p, c));
        to = to ? to : c->body;
    } else if (packet_has_body(c) &&
               (status == MBCF_DONE || status >= REACH_LATER)) {
        if (packet_must_stay()) {
            return false;
        }
        c->body = to = frame_alloc_to_fill(task_colour_beside(c->word[5]));
        status = to ? status : MBCF_NO_MEMORY;
    }
    packet_take(to);
    head_note(c, packet_bytes(c));
    act(p, c, status);
    return true;
}

/* The most cycles of a command of a packet with several. */
#define PART_MOST       2500

/* Returns whether `left` commands to p have to wait for a chore, and can. */
static bool wait_for_time(const struct process *p, uint32_t left)
{
    return p && !kernel_has_time(now(), PART_MOST) &&
           p->mbcf->aside_count + left <= TASK_ASIDE;
}

/* Does the commands of a packet whose body is in the scratch page. Those that wait are
 * judged when their time comes. */
static void commands(const struct packet *c)
{
    const uint32_t (*part)[PACKET_PART] = (void *)task_scratch;
    uint32_t count = packet_bytes(c) / sizeof(*part);
    bool waits = false;

    for (uint32_t k = 0; k < count; k++) {
        struct process *p = task_of(part[k][0] & 0xff);
        struct packet one;

        waits = waits || wait_for_time(p, count - k);
        if (!waits && quick_part(part[k], c->node)) {
            continue;
        }
        one.node = c->node;
        one.word[0] = one.word[1] = one.body = one.body_rest = 0;
        memcpy(&one.word[2], part[k], sizeof(*part));
        act(p, &one, waits && p ? NO_TIME : examine(p, &one));
    }
    hurry = waits ? tasks_open : hurry;
}

static unsigned replies_of(const struct packet *c)
{
    return packet_command(c) == PACKET_COMBINED
           ? packet_bytes(c) / (PACKET_PART * sizeof(uint32_t)) : 1;
}

/* Notes in a task's page a packet that has taken the slow path. */
static void charge(struct process *p, const struct packet *c, uint32_t cycles)
{
    if (packet_command(c) == PACKET_REPLY) {
        p->mbcf->page.long_replies++;
    } else if (packet_command(c) != PACKET_CAST_REPLY &&
               packet_command(c) != PACKET_ASK) {
        p->mbcf->page.long_commands++;
    }
    p->mbcf->page.cycles += cycles;
}

/* Returns the job for which a packet takes time: a reply's is the one it is for. */
static unsigned requester(const struct packet *c)
{
    return packet_command(c) == PACKET_REPLY ||
           packet_command(c) == PACKET_CAST_REPLY ? packet_gid(c)
                                                  : packet_source(c);
}

bool arrive(void)
{
    struct process *p;
    struct packet c;
    uint64_t left_at = load_left_at, start = now(), end;
    bool taken = true;

    load_left_at = 0;
    if (quick_packet(false)) {
        return true;
    }
    packet_peek(&c);
    if (!task_scratch_is_there() || !replies_room(replies_of(&c))) {
        return false;
    }
    switch (packet_command(&c)) {
    case PACKET_REPLY:
        taken = requests_reply(&c);
        break;
    case PACKET_CAST_REPLY:
        packet_take(0);
        casts_reply(task_of(packet_gid(&c)), &c);
        break;
    case PACKET_COMBINED:
        packet_take(task_scratch);
        commands(&c);
        break;
    default:
        taken = command(&c);
        break;
    }
    p = task_of(packet_gid(&c));
    if ((p && cast_on(p, 0)) || !replies_none()) {
        try_again_later();
    }
    end = now();
    if (p && taken) {
        charge(p, &c, end - start);
    }
    charge_job(requester(&c), end - start +
               (left_at ? 2 * (start - left_at) : 0));
    load_add_long(left_at, start, end);
    return taken;
}

uint32_t arrive_gid(void)
{
    struct packet c;

    packet_peek(&c);
    return packet_gid(&c);
}
