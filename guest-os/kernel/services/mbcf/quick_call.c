/*
 * Calls of MBCF on the fast path.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/hardware.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/keys.h"
#include "services/mbcf/quick_call.h"
#include "services/mbcf/quick_rare.h"
#include "memory/quick_memory.h"
#include "services/mbcf/requests.h"
#include "machine/ni.h"

/* ---- Requests ------------------------------------------------------------ */

/* Where a command goes. */
struct target {
    uint32_t node, task, high, low;
};

/* Finds a logical task. Returns false if it is not in the table. */
static INLINE bool find(struct mbcf_task *t, uint32_t logical,
                        struct target *to)
{
    uint32_t nodes = ni_nodes();
    uint64_t key;

    if (logical < nodes) {
        key = keys_of_task(logical, current->number);
        to->node = logical;
        to->task = t->page.task;
    } else {
        const struct mbcf_entry *e = &t->entry[logical - nodes];

        if (logical - nodes >= MBCF_ENTRIES || !e->task) {
            return false;
        }
        key = e->key;
        to->node = e->node;
        to->task = e->task;
    }
    to->high = key >> 32;
    to->low = key;
    return true;
}

/* Returns whether a time has not come. Clears a time that has. */
static INLINE bool must_wait(uint64_t *time)
{
    return *time && rare_must_wait(time);
}

/* A slot that is about to be taken. */
struct chosen {
    struct slot *slot;
    uint32_t number, ticket;
};

/* Fills in a slot, all but the ticket, for a command of so many bytes. `local` is where
 * the reply goes; 0: nowhere. */
static INLINE void fill(struct slot *slot, const struct mbcf_request *r,
                        const struct target *to, uint32_t bytes, uint32_t local,
                        bool loud)
{
    slot->node = to->node;
    slot->target = to->task;
    slot->local = local;
    slot->status = r->options & (MBCF_STATUS | MBCF_ON_FAILURE) ? r->status : 0;
    slot->bytes = bytes;
    slot->options = r->options;
    slot->silent = !loud;
}

/*
 * Chooses a slot, of which there is one, and fills it in, all but the ticket: it
 * stays free.
 */
static INLINE struct chosen choose(struct mbcf_task *t,
                                   const struct mbcf_request *r,
                                   const struct target *to, uint32_t bytes,
                                   uint32_t local, bool loud)
{
    uint32_t number = requests_number + REQUESTS_STEP;
    uint32_t index = number / REQUESTS_STEP % MBCF_SLOTS;
    struct slot *slot = &t->slot[index];

    while (slot->ticket) {
        index++;
        slot++;
        if (index == MBCF_SLOTS) {
            index = 0;
            slot = t->slot;
        }
    }
    fill(slot, r, to, bytes, local, loud);
    return (struct chosen) { slot, number, number + index };
}

/* Describes the first words of the packet. */
static INLINE void describe(const struct mbcf_request *r,
                            const struct target *to, uint32_t bytes, bool loud,
                            uint32_t ticket, volatile uint32_t *ni)
{
    QUICK_OUT(ni, 0) = FUGU_HDR_KERNEL | to->node;
    QUICK_OUT(ni, 1) = (uint32_t)packet_handler;
    QUICK_OUT(ni, PACKET_HEAD) =
        packet_head(r->command, (r->options & MBCF_WAKES) | (loud ? PACKET_LOUD : 0),
                    to->task);
    QUICK_OUT(ni, PACKET_KEY_HIGH) = to->high;
    QUICK_OUT(ni, PACKET_KEY_LOW) = to->low;
    QUICK_OUT(ni, PACKET_ADDRESS) = r->address;
    QUICK_OUT(ni, PACKET_TICKET) = ticket;
    QUICK_OUT(ni, PACKET_FROM) = current->gid << 24 | bytes;
}

