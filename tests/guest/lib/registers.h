/*
 * Which accesses to the registers of a network interface are allowed: tables by
 * docs/machine.md, and the trap that each access should take.
 */
#ifndef TEST_REGISTERS_H
#define TEST_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fugu-regs.h"

#define VIOLATION FUGU_TT_PROTECTION_VIOLATION

/* Rights to a register. */
enum rights {
    R = 1,                      /* can be loaded */
    W = 2,                      /* can be stored */
    ABSENT = 4,                 /* reads as 0, whatever was stored */
};

/* Some registers of a page, one after the other. The last entry of a table has no
 * rights. */
struct range {
    uint16_t from, to;          /* offsets; `to` is that of the last word */
    uint8_t rights;
    /* Trap of the table's store (0 or ~0, as its user says), for a register whose
     * store has an effect that is not possible in this state. */
    uint8_t store_trap;
};

/* Returns the entry of the register at `offset`, or NULL if there is none. */
static inline const struct range *range_of(const struct range *page, uint32_t offset)
{
    for (; page->rights; page++) {
        if (offset >= page->from && offset <= page->to) {
            return page;
        }
    }
    return NULL;
}

/* Returns the trap of an access to a register (NULL: none), or 0 if the rights allow
 * it. */
static inline unsigned trap_of(const struct range *range, bool store)
{
    if (!range || !(range->rights & (store ? W : R))) {
        return VIOLATION;
    }
    return store ? range->store_trap : 0;
}

#endif /* TEST_REGISTERS_H */
