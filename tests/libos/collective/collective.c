/*
 * Random collective operations, one after the other, while other messages fly.
 *
 *     collective ROUNDS SEED spin|block|mixed [divert]
 *
 * All nodes draw the same operations, roots and sizes, and each one works out
 * what the results must be. Before each operation, a node waits for a random
 * time and sends messages to random nodes, whose handlers use the FPU. With
 * divert, nodes enter buffered mode as well. Built with WITHOUT_MESSAGES, it sends none,
 * and runs with other kinds of network interface than FUGU's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "check.h"
#include "random.h"
#include "waiting.h"
#include "udm-thread.h"

static uint32_t round_, shared, own;    /* random: all nodes, this node */
static bool divert;
static uint32_t wrong_barrier, wrong_int, wrong_double, wrong_bits;
static uint32_t wrong_broadcast, wrong_guard;

/* ---- Other messages ----------------------------------------------------- */

static uint32_t noise_sent;
static volatile uint32_t noise_handled;
static volatile double noise_sum;

#ifndef WITHOUT_MESSAGES
/* Handler. Changes the FPU's registers. */
static void noise(void)
{
    noise_sum += udm_arg(0) * 0.1 + 1.0 / (1.0 + udm_arg(1));
    udm_dispose();
    noise_handled++;
    udm_count_handled(1);
}

static void make_noise(uint32_t node, uint32_t i)
{
    udm_inject_counted(node, noise, i, round_);
    noise_sent++;
}
#else
static void make_noise(uint32_t node, uint32_t i)
{
    (void)node;
    (void)i;
}
#endif

static void disturb(void)
{
    uint32_t messages = random_next(&own) % 4;

    if (divert && random_next(&own) % 2) {
        glaze_divert();
    }
    for (uint32_t i = 0; i < messages; i++) {
        make_noise(random_next(&own) % udm_nodes(), i);
    }
    if (random_next(&own) % 4) {
        spin_for(random_next(&own) % 3000);
    }
}

/* ---- Operations --------------------------------------------------------- */

static void do_barrier(void)
{
    uint64_t came = udm_cycles(), left;

    udm_barrier();
    left = udm_cycles();
    wrong_barrier += left < (uint64_t)udm_reduce_all_int(UDM_MAX, came);
}

static int64_t int_of(uint32_t node)
{
    int64_t high = hash(round_, node, 1);

    return (node & 1 ? -high : high) << 20 | hash(round_, node, 2) >> 12;
}

static void do_int(uint32_t root, bool all)
{
    enum udm_operation operation = random_next(&shared) % 3;
    int64_t want = int_of(0), got;

    for (uint32_t node = 1; node < udm_nodes(); node++) {
        int64_t value = int_of(node);

        if (operation == UDM_SUM) {
            want += value;
        } else if ((operation == UDM_MIN) == (value < want)) {
            want = value;
        }
    }
    if (all) {
        got = udm_reduce_all_int(operation, int_of(udm_node()));
    } else {
        got = udm_reduce_int(root, operation, int_of(udm_node()));
        want = udm_node() == root ? want : 0;
    }
    wrong_int += got != want;
}

static double double_of(uint32_t node)
{
    return (double)hash(round_, node, 3) / 3.0 - 1e7 * (node & 1);
}

/*
 * What the tree must give: each node adds its children's values to its own,
 * nearest child first. `node` is relative to the root.
 */
static double sum_below(uint32_t node, uint32_t root)
{
    double sum = double_of((node + root) % udm_nodes());

    for (uint32_t bit = 1; bit < udm_nodes() && !(node & bit); bit *= 2) {
        if (node + bit < udm_nodes()) {
            sum += sum_below(node + bit, root);
        }
    }
    return sum;
}

/* Counts if the nodes do not have the same bits of `value`. */
static void compare_bits(double value)
{
    int64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    wrong_bits += udm_reduce_all_int(UDM_MIN, bits) != bits;
}

static void do_double(uint32_t root, bool all)
{
    enum udm_operation operation = random_next(&shared) % 3;
    double want = double_of(0), got;

    if (operation == UDM_SUM) {
        want = sum_below(0, all ? 0 : root);
    }
    for (uint32_t node = 1; node < udm_nodes(); node++) {
        double value = double_of(node);

        if (operation == UDM_MIN ? value < want
            : operation == UDM_MAX && value > want) {
            want = value;
        }
    }
    if (all) {
        got = udm_reduce_all_double(operation, double_of(udm_node()));
        compare_bits(got);
    } else {
        got = udm_reduce_double(root, operation, double_of(udm_node()));
        want = udm_node() == root ? want : 0;
    }
    wrong_double += got != want;
}

