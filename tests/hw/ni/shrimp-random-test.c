/*
 * qtest of SHRIMP's network interface: random actions, compared with a model
 * (shrimp-model.h) cycle by cycle
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-play.h"

static uint32_t draw_random(void *source, uint32_t count)
{
    return count ? g_rand_int_range(source, 0, count) : g_rand_int(source);
}

static uint32_t one_of(GRand *rng, const uint32_t *of, size_t count)
{
    return of[draw_random(rng, count)];
}

static void run(unsigned seed, int steps)
{
    static const uint32_t packets[] = { 8, 16, 64, 256, 496 };
    static const uint32_t paces[] = { 0, 1, 7, 60 };
    GRand *rng = g_rand_new_with_seed(seed);
    ModelOptions o = {
        .packet_max = one_of(rng, packets, ARRAY_SIZE(packets)),
        .dma_word = draw_random(rng, 3),
        .incoming_word = one_of(rng, paces, ARRAY_SIZE(paces)),
        .mesh_word = 1 + draw_random(rng, 5),
    };
    g_autofree char *options = g_strdup_printf(
        MODEL_MACHINE ",packet-max=%u,dma-word=%u,incoming-word=%u,mesh-word=%u",
        o.packet_max, o.dma_word, o.incoming_word, o.mesh_word);
    ShrimpPlay r = {
        .qts = fugu_start(options, ""), .m = shrimp_model_new(o),
        .options = options, .draw = draw_random, .source = rng,
        .damage = shrimp_damage,
    };

    shrimp_play_map(&r);
    for (r.step = 0; r.step < steps; r.step++) {
        shrimp_play_act(&r);
        if (r.step % 64 == 0) {
            shrimp_play_advance(&r);
            shrimp_assert_holds(r.qts);
        }
        if (r.step % 700 == 699) {
            r.qts = fugu_migrate(r.qts, options, "");
        }
    }
    shrimp_play_finish(&r);
    qtest_quit(r.qts);
    shrimp_model_free(r.m);
    g_rand_free(rng);
}

static void test_random(void)
{
    for (unsigned seed = 1; seed <= 8; seed++) {
        run(seed, 1000);
    }
}

static void test_random_for_long(void)
{
    for (unsigned seed = 1001; seed <= 1100; seed++) {
        run(seed, 10000);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp/random", test_random);
    if (g_test_slow()) {
        qtest_add_func("fugu/shrimp/random-for-long", test_random_for_long);
    }
    return g_test_run();
}
