/*
 * Replies that come for the commands of tasks: what they bring is stored, and their
 * slots become free.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/chores.h"
#include "machine/message.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "services/mbcf/completions.h"
#include "services/mbcf/head.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/requests.h"

/* Returns how many bytes a reply stores at the requester. */
static uint32_t result_bytes(const struct slot *slot)
{
    const struct packet *reply = &slot->reply;

    if (reply->word[PACKET_STATUS] != MBCF_DONE || !slot->local) {
        return 0;
    }
    return packet_bytes(reply) ? packet_bytes(reply) : sizeof(uint32_t);
}

/*
 * Checks whether a status can be stored. A status is never refused a frame: its task
 * may wait for it for ever. Without one, the pager does what it would do if the task
 * had touched the page.
 */
static uint32_t check_status(struct process *p, uint32_t address)
{
    bool first = !p->remote;
    uint32_t status = reach_check(p, 0, address, sizeof(uint32_t), REACH_WRITE);

    if (status == MBCF_NO_MEMORY) {     /* noted for a command to the same page */
        status = reach_check(p, 0, address, sizeof(uint32_t), REACH_WRITE);
    }
    if (first && p->remote) {
        p->remote_own = true;
    }
    return status;
}

/*
 * Checks whether the reply can be stored. A place that is not mapped by now
 * gets nothing.
 */
static uint32_t check(struct process *p, struct slot *slot)
{
    uint32_t bytes = result_bytes(slot), status = MBCF_DONE;

    if (bytes) {
        status = reach_check(p, 0, slot->local, bytes, REACH_WRITE);
        if (status < REACH_LATER && status != MBCF_DONE) {
            slot->reply.word[PACKET_STATUS] = MBCF_LOCAL;
        }
    }
    if (slot->status && status < REACH_LATER) {
        status = check_status(p, slot->status);
        if (status < REACH_LATER && status != MBCF_DONE) {
            slot->status = 0;
        }
    }
    return status;
}

/* Stores a reply that has been checked, and frees its slot. */
static void store(struct process *p, struct slot *slot)
{
    struct packet *reply = &slot->reply;
    uint32_t bytes = result_bytes(slot), status = reply->word[PACKET_STATUS];
    uint32_t colour = requests_colour(slot->options);
    struct mbcf_task *t = p->mbcf;

    if (bytes && !packet_bytes(reply)) {
        reach_store(p, slot->local, &reply->word[PACKET_OLD], bytes);
    } else if (bytes && (reply->body || !packet_has_body(reply))) {
        reach_store(p, slot->local + reply->body_done,
                    (const char *)packet_data(reply) + reply->body_done,
                    bytes - reply->body_done);
    }
    if (slot->status && (slot->options & MBCF_STATUS || status != MBCF_DONE)) {
        reach_store(p, slot->status, &status, sizeof(status));
    }
    if (colour) {
        t->page.colour[colour].replies++;
    }
    requests_free(t, slot, status);
    t->page.wakes++;
    process_wake(p);
}

/* Returns the slot for which a reply has come; NULL: the task is gone. */
static struct slot *slot_of(const struct packet *reply, struct process **p)
{
    struct slot *slot;

    *p = task_of(packet_gid(reply));
    if (!*p) {
        return NULL;
    }
    slot = &(*p)->mbcf->slot[reply->word[PACKET_TICKET] % MBCF_SLOTS];
    return slot->ticket == reply->word[PACKET_TICKET] && slot->node == reply->node &&
           !slot->arrived ? slot : NULL;
}

/* Returns where the body of a reply can go at once; 0: nowhere. */
static uint32_t place(struct process *p, const struct slot *slot)
{
    uint32_t bytes = packet_bytes(&slot->reply);

    if ((slot->local | bytes) & 3 ||
        (slot->local & (GLAZE_PAGE - 1)) + bytes > GLAZE_PAGE) {
        return 0;
    }
    return reach_physical_to_write(p, slot->local);
}

/*
 * Returns whether a refusal of a silent command before this one waits for a page. The
 * status of the refusal has to be stored first: the reply to this command says that the
 * silent ones before it are done or refused.
 */
