/*
 * A server that shares two ranges of its memory with a raider by agents of
 * MBCF, and checks at the end that the rest is unchanged.
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

/* The raider may write to the middle one alone. */
static struct {
    uint32_t before[WORDS], open[WORDS], closed[WORDS], secret[WORDS];
} memory __attribute__((aligned(GLAZE_PAGE)));

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

static void make_agents(void)
{
    struct mbcf_agent open = {
        .range = { { (uintptr_t)memory.open, BYTES,
                     MBCF_RANGE_READ | MBCF_RANGE_WRITE } },
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
           changed(memory.secret);
    printf("server: node %lu: %lu words changed\n",
           (unsigned long)udm_node(), (unsigned long)lost);
    return lost ? 1 : 0;
}
