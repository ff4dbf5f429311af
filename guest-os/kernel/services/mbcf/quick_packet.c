/*
 * Packets of MBCF on the fast path.
 *
 * Each function returns false before it has changed anything, or does all of
 * its part. The order of the tests is that of arrive.c and execute.c, which do
 * the same work for all packets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/pending.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/signals.h"
#include "memory/quick_memory.h"
#include "services/mbcf/quick_packet.h"
#include "services/mbcf/quick_rare.h"
#include "services/mbcf/requests.h"
#include "services/mbcf/load.h"
#include "services/mbcf/replies.h"
#include "machine/ni.h"
#include "machine/debts.h"

/*
 * About as many cycles as the way to quick_packet() and back takes, and what is
 * done after the last look at the clock.
 */
#define WAY             200

/* Bits of word 2: the agent's number, and options. */
#define AGENT           0xff00
#define OPTION(option)  ((option) << 16)

/*
 * A command as the fast path reads it: the head of the network, or a part of a
 * combined packet, which has been taken. `word` is the packet's; word 2 is the first
 * that is read.
 */
struct source {
    volatile uint32_t *ni;
    const volatile uint32_t *word;
    bool part;
};

static INLINE struct source head_of(volatile uint32_t *ni)
{
    return (struct source) { ni, &QUICK_WORD(ni, 0), false };
}

/* Where the words of a packet with a body go: the body alone is wanted. */
static uint32_t dropped[FUGU_MSG_WORDS];

/* Takes the head off the network, with its body, to a physical address. */
static INLINE void take_body(uint32_t *to)
{
    ni_store_words((uint32_t)dropped);
    ni_store_body((uint32_t)to);
    ni_dispose();
}

/* Takes the head off the network, if the command is that. */
static INLINE void take(struct source s)
{
    if (!s.part) {
        ni_dispose();
    }
}

/* Copies bytes of a packet from word k on to a multiple of 4. */
static INLINE void copy_words(struct source s, uint32_t *to, uint32_t k,
                              uint32_t bytes)
{
    const volatile uint32_t *from = &s.word[k];

    for (; bytes >= 4; bytes -= 4) {
        *to++ = *from++;
    }
    if (bytes) {
        uint32_t word = *from;
        uint8_t *byte = (uint8_t *)to;

        for (; bytes; bytes--, word <<= 8) {
            *byte++ = word >> 24;
        }
    }
}

/* Returns whether bytes that begin at word `first` of a packet are its body. A part of
 * a packet has none. */
static INLINE bool are_body(struct source s, uint32_t first, uint32_t bytes)
{
    return !s.part && bytes > (FUGU_MSG_WORDS - first) * sizeof(uint32_t);
}

/* Stores a command's bytes, and takes its packet. */
static INLINE void store(struct source s, uint32_t *to, uint32_t first,
                         uint32_t bytes)
{
    if (are_body(s, first, bytes)) {
        take_body(to);
    } else {
        copy_words(s, to, first, bytes);
        take(s);
    }
}

/* Returns not 0 if a body ends within a word. DMA would store all of that. */
static INLINE uint32_t is_ragged(struct source s, uint32_t first, uint32_t bytes)
{
    return are_body(s, first, bytes) ? bytes & 3 : 0;
}

/* ---- Commands ------------------------------------------------------------ */

/* Writes bytes, which begin at word `first`, to an address. */
static INLINE uint32_t write(struct process *p, struct source s,
                         uint32_t address, uint32_t first, uint32_t bytes)
{
    uint32_t bad = is_ragged(s, first, bytes), *to;

    if (are_body(s, first, bytes) && quick_piece(address, bytes) != bytes) {
        return bad || !rare_take_pieces(p, address, bytes) ? 0 : MBCF_DONE;
    }
    to = quick_writable(p, address, bytes, &bad);
    if (bad) {
        return 0;
    }
    store(s, to, first, bytes);
    return MBCF_DONE;
}

