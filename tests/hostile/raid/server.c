/*
 * A server that shares ranges of its memory and some structures with a raider
 * by agents of MBCF, and checks at the end that the rest is unchanged.
 *
 *      server
 *
 * Each node's process answers one HELLO with the keys of two agents, ignores
 * other first messages, and ends at the BYE of the task that said HELLO.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "raid.h"

#define BYTES   (2 * GLAZE_PAGE)
#define WORDS   (BYTES / 4)

/* The raider may write to `open` alone. */
static struct {
    uint32_t before[WORDS], open[WORDS], closed[WORDS], secret[WORDS];
} memory __attribute__((aligned(GLAZE_PAGE)));

/* The raider may use these. The kernel writes to the FIFO and the counts. */
static struct structures structures, kept;
static uint32_t entries[16];            /* the buffer of structures.good */
static uint32_t counted;

static struct answer answer;

static uint32_t pattern(const uint32_t *word)
{
    return (uintptr_t)word * 2654435761u ^ udm_node();
}

static void fill(uint32_t *words)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        words[i] = pattern(&words[i]);
    }
}

static uint32_t changed(const uint32_t *words)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < WORDS; i++) {
        count += words[i] != pattern(&words[i]);
    }
    return count;
}

static void count(struct mbcf_signal *signal)
{
    (void)signal;
    counted++;
}

static void make_structures(void)
{
    const struct mbcf_signal counts = {
        .invoke = MBCF_INVOKE_TARGET,
        .program = (uintptr_t)count,
    };

    structures.good.buffer = (uintptr_t)entries;
    structures.good.size = sizeof(entries);
    structures.loops.buffer = (uintptr_t)structures.bait;
    structures.loops.size = sizeof(structures.bait);
    structures.counts = structures.chooses = counts;
    structures.opens = structures.spills = counts;
    structures.chooses.invoke = MBCF_INVOKE_SOURCE;
    structures.opens.store = MBCF_STORE_FIFO;
    structures.opens.to = (uintptr_t)memory.open;
    structures.spills.store = MBCF_STORE_BUFFER;
    structures.spills.to = (uintptr_t)structures.bait;
    structures.spills.size = sizeof(structures.bait);
    kept = structures;
    mbcf_take_signals();
}

/* Returns whether the structures are as the server has made them. */
static bool structures_kept(void)
{
    kept.good = (struct mbcf_fifo) {
        kept.good.buffer, kept.good.size, 0, structures.good.used, 0, 0,
    };
    kept.counts.running = structures.counts.running;
    return structures.good.used <= sizeof(entries) &&
           memcmp(&structures, &kept, sizeof(kept)) == 0;
}

static void make_agents(void)
{
    struct mbcf_agent open = {
        .range = { { (uintptr_t)memory.open, BYTES,
                     MBCF_RANGE_READ | MBCF_RANGE_WRITE },
                   { (uintptr_t)memory.closed, BYTES, MBCF_RANGE_READ },
                   { (uintptr_t)&structures, sizeof(structures),
                     MBCF_RANGE_READ | MBCF_RANGE_STRUCTURE } },
    };
    struct mbcf_agent closed = {
        .range = { { (uintptr_t)memory.closed, BYTES, MBCF_RANGE_READ } },
    };

    mbcf_agent(0, &open);
    mbcf_agent(1, &closed);
    answer = (struct answer) {
        .open_key = open.key,
        .closed_key = closed.key,
        .open_task = open.task,
        .closed_task = closed.task,
        .open = (uintptr_t)memory.open,
        .open_bytes = BYTES,
        .closed = (uintptr_t)memory.closed,
        .closed_bytes = BYTES,
        .structures = (uintptr_t)&structures,
        .secret = (uintptr_t)memory.secret,
        .text = (uintptr_t)make_agents & ~3u,
        .there = 1,
    };
}

static bool same(const struct mbcf_source *a, const struct mbcf_source *b)
{
    return a->node == b->node && a->number == b->number;
}

int main(void)
{
    struct mbcf_source raider = { 0 };
    struct mbcf_first first;
    bool greeted = false;
    uint32_t task, lost;

    fill(memory.before);
    fill(memory.closed);
    fill(memory.secret);
    mbcf_open();
    make_structures();
    make_agents();
    mbcf_queue();
    while (true) {
        if (!mbcf_read_queue(&first)) {
            glaze_yield();
        } else if (!greeted && first.data[0] == HELLO) {
            raider = first.source;
            task = mbcf_enter(0, raider.node, raider.number,
                              (uint64_t)first.data[1] << 32 | first.data[2]);
            greeted = mbcf_write_now(task, first.data[3], &answer,
                                     sizeof(answer)) == MBCF_DONE;
        } else if (greeted && same(&first.source, &raider) &&
                   first.data[0] == BYE) {
            break;
        }
    }
    lost = changed(memory.before) + changed(memory.closed) +
           changed(memory.secret) + !structures_kept();
    printf("server: node %lu: %lu words changed\n",
           (unsigned long)udm_node(), (unsigned long)lost);
    return lost ? 1 : 0;
}
