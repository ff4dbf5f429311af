/*
 * Rings: how they are exported and mapped, how a process waits, and how it ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "note.h"
#include "nx-state.h"
#include "shrimp.h"
#include "udm.h"

#define WORDS_AT        offsetof(struct page, words)

/*
 * Cycles for which a process looks before it waits without the processor. Such a wait
 * takes some 3,500 cycles at least. Two processes that answer each other would go on to
 * wait so for ever if they looked no longer than for that and for what the other does.
 */
#define LOOKS_FOR       10000

volatile struct words nx_board[GLAZE_PAGE / sizeof(struct words)]
    __attribute__((aligned(GLAZE_PAGE)));
struct peer nx_peers[NX_NODES];
uint32_t nx_nodes;

static struct page *rings;      /* by the sender's node */
static struct page nowhere      /* for peers that have ended: mapped to nothing */
    __attribute__((aligned(GLAZE_PAGE)));

/* ---- Exports and mappings -------------------------------------------------- */

/* At the process's end: lets nobody wait for room. What has been sent here is known
 * once the exports have ended, and who waits from then on sees that (has_ended()). */
static void leave(void)
{
    shrimp_unexport(EXPORT_RINGS);
    shrimp_unexport(EXPORT_BOARD);
    for (uint32_t k = 0; k < nx_nodes; k++) {
        struct peer *p = &nx_peers[k];

        if (p->out || nx_has_come(p)) {
            nx_connect(p, NULL);
            p->out->words.taken = p->taken + TAKEN_ENDED;
        }
    }
}

/* Before main(), so that others can send at any time. */
__attribute__((constructor))
static void export_rings(void)
{
    uint32_t bytes;

    nx_nodes = udm_nodes() < NX_NODES ? udm_nodes() : NX_NODES;
    bytes = nx_nodes * sizeof(*rings);
    rings = memalign(GLAZE_PAGE, bytes);
    if (!rings || shrimp_export(EXPORT_RINGS, rings, bytes) < 0 ||
        shrimp_export(EXPORT_BOARD, nx_board, sizeof(nx_board)) < 0) {
        nx_mistake("nx.h", "no memory is left for its rings");
    }
    for (uint32_t k = 0; k < nx_nodes; k++) {
        nx_peers[k].next_in = rings[k].slot;
        nx_peers[k].words = &nx_board[k];
        nx_peers[k].node = k;
    }
    for (uint32_t k = 0; k < NX_TYPES / GROUP; k++) {
        nx_groups[k] = nx_unknown;
    }
    atexit(leave);
}

/* Maps a page to a peer. Returns as shrimp_map() does. */
static int32_t map(struct page *out, uint32_t to)
{
    uint32_t self = udm_node();
    int32_t result = shrimp_map(out, WORDS_AT, to, EXPORT_RINGS, self * sizeof(*out),
                                SHRIMP_BLOCKED);

    if (result >= 0) {
        result = shrimp_map(&out->words, sizeof(out->words), to, EXPORT_BOARD,
                            self * sizeof(out->words), SHRIMP_SINGLE);
    }
    return result;
}

/* A peer has ended: all that is sent to it goes nowhere. */
static void forget(struct peer *p)
{
    p->words->taken = p->sent + TAKEN_ENDED;
}

void nx_connect(struct peer *p, const char *call)
{
    struct page *out;
    int32_t result = -ENOMEM;

    if (p->out) {
        return;
    }
    out = memalign(GLAZE_PAGE, sizeof(*out));
    if (out) {
        memset((void *)&out->words, 0, sizeof(out->words));
        result = map(out, p->node);
    }
    if (result == -ESRCH || (result < 0 && !call)) {
        out = &nowhere;
        forget(p);
    } else if (result < 0) {
        nx_mistake(call, "cannot map to node %lu: %s", (unsigned long)p->node,
                   result == -ENOSPC ? "no mapping is left" : "no memory is left");
    }
    p->out = out;
    p->next_out = out->slot;
}

/* ---- Waiting --------------------------------------------------------------- */

/* Queues what has come until now, but for one peer. Returns whether anything has. What
 * comes meanwhile is perhaps what the program waits for: that needs no queue. */
static bool queue_all(const struct peer *but, const char *call)
{
    bool any = false;

    for (uint32_t k = 0; k < nx_nodes; k++) {
        struct peer *p = &nx_peers[k];
        uint32_t sent = p->words->sent;

        while (p != but && p->taken != sent) {
            nx_queue(p, call);
            any = true;
        }
    }
    return any;
}

/* The report of a deadlock knows this name. */
static __attribute__((noinline)) void
nx_wait(const volatile uint32_t *word, uint32_t was)
{
    asm volatile (NOTE_NEEDS_SHRIMP(""));
    glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)word, was);
}

/*
 * Waits until a word of the board may be another one, or something has been queued,
 * from all but one peer. Looks only, and returns whether the process is to wait without
 * the processor now: no update is missed from here on.
 */
static bool look(const volatile uint32_t *word, uint32_t was, const struct peer *but,
                 const char *call)
{
    uint32_t began = udm_cycles32();

    while (udm_cycles32() - began < LOOKS_FOR) {
        if (queue_all(but, call) || *word != was) {
            return false;
        }
    }
    nx_wait(word, ~was);        /* it is another word: arms the page, and no more */
    return !queue_all(but, call) && *word == was;
}

void nx_await_slot(const struct peer *p, const char *call)
{
    const struct peer *one = p ? p : nx_peers;
    const volatile uint32_t *word = &one->words->sent;

    if (look(word, one->taken, p, call)) {
        nx_wait(word, one->taken);
    }
}

/* Returns whether the process of a peer has ended. What was sent before is in its FIFO
 * when its kernel answers. */
static bool has_ended(const struct peer *p)
{
    shrimp_fence();
    /* beyond the end of the export: maps nothing */
    return shrimp_map(&nowhere, 8, p->node, EXPORT_BOARD, sizeof(nx_board),
                      SHRIMP_SINGLE) == -ESRCH;
}

void nx_await_room(struct peer *p, const char *call)
{
    const volatile uint32_t *word = &p->words->taken;
    bool asked = false;

    while (!nx_has_room(p)) {
        if (!look(word, p->sent - SLOTS, NULL, call)) {
            continue;
        }
        if (asked) {
            nx_wait(word, p->sent - SLOTS);
        } else if (has_ended(p)) {
            forget(p);
        }
        asked = true;
    }
}