/*
 * Appends an entry to the FIFO at an address. Returns a status; 0: the slow path.
 * `named` is the epoch that a FIFOE names, or 0.
 * Works with a copy of the structure, because the task may have its buffer over
 * it.
 */
static INLINE uint32_t fifo(struct process *p, struct source s,
                        uint32_t address, uint32_t first, uint32_t bytes,
                        uint32_t named)
{
    uint32_t bad = 0, room = fifo_room(bytes), at, *to;
    struct mbcf_fifo *real = quick_writable(p, address, sizeof(*real), &bad);
    struct mbcf_fifo f;

    if (bad) {
        return 0;
    }
    f = *real;
    if (!fifo_makes_sense(&f) || fifo_refuses(&f, named)) {
        return 0;
    }
    if (room > f.size - f.used) {
        return MBCF_FULL;
    }
    at = fifo_after(&f, f.head, f.used);
    if (fifo_piece(&f, at, room) == room) {
        to = quick_writable(p, f.buffer + at, room, &bad);
        if (bad) {
            return 0;
        }
        *to = bytes;
        store(s, to + 1, first, bytes);
    } else {
        if (s.part || room > GLAZE_PAGE ||
            !rare_store(p, &f, at, room, false)) {
            return 0;
        }
        to = (uint32_t *)task_scratch;
        *to = bytes;
        store(s, to + 1, first, bytes);
        rare_store(p, &f, at, room, true);
    }
    real->used = f.used + room;
    return MBCF_DONE;
}

/*
 * Returns the signal structure at an address, if its program can be invoked;
 * NULL. `bytes` come with the signal.
 */
static INLINE struct mbcf_signal *signal_at(struct process *p,
                                            uint32_t address, uint32_t bytes)
{
    uint32_t bad = p->state == PROCESS_WAITING;
    struct mbcf_signal *s = quick_writable(p, address, sizeof(*s), &bad);

    if (bad || !signals_make_sense(s) || s->store & MBCF_STORE_SOURCE ||
        (s->running && s->during != MBCF_WHILE_INVOKE) ||
        (s->store == MBCF_STORE_BUFFER && bytes > s->size) ||
        p->mbcf->invocations == MBCF_INVOCATIONS) {
        return NULL;
    }
    return s;
}

/* Notes an invocation. signal_due() brings it. */
static INLINE void invoke(struct mbcf_task *t, struct mbcf_signal *s,
                          uint32_t address, uint32_t from_source)
{
    struct mbcf_invocation *next = &t->invocation[t->invocations++];

    next->signal = address;
    next->program = s->invoke == MBCF_INVOKE_SCHEDULER ? 0 :
                    s->invoke == MBCF_INVOKE_TARGET ? s->program : from_source;
    s->running++;
}

static INLINE uint32_t word(struct process *p, struct source s,
                        uint32_t command, uint32_t *old)
{
    uint32_t bad = 0, operand = s.word[PACKET_DATA], value;
    uint32_t *at = quick_writable(p, s.word[PACKET_ADDRESS], sizeof(*at), &bad);

    if (bad) {
        return 0;
    }
    *old = value = *at;
    if (command == MBCF_FETCH_ADD) {
        value += operand;
    } else if (command == MBCF_SWAP) {
        value = operand;
    } else if (value == operand) {
        value = s.word[PACKET_DATA + 1];
    }
    *at = value;
    take(s);
    return MBCF_DONE;
}

/*
 * Does a command with bytes, and takes its packet. A signal stores its bytes as
 * a WRITE or a FIFO does. Returns a status; 0: the slow path. A command that is
 * refused leaves its packet where it is.
 */
