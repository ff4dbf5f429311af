/*
 * Slots by updates: letters to inboxes, and how a thread waits for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "inbox.h"
#include "library.h"

#define own             (*collective_own)

struct call collective_calls[2];

static enum udm_wait wait_how;
static char *into;              /* where bodies belong */

void udm_collective_wait(enum udm_wait how)
{
    wait_how = how;
}

static unsigned odd_of(const struct call *call)
{
    return call == &collective_calls[1];
}

/* ---- Sending ------------------------------------------------------------ */

/* Sends a letter to a slot of a call on another node. */
static inline void post(const struct call *call, uint32_t node, unsigned slot,
                 const union value *value, uint32_t source, uint32_t count)
{
    volatile struct inbox *to;

    if (__builtin_expect(COLLECTIVE_BY_MESSAGES, false)) {
        collective_store_letter(node, &own.letter[odd_of(call)][slot], value, source,
                                call->identity, count);
        return;
    }
    to = collective_to(node);
    if (to) {                   /* a node that has ended has said so (leave.c) */
        volatile struct letter *letter = &to->letter[odd_of(call)][slot];

        if (value) {
            letter->value.integer = value->integer;
        }
        letter->source = source;
        letter->identity = call->identity;
        letter->count = count;
        collective_flush();
    }
}

void collective_send(const struct call *call, uint32_t node, unsigned slot,
                     const union value *value)
{
    post(call, node, slot, value, udm_node(), 1);
}

void collective_signal(const struct call *call, uint32_t node, unsigned slot)
{
    post(call, node, slot, NULL, udm_node(), 1);
}

/* ---- Waiting ------------------------------------------------------------ */

/*
 * Looks before the process waits without the processor. To wait so takes some thousand
 * cycles, in which others wait for this node. If they wait in the same way then, a
 * barrier takes ten times as long: so a thread that spins looks for as long as that.
 */
#define LOOKS_TO_SPIN   1000
#define LOOKS_TO_BLOCK  64

/* Lets other threads run, if any may. Returns whether one has. */
static bool let_others_run(void)
{
    if (wait_how == UDM_WAIT_SPIN || !ready_any(udm_thread_self())) {
        return false;
    }
    udm_thread_yield();
    return true;
}

/* Ends the job if a letter is for another call. */
static inline void check_letter(const struct call *call,
                                volatile struct letter *letter)
{
    if (letter->count && letter->identity != call->identity) {
        collective_mismatch(call->identity, letter->identity,
                            letter->source & ~LETTER_BODY);
    }
}

static void check_letters(const struct call *call)
{
    for (unsigned k = 0; k < SLOTS; k++) {
        check_letter(call, &own.letter[odd_of(call)][k]);
    }
}

void collective_look_for_others(void)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        if (collective_calls[odd].identity) {
            check_letters(&collective_calls[odd]);
        }
    }
}

/* Waits until a word of the inbox, a count modulo 2^32, is at least this one. */
static void wait_for(const struct call *call, const volatile uint32_t *word,
                     uint32_t least)
{
    unsigned most = wait_how == UDM_WAIT_SPIN ? LOOKS_TO_SPIN : LOOKS_TO_BLOCK;
    unsigned looks = 0;
    uint32_t found;

    while ((int32_t)((found = *word) - least) < 0) {
        if (++looks >= most && !let_others_run()) {
            check_letters(call);
            collective_look_for_left();
            collective_await(word, found);
        }
    }
}

/* ---- Bodies ------------------------------------------------------------- */

/* Bodies since the process began: sent to the node 2^k after this one, and taken from
 * the one 2^k before it. */
static uint32_t sent[ROUNDS], taken[ROUNDS];

void collective_into(struct call *call, void *data)
{
    (void)call;
    into = data;
}

/* Returns the number of a node relative to this one, modulo the number of nodes. */
static uint32_t distance_to(uint32_t node)
{
    return node - udm_node() + (node < udm_node() ? udm_nodes() : 0);
}

static unsigned log2_of(uint32_t power)
{
    unsigned k = 0;

    while (1u << k < power) {
        k++;
    }
    return k;
}

/* Stores a body in a node's inbox. */
static void store_body(uint32_t node, uint32_t number, const void *body,
                       uint32_t bytes)
{
    volatile uint32_t *place = own.body[number % BODIES];
    volatile struct inbox *to;

    if (COLLECTIVE_BY_MESSAGES) {
        collective_store_body(node, place, body, bytes / 4);
    } else if ((to = collective_to(node))) {
        memcpy((void *)to->body[number % BODIES], body, bytes);
        asm volatile ("" : : : "memory");
    }
}

void collective_send_body(const struct call *call, uint32_t node, const void *body,
                          uint32_t bytes, uint32_t offset)
{
    uint32_t number = offset / COLLECTIVE_BODY + 1;
    unsigned k = log2_of(distance_to(node));
    union value extent = { .word = { bytes, offset } };

    wait_for(call, &own.taken[k], ++sent[k] - BODIES);
    store_body(node, number, body, bytes);
    post(call, node, FROM_PARENT, &extent, udm_node() | LETTER_BODY, number);
}

/* Tells a node that its body has been taken: there is room. */
static void tell_taken(uint32_t parent)
{
    uint32_t node = udm_node();
    unsigned k = log2_of(node - parent + (node < parent ? udm_nodes() : 0));
    volatile struct inbox *to;

    taken[k]++;
    if (COLLECTIVE_BY_MESSAGES) {
        collective_store(parent, &own.taken[k], taken[k]);
    } else if ((to = collective_to(parent))) {
        to->taken[k] = taken[k];
        collective_flush();
    }
}

/* Takes a body out of the inbox. */
static void take_body(struct call *call, uint32_t number, uint32_t parent)
{
    volatile struct letter *letter = &own.letter[odd_of(call)][FROM_PARENT];
    uint32_t offset = (number - 1) * COLLECTIVE_BODY, bytes, end;

    /* The next body's letter may come meanwhile: its offset first (handlers.S). */
    bytes = letter->value.word[0];
    end = bytes + letter->value.word[1];
    end = number < letter->count || end > offset + COLLECTIVE_BODY
          ? offset + COLLECTIVE_BODY : end;
    asm volatile ("" : : : "memory");
    memcpy(into + offset, (const void *)own.body[number % BODIES], end - offset);
    tell_taken(parent);
}

void collective_wait(struct slot *slot, uint32_t count)
{
    struct call *call = &collective_calls[slot >= collective_calls[1].slot];
    unsigned k = slot - call->slot;
    volatile struct letter *letter = &own.letter[odd_of(call)][k];

    wait_for(call, &letter->count, count);
    check_letter(call, letter);
    while (slot->count < count) {
        slot->count++;
        if (letter->source & LETTER_BODY) {
            take_body(call, slot->count, letter->source & ~LETTER_BODY);
        } else {
            slot->value.word[0] = letter->value.word[0];
            slot->value.word[1] = letter->value.word[1];
        }
    }
}

void collective_free(struct call *call, unsigned slot)
{
    call->slot[slot].count = 0;
    own.letter[odd_of(call)][slot].count = 0;
}

const union value *collective_take(struct call *call, unsigned slot)
{
    collective_wait(&call->slot[slot], 1);
    collective_free(call, slot);
    return &call->slot[slot].value;
}