/* A value that is not a number is the result, from whichever node it comes, and the
 * same one on all nodes; -0 is less than +0. */
static void do_special(void)
{
    static const enum udm_operation operations[] = { UDM_SUM, UDM_MIN, UDM_MAX };

    for (uint32_t node = 0; node < udm_nodes(); node++) {
        bool here = udm_node() == node, one = udm_nodes() == 1;
        uint32_t root = (node + 1) % udm_nodes();
        double low, high, got;

        for (uint32_t k = 0; k < 3; k++) {
            double mine = !here ? udm_node() : k == 2 ? -NAN : NAN;

            got = udm_reduce_all_double(operations[k], mine);
            wrong_double += !isnan(got);
            compare_bits(got);
            got = udm_reduce_double(root, operations[k], mine);
            wrong_double += udm_node() == root && !isnan(got);
        }
        low = udm_reduce_all_double(UDM_MIN, here ? -0.0 : 0.0);
        high = udm_reduce_all_double(UDM_MAX, here ? 0.0 : -0.0);
        wrong_double += !signbit(low) + (!one && signbit(high));
    }
}

static void do_broadcast(uint32_t root)
{
    static const uint32_t sizes[] = {
        0, 1, 2, 3, 10, 1023, 1024, 1025, 2500
    };
    static uint32_t data[2502];
    uint32_t words = sizes[random_next(&shared) % 9];
    uint32_t *from = data + 1;

    for (uint32_t i = 0; i < words + 2; i++) {
        data[i] = udm_node() == root ? hash(round_, i, 4) : ~i;
    }
    udm_broadcast(root, from, words * 4);
    for (uint32_t i = 1; i <= words; i++) {
        wrong_broadcast += data[i] != hash(round_, i, 4);
    }
    if (udm_node() != root) {
        wrong_guard += data[0] != ~0u || data[words + 1] != ~(words + 1);
    }
}

static void operate(void)
{
    uint32_t operation = random_next(&shared) % 6;
    uint32_t root = random_next(&shared) % udm_nodes();

    switch (operation) {
    case 0:
        do_barrier();
        break;
    case 1:
    case 2:
        do_int(root, operation == 1);
        break;
    case 3:
    case 4:
        do_double(root, operation == 3);
        break;
    default:
        do_broadcast(root);
    }
}

/* ---- The program's own wakes -------------------------------------------- */

#ifdef WITHOUT_MESSAGES
static bool woken_early(void)
{
    return false;
}
#else
static udm_thread_t *self;
static volatile bool flag;

static void wake(void)
{
    udm_dispose();
    flag = true;
    udm_thread_wake(self);
}

/* Returns true if a call has left a wake behind, for which no block waits. */
static bool woken_early(void)
{
    bool early;

    flag = false;
    udm_inject(udm_node(), wake);
    udm_thread_block();
    early = !flag;
    if (early) {
        while (!flag) {
        }
        udm_thread_block();
    }
    return early;
}
#endif

int main(int argc, char **argv)
{
    uint32_t rounds = atoi(argv[1]), seed = atoi(argv[2]), wakes = 0;

#ifndef WITHOUT_MESSAGES
    self = udm_thread_self();
#endif
    wait_as(argv[3]);
    do_special();
    divert = argc > 4;
    shared = hash(seed, 0, 5) | 1;
    own = hash(seed, udm_node(), 6) | 1;
    for (round_ = 0; round_ < rounds; round_++) {
        disturb();
        operate();
        wakes += woken_early();
    }
    udm_quiesce();
    check("noise", udm_reduce_all_int(UDM_SUM, (int64_t)noise_sent -
                                      noise_handled), 0);
    check("barriers", wrong_barrier, 0);
    check("integers", wrong_int, 0);
    check("doubles", wrong_double, 0);
    check("the same bits everywhere", wrong_bits, 0);
    check("broadcasts", wrong_broadcast, 0);
    check("around broadcasts", wrong_guard, 0);
    check("wakes", wakes, 0);
    return check_end();
}