static INLINE uint32_t quick_put(struct process *p, struct source s,
                                 uint32_t command, uint32_t bytes)
{
    uint32_t address = s.word[PACKET_ADDRESS], first = PACKET_DATA, at = address;
    uint32_t operand = s.word[PACKET_DATA], status = MBCF_DONE;
    struct mbcf_signal *signal = NULL;
    bool entry = command != MBCF_WRITE;

    if (command == MBCF_SIGNAL) {
        signal = signal_at(p, address, bytes);
        if (!signal) {
            return 0;
        }
        first++;
        entry = signal->store == MBCF_STORE_FIFO;
        at = signal->to;
    }
    if (command == MBCF_FIFOE) {
        first++;
    }
    if (entry) {
        status = fifo(p, s, at, first, bytes,
                      command == MBCF_FIFOE ? operand : 0);
        if (status == MBCF_FULL && command == MBCF_FIFOE) {
            return 0;           /* it stops the FIFO */
        }
    } else if (!signal || (signal->store && bytes)) {
        status = write(p, s, at, first, bytes);
    } else if (are_body(s, first, bytes)) {
        take_body((uint32_t *)task_scratch);
    } else {
        take(s);
    }
    if (signal && status == MBCF_DONE) {
        invoke(p->mbcf, signal, address, operand);
    }
    return status;
}

/* Does a command that stores. Returns as quick_put() does. */
static INLINE uint32_t perform(struct process *p, struct source s,
                               uint32_t command, uint32_t bytes, uint32_t *old)
{
    switch (command) {
    case MBCF_WRITE:
    case MBCF_FIFO:
    case MBCF_FIFOE:
    case MBCF_SIGNAL:
        return quick_put(p, s, command, bytes);
    case MBCF_SWAP:
    case MBCF_FETCH_ADD:
    case MBCF_COMP_SWAP:
        return word(p, s, command, old);
    default:
        return 0;
    }
}

/* Returns not 0 if a reply with bytes cannot be sent at once. */
static INLINE uint32_t must_wait(volatile uint32_t *ni, uint32_t bytes)
{
    uint32_t words = PACKET_DATA + (bytes + 3) / 4;

    if (words > FUGU_MSG_WORDS) {
        words = PACKET_BODY_WORDS;
        if (!ni_body_space()) {
            return true;
        }
    }
    return QUICK_K(ni, SPACE) < words || !replies_none();
}

/* Sends the reply to a command, with bytes from a place. */
static INLINE void reply(volatile uint32_t *ni, uint32_t source, uint32_t gid,
                         uint32_t ticket, uint32_t status, uint32_t old,
                         const uint32_t *place, uint32_t bytes)
{
    uint32_t words = PACKET_DATA + (bytes + 3) / 4;

    QUICK_OUT(ni, 0) = FUGU_HDR_KERNEL | source;
    QUICK_OUT(ni, 1) = (uint32_t)packet_handler;
    QUICK_OUT(ni, PACKET_HEAD) = packet_head(PACKET_REPLY, 0, gid);
    QUICK_OUT(ni, PACKET_STATUS) = status;
    QUICK_OUT(ni, PACKET_OLD) = old;
    QUICK_OUT(ni, PACKET_DELAY) = load_delay();
    QUICK_OUT(ni, PACKET_TICKET) = ticket;
    QUICK_OUT(ni, PACKET_FROM) = bytes;
    if (words > FUGU_MSG_WORDS) {
        QUICK_OUT(ni, PACKET_BODY_WORDS - 2) = (uint32_t)place;
        QUICK_OUT(ni, PACKET_BODY_WORDS - 1) = (bytes + 3) & ~3u;
        NI_LAUNCH(PACKET_BODY_WORDS, 1);
        return;
    }
    for (uint32_t k = PACKET_DATA; k < words; k++) {
        QUICK_OUT(ni, k) = *place++;
    }
    NI_LAUNCH_MORE(0, words);
}

/* Refuses a command. Returns false if the reply has to wait. */
static INLINE bool refuse(struct mbcf_task *t, struct source s, uint32_t node,
                          uint32_t status)
{
    uint32_t head = s.word[PACKET_HEAD], ticket = s.word[PACKET_TICKET];
    uint32_t from = s.word[PACKET_FROM];

    if (!(head & OPTION(PACKET_LOUD)) && must_wait(s.ni, 0)) {
        return false;
    }
    if (!s.part && QUICK_HEAD(s.ni, BODY)) {
        take_body((uint32_t *)task_scratch);
    } else {
        take(s);
    }
    t->page.refused++;
    reply(s.ni, node, from >> 24, ticket, status, 0, NULL, 0);
    return true;
}

