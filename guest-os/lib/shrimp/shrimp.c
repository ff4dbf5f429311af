/*
 * Memory that is mapped over the network: calls, deliberate update, waiting.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "note.h"
#include "shrimp.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/*
 * Looks of shrimp_wait() before it waits without the processor: about as long as such a
 * wait takes at least, some 3,500 cycles. One that has to wait so keeps others waiting,
 * who wait in the same way then.
 */
#define LOOKS           500

void shrimp_await_engine_(void);

static int32_t call(uint32_t operation, uint32_t a, uint32_t b)
{
    asm volatile (NOTE_NEEDS_SHRIMP(""));
    return glaze_call(GLAZE_SHRIMP, operation, a, b);
}

static volatile uint32_t *command_of(uint32_t address)
{
    return (volatile uint32_t *)(uintptr_t)(address + SHRIMP_COMMANDS);
}

/* ---- Calls ---------------------------------------------------------------- */

int32_t shrimp_export(uint32_t number, volatile void *memory, size_t bytes)
{
    struct shrimp_export e = {
        .address = (uintptr_t)memory, .bytes = bytes, .who = SHRIMP_OWN_JOB,
    };

    return shrimp_export_to(number, &e);
}

int32_t shrimp_export_to(uint32_t number, const struct shrimp_export *export_)
{
    return call(SHRIMP_EXPORT, number, (uintptr_t)export_);
}

int32_t shrimp_unexport(uint32_t number)
{
    return call(SHRIMP_UNEXPORT, number, 0);
}

int32_t shrimp_map(volatile void *memory, size_t bytes, uint32_t node, uint32_t number,
                   size_t offset, uint32_t mode)
{
    struct shrimp_map m = {
        .address = (uintptr_t)memory, .bytes = bytes, .node = node, .number = number,
        .offset = offset, .mode = mode,
    };

    return shrimp_map_to(&m);
}

/* The command word of a page that is mapped for deliberate update, and its mapping. */
static volatile uint32_t *some_command;
static int32_t mapping_of_it;
static bool has_deliberate;     /* there is or was such a mapping */

int32_t shrimp_map_to(const struct shrimp_map *map)
{
    int32_t mapping = call(SHRIMP_MAP, (uintptr_t)map, 0);

    if (mapping >= 0 && map->mode == SHRIMP_DELIBERATE) {
        some_command = command_of(map->address);
        mapping_of_it = mapping;
        has_deliberate = true;
    }
    return mapping;
}

int32_t shrimp_unmap(int32_t mapping)
{
    if (mapping == mapping_of_it) {
        some_command = NULL;
    }
    return call(SHRIMP_UNMAP, mapping, 0);
}

/* For collective operations (guest-os/lib/collective): waits until the engine has no
 * command of this process. Each word of this process's tells the engine's state. */
void shrimp_await_engine_(void)
{
    if (some_command) {
        while (*some_command) {
            /* each command ends: receivers drain without a processor */
        }
    } else if (has_deliberate) {
        shrimp_fence();
    }
}

void shrimp_fence(void)
{
    static uint32_t fences;

    call(SHRIMP_FENCE, ++fences, 0);
}

/* ---- Commands ------------------------------------------------------------- */

void shrimp_set_mode(volatile void *memory, uint32_t mode)
{
    *shrimp_command((const volatile void *)((uintptr_t)memory & ~3u)) =
        mode == SHRIMP_SINGLE ? FUGU_COMMAND_SINGLE : FUGU_COMMAND_BLOCKED;
}

void shrimp_send_pages(const volatile void *from, size_t bytes)
{
    uint32_t at = (uintptr_t)from, end = at + bytes;

    while (at != end) {
        uint32_t next = (at | PAGE_MASK) + 1;
        uint32_t size = (end - at < next - at ? end : next) - at;

        shrimp_send_words((const volatile void *)(uintptr_t)at, size / 4);
        at += size & -4;
    }
}

/* ---- Waiting -------------------------------------------------------------- */

/* Waits until the word has the value, or, if not `equal`, another one. */
static uint32_t wait_for(const volatile uint32_t *word, uint32_t value, bool equal)
{
    uint32_t now;

    for (unsigned i = 0; i < LOOKS; i++) {
        now = *word;
        if ((now == value) == equal) {
            return now;
        }
    }
    for (;;) {
        call(SHRIMP_WAIT, (uintptr_t)word, now);
        now = *word;
        if ((now == value) == equal) {
            return now;
        }
    }
}

void shrimp_wait(const volatile uint32_t *word, uint32_t value)
{
    wait_for(word, value, true);
}

uint32_t shrimp_wait_change(const volatile uint32_t *word, uint32_t value)
{
    return wait_for(word, value, false);
}
