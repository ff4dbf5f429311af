/*
 * What a task requests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "machine/message.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/requests.h"

/* ---- Requests ------------------------------------------------------------ */

uint32_t requests_number = MBCF_SLOTS;

/* Returns the first free slot, or the first after one; NULL: none is free. */
static struct slot *free_slot(struct mbcf_task *t, const struct slot *after)
{
    struct slot *slot = after ? (struct slot *)after + 1 : t->slot;

    for (; slot < t->slot + MBCF_SLOTS; slot++) {
        if (!slot->ticket) {
            return slot;
        }
    }
    return NULL;
}

/* Returns whether a request is one that the kernel knows. */
static bool is_request(const struct mbcf_request *r, bool combined)
{
    uint32_t words = packet_inline_max(r->command), most;

    if (r->command - 1 >= MBCF_COMMANDS - 1 || r->options & ~MBCF_OPTIONS) {
        return false;
    }
    if (r->options & MBCF_CANCELS && r->command != MBCF_WRITE_QUEUE) {
        return false;
    }
    if (!packet_moves_bytes(r->command)) {
        return true;
    }
    if (r->command == MBCF_READ && !r->local) {
        return false;
    }
    if (r->command == MBCF_UPDATE &&
        (r->address & (GLAZE_PAGE - 1)) + r->bytes > GLAZE_PAGE) {
        return false;
    }
    most = combined || r->command == MBCF_WRITE_QUEUE ? words : MBCF_BYTES_MAX;
    return (r->bytes - 1 < most || (!r->bytes && r->command == MBCF_SIGNAL)) &&
           (r->command == MBCF_READ || r->bytes <= words || !(r->local & 3));
}

/* Returns whether a request is a long command (requests.h). */
static bool is_long_request(const struct mbcf_request *r)
{
    return packet_moves_bytes(r->command) && r->bytes > REQUESTS_LONG;
}

/* Returns whether the old value of a word is wanted. */
static bool has_old_value(const struct mbcf_request *r)
{
    return packet_is_of_word(r->command) && r->local;
}

/* Returns whether a command needs a reply even if it succeeds. */
static bool is_loud(const struct mbcf_request *r)
{
    return r->command == MBCF_READ || r->command == MBCF_UPDATE ||
           r->command == MBCF_INVALIDATE || r->options & MBCF_STATUS ||
           requests_colour(r->options) || has_old_value(r);
}

/*
 * Returns the physical address of memory that the current process can read, in
 * *at; 0 in *rest, or the address after the first page.
 */
static enum memory_result find_body(const struct mbcf_request *r,
                                    uint32_t *at, uint32_t *rest)
{
    uint32_t last = r->local + r->bytes - 1;
    enum memory_result result;

    if (last < r->local) {
        return MEMORY_NOT_THERE;
    }
    result = memory_touch(current, r->local, false);
    if (result == MEMORY_OK) {
        result = memory_touch(current, last, false);
    }
    if (result != MEMORY_OK) {
        return result;
    }
    *at = reach_physical(current, r->local);
    *rest = (r->local ^ last) >= GLAZE_PAGE
          ? reach_physical(current, last & ~(GLAZE_PAGE - 1)) : 0;
    return MEMORY_OK;
}

/* Fills in the packet of a request, all but the ticket. */
static enum memory_result pack(const struct mbcf_request *r,
                               const struct mbcf_entry *to, bool loud,
                               struct packet *c)
{
    uint32_t *data = &c->word[PACKET_DATA];

    c->word[PACKET_HEAD] =
        packet_head(r->command, (r->options & MBCF_WAKES) | (loud ? PACKET_LOUD : 0),
                    to->task);
    c->word[PACKET_KEY_HIGH] = to->key >> 32;
    c->word[PACKET_KEY_LOW] = to->key;
    c->word[PACKET_ADDRESS] = r->command != MBCF_WRITE_QUEUE ? r->address :
                              r->options & MBCF_CANCELS ? current->number : 0;
    c->word[PACKET_FROM] = current->gid << 24 |
                           (packet_moves_bytes(r->command) ? r->bytes : 0);
    c->node = to->node;
    c->body = c->body_rest = 0;
    memcpy(data, r->operand, sizeof(r->operand));
    if (!packet_moves_bytes(r->command) || r->command == MBCF_READ) {
        return MEMORY_OK;
    }
    if (packet_has_body(c)) {
        return find_body(r, &c->body, &c->body_rest);
    }
    return memory_read(current, data + packet_operands(r->command), r->local,
                       r->bytes);
}

