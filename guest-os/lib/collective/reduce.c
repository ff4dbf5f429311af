/*
 * The reductions. Threads alone run this code, so it may use the FPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

static void sum_int(union value *to, const union value *from)
{
    to->integer = (uint64_t)to->integer + (uint64_t)from->integer;
}

static void min_int(union value *to, const union value *from)
{
    to->integer = from->integer < to->integer ? from->integer : to->integer;
}

static void max_int(union value *to, const union value *from)
{
    to->integer = from->integer > to->integer ? from->integer : to->integer;
}

static void sum_double(union value *to, const union value *from)
{
    to->real += from->real;
}

/*
 * The result depends on no order: a value that is not a number is the result if one
 * node has it, and -0 is less than +0. Not a number has one form then, whatever the
 * nodes' bits are.
 */
#define NOT_A_NUMBER    0x7ff8000000000000

static void choose(union value *to, const union value *from, bool less)
{
    if (to->real != to->real || from->real != from->real) {
        to->integer = NOT_A_NUMBER;
    } else if (to->real == from->real) {
        /* Of zeros of both signs, or of two values that are the same. */
        to->integer = less ? to->integer | from->integer
                           : to->integer & from->integer;
    } else if ((from->real < to->real) == less) {
        *to = *from;
    }
}

static void min_double(union value *to, const union value *from)
{
    choose(to, from, true);
}

static void max_double(union value *to, const union value *from)
{
    choose(to, from, false);
}

enum { OPERATIONS = UDM_MAX + 1 };

static combine_t *const of_ints[OPERATIONS] = { sum_int, min_int, max_int };
static combine_t *const of_doubles[OPERATIONS] = {
    sum_double, min_double, max_double
};

static struct call *call_begin(enum function function, enum udm_operation operation,
                               uint32_t root)
{
    if ((uint32_t)operation >= OPERATIONS) {
        collective_mistake(function, "there is no such operation");
    }
    return collective_begin(function, operation, root);
}

/* Leaves the result in *value on the root, and 0 on the other nodes. */
static void reduce(enum function function, uint32_t root,
                   enum udm_operation operation, combine_t *const *combines,
                   union value *value)
{
    struct call *call = call_begin(function, operation, root);

    collective_gather(call, value, combines[operation]);
    if (collective_is_root(call)) {
        collective_release(call, value);
        collective_end(call);
    } else {
        *value = (union value) { .integer = 0 };
        collective_end_early(call);
    }
}

static void reduce_all(enum function function, enum udm_operation operation,
                       combine_t *const *combines, union value *value)
{
    struct call *call = call_begin(function, operation, 0);

    collective_gather(call, value, combines[operation]);
    collective_release(call, value);
    collective_end(call);
}

int64_t udm_reduce_int(uint32_t root, enum udm_operation operation,
                       int64_t integer)
{
    union value value = { .integer = integer };

    ELSE_BY_UPDATES(updates_reduce_int(root, operation, integer));
    reduce(REDUCE_INT, root, operation, of_ints, &value);
    return value.integer;
}

double udm_reduce_double(uint32_t root, enum udm_operation operation,
                         double real)
{
    union value value = { .real = real };

    ELSE_BY_UPDATES(updates_reduce_double(root, operation, real));
    reduce(REDUCE_DOUBLE, root, operation, of_doubles, &value);
    return value.real;
}

int64_t udm_reduce_all_int(enum udm_operation operation, int64_t integer)
{
    union value value = { .integer = integer };

    ELSE_BY_UPDATES(updates_reduce_all_int(operation, integer));
    reduce_all(REDUCE_ALL_INT, operation, of_ints, &value);
    return value.integer;
}

double udm_reduce_all_double(enum udm_operation operation, double real)
{
    union value value = { .real = real };

    ELSE_BY_UPDATES(updates_reduce_all_double(operation, real));
    reduce_all(REDUCE_ALL_DOUBLE, operation, of_doubles, &value);
    return value.real;
}
