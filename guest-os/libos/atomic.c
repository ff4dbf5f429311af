/*
 * Atomic operations: what GCC calls for <stdatomic.h>, std::atomic, and its built-ins
 * __atomic_ and __sync_, as SPARC V7 has no instructions for them. They are atomic
 * among the threads and handlers of a process, as no handler starts, and no other
 * thread runs, in an atomic section. Other nodes take no part: where memory is shared
 * by messages, shm's locks are for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "library.h"

/* A function of GCC's library for atomic operations, under another name: the
 * compiler knows the types of its own. */
#define NAMED(name) __asm__("__atomic_" name)

/* A function that replaces `value` by an expression of it, and returns it. */
#define CHANGE(name, bits, bytes, expression) \
    uint##bits##_t name##_##bytes(volatile void *at, uint##bits##_t operand, \
                                  int order) NAMED(#name "_" #bytes); \
    uint##bits##_t name##_##bytes(volatile void *at, uint##bits##_t operand, \
                                  int order) \
    { \
        volatile uint##bits##_t *place = at; \
        uint32_t uac = library_enter(); \
        uint##bits##_t value = *place; \
        \
        (void)order; \
        *place = (expression); \
        library_leave(uac); \
        return value; \
    }

#define SIZE(bits, bytes) \
    CHANGE(fetch_add, bits, bytes, value + operand) \
    CHANGE(fetch_sub, bits, bytes, value - operand) \
    CHANGE(fetch_and, bits, bytes, value & operand) \
    CHANGE(fetch_or, bits, bytes, value | operand) \
    CHANGE(fetch_xor, bits, bytes, value ^ operand) \
    CHANGE(fetch_nand, bits, bytes, ~(value & operand)) \
    CHANGE(exchange, bits, bytes, operand) \
    \
    uint##bits##_t load_##bytes(const volatile void *at, int order) \
        NAMED("load_" #bytes); \
    uint##bits##_t load_##bytes(const volatile void *at, int order) \
    { \
        const volatile uint##bits##_t *place = at; \
        uint32_t uac = library_enter(); \
        uint##bits##_t value = *place; \
        \
        (void)order; \
        library_leave(uac); \
        return value; \
    } \
    \
    void store_##bytes(volatile void *at, uint##bits##_t value, int order) \
        NAMED("store_" #bytes); \
    void store_##bytes(volatile void *at, uint##bits##_t value, int order) \
    { \
        volatile uint##bits##_t *place = at; \
        uint32_t uac = library_enter(); \
        \
        (void)order; \
        *place = value; \
        library_leave(uac); \
    } \
    \
    bool compare_exchange_##bytes(volatile void *at, void *expected, \
                                  uint##bits##_t wanted, int order, int other) \
        NAMED("compare_exchange_" #bytes); \
    bool compare_exchange_##bytes(volatile void *at, void *expected, \
                                  uint##bits##_t wanted, int order, int other) \
    { \
        volatile uint##bits##_t *place = at; \
        uint##bits##_t old;     /* *expected has the alignment of the user's type */ \
        uint32_t uac = library_enter(); \
        uint##bits##_t value = *place; \
        bool equal; \
        \
        (void)order; \
        (void)other; \
        memcpy(&old, expected, sizeof(old)); \
        equal = value == old; \
        if (equal) { \
            *place = wanted; \
        } else { \
            memcpy(expected, &value, sizeof(value)); \
        } \
        library_leave(uac); \
        return equal; \
    }

SIZE(8, 1)
SIZE(16, 2)
SIZE(32, 4)
SIZE(64, 8)

/* ---- GCC's older built-ins ------------------------------------------------ */

#define OLDER(name) __asm__("__sync_" name)

/* The one returns what was there, and the other one what is there now: an expression of
 * that `value`. */
#define CHANGE_EITHER(name, bits, bytes, expression) \
    uint##bits##_t older_fetch_and_##name##_##bytes(volatile void *at, \
                                                    uint##bits##_t operand) \
        OLDER("fetch_and_" #name "_" #bytes); \
    uint##bits##_t older_fetch_and_##name##_##bytes(volatile void *at, \
                                                    uint##bits##_t operand) \
    { \
        return fetch_##name##_##bytes(at, operand, 0); \
    } \
    \
    uint##bits##_t older_##name##_and_fetch_##bytes(volatile void *at, \
                                                    uint##bits##_t operand) \
        OLDER(#name "_and_fetch_" #bytes); \
    uint##bits##_t older_##name##_and_fetch_##bytes(volatile void *at, \
                                                    uint##bits##_t operand) \
    { \
        uint##bits##_t value = fetch_##name##_##bytes(at, operand, 0); \
        \
        return expression; \
    }

#define OLDER_SIZE(bits, bytes) \
    CHANGE_EITHER(add, bits, bytes, value + operand) \
    CHANGE_EITHER(sub, bits, bytes, value - operand) \
    CHANGE_EITHER(and, bits, bytes, value & operand) \
    CHANGE_EITHER(or, bits, bytes, value | operand) \
    CHANGE_EITHER(xor, bits, bytes, value ^ operand) \
    CHANGE_EITHER(nand, bits, bytes, ~(value & operand)) \
    \
    uint##bits##_t older_swap_##bytes(volatile void *at, uint##bits##_t operand) \
        OLDER("lock_test_and_set_" #bytes); \
    uint##bits##_t older_swap_##bytes(volatile void *at, uint##bits##_t operand) \
    { \
        return exchange_##bytes(at, operand, 0); \
    } \
    \
    bool older_compares_##bytes(volatile void *at, uint##bits##_t expected, \
                                uint##bits##_t wanted) \
        OLDER("bool_compare_and_swap_" #bytes); \
    bool older_compares_##bytes(volatile void *at, uint##bits##_t expected, \
                                uint##bits##_t wanted) \
    { \
        return compare_exchange_##bytes(at, &expected, wanted, 0, 0); \
    } \
    \
    uint##bits##_t older_compare_##bytes(volatile void *at, uint##bits##_t expected, \
                                         uint##bits##_t wanted) \
        OLDER("val_compare_and_swap_" #bytes); \
    uint##bits##_t older_compare_##bytes(volatile void *at, uint##bits##_t expected, \
                                         uint##bits##_t wanted) \
    { \
        compare_exchange_##bytes(at, &expected, wanted, 0, 0); \
        return expected;        /* which is what was there, either way */ \
    }

OLDER_SIZE(8, 1)
OLDER_SIZE(16, 2)
OLDER_SIZE(32, 4)
OLDER_SIZE(64, 8)

/* ---- Of any size --------------------------------------------------------- */

void load_any(size_t bytes, const void *at, void *result, int order) NAMED("load");
void store_any(size_t bytes, void *at, const void *value, int order) NAMED("store");
void exchange_any(size_t bytes, void *at, const void *value, void *result, int order)
    NAMED("exchange");
bool compare_exchange_any(size_t bytes, void *at, void *expected, const void *wanted,
                          int order, int other) NAMED("compare_exchange");
bool is_lock_free(size_t bytes, const volatile void *at) NAMED("is_lock_free");

void load_any(size_t bytes, const void *at, void *result, int order)
{
    uint32_t uac = library_enter();

    (void)order;
    memcpy(result, at, bytes);
    library_leave(uac);
}

void store_any(size_t bytes, void *at, const void *value, int order)
{
    uint32_t uac = library_enter();

    (void)order;
    memcpy(at, value, bytes);
    library_leave(uac);
}

void exchange_any(size_t bytes, void *at, const void *value, void *result, int order)
{
    uint32_t uac = library_enter();

    (void)order;
    memcpy(result, at, bytes);
    memcpy(at, value, bytes);
    library_leave(uac);
}

bool compare_exchange_any(size_t bytes, void *at, void *expected, const void *wanted,
                          int order, int other)
{
    uint32_t uac = library_enter();
    bool equal = !memcmp(at, expected, bytes);

    (void)order;
    (void)other;
    memcpy(equal ? at : expected, equal ? wanted : at, bytes);
    library_leave(uac);
    return equal;
}

/* Returns true: no operation waits for another. */
bool is_lock_free(size_t bytes, const volatile void *at)
{
    (void)bytes;
    (void)at;
    return true;
}
