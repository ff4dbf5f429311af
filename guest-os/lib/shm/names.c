/*
 * Variables that processes synchronise on, known by their addresses: each node
 * has tables of those that it manages or has used.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "names.h"

void *named(struct named **table, uint32_t address, uint32_t bytes)
{
    struct named **slot = &table[(address >> 2 ^ address >> 10) % NAMES];
    struct named *entry;

    for (entry = *slot; entry; entry = entry->next) {
        if (entry->address == address) {
            return entry;
        }
    }
    entry = private_take(bytes);
    entry->address = address;
    entry->next = *slot;
    *slot = entry;
    return entry;
}

uint32_t manager_of(uint32_t address)
{
    return (address >> 2) % shm_count;
}
