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

/* Ends a letter, of which the value has been stored: it goes. */
static void post(const struct call *call, volatile struct letter *letter,
                 uint32_t source, uint32_t count)
{
    letter->source = source;
    letter->identity = call->identity;
    letter->count = count;
    collective_flush();
}

void collective_send(const struct call *call, uint32_t node, unsigned slot,
                     const union value *value)
{
    volatile struct inbox *to = collective_to(node);

    if (to) {                   /* a node that has ended has said so (leave.c) */
        volatile struct letter *letter = &to->letter[odd_of(call)][slot];

        letter->value.integer = value->integer;
        post(call, letter, udm_node(), 1);
    }
}

void collective_signal(const struct call *call, uint32_t node, unsigned slot)
{
    volatile struct inbox *to = collective_to(node);

    if (to) {
        post(call, &to->letter[odd_of(call)][slot], udm_node(), 1);
    }
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

/* Waits until a word of the inbox, a count, is at least this one. */
static void wait_for(const struct call *call, const volatile uint32_t *word,
                     uint32_t least)
{
    unsigned most = wait_how == UDM_WAIT_SPIN ? LOOKS_TO_SPIN : LOOKS_TO_BLOCK;
    unsigned looks = 0;
    uint32_t found;

    while ((found = *word) < least) {
        if (++looks >= most && !let_others_run()) {
            check_letters(call);
            collective_look_for_left();
            collective_await(word, found);
        }
    }
}

/* ---- Bodies ------------------------------------------------------------- */

void collective_into(struct call *call, void *data)
{
    into = data;
    for (unsigned k = 0; k < ROUNDS; k++) {
        own.taken[odd_of(call)][k] = 0;
    }
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

void collective_send_body(const struct call *call, uint32_t node, const void *body,
                          uint32_t bytes, uint32_t offset)
{
    uint32_t number = offset / COLLECTIVE_BODY + 1;
    unsigned k = log2_of(distance_to(node));
    volatile struct inbox *to = collective_to(node);
    volatile struct letter *letter;

    if (number > BODIES) {
        wait_for(call, &own.taken[odd_of(call)][k], number - BODIES);
    }
    if (to) {
        memcpy((void *)to->body[number % BODIES], body, bytes);
        asm volatile ("" : : : "memory");
        letter = &to->letter[odd_of(call)][FROM_PARENT];
        letter->value.word[0] = bytes;
        letter->value.word[1] = offset;
        post(call, letter, udm_node() | LETTER_BODY, number);
    }
}

/* Takes a body out of the inbox, and tells its sender that there is room. */
static void take_body(struct call *call, uint32_t number, uint32_t parent)
{
    uint32_t nodes = udm_nodes(), node = udm_node();
    volatile struct inbox *to = collective_to(parent);
    volatile struct letter *letter = &own.letter[odd_of(call)][FROM_PARENT];
    uint32_t offset = (number - 1) * COLLECTIVE_BODY;
    uint32_t end = letter->value.word[0] + letter->value.word[1];

    end = number < letter->count || end > offset + COLLECTIVE_BODY
          ? offset + COLLECTIVE_BODY : end;
    asm volatile ("" : : : "memory");
    memcpy(into + offset, (const void *)own.body[number % BODIES], end - offset);
    if (to) {
        uint32_t distance = node - parent + (node < parent ? nodes : 0);

        to->taken[odd_of(call)][log2_of(distance)] = number;
        collective_flush();
    }
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
