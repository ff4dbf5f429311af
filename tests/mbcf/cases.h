/*
 * What the files of mbcf-cases share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_CASES_H
#define MBCF_CASES_H

#include "mbcf.h"
#include "udm-collective.h"

#define PAGES   4

/* A target of commands, on each node; it begins with a page. */
extern uint8_t memory[PAGES * GLAZE_PAGE];

/* The same page-aligned memory, for local data. */
extern uint8_t local[PAGES * GLAZE_PAGE];

/* Returns the address of memory[at], which is the same on all nodes. */
static inline uint32_t in_memory(uint32_t at)
{
    return (uintptr_t)&memory[at];
}

/* Node 0 sends a command and waits for it; returns the status. */
uint32_t now(struct mbcf_request request);

/* Node 0 writes, reads or adds 1, and waits for it; the status. */
uint32_t write_to(uint32_t task, uint32_t address, uint32_t bytes);
uint32_t read_from(uint32_t task, uint32_t address, uint32_t bytes);
uint32_t add_to(uint32_t task, uint32_t address);

/* Node 0 sends bytes to a FIFO of node 1, or a signal to a structure there, and waits
 * for it; the status. */
uint32_t send_bytes(uint32_t command, struct mbcf_fifo *to, const void *from,
                    uint32_t bytes);
uint32_t send_signal(struct mbcf_signal *to, uint32_t program, const void *from,
                     uint32_t bytes);

/* Cases. All nodes call them. */
void case_lengths(void);
void case_fresh(void);
void case_scattered(void);
void case_reads(void);
void case_longs(void);
void case_names(void);
void case_refusals(void);
void case_agents(void);
void case_several(void);
void case_ranges(void);
void case_clients(void);
void case_errors(void);
void case_busy(void);
void case_memory(void);
void case_status(void);
void case_status_beside(void);
void case_asleep(void);
void case_refused_late(void);
void case_local(void);
void case_lost(void);
void case_fifo(void);
void case_wraps(void);
void case_eager(void);
void case_epochs(void);
void case_eagers(void);
void case_structures(void);
void case_signals(void);
void case_during(void);
void case_quick(void);
void case_longest(void);
void case_interrupted(void);
void case_queue(void);
void case_short(void);
void case_short_signals(void);
void case_short_takes(void);
void case_short_next(void);
void case_short_windows(void);
void case_behind(void);
void case_overtaken(void);
void case_taken_away(void);
void case_signal_in_parts(void);
void case_crossing(void);

#endif /* MBCF_CASES_H */