static bool is_behind(const struct mbcf_task *t, const struct slot *slot)
{
    for (const struct slot *s = t->slot; t->silent_kept && s < t->slot + MBCF_SLOTS;
         s++) {
        if (s->ticket && s->silent && s->arrived && s->node == slot->node &&
            s->target == slot->target && (int32_t)(s->ticket - slot->ticket) < 0) {
            return true;
        }
    }
    return false;
}

/* Keeps a reply until its page comes. */
static void keep(struct mbcf_task *t, struct slot *slot)
{
    if (packet_has_body(&slot->reply)) {
        slot->body = slot->reply.body =
            frame_alloc_to_fill(task_colour_beside(slot->local));
        packet_take(slot->body);
        if (!slot->body) {
            slot->reply.word[PACKET_STATUS] = MBCF_LOCAL;
            slot->reply.word[PACKET_FROM] = 0;
        }
    } else {
        packet_take(0);
    }
    slot->arrived = true;
    t->silent_kept += slot->silent;
    chores_wait |= CHORE_PAGER;
}

/* Stores bytes of the reply at the head, as many as there is time for. Returns false if
 * the rest can be stored at once. */
static bool store_head(struct process *p, struct slot *slot)
{
    struct packet *reply = &slot->reply;
    uint32_t done = head_done(reply), part = head_part(reply);

    reply->body_done = done;
    if (done + part == packet_bytes(reply)) {
        return false;
    }
    packet_take_part(reply->body, done, part);
    reach_store(p, slot->local + done, (void *)(reply->body + done), part);
    head_note(reply, done + part);
    return true;
}

bool completions_reply(struct packet *reply)
{
    struct process *p;
    struct slot *slot = slot_of(reply, &p);
    uint32_t to = 0;

    if (!slot) {
        packet_take(0);
        return true;
    }
    slot->reply = *reply;
    if (reply->word[PACKET_DELAY]) {
        p->mbcf->not_before[reply->node % WAITS] = now() + reply->word[PACKET_DELAY];
    }
    if (is_behind(p->mbcf, slot) || check(p, slot) >= REACH_LATER) {
        if (packet_has_body(reply) && packet_must_stay()) {
            return false;
        }
        keep(p->mbcf, slot);
        return true;
    }
    if (result_bytes(slot) && packet_has_body(reply)) {
        to = place(p, slot);
        slot->reply.body = to ? 0 : task_scratch_beside(p, slot->local);
        if (!to && store_head(p, slot)) {
            return true;
        }
        to = to ? to : slot->reply.body;
    }
    packet_take(to);
    head_note(reply, packet_bytes(reply));
    store(p, slot);
    return true;
}

/* Bytes of a reply that a chore stores at once: some 3,500 cycles if they have to be
 * shifted. */
#define STORE_MOST      1024

/* Stores the first part of a reply that has more bytes. Returns false for others. */
static bool store_part(struct process *p, struct slot *slot)
{
    if (!slot->body || result_bytes(slot) <= STORE_MOST + MBCF_INLINE_MAX) {
        return false;
    }
    reach_store(p, slot->local, packet_data(&slot->reply), STORE_MOST);
    slot->local += STORE_MOST;
    slot->reply.word[PACKET_FROM] -= STORE_MOST;
    slot->reply.body += STORE_MOST;
    return true;
}

/* The most cycles of one of them, but for a body. */
#define ONE_MOST        1800

bool completions_step(struct process *p, uint64_t stop_at)
{
    struct mbcf_task *t = p->mbcf;

    /* In a first round, silent ones alone: others may be behind them. */
    for (unsigned k = t->silent_kept ? 0 : MBCF_SLOTS; k < 2 * MBCF_SLOTS; k++) {
        struct slot *slot = &t->slot[k % MBCF_SLOTS];

        if (slot->ticket && slot->arrived && (slot->silent || k >= MBCF_SLOTS) &&
            !is_behind(t, slot) && check(p, slot) < REACH_LATER) {
            if (store_part(p, slot)) {
                return true;
            }
            slot->arrived = false;
            t->silent_kept -= slot->silent;
            store(p, slot);
            if (slot->body) {
                frame_free(slot->body);
                slot->body = 0;
            }
            if (now() >= stop_at) {
                return true;
            }
            message_look(ONE_MOST);
        }
    }
    return false;
}