/* Takes the slot, after the launch. */
static INLINE void take_slot(struct mbcf_task *t, struct chosen c)
{
    uint32_t colour = requests_colour(c.slot->options);

    requests_number = c.number;
    c.slot->ticket = c.ticket;
    t->page.free--;
    if (c.slot->silent) {
        t->silent++;
    }
    if (colour) {
        t->page.colour[colour].requests++;
    }
}

/* Returns whether a command without a result needs a reply if it succeeds. `most`:
 * silent commands that may be before it. */
static INLINE bool is_loud(const struct mbcf_task *t, uint32_t options, uint32_t most)
{
    return options & (MBCF_STATUS | (MBCF_COLOURS - 1) << MBCF_COLOUR_SHIFT) ||
           t->silent >= most;
}

/* Returns whether the network can take a body. If the program is willing to wait, this
 * waits for that. */
static INLINE bool body_fits(bool willing)
{
    return ni_body_space() || (willing && rare_wait_for_body());
}

/* Sends a command with bytes. `first` is the first word for them. */
static INLINE uint32_t send_bytes(struct mbcf_task *t,
                                  const struct mbcf_request *r,
                                  const struct target *to, uint32_t first,
                                  bool willing, uint32_t bad)
{
    volatile uint32_t *ni = quick_ni(), *out = &QUICK_OUT(ni, first);
    uint32_t bytes = r->bytes, words = first + (bytes + 3) / 4;
    const uint32_t *from = NULL;
    const uint32_t *rest = NULL;
    uint32_t piece = bytes;
    bool body = words > FUGU_MSG_WORDS, loud;
    struct chosen chosen;

    if (body && quick_piece(r->local, bytes) != bytes) {
        piece = quick_piece(r->local, bytes);
        from = quick_readable(current, r->local, piece, &bad);
        rest = quick_readable(current, r->local + piece, bytes - piece, &bad);
    } else if (bytes) {
        from = quick_readable(current, r->local, bytes, &bad);
    }
    if (bad || bytes > MBCF_BYTES_MAX) {
        return QUICK_LONG;
    }
    words = rest ? PACKET_BODY_WORDS + 2 : body ? PACKET_BODY_WORDS : words;
    if (!t->page.free || QUICK_K(ni, SPACE) < words) {
        return -EAGAIN;
    }
    loud = is_loud(t, r->options, bytes > REQUESTS_LONG ? REQUESTS_SILENT_LONG
                                                        : MBCF_SILENT_MAX);
    chosen = choose(t, r, to, bytes, 0, loud);
    describe(r, to, bytes, loud, chosen.ticket, ni);
    if (first > PACKET_DATA) {
        QUICK_OUT(ni, PACKET_DATA) = r->operand[0];
    }
    if (body) {
        QUICK_OUT(ni, PACKET_BODY_WORDS - 2) = (uint32_t)from;
        QUICK_OUT(ni, PACKET_BODY_WORDS - 1) = (piece + 3) & ~3u;
        if (rest) {
            QUICK_OUT(ni, PACKET_BODY_WORDS) = (uint32_t)rest;
            QUICK_OUT(ni, PACKET_BODY_WORDS + 1) = (bytes - piece + 3) & ~3u;
        }
        if (!body_fits(willing)) {
            return -EAGAIN;     /* the next packet has the words stored anew */
        }
        if (rest) {
            NI_LAUNCH(PACKET_BODY_WORDS + 2, 2);
        } else {
            NI_LAUNCH(PACKET_BODY_WORDS, 1);
        }
    } else {
        for (; bytes >= 4; bytes -= 4) {
            *out++ = *from++;
        }
        if (bytes) {            /* nothing after the bytes leaves the page */
            *out = *from & ~(0xffffffffu >> 8 * bytes);
        }
        NI_LAUNCH_MORE(0, words);
    }
    take_slot(t, chosen);
    return 0;
}

