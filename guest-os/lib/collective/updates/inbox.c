/*
 * Inboxes on a machine with SHRIMP's interface: how they are exported, mapped and
 * waited for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "glaze-mm.h"
#include "glaze-shrimp.h"
#include "inbox.h"
#include "library.h"

#define EXPORT          0xffffffff      /* the inbox's number (shrimp.h) */
#define NO_MEMORY       "no memory is left for collective operations"
#define PEERS           (2 * ROUNDS)    /* nodes to which one sends at most */

/* Half pages that are mapped to the inboxes of others. */
typedef uint8_t half[INBOX_BYTES];
static half *out;

volatile struct inbox *collective_own;

static uint16_t peer[PEERS];            /* their nodes */
static unsigned peers;

/* Makes the system call. The libraries' own header, shrimp.h, would make each program
 * need SHRIMP's interface. */
static int32_t call(uint32_t operation, uint32_t a, const void *b)
{
    return glaze_call(GLAZE_SHRIMP, operation, a, (uintptr_t)b);
}

__attribute__((constructor))
static void export_inbox(void)
{
    struct shrimp_export e = { .bytes = INBOX_BYTES, .who = SHRIMP_OWN_JOB };

    if (!COLLECTIVE_BY_MESSAGES && COLLECTIVE_IS_HERE) {
        /* Of the heap, so that programs on other machines have no such pages. */
        out = memalign(GLAZE_PAGE, sizeof(half[PEERS]) + GLAZE_PAGE);
        if (!out) {
            library_abort(NO_MEMORY);
        }
        collective_own = (volatile struct inbox *)(out + PEERS);
        memset(out + PEERS, 0, sizeof(struct inbox));
        e.address = (uintptr_t)collective_own;
        if (call(SHRIMP_EXPORT, EXPORT, &e) < 0) {
            library_abort(NO_MEMORY);
        }
    }
}

/* Maps the next half page to a node's inbox. Returns as the system call does. */
static int32_t map(uint32_t node)
{
    struct shrimp_map m = {
        .address = (uintptr_t)&out[peers], .bytes = INBOX_BYTES, .node = node,
        .number = EXPORT, .mode = SHRIMP_BLOCKED,
    };
    int32_t result = call(SHRIMP_MAP, (uintptr_t)&m, NULL);

    if (result >= 0) {
        peer[peers++] = node;
    }
    return result;
}

/* Returns what is mapped to a node's inbox; NULL: nothing is. */
static volatile struct inbox *find(uint32_t node)
{
    for (unsigned k = 0; k < peers; k++) {
        if (peer[k] == node) {
            return (volatile struct inbox *)&out[k];
        }
    }
    return NULL;
}

volatile struct inbox *collective_try_to(uint32_t node)
{
    volatile struct inbox *found = find(node);

    return found || map(node) < 0 ? found : find(node);
}

volatile struct inbox *collective_to(uint32_t node)
{
    volatile struct inbox *found = find(node);
    char text[80];
    int32_t result;

    if (found) {
        return found;
    }
    result = map(node);
    if (result < 0 && result != -ESRCH) {
        snprintf(text, sizeof(text), "a collective operation cannot map to node %lu: "
                 "error %ld", (unsigned long)node, (long)-result);
        library_abort(text);
    }
    return find(node);
}

void collective_flush(void)
{
    uint32_t sent;

    UDM_LOAD_(FUGU_U_SENT, sent);
    (void)sent;
}

void collective_await(const volatile uint32_t *word, uint32_t value)
{
    if (COLLECTIVE_BY_MESSAGES) {
        glaze_call(GLAZE_MM, MM_WAIT, (uintptr_t)word, value);
    } else {
        glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)word, value);
    }
}

/* The library for programs, shrimp.h, knows about commands of the engine. */
extern void shrimp_await_engine_(void) __attribute__((weak));

void collective_fence(void)
{
    uint32_t sent, credited;

    if (__builtin_expect(COLLECTIVE_BY_MESSAGES, false)) {
        return;
    }
    if (shrimp_await_engine_) {
        shrimp_await_engine_();
    }
    UDM_LOAD_(FUGU_U_SENT, sent);
    do {
        UDM_LOAD_(FUGU_U_CREDITED, credited);
    } while ((int32_t)(credited - sent) < 0);
}
