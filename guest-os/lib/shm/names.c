/*
 * Tables by address: of variables that processes synchronise on, which each node
 * manages or has used, and of blocks of shared memory.
 *
 * The tables grow by linear hashing (Litwin, VLDB 1980): with each entry beyond one
 * for a slot, one more slot takes its part of an old one's. So handlers take as long
 * with 100,000 locks as with ten.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "names.h"

/* Addresses at any distance from each other get different low bits. (There is no
 * instruction that multiplies.) */
static inline uint32_t hash(uint32_t address)
{
    uint32_t h = address >> 2;

    h ^= h >> 7;
    h += h << 9;
    return h ^ h >> 11;
}

static inline struct named **slot_of(const struct names *table, uint32_t address)
{
    uint32_t h = hash(address), k = h & (2 * table->half - 1);

    if (k >= table->slots) {
        k = h & (table->half - 1);
    }
    return &table->part[k / PART_SLOTS][k % PART_SLOTS];
}

static void part_add(struct names *table)
{
    table->part[table->slots / PART_SLOTS] =
        private_take(PART_SLOTS * sizeof(struct named *));
}

/* Adds a slot, and moves what belongs there. */
static void grow(struct names *table)
{
    uint32_t new = table->slots, old = new - table->half;
    struct named **from, **to, *entry;

    if (new == PARTS * PART_SLOTS) {
        return;
    }
    if (new % PART_SLOTS == 0) {
        part_add(table);
    }
    from = &table->part[old / PART_SLOTS][old % PART_SLOTS];
    to = &table->part[new / PART_SLOTS][new % PART_SLOTS];
    while ((entry = *from)) {
        if ((hash(entry->address) & (2 * table->half - 1)) == new) {
            *from = entry->next;
            entry->next = *to;
            *to = entry;
        } else {
            from = &entry->next;
        }
    }
    table->slots++;
    if (table->slots == 2 * table->half) {
        table->half = table->slots;
    }
}

static inline struct named *find(const struct names *table, uint32_t address)
{
    struct named *entry = table->slots ? *slot_of(table, address) : NULL;

    while (entry && entry->address != address) {
        entry = entry->next;
    }
    return entry;
}

void *named_before(const struct names *table, uint32_t address)
{
    return find(table, address);
}

void named_add(struct names *table, struct named *entry)
{
    struct named **slot;

    if (!table->slots) {
        part_add(table);
        table->slots = table->half = PART_SLOTS;
    }
    if (table->count++ >= table->slots) {
        grow(table);
    }
    slot = slot_of(table, entry->address);
    entry->next = *slot;
    *slot = entry;
}

void named_remove(struct names *table, struct named *entry)
{
    struct named **at = slot_of(table, entry->address);

    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    table->count--;
}

void *named(struct names *table, uint32_t address, uint32_t bytes)
{
    struct named *entry = find(table, address);

    if (!entry) {
        entry = private_take(bytes);
        entry->address = address;
        named_add(table, entry);
    }
    return entry;
}

uint32_t manager_of(uint32_t address)
{
    return (address >> 2) % shm_count;
}