/* Sends a command on a word, or a READ. `count` operands. */
static INLINE uint32_t send_operands(struct mbcf_task *t,
                                     const struct mbcf_request *r,
                                     const struct target *to, uint32_t bytes,
                                     uint32_t count, uint32_t bad)
{
    volatile uint32_t *ni = quick_ni();
    uint32_t words = PACKET_DATA + count;
    struct chosen chosen;
    bool loud;

    if (bad) {
        return QUICK_LONG;
    }
    if (!t->page.free || QUICK_K(ni, SPACE) < words) {
        return -EAGAIN;
    }
    loud = bytes || r->local || is_loud(t, r->options, MBCF_SILENT_MAX);
    chosen = choose(t, r, to, bytes, r->local, loud);
    describe(r, to, bytes, loud, chosen.ticket, ni);
    if (count) {
        QUICK_OUT(ni, PACKET_DATA) = r->operand[0];
    }
    if (count > 1) {
        QUICK_OUT(ni, PACKET_DATA + 1) = r->operand[1];
    }
    NI_LAUNCH_MORE(0, words);
    take_slot(t, chosen);
    return 0;
}

/* ---- Several commands in one packet -------------------------------------- */

/* Returns how many bytes the program gives to a command: 0 for one on a word. A command
 * that cannot take the fast path in a combined packet sets a bit of *bad. */
static INLINE uint32_t part_bytes(const struct mbcf_request *r, uint32_t *bad)
{
    uint32_t bytes = 0;

    switch (r->command) {
    case MBCF_WRITE:
    case MBCF_FIFO:
        bytes = r->bytes;
        *bad |= (bytes - 1) / MBCF_INLINE_MAX;
        break;
    case MBCF_SWAP:
    case MBCF_FETCH_ADD:
    case MBCF_COMP_SWAP:
        break;
    default:
        *bad |= 1;
    }
    return bytes;
}

/* Stores the words 2 to 15 of a command at `part`, all but the ticket. */
static INLINE void describe_part(const struct mbcf_request *r,
                                 const struct target *to, uint32_t bytes, bool loud,
                                 const uint32_t *from, uint32_t *part)
{
    uint32_t *out = part + PACKET_DATA - 2;

    part[0] = packet_head(r->command, (r->options & MBCF_WAKES) |
                          (loud ? PACKET_LOUD : 0), to->task);
    part[1] = to->high;
    part[2] = to->low;
    part[3] = r->address;
    part[5] = current->gid << 24 | bytes;
    if (!bytes) {
        out[0] = r->operand[0];
        out[1] = r->operand[1];
        out += 2;
    }
    for (; bytes >= 4; bytes -= 4) {
        *out++ = *from++;
    }
    if (bytes) {                /* nothing after the bytes leaves the page */
        *out++ = *from & ~(0xffffffffu >> 8 * bytes);
    }
    while (out < part + PACKET_PART) {
        *out++ = 0;
    }
}

/* Describes the packet, which has its parts at the scratch page. */
static INLINE void describe_combined(const struct target *to, uint32_t count,
                                     volatile uint32_t *ni)
{
    QUICK_OUT(ni, 0) = FUGU_HDR_KERNEL | to->node;
    QUICK_OUT(ni, 1) = (uint32_t)packet_handler;
    QUICK_OUT(ni, PACKET_HEAD) = packet_head(PACKET_COMBINED, 0, to->task & 0xff);
    for (unsigned k = 3; k < 7; k++) {
        QUICK_OUT(ni, k) = 0;
    }
    QUICK_OUT(ni, PACKET_FROM) = current->gid << 24 |
                                 count * PACKET_PART * sizeof(uint32_t);
    QUICK_OUT(ni, PACKET_BODY_WORDS - 2) = task_scratch;
    QUICK_OUT(ni, PACKET_BODY_WORDS - 1) = count * PACKET_PART * sizeof(uint32_t);
}

