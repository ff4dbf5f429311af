/*
 * Keys of MBCF: SipHash-2-4 (Aumasson and Bernstein, Indocrypt 2012), keyed with
 * a secret of the run, over what a key opens.
 *
 * The secret is made of the boot image's secret, which the launcher computes
 * from all that the image holds (image.h), and of the whole command line. All
 * nodes find the same one, and equal runs have equal keys. No program can read
 * it: neither kernel nor directory is mapped for users, and a program gets its
 * own words of the command line alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_KEYS_H
#define GLAZE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Makes the secret. Call this before all others, until it returns true: a long command
 * line takes several entries into the kernel.
 */
bool keys_init(void);

/*
 * Returns the key of a task. `number` is the job's number on the command line.
 * All kernels know the keys of all tasks of a job.
 *
 * keys_kept[] keeps the last key of each node modulo KEYS_KEPT, because a key
 * takes some 600 cycles to make. 0 in `key`: none. keys_keep() makes one.
 * Inline for quick_call(), and keys_keep() needs no register window.
 */
#define KEYS_KEPT       64

extern struct kept_key {
    uint64_t key;
    uint32_t name;              /* number << 16 | node */
    uint32_t unused;
} keys_kept[KEYS_KEPT];

void keys_keep(struct kept_key *kept, uint32_t node, uint32_t number);

static inline __attribute__((always_inline))
uint64_t keys_of_task(uint32_t node, uint32_t number)
{
    struct kept_key *kept = &keys_kept[node % KEYS_KEPT];

    if (kept->name != (number << 16 | node) || !kept->key) {
        keys_keep(kept, node, number);
    }
    return kept->key;
}

/* Returns the key of agent number `agent` of those that a task has made. */
uint64_t keys_of_agent(uint32_t node, uint32_t number, uint32_t agent);

/*
 * Returns the key with which the task `by` of the node `by_node` may end the job
 * `number` by MBCF_CANCEL to that job's process on `node`. It is no other key: no
 * task makes so many agents that one gets this number.
 */
uint64_t keys_of_cancel(uint32_t node, uint32_t number, uint32_t by_node,
                        uint32_t by);

#endif /* GLAZE_KEYS_H */