/* A command of the list that is about to be sent. */
struct wanted {
    const struct mbcf_request *request;
    struct mbcf_entry to;
    struct slot *slot;
    bool loud;
};

/* Takes a slot for a command. Returns its ticket. */
static uint32_t take_slot(struct mbcf_task *t, const struct wanted *w)
{
    const struct mbcf_request *r = w->request;
    struct slot *slot = w->slot;

    requests_number += REQUESTS_STEP;
    slot->ticket = requests_number + (slot - t->slot);
    slot->node = w->to.node;
    slot->target = w->to.task;
    slot->local = r->command == MBCF_READ || has_old_value(r) ? r->local : 0;
    slot->bytes = packet_moves_bytes(r->command) ? r->bytes : 0;
    slot->status = r->options & (MBCF_STATUS | MBCF_ON_FAILURE) ? r->status : 0;
    slot->options = r->options;
    slot->silent = !w->loud;
    slot->arrived = false;
    return slot->ticket;
}

/* Returns whether as many long commands are under way as may be. */
static bool holds_long(const struct mbcf_task *t)
{
    uint32_t count = 0;

    for (const struct slot *slot = t->slot; slot < t->slot + MBCF_SLOTS; slot++) {
        count += slot->ticket && slot->bytes > REQUESTS_LONG;
    }
    return count >= REQUESTS_LONGS;
}

/*
 * Finds a slot after `after` for a command, and fills in its packet. Returns 0,
 * an error or IO_AGAIN. Counts silent commands in *silent.
 */
static int32_t prepare(struct mbcf_task *t, struct wanted *w, const struct slot *after,
                       unsigned *silent, struct packet *c)
{
    bool is_long = is_long_request(w->request);

    w->slot = is_long && holds_long(t) ? NULL : free_slot(t, after);
    if (!w->slot) {
        return -EAGAIN;
    }
    w->loud = is_loud(w->request) ||
              *silent >= (is_long ? REQUESTS_SILENT_LONG : MBCF_SILENT_MAX);
    *silent += !w->loud;
    return io_error(pack(w->request, &w->to, w->loud, c));
}

/* ---- Slots that silent commands keep -------------------------------------- */

/* Returns whether a reply will come that frees the slot of a silent command. */
static bool reply_comes(const struct mbcf_task *t, const struct slot *silent)
{
    for (const struct slot *slot = t->slot; slot < t->slot + MBCF_SLOTS; slot++) {
        if (slot->ticket && !slot->silent && slot->node == silent->node &&
            slot->target == silent->target &&
            (int32_t)(slot->ticket - silent->ticket) > 0) {
            return true;
        }
    }
    return false;
}

/* Sends a command that does nothing to the target of a silent one: its reply frees the
 * slots of both. Sends nothing if no slot is free or the network has no space. */
static void ask(struct mbcf_task *t, const struct slot *silent)
{
    static const struct mbcf_request nothing;
    struct wanted w = {
        .request = &nothing, .to = { .node = silent->node, .task = silent->target },
        .slot = free_slot(t, NULL), .loud = true,
    };
    struct packet c = { .node = silent->node };

    if (!w.slot) {
        return;
    }
    c.word[PACKET_HEAD] = packet_head(PACKET_ASK, PACKET_LOUD, silent->target & 0xff);
    c.word[PACKET_TICKET] = take_slot(t, &w);
    c.word[PACKET_FROM] = current->gid << 24;
    if (!packet_send(&c)) {
        w.slot->ticket = 0;
        return;
    }
    t->page.free--;
}

/*
 * A list needs more slots than are free. Silent commands keep theirs until a later
 * command to the same target gets a reply, and the program may send none: it waits for
 * this list. So this asks their targets, each once.
 */
static void ask_targets(struct mbcf_task *t)
{
    for (const struct slot *slot = t->slot; slot < t->slot + MBCF_SLOTS; slot++) {
        if (slot->ticket && slot->silent && !reply_comes(t, slot)) {
            ask(t, slot);
        }
    }
}

/* ---- Lists ---------------------------------------------------------------- */

/* Makes one packet of several commands, of which the words are in task_call(). */
static void combine(struct packet *c, const struct mbcf_entry *to,
                    uint32_t count)
{
    memset(c, 0, sizeof(*c));
    c->word[PACKET_HEAD] = packet_head(PACKET_COMBINED, 0, to->task & 0xff);
    c->word[PACKET_FROM] = current->gid << 24 |
                           count * PACKET_PART * sizeof(uint32_t);
    c->node = to->node;
    c->body = (uint32_t)task_call(current)->part;
}