/* Takes the slots of commands that have been sent: their parts have the tickets. */
static INLINE void take_slots(struct mbcf_task *t, const uint32_t *part,
                              uint32_t count)
{
    for (; count; count--, part += PACKET_PART) {
        struct slot *slot = &t->slot[part[4] % MBCF_SLOTS];

        take_slot(t, (struct chosen) { slot, requests_number + REQUESTS_STEP,
                                       part[4] });
    }
}

/*
 * MBCF_REQUEST of several commands. quick_call() leaves its window for this function's:
 * the compiler makes a jump of the call, which tests/glaze/test_windows.py checks.
 */
static QUICK_COMBINED uint32_t quick_several(struct mbcf_task *t, uint32_t list,
                                             uint32_t count, bool willing)
{
    uint32_t bad = (count - 1) / MBCF_COMBINED_MAX | !task_scratch;
    const struct mbcf_request *r = quick_readable(current, list, count * sizeof(*r),
                                                  &bad);
    volatile uint32_t *ni = quick_ni();
    uint32_t number = requests_number, silent = t->silent;
    uint32_t index = number / REQUESTS_STEP, *part = (uint32_t *)task_scratch;
    struct target to;
    uint32_t node, task;

    if (bad) {
        return QUICK_LONG;
    }
    task = r->task;
    if (!find(t, task, &to)) {
        return QUICK_LONG;
    }
    node = to.node;
    if (must_wait(&t->not_before[node % WAITS])) {
        return -EAGAIN;
    }
    if (t->page.free < count) {
        return t->silent ? (int)QUICK_LONG : -EAGAIN;   /* their targets are asked */
    }
    if (QUICK_K(ni, SPACE) < PACKET_BODY_WORDS) {
        return -EAGAIN;
    }
    for (unsigned k = 0; k < count; k++, r++, part += PACKET_PART) {
        uint32_t bytes = part_bytes(r, &bad);
        const uint32_t *from = bytes ? quick_readable(current, r->local, bytes, &bad)
                                     : NULL;
        uint32_t local = bytes ? 0 : r->local;
        bool loud = local || r->options & (MBCF_STATUS | (MBCF_COLOURS - 1) <<
                                           MBCF_COLOUR_SHIFT) ||
                    silent >= MBCF_SILENT_MAX;
        struct slot *slot;

        bad |= r->options & ~(MBCF_OPTIONS & ~MBCF_CANCELS);
        if (__builtin_expect(r->task != task, false)) {
            task = r->task;
            bad |= (!find(t, task, &to)) | (to.node ^ node);
        }
        if (bad) {
            return QUICK_LONG;
        }
        do {
            slot = &t->slot[++index % MBCF_SLOTS];
        } while (slot->ticket);
        silent += !loud;
        number += REQUESTS_STEP;
        fill(slot, r, &to, bytes, local, loud);
        describe_part(r, &to, bytes, loud, from, part);
        part[4] = number + index % MBCF_SLOTS;
    }
    describe_combined(&to, count, ni);
    if (!body_fits(willing)) {
        return -EAGAIN;
    }
    NI_LAUNCH(PACKET_BODY_WORDS, 1);
    take_slots(t, (uint32_t *)task_scratch, count);
    return 0;
}

/* ---- Requests of all kinds ----------------------------------------------- */

