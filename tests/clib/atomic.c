/*
 * atomic [ROUNDS]: the operations of <stdatomic.h> and GCC's older built-ins, for all
 * sizes; then node 1 sends ROUNDS messages (default 500), and their handler and node
 * 0's main program change the same words meanwhile. Nothing may be lost of that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "udm-collective.h"

#define ORDER memory_order_seq_cst

/* ---- What each operation does ------------------------------------------------- */

/* A check that an operation on `at`, which holds `old`, returns one value and leaves
 * another one there. */
#define DOES(operation, returns, leaves) do { \
        at = old; \
        got = (operation); \
        check(#operation, got == (type)(returns) && at == (type)(leaves), true); \
    } while (0)

#define FUNCTION(name, T) \
    static void name(T start, T by) \
    { \
        typedef T type; \
        static struct { char before; volatile T place; char after; } s = \
            { 'b', 0, 'a' }; \
        type got, old = start, other = ~start, expected; \
        bool done; \
        \
        ALL \
        check("what is beside it stays", s.before == 'b' && s.after == 'a', true); \
    }

#define at s.place
#define ALL \
        DOES(atomic_fetch_add(&at, by), old, old + by); \
        DOES(atomic_fetch_sub(&at, by), old, old - by); \
        DOES(atomic_fetch_and(&at, by), old, old & by); \
        DOES(atomic_fetch_or(&at, by), old, old | by); \
        DOES(atomic_fetch_xor(&at, by), old, old ^ by); \
        DOES(__atomic_fetch_nand(&at, by, ORDER), old, ~(old & by)); \
        DOES(__atomic_add_fetch(&at, by, ORDER), old + by, old + by); \
        DOES(atomic_exchange(&at, by), old, by); \
        DOES(atomic_load(&at), old, old); \
        DOES((atomic_store(&at, by), by), by, by); \
        at = old; \
        expected = old; \
        done = atomic_compare_exchange_strong(&at, &expected, by); \
        check("exchanged: equal", done && at == by && expected == old, true); \
        at = old; \
        expected = other; \
        done = atomic_compare_exchange_strong(&at, &expected, by); \
        check("left: not equal", !done && at == old && expected == old, true); \
        DOES(__sync_fetch_and_add(&at, by), old, old + by); \
        DOES(__sync_fetch_and_sub(&at, by), old, old - by); \
        DOES(__sync_fetch_and_and(&at, by), old, old & by); \
        DOES(__sync_fetch_and_or(&at, by), old, old | by); \
        DOES(__sync_fetch_and_xor(&at, by), old, old ^ by); \
        DOES(__sync_fetch_and_nand(&at, by), old, ~(old & by)); \
        DOES(__sync_add_and_fetch(&at, by), old + by, old + by); \
        DOES(__sync_sub_and_fetch(&at, by), old - by, old - by); \
        DOES(__sync_and_and_fetch(&at, by), old & by, old & by); \
        DOES(__sync_or_and_fetch(&at, by), old | by, old | by); \
        DOES(__sync_xor_and_fetch(&at, by), old ^ by, old ^ by); \
        DOES(__sync_nand_and_fetch(&at, by), ~(old & by), ~(old & by)); \
        DOES(__sync_lock_test_and_set(&at, by), old, by); \
        DOES((__sync_lock_release(&at), 0), 0, 0); \
        DOES(__sync_val_compare_and_swap(&at, old, by), old, by); \
        DOES(__sync_val_compare_and_swap(&at, other, by), old, old); \
        DOES(__sync_bool_compare_and_swap(&at, old, by), true, by); \
        DOES(__sync_bool_compare_and_swap(&at, other, by), false, old);

#pragma GCC diagnostic ignored "-Wsync-nand"
FUNCTION(bytes, uint8_t)
FUNCTION(halves, uint16_t)
FUNCTION(words, uint32_t)
FUNCTION(doubles, uint64_t)
#undef at

/* A structure has no size of a register. */
struct three { uint32_t a, b, c; };

static void structures(void)
{
    static _Atomic struct three place = { 1, 2, 3 };
    struct three got, expected = { 1, 2, 4 }, next = { 7, 8, 9 };

    got = atomic_load(&place);
    check("a structure", got.a == 1 && got.b == 2 && got.c == 3, true);
    check("another one is not there",
          atomic_compare_exchange_strong(&place, &expected, next), false);
    check("this one is", expected.c == 3 &&
          atomic_compare_exchange_strong(&place, &expected, next), true);
    got = atomic_exchange(&place, expected);
    check("exchanged", got.a == 7 && got.b == 8 && got.c == 9, true);
    atomic_store(&place, next);
    got = place;
    check("stored", got.a == 7 && got.b == 8 && got.c == 9, true);
    check("no operation waits", atomic_is_lock_free(&place), true);
}

static void flags(void)
{
    static atomic_flag flag = ATOMIC_FLAG_INIT;

    check("a flag was clear", atomic_flag_test_and_set(&flag), false);
    check("then it is set", atomic_flag_test_and_set(&flag), true);
    atomic_flag_clear(&flag);
    check("and clear again", atomic_flag_test_and_set(&flag), false);
    atomic_thread_fence(ORDER);
    __sync_synchronize();
}

/* ---- Against handlers --------------------------------------------------------- */

static volatile uint8_t byte;
static volatile uint16_t half;
static volatile uint32_t word, older, swapped;
static volatile uint64_t both;
static _Atomic struct three three;
static volatile uint32_t handled;

/*
 * All changes of a turn, by the handler and by the main program. Messages come between
 * blocks of code, and an operation on a structure has many.
 */
static void change(void)
{
    uint32_t seen = swapped;
    struct three was = atomic_load(&three), now;

    atomic_fetch_add(&byte, 1);
    atomic_fetch_sub(&half, 3);
    atomic_fetch_add(&word, 5);
    atomic_fetch_add(&both, 1ull << 31);
    __sync_add_and_fetch(&older, 7);
    while (!__sync_bool_compare_and_swap(&swapped, seen, seen + 2)) {
        seen = swapped;
    }
    do {
        now = (struct three) { was.a + 1, was.b - 1, was.c + 2 };
    } while (!atomic_compare_exchange_strong(&three, &was, now));
}

static void comes(void)
{
    udm_dispose();
    change();
    handled++;
}

static void against_handlers(uint32_t rounds)
{
    uint32_t turns = 0;
    struct three end;

    udm_barrier();
    if (udm_node() == 1) {
        for (uint32_t k = 0; k < rounds; k++) {
            udm_inject(0, comes);
            spin_for(3000 + 7 * (k % 97));
        }
    } else {
        while (handled < rounds) {
            change();
            turns++;
        }
        check("the main program had its turns", turns > rounds / 2, true);
        turns += rounds;
        check("bytes", byte, (uint8_t)turns);
        check("halfwords", half, (uint16_t)(-3 * turns));
        check("words", word, 5 * turns);
        check("doublewords", both == (uint64_t)turns << 31, true);
        check("GCC's older ones", older, 7 * turns);
        check("compare and swap", swapped, 2 * turns);
        end = atomic_load(&three);
        check("structures", end.a == turns && end.b == -turns && end.c == 2 * turns, true);
    }
    udm_barrier();
}

int main(int argc, char **argv)
{
    bytes(0xf1, 0x8e);
    halves(0xf00f, 0x8ee1);
    words(0xf0000001, 0x80ffffff);
    doubles(0xf0000001ffffffff, 0x8000000100000001);
    structures();
    flags();
    against_handlers(argc > 1 ? strtoul(argv[1], NULL, 0) : 500);
    return check_end();
}
