/*
 * Packets of MBCF that arrive and take the slow path: each is done, refused or set
 * aside.
 *
 * delivery.c calls arrive() for a packet at the head of the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/chores.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "services/mbcf/arrive.h"
#include "services/mbcf/aside.h"
#include "services/mbcf/casts.h"
#include "services/mbcf/completions.h"
#include "services/mbcf/execute.h"
#include "services/mbcf/head.h"
#include "services/mbcf/load.h"
#include "services/mbcf/outcome.h"
#include "services/mbcf/quick_packet.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/replies.h"

/* Cycles of a command or reply, without the bytes that can wait (head.c). */
#define COMMAND_MOST    8000

/* ---- One command --------------------------------------------------------- */

/*
 * Finds out what becomes of a command now. Returns a status; MBCF_DONE: it can
 * be done; from REACH_LATER on: it has to wait.
 */
static uint32_t examine(struct process *p, const struct packet *c)
{
    uint32_t status = outcome_judge(p, c, p ? p->mbcf->aside_count : 0);

    if (status == MBCF_DONE && packet_is_shifted_read(c) && !task_scratch_second()) {
        status = OUTCOME_NO_TIME;       /* there is no page for its parts now */
    }
    if (status >= REACH_LATER && p->mbcf->aside_count >= MBCF_ASIDE) {
        return MBCF_BUSY;
    }
    return status;
}

static void act(struct process *p, struct packet *c, uint32_t status)
{
    if (status == MBCF_DONE) {
        outcome_perform(p, c);
    } else if (status < REACH_LATER) {
        outcome_refuse(p, c, status);
    } else {
        aside_add(p->mbcf, c, status);
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

/* Loads bytes for a READ at the head that have to be shifted, as many as there is time
 * for. Returns false if these are the last. */
static bool load_head(struct process *p, struct packet *c)
{
    uint32_t page = task_scratch_second(), part = head_part(c);

    reach_load(p, (void *)(page + c->body_done), packet_address(c) + c->body_done,
               part);
    c->body = page;
    c->body_done += part;
    head_note(c, c->body_done);
    return c->body_done < packet_bytes(c);
}

/* Does a part of a command at the head. Returns false if the rest can be done now. */
static bool do_head_part(struct process *p, struct packet *c)
{
    if (packet_is_shifted_read(c)) {
        return load_head(p, c);
    }
    return packet_has_body(c) && !execute_place(p, c) && store_head(p, c);
}

/* Bytes of an UPDATE with copies that are stored at once. Cycles of that, where code
 * and bytes leave the cache in between; and of the last ones, with the first copies. */
#define KEPT_PART       1024
#define KEPT_PART_MOST  4500
#define KEPT_LAST_MOST  9000

/*
 * Stores bytes of a command that has this status, and whose body is in a frame of its
 * own, as many as there is time for while others ask for the kernel. Returns MBCF_DONE
 * if the rest can be stored at once. Otherwise the command waits: the chore goes on
 * with it, before other commands come.
 */
static uint32_t store_kept(struct process *p, struct packet *c, uint32_t status)
{
    while (status == MBCF_DONE) {
        bool last = packet_bytes(c) - c->body_done <= KEPT_PART;

        if (!kernel_has_time(now(), last ? KEPT_LAST_MOST : KEPT_PART_MOST) &&
            p->mbcf->aside_count < TASK_ASIDE) {
            aside_hurry = tasks_open;
            return OUTCOME_NO_TIME;
        }
        if (last) {
            break;
        }
        execute_part(p, c, KEPT_PART);
    }
    return status;
}

/* Takes a command off the network. Returns false as arrive() does. The packet may stay
 * there for the rest of its bytes. */
static bool command(struct packet *c)
{
    struct process *p = task_of(packet_gid(c));
    uint32_t status, to = 0;
    bool kept = false;

    c->body_done = head_done(c);
    status = examine(p, c);
    message_look(COMMAND_MOST);
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
        c->body = to = frame_alloc_to_fill(task_colour_beside(packet_address(c)));
        status = to ? status : MBCF_NO_MEMORY;
        kept = true;
    }
    packet_take(to);
    head_note(c, packet_bytes(c));
    act(p, c, kept ? store_kept(p, c, status) : status);
    return true;
}

/* ---- Several commands in one packet -------------------------------------- */

/* The most cycles of a command of a packet with several. */
#define PART_MOST       2500

/* Returns whether `left` commands to p have to wait for a chore, and can. `waits` says
 * that others of their packet do. */
static bool wait_for_time(const struct process *p, uint32_t left, bool waits)
{
    return p && (waits || !kernel_has_time(now(), PART_MOST)) &&
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
        bool late = wait_for_time(p, count - k, waits);
        struct packet one;
        uint32_t status;

        if (!late && quick_part(part[k], c->node)) {
            continue;
        }
        one.node = c->node;
        one.word[0] = one.word[1] = one.body = one.body_rest = 0;
        memcpy(&one.word[PACKET_HEAD], part[k], sizeof(*part));
        status = late ? outcome_key(p, &one) : examine(p, &one);
        late &= status == MBCF_DONE;
        waits |= late;
        act(p, &one, late ? OUTCOME_NO_TIME : status);
        if (p && p != task_of(packet_gid(c)) && casts_continue(p, 0)) {
            aside_try_later();          /* arrive() does that for the packet's task */
        }
        message_look(PART_MOST);
    }
    aside_hurry = waits ? tasks_open : aside_hurry;
}

/* ---- Packets ------------------------------------------------------------- */

bool arrive_is_head(void)
{
    return ni_head_of_kernel() && ni_head_word(1) == (uint32_t)packet_handler;
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

/* Charges the job of a packet for an entry that has begun with it at `start`. The fast
 * path has left it at `left_at`; 0: it has not tried. */
static void charge_requester(const struct packet *c, uint64_t start, uint64_t left_at)
{
    uint64_t end = now();

    outcome_charge(requester(c), end - start + (left_at ? 2 * (start - left_at) : 0));
    load_add_long(left_at, start, end);
}

/*
 * Returns whether the packet at the head waits for commands that wait for time alone.
 * They and those of this packet might need more places than there are, and it would be
 * refused though no command waits for a page.
 */
static bool waits_for_places(const struct packet *c)
{
    if (!aside_hurry || packet_command(c) == PACKET_REPLY ||
        packet_command(c) == PACKET_CAST_REPLY) {
        return false;
    }
    chores_owed = true;
    return true;
}

bool arrive(void)
{
    struct process *p;
    struct packet c;
    uint64_t left_at = load_left_at, start = now();
    bool taken = true;

    load_left_at = 0;
    if (quick_packet(false)) {
        return true;
    }
    message_look(COMMAND_MOST);
    packet_peek(&c);
    if (waits_for_places(&c)) {
        charge_requester(&c, start, left_at);
        return true;
    }
    if (!task_scratch_is_there() || !replies_room(replies_of(&c))) {
        return false;
    }
    switch (packet_command(&c)) {
    case PACKET_REPLY:
        taken = completions_reply(&c);
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
    if ((p && casts_continue(p, 0)) || !replies_none()) {
        aside_try_later();
    }
    message_look(0);
    if (p && taken) {
        charge(p, &c, now() - start);
    }
    charge_requester(&c, start, left_at);
    if (taken && !head_is_in_parts()) {
        outcome_charge(requester(&c), debts_wire(packet_bytes(&c)));
    }
    return taken;
}

uint32_t arrive_gid(void)
{
    struct packet c;

    packet_peek(&c);
    return packet_gid(&c);
}