/* MBCF_REQUEST of one command. */
static INLINE uint32_t request(struct mbcf_task *t, uint32_t list, bool willing)
{
    uint32_t bad = 0, bytes = 0, first = PACKET_DATA;
    const struct mbcf_request *r = quick_readable(current, list, sizeof(*r),
                                                  &bad);
    struct target to;

    if (bad || !find(t, r->task, &to)) {
        return QUICK_LONG;
    }
    if (must_wait(&t->not_before[to.node % WAITS])) {
        return -EAGAIN;
    }
    bad = r->options & ~(MBCF_OPTIONS & ~MBCF_CANCELS);
    bad |= requests_may_hold(t, r->bytes);      /* of a word: it goes at once there */
    switch (r->command) {
    case MBCF_SIGNAL:
        first = PACKET_DATA + 1;
        break;
    case MBCF_FIFOE:
        first = PACKET_DATA + 1;
        bad |= !r->bytes;
        break;
    case MBCF_WRITE:
    case MBCF_FIFO:
    case MBCF_FIFOE_RETRY:
        bad |= !r->bytes;
        break;
    case MBCF_READ:
        bytes = r->bytes;
        bad |= (bytes - 1) / MBCF_BYTES_MAX | !r->local;
        return send_operands(t, r, &to, bytes, 0, bad);
    case MBCF_SWAP:
    case MBCF_FETCH_ADD:
    case MBCF_COMP_SWAP:
        return send_operands(t, r, &to, 0, r->command == MBCF_COMP_SWAP ? 2 : 1,
                             bad);
    default:
        return QUICK_LONG;
    }
    return send_bytes(t, r, &to, first, willing, bad);
}

/* ---- FIFOs and signals --------------------------------------------------- */

static INLINE uint32_t take(uint32_t address, uint32_t to, uint32_t most)
{
    uint32_t bad = 0, bytes, room;
    struct mbcf_fifo *real = quick_writable(current, address, sizeof(*real),
                                            &bad);
    struct mbcf_fifo f;         /* a copy: `to` may be over the structure */
    const uint32_t *entry;

    if (bad) {
        return QUICK_LONG;
    }
    f = *real;
    if (!fifo_makes_sense(&f)) {
        return QUICK_LONG;
    }
    if (!f.used) {
        return -EAGAIN;
    }
    entry = quick_readable(current, f.buffer + f.head, sizeof(*entry), &bad);
    if (bad) {
        return QUICK_LONG;
    }
    bytes = *entry;
    room = fifo_room(bytes);
    if (bytes > GLAZE_PAGE || bytes > most || room > f.used) {
        return QUICK_LONG;
    }
    if (fifo_piece(&f, f.head, room) == room) {
        uint32_t *place = quick_writable(current, to, bytes, &bad);

        if (bad) {
            return QUICK_LONG;
        }
        quick_copy(place, entry + 1, bytes);
    } else if (rare_fetch(&f, to, bytes, false)) {
        rare_fetch(&f, to, bytes, true);
    } else {
        return QUICK_LONG;
    }
    real->head = fifo_after(&f, f.head, room);
    real->used = f.used - room;
    return bytes;
}

static INLINE uint32_t next(struct mbcf_task *t, uint32_t to, uint32_t ended)
{
    uint32_t bad = 0, *running = NULL;
    struct mbcf_invocation *place = NULL;

    if (ended) {
        running = quick_writable(current, ended +
                                 offsetof(struct mbcf_signal, running),
                                 sizeof(*running), &bad);
    }
    if (t->invocations) {
        place = quick_writable(current, to, sizeof(*place), &bad);
    }
    if (bad) {
        return QUICK_LONG;
    }
    if (ended && *running) {
        --*running;
    }
    if (!t->invocations) {
        return 0;
    }
    *place = t->invocation[0];
    t->invocations--;
    for (uint32_t k = 0; k < t->invocations; k++) {
        t->invocation[k] = t->invocation[k + 1];
    }
    return 1;
}

uint32_t quick_call(uint32_t operation, uint32_t a, uint32_t b, uint32_t c)
{
    struct mbcf_task *t = current->mbcf;
    uint32_t result = QUICK_LONG;

    if (!t) {
        return result;
    }
    if (operation == MBCF_REQUEST && b == 1) {
        result = request(t, a, c);
    } else if (operation == MBCF_REQUEST) {
        return quick_several(t, a, b, c);
    } else if (operation == MBCF_TAKE) {
        result = take(a, b, c);
    } else if (operation == MBCF_NEXT) {
        result = next(t, a, b);
    }
    return result;
}