/* Sends commands that have been prepared. Returns 0 or -EAGAIN. */
static int32_t send(struct mbcf_task *t, struct wanted *w, uint32_t count,
                    struct packet *c)
{
    struct mbcf_call *call = task_call(current);

    call->ready = 0;
    for (uint32_t k = 0; k < count; k++) {
        c->word[PACKET_TICKET] = take_slot(t, &w[k]);
        if (count > 1) {
            call->part[k][PACKET_TICKET - PACKET_HEAD] = c->word[PACKET_TICKET];
        }
    }
    if (count > 1) {
        combine(c, &w[0].to, count);
    }
    if (!packet_send(c)) {
        for (uint32_t k = 0; k < count; k++) {
            w[k].slot->ticket = 0;
        }
        return -EAGAIN;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t colour = requests_colour(w[k].request->options);

        t->page.free--;
        t->silent += w[k].slot->silent;
        t->page.colour[colour].requests += colour != 0;
    }
    return 0;
}

/* Reads the list of commands, and checks it. Returns 0, an error or IO_AGAIN. */
static int32_t read_list(struct mbcf_request *r, uint32_t list, uint32_t count)
{
    int32_t error = io_error(memory_read(current, r, list, count * sizeof(*r)));

    for (uint32_t k = 0; !error && k < count; k++) {
        if (!is_request(&r[k], count > 1)) {
            error = -EINVAL;
        }
    }
    return error;
}

/* Returns whether a time has not come. Clears a time that has. */
static bool must_wait(uint64_t *time)
{
    if (*time && now() < *time) {
        return true;
    }
    *time = 0;
    return false;
}

/* The most cycles to prepare a command, and to send a list of them. */
#define PREPARE_MOST    1800
#define SEND_MOST       4000

/*
 * Returns how many commands of a list have been prepared by a call that is made again.
 * Finds their slots; these may be others now.
 */
static uint32_t prepared(struct mbcf_task *t, struct wanted *w, uint32_t list,
                         uint32_t count, unsigned *silent)
{
    struct mbcf_call *call = task_call(current);

    if (call->list != list || call->count != count) {
        call->ready = 0;
        call->list = list;
        call->count = count;
    }
    for (uint32_t k = 0; k < call->ready; k++) {
        w[k].slot = free_slot(t, k ? w[k - 1].slot : NULL);
        w[k].loud = call->part[k][0] >> 16 & PACKET_LOUD;
        *silent += !w[k].loud;
        if (!w[k].slot) {
            call->ready = 0;
        }
    }
    return call->ready;
}

/* Finds the tasks of a list, which are all on one node. Returns 0 or an error. */
static int32_t find_targets(struct wanted *w, const struct mbcf_request *r,
                            uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        w[k].request = &r[k];
        if (!task_find(current, r[k].task, &w[k].to)) {
            return -ENOENT;
        }
        if (w[k].to.node != w[0].to.node) {
            return -EINVAL;
        }
    }
    return 0;
}

int32_t requests_make(uint32_t list, uint32_t count)
{
    struct mbcf_task *t = current->mbcf;
    struct mbcf_call *call = task_call(current);
    struct mbcf_request request[MBCF_COMBINED_MAX];
    struct wanted w[MBCF_COMBINED_MAX];
    unsigned silent = t->silent;
    struct packet c;
    uint32_t first;
    int32_t error;

    if (count - 1 >= MBCF_COMBINED_MAX) {
        return -EINVAL;
    }
    error = read_list(request, list, count);
    if (error) {
        return error;
    }
    error = find_targets(w, request, count);
    if (error) {
        return error;
    }
    if (must_wait(&t->not_before[w[0].to.node % WAITS])) {
        return -EAGAIN;
    }
    first = count > 1 ? prepared(t, w, list, count, &silent) : 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k < first) {
            continue;
        }
        message_look(SEND_MOST + PREPARE_MOST);
        error = k > first && !kernel_has_time(now(), PREPARE_MOST)
              ? IO_AGAIN
              : prepare(t, &w[k], k ? w[k - 1].slot : NULL, &silent, &c);
        if (error) {
            call->ready = error == IO_AGAIN ? k : 0;
            if (error != IO_AGAIN && !w[k].slot) {
                ask_targets(t);
            }
            return error;
        }
        if (count > 1) {
            memcpy(call->part[k], &c.word[PACKET_HEAD], sizeof(call->part[k]));
        }
    }
    if (first < count && !kernel_has_time(now(), SEND_MOST)) {
        call->ready = count;
        return IO_AGAIN;
    }
    return send(t, w, count, &c);
}