/* Does a command for a task, and replies if that is wanted. Sets *word_7. */
static INLINE bool do_command(struct process *p, struct mbcf_task *t,
                              struct source s, uint32_t node, uint32_t head,
                              uint32_t *word_7)
{
    uint32_t ticket = s.word[PACKET_TICKET], from = s.word[PACKET_FROM];
    uint32_t bytes = from & 0xffff, old = 0, bad;
    const uint32_t *place = NULL;
    uint32_t status;
    bool reads = head >> 24 == MBCF_READ;

    *word_7 = from;
    bad = (head & AGENT) | t->aside_count |
          (s.word[PACKET_KEY_HIGH] ^ (uint32_t)(t->page.key >> 32)) |
          (s.word[PACKET_KEY_LOW] ^ (uint32_t)t->page.key);
    if (head & OPTION(PACKET_LOUD | MBCF_WAKES)) {
        bad |= head & OPTION(MBCF_WAKES) && p->state == PROCESS_WAITING;
        bad |= head & OPTION(PACKET_LOUD) && must_wait(s.ni, reads ? bytes : 0);
    }
    if (reads) {
        place = quick_readable(p, s.word[PACKET_ADDRESS], bytes, &bad);
        if (bad) {
            return false;
        }
        take(s);
    } else {
        status = bad ? 0 : perform(p, s, head >> 24, bytes, &old);
        if (status != MBCF_DONE) {
            return status && refuse(t, s, node, status);
        }
    }
    t->page.commands++;
    if (head & OPTION(MBCF_WAKES)) {
        t->page.wakes++;
    }
    if (head & OPTION(PACKET_LOUD)) {
        reply(s.ni, node, from >> 24, ticket, MBCF_DONE, old, place,
              reads ? bytes : 0);
    }
    return true;
}

/* ---- Replies ------------------------------------------------------------- */

static INLINE bool do_reply(struct process *p, struct mbcf_task *t,
                            volatile uint32_t *ni)
{
    uint32_t ticket = QUICK_WORD(ni, 6), status = QUICK_WORD(ni, 3);
    uint32_t bytes = QUICK_WORD(ni, 7) & 0xffff, bad, colour;
    uint32_t *result = NULL, *where = NULL;
    struct slot *slot = &t->slot[ticket % MBCF_SLOTS];
    struct source s = head_of(ni);

    bad = (slot->ticket ^ ticket) | (slot->node ^ QUICK_HEAD(ni, SOURCE)) |
          slot->arrived | t->silent_kept | (p->state == PROCESS_WAITING) |
          is_ragged(s, PACKET_DATA, bytes);
    if (slot->local && status == MBCF_DONE) {
        result = quick_writable(p, slot->local, bytes ? bytes : 4, &bad);
    } else {
        bad |= bytes;           /* bytes that go nowhere */
    }
    if (slot->status && (slot->options & MBCF_STATUS || status != MBCF_DONE)) {
        where = quick_writable(p, slot->status, sizeof(*where), &bad);
    }
    if (bad) {
        return false;
    }
    if (QUICK_WORD(ni, 5)) {
        t->not_before[slot->node % WAITS] = now() + QUICK_WORD(ni, 5);
    }
    if (are_body(s, PACKET_DATA, bytes)) {
        take_body(result);
    } else {
        if (bytes) {
            copy_words(s, result, PACKET_DATA, bytes);
        } else if (result) {
            *result = QUICK_WORD(ni, 4);
        }
        ni_dispose();
    }
    if (where) {
        *where = status;
    }
    colour = requests_colour(slot->options);
    if (colour) {
        t->page.colour[colour].replies++;
    }
    requests_free(t, slot, status);
    t->page.wakes++;
    return true;
}

/* ---- Signals ------------------------------------------------------------- */

