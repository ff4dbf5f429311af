/*
 * What becomes of a command: it is done, refused, or has to wait.
 *
 * Called for a packet that arrives (arrive.c), and for a command that has waited
 * (aside.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/message.h"
#include "machine/ni.h"
#include "services/mbcf/execute.h"
#include "services/mbcf/keys.h"
#include "services/mbcf/outcome.h"
#include "services/mbcf/queue.h"
#include "services/mbcf/replies.h"

static bool same_source(const struct packet *a, const struct packet *b)
{
    return a->node == b->node && packet_source(a) == packet_source(b);
}

/* Returns whether one of the first `count` waiting commands has c's source. */
static bool waits_behind(struct mbcf_task *t, const struct packet *c,
                         uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        if (same_source(task_aside(t, k), c)) {
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
        if (task_aside(t, k)->body_done && packet_is_pointed(task_aside(t, k))) {
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

uint32_t outcome_key(const struct process *p, const struct packet *c)
{
    if (packet_command(c) == PACKET_ASK) {
        return p ? MBCF_DONE : MBCF_NO_TASK;    /* a kernel: needs no key */
    }
    return check_key(p, c);
}

uint32_t outcome_judge(struct process *p, const struct packet *c, uint32_t before)
{
    bool asks = packet_command(c) == PACKET_ASK;
    uint32_t status = outcome_key(p, c);

    if (status != MBCF_DONE) {
        return status;
    }
    if (waits_behind(p->mbcf, c, before) ||
        (packet_is_pointed(c) && !c->body_done && stores_entry(p->mbcf))) {
        return OUTCOME_BEHIND;
    }
    return asks ? MBCF_DONE : execute_check(p, c);
}

/*
 * Returns the status of a refusal's reply. A kernel that asks a task that has gone gets
 * MBCF_DONE: the silent commands before will get no other reply.
 */
static uint32_t status_for(const struct packet *c, uint32_t status)
{
    return packet_command(c) == PACKET_ASK && status == MBCF_NO_TASK ? MBCF_DONE
                                                                     : status;
}

void outcome_refuse(struct process *p, const struct packet *c, uint32_t status)
{
    struct packet reply = reply_to(c, status_for(c, status));

    if (p) {
        p->mbcf->page.refused++;
    }
    reply_send(&reply);
}

/* Cycles of most commands. */
#define PERFORM_MOST    2500

void outcome_perform(struct process *p, struct packet *c)
{
    struct packet reply;
    struct mbcf_page *page = &p->mbcf->page;
    bool wakes = packet_options(c) & MBCF_WAKES &&
                 (packet_command(c) != MBCF_WRITE_QUEUE ||
                  queue_may_wake(p, c));

    message_look(PERFORM_MOST);
    reply = reply_to(c, MBCF_DONE);
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
