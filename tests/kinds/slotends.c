/*
 * Messages on their way when their job ends, and GIDs that are used again (slots.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "slots.h"

#define LATE    50

void exits(void)
{
    if (udm_node() == 1) {
        mm_wait(&memory[CAME], 0);      /* so the slot is in this job's memory */
        mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        glaze_exit(0);
    } else {
        uint64_t end;

        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[CAME], 0);
        end = udm_cycles() + 10000;     /* its memory is not given back yet */
        while (udm_cycles() < end) {
        }
        for (uint32_t k = 0; k < LATE; k++) {
            mm_send1(mm_at(&all, 1, &memory[k]), MM_HANDLER_IP(mm_store), 1);
        }
    }
}

/* All processes of the job have begun, and share their memory: each has stored here. */
void gather(void)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        mm_send1(mm_at(&all, node, &memory[WORDS + udm_node()]), MM_HANDLER_IP(mm_store),
                 glaze_info(GLAZE_I_JOB));
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        check("a job", mm_wait(&memory[WORDS + node], 0), glaze_info(GLAZE_I_JOB));
    }
}

static void check_words_of(uint32_t job)
{
    for (uint32_t k = 0; k < WORDS; k++) {
        if (memory[k] && memory[k] != job) {
            check("a word of this job", memory[k], job);
        }
    }
}

void brief(uint64_t cycles)
{
    uint32_t job = glaze_info(GLAZE_I_JOB), node = udm_node();
    uint64_t end;

    gather();
    end = udm_cycles() + cycles;
    while (udm_cycles() < end) {
        node = (node + 1) % udm_nodes();
        mm_send8(mm_at(&all, node, &memory[BLOCK]), MM_HANDLER_IP(mm_store8), job, job,
                 job, job, job, job, job, job);
        mm_send3(mm_at(&all, node, memory), MM_HANDLER_IP(mm_reply),
                 mm_at(&all, udm_node(), &memory[REPLY]), MM_HANDLER_IP(mm_store), job);
    }
    check_words_of(job);
}

/* Node 0 stores the job's number at node 1: its program, or its handler at priority 1. */
static void look_and_send(uint64_t cycles, bool by_handler)
{
    uint32_t job = glaze_info(GLAZE_I_JOB), there = mm_at(&all, 1, &memory[BLOCK]);

    pass(cycles);
    check_words_of(job);
    if (udm_node() == 0 && by_handler) {
        memory[SUM] = job;
        mm_send3(mm_at(&all, 0, &memory[SUM]), MM_HANDLER_IP(mm_add), 1, there,
                 MM_HANDLER_IP(mm_store));
        while (memory[SUM] == job) {
        }
    } else if (udm_node() == 0) {
        mm_send1(there, MM_HANDLER_IP(mm_store), job);
    }
}

void stray(uint64_t cycles)
{
    look_and_send(cycles, false);
}

void replies(uint64_t cycles)
{
    look_and_send(cycles, true);
}

void late(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    if (udm_node() == 1) {
        glaze_exit(0);
    }
    while (udm_cycles() < end) {
        mm_send0(mm_at(&all, 1, memory), MM_HANDLER_IP(mm_null));
    }
}

void dropped(void)
{
    struct glaze_count count;
    uint64_t end = udm_cycles() + 300000;

    while (udm_cycles() < end) {
    }
    glaze_count(&count);
    check("dropped", count.dropped, udm_node() ? LATE : 0);
}

void asleep(void)
{
    mm_wait(&memory[CAME], 0);
}