/*
 * A program has been invoked. Returns QUICK_UPCALL if its upcall can begin at
 * once: the interrupted code is the process's, and outside of atomic sections.
 * Otherwise the upcall is due when the process runs next, or at the end of its
 * section (rights.c).
 */
static INLINE unsigned signal_due(struct process *p, volatile uint32_t *ni,
                                  bool interrupted)
{
    uint32_t uac = QUICK_K(ni, UAC);

    if (interrupted && p == current) {
        if (!process_upcall(p)->signal.entry) {
            return QUICK_DONE;
        }
        if (soft && !(uac & NI_SECTION) &&
            process_upcall(p)->message.entry & GLAZE_U_SECTION) {
            uac |= FUGU_UAC_INTERRUPT_DISABLE;  /* as soft_take_section() */
            QUICK_K(ni, DIVERT) = true;
        }
        if (!(uac & NI_SECTION)) {
            QUICK_K(ni, UAC) = uac | FUGU_UAC_INTERRUPT_DISABLE;
            if (soft) {
                QUICK_K(ni, DIVERT) = true;
            }
            return QUICK_UPCALL;
        }
        QUICK_K(ni, UAC) = uac | FUGU_UAC_ATOMICITY_EXTEND;
    }
    p->rights |= RIGHTS_SIGNAL;
    return QUICK_DONE;
}

/* Leaves the packet to C. */
static INLINE unsigned leave(bool interrupted, uint64_t start)
{
    if (interrupted) {
        load_left_at = start;
    }
    return QUICK_NOT;
}

/*
 * Returns whether the disk's interrupt waits, which is the lowest one, while packets
 * have more of the node than they should. C looks at the disk (trap.c). Where packets
 * leave programs their time, the disk interrupts by itself, and this costs one load.
 */
static INLINE bool disk_waits(void)
{
    return load_high &&
           read32(FUGU_DISK_BASE + FUGU_DISK_STATUS) & FUGU_DISK_DONE;
}

unsigned quick_packet(bool interrupted)
{
    volatile uint32_t *ni = quick_ni();
    uint64_t start = now(), end;
    uint32_t head = QUICK_WORD(ni, 2), gid = head & 0xff;
    struct process *p = gid <= GID_MAX ? processes[gid] : NULL;
    unsigned result = QUICK_DONE, invocations;
    uint32_t from = 0;
    struct mbcf_task *t;

    if (!p || process_has_ended(p) || (interrupted && disk_waits())) {
        return leave(interrupted, start);
    }
    t = p->mbcf;
    if (!t) {
        return leave(interrupted, start);
    }
    invocations = t->invocations;
    if (!(head >> 24 == PACKET_REPLY
          ? do_reply(p, t, ni)
          : do_command(p, t, head_of(ni), QUICK_HEAD(ni, SOURCE), head, &from))) {
        return leave(interrupted, start);
    }
    if (head >> 24 == MBCF_SIGNAL && t->invocations != invocations) {
        result = signal_due(p, ni, interrupted);
    }
    end = now();
    t->page.cycles += end - start;
    if (head >> 24 != PACKET_REPLY) {
        load_add(start, end, WAY);
        if (processes_alive > 1) {
            debts_charge_quick(from >> 24,
                               end - start + WAY + debts_wire(from & 0xffff));
        }
    }
    return result;
}

QUICK_COMBINED bool quick_part(const uint32_t *part, uint32_t node)
{
    struct source s = { quick_ni(), part - 2, true };
    uint32_t head = *part, gid = head & 0xff, invocations, from;
    struct process *p = gid <= GID_MAX ? processes[gid] : NULL;

    if (!p || process_has_ended(p) || !p->mbcf) {
        return false;
    }
    invocations = p->mbcf->invocations;
    if (!do_command(p, p->mbcf, s, node, head, &from)) {
        return false;
    }
    if (p->mbcf->invocations != invocations) {
        p->rights |= RIGHTS_SIGNAL;
    }
    return true;
}
