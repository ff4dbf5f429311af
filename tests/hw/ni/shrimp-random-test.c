/*
 * qtest of SHRIMP's network interface: random actions, compared with a model
 * (shrimp-model.h) cycle by cycle
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "shrimp-model.h"

typedef struct Run {
    QTestState *qts;
    ShrimpModel *m;
    GRand *rng;
    char *options;
    unsigned node;              /* the one that acts */
    const char *doing;
    int step;
} Run;

/* Returns a number from @first to @last. */
static uint32_t pick(Run *r, uint32_t first, uint32_t last)
{
    return g_rand_int_range(r->rng, first, last + 1);
}

static bool one_in(Run *r, uint32_t n)
{
    return pick(r, 1, n) == 1;
}

static void expect(Run *r, const char *what, uint32_t is, uint32_t should)
{
    if (is != should) {
        g_error("step %d, %s, node %u, cycle %" PRId64 ": %s is 0x%x, and "
                "should be 0x%x (%s)", r->step, r->doing, r->node, r->m->now,
                what, is, should, r->options);
    }
}

static void expect_taken(Run *r, int result, bool taken)
{
    expect(r, "the result", result, taken ? FUGU_DONE : VIOLATION);
}

static ModelNode *self(Run *r)
{
    return &r->m->node[r->node];
}

static uint32_t any_mode(Run *r)
{
    return pick(r, FUGU_NIPT_SINGLE, FUGU_NIPT_DELIBERATE);
}

/* ---- Actions ------------------------------------------------------------------ */

static void act_part(Run *r)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1);
    uint32_t mode = one_in(r, 6) ? pick(r, 0, 3) : any_mode(r);
    uint32_t to = pick(r, 0, one_in(r, 8) ? MODEL_NODES : MODEL_NODES - 1);
    uint32_t there = pick(r, 0, one_in(r, 20) ? MODEL_PAGES : MODEL_PAGES - 1);
    uint32_t shift = one_in(r, 2) ? 0 : pick(r, 0, PAGE - 1);
    bool upper = !one_in(r, 3);

    expect_taken(r, shrimp_part(r->qts, r->node, page, upper, mode, to,
                                AT(there, shift)),
                 shrimp_model_set_part(r->m, r->node, page, upper, mode, to,
                                AT(there, shift)));
}

static void act_split(Run *r)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1);
    uint32_t split = one_in(r, 8) ? pick(r, 0, PAGE + 8)
                     : one_in(r, 2) ? 0 : 8 * pick(r, 0, PAGE / 8 - 1);

    fugu_store(r->qts, r->node, K(FUGU_K_NIPT_PAGE), page);
    expect_taken(r, fugu_try_store(r->qts, r->node, KERNEL, 4,
                                   K(FUGU_K_NIPT_SPLIT), split),
                 shrimp_model_set_split(r->m, r->node, page, split));
}

static void act_in(Run *r)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1), in = pick(r, 0, 3);

    in |= one_in(r, 4) ? 0 : FUGU_NIPT_IN_MAPPED;
    shrimp_in(r->qts, r->node, page, in);
    self(r)->page[page].mapped = in & FUGU_NIPT_IN_MAPPED;
    self(r)->page[page].armed = in & FUGU_NIPT_IN_ARMED;
}

static uint32_t any_address(Run *r)
{
    return AT(pick(r, 0, MODEL_PAGES - 1), 4 * pick(r, 0, PAGE / 4 - 1));
}

static void store_once(Run *r)
{
    unsigned size = 1 << pick(r, 0, 3);
    uint64_t value = (uint64_t)g_rand_int(r->rng) << 32 | g_rand_int(r->rng);
    uint32_t addr = AT(pick(r, 0, MODEL_PAGES - 1), 0) +
                    size * pick(r, 0, PAGE / size - 1);
    int result;

    if (self(r)->open_bytes && !one_in(r, 4)) {         /* the next one */
        addr = self(r)->open_addr + self(r)->open_bytes;
        if (addr % size || addr >= AT(MODEL_PAGES, 0)) {
            return;
        }
    }
    result = fugu_try_store(r->qts, r->node, one_in(r, 2) ? USER : KERNEL, size,
                            addr, value);

    expect(r, "the result", result,
           shrimp_model_store(r->m, r->node, addr, size, value)
           ? FUGU_DONE : FUGU_WAITS);
}

/* Some stores in a row, which may be merged. */
static void act_store(Run *r)
{
    for (uint32_t n = pick(r, 1, 12); n; n--) {
        store_once(r);
    }
}

static void act_command(Run *r)
{
    uint32_t addr = one_in(r, 3) ? AT(pick(r, 0, MODEL_PAGES - 1), 0)
                                 : any_address(r);
    uint32_t command = one_in(r, 6) ? FUGU_COMMAND_SINGLE + pick(r, 0, 3)
                       : one_in(r, 8) ? g_rand_int(r->rng)
                       : one_in(r, 3) ? pick(r, 0, PAGE / 4 + 1)
                       : pick(r, 1, 80);
    uint64_t value = 0;
    uint32_t should;
    bool may = shrimp_model_engine(r->m, r->node, addr, &should);

    expect_taken(r, fugu_try_load(r->qts, r->node, USER, 4, COMMAND(addr),
                                  &value), may);
    expect(r, "the engine's state", value, may ? should : 0);
    expect_taken(r, shrimp_command(r->qts, r->node, addr, command),
                 shrimp_model_command(r->m, r->node, addr, command));
}

static void act_arrival(Run *r)
{
    uint32_t page = shrimp_model_arrival(self(r));

    if (page == FUGU_SHRIMP_NO_PAGE || one_in(r, 3)) {
        page = pick(r, 0, MODEL_PAGES - 1);
    }
    fugu_store(r->qts, r->node, K(FUGU_K_ARRIVAL), page);
    self(r)->page[page].arrived = false;
}

static void act_threshold(Run *r)
{
    uint32_t words = one_in(r, 2) ? pick(r, 1, 1024) : 768;

    fugu_store(r->qts, r->node, K(FUGU_K_OUT_THRESHOLD), words);
    self(r)->threshold = words;
    shrimp_model_retry(r->m, r->node);
}

static void act_await(Run *r)
{
    uint32_t words = one_in(r, 2) ? pick(r, 1, 1024) : 0;

    fugu_store(r->qts, r->node, K(FUGU_K_OUT_AWAIT), words);
    self(r)->await = words;
}

static void act_dropped(Run *r)
{
    fugu_store(r->qts, r->node, K(FUGU_K_DROPPED), 0);
    self(r)->dropped = false;
}

static void act_damage(Run *r)
{
    bool crc = one_in(r, 2);

    fugu_load(r->qts, r->node, U(FUGU_U_SENT));     /* what is due leaves */
    shrimp_model_fence(r->m, r->node);
    shrimp_damage(r->qts, r->node, crc ? "crc" : "coordinates");
    self(r)->damage = crc ? BAD_CRC : BAD_PLACE;
}

static void act_look(Run *r)
{
    const ModelNode *n = self(r);
    uint32_t merge = one_in(r, 2) ? 32 : pick(r, 1, 400);
    const struct { const char *name; uint32_t offset, value; } registers[] = {
        { "OUT_WORDS", FUGU_K_OUT_WORDS, shrimp_model_words(&n->out) },
        { "IN_WORDS", FUGU_K_IN_WORDS, shrimp_model_words(&n->in) },
        { "IN_ENTERED", FUGU_K_IN_ENTERED, n->entered },
        { "IN_LEFT", FUGU_K_IN_LEFT, n->gone },
        { "DROPPED_PLACE", FUGU_K_DROPPED_PLACE, n->bad_place },
        { "DROPPED_CRC", FUGU_K_DROPPED_CRC, n->bad_crc },
        { "DROPPED_PAGE", FUGU_K_DROPPED_PAGE, n->bad_page },
        { "ENGINE_LEFT", FUGU_K_ENGINE_LEFT, n->left },
        { "ARRIVAL", FUGU_K_ARRIVAL, shrimp_model_arrival(n) },
        { "PENDING", FUGU_K_PENDING, shrimp_model_pending(n) },
    };

    for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
        expect(r, registers[i].name,
               fugu_load(r->qts, r->node, K(registers[i].offset)),
               registers[i].value);
    }
    fugu_store(r->qts, r->node, K(FUGU_K_MERGE), merge);
    self(r)->merge = merge;
    shrimp_model_fence(r->m, r->node);
    expect(r, "SENT", fugu_load(r->qts, r->node, U(FUGU_U_SENT)), n->sent);
    expect(r, "CREDITED", fugu_load(r->qts, r->node, U(FUGU_U_CREDITED)),
           shrimp_model_credited(n));
}

static void act_read(Run *r)
{
    uint32_t addr = any_address(r);

    expect(r, "a word of memory", fugu_load(r->qts, r->node, addr),
           ldl_be_p(self(r)->ram + (addr - FUGU_RAM_BASE)));
}

static void act_advance(Run *r)
{
    uint32_t cycles = one_in(r, 6) ? pick(r, 1, 4000) : pick(r, 1, 150);

    fugu_advance(r->qts, cycles);
    shrimp_model_advance(r->m, cycles);
}

static const struct {
    const char *name;
    void (*act)(Run *r);
    unsigned weight;
} actions[] = {
    { "advance", act_advance, 20 },
    { "command", act_command, 20 },
    { "store", act_store, 20 },
    { "look", act_look, 8 },
    { "read", act_read, 10 },
    { "part", act_part, 6 },
    { "split", act_split, 3 },
    { "in", act_in, 5 },
    { "arrival", act_arrival, 2 },
    { "threshold", act_threshold, 2 },
    { "await", act_await, 2 },
    { "dropped", act_dropped, 1 },
    { "damage", act_damage, 1 },
};

static void act(Run *r)
{
    uint32_t draw = pick(r, 0, 99);
    unsigned i = 0;

    while (draw >= actions[i].weight) {
        draw -= actions[i++].weight;
    }
    r->doing = actions[i].name;
    r->node = pick(r, 0, MODEL_NODES - 1);
    shrimp_model_settle(r->m, r->node);
    actions[i].act(r);
}

/* ---- Runs ---------------------------------------------------------------------- */

/* Each page of each node is mapped out to one of another node, and in. */
static void map_all(Run *r)
{
    for (r->node = 0; r->node < MODEL_NODES; r->node++) {
        for (uint32_t page = 0; page < MODEL_PAGES; page++) {
            uint32_t to = pick(r, 0, MODEL_NODES - 1);
            uint32_t there = AT(pick(r, 0, MODEL_PAGES - 1), 0);

            uint32_t mode = any_mode(r);

            shrimp_part(r->qts, r->node, page, true, mode, to, there);
            shrimp_model_set_part(r->m, r->node, page, true, mode, to, there);
            shrimp_in(r->qts, r->node, page, FUGU_NIPT_IN_MAPPED);
            self(r)->page[page].mapped = true;
        }
    }
}

/* Waits until nothing is under way, and compares all of memory. */
static void finish(Run *r)
{
    r->doing = "the end";
    fugu_advance(r->qts, 1000000);
    shrimp_model_advance(r->m, 1000000);
    for (r->node = 0; r->node < MODEL_NODES; r->node++) {
        shrimp_model_settle(r->m, r->node);
        act_look(r);
        expect(r, "words left", self(r)->left + self(r)->out.length, 0);
        for (uint32_t at = 0; at < MODEL_RAM; at += 4) {
            expect(r, "a word of memory",
                   fugu_load(r->qts, r->node, FUGU_RAM_BASE + at),
                   ldl_be_p(self(r)->ram + at));
        }
    }
    shrimp_assert_holds(r->qts);
}

static void run(unsigned seed, int steps)
{
    static const uint32_t packets[] = { 8, 16, 64, 256, 496 };
    static const uint32_t paces[] = { 0, 1, 7, 60 };
    Run r = { .rng = g_rand_new_with_seed(seed) };
    ModelOptions o = {
        .packet_max = packets[pick(&r, 0, ARRAY_SIZE(packets) - 1)],
        .dma_word = pick(&r, 0, 2),
        .incoming_word = paces[pick(&r, 0, ARRAY_SIZE(paces) - 1)],
        .mesh_word = pick(&r, 1, 5),
    };

    r.options = g_strdup_printf(MODEL_MACHINE ",packet-max=%u,dma-word=%u,"
                                "incoming-word=%u,mesh-word=%u", o.packet_max,
                                o.dma_word, o.incoming_word, o.mesh_word);
    r.qts = fugu_start(r.options, "");
    r.m = shrimp_model_new(o);
    map_all(&r);
    for (r.step = 0; r.step < steps; r.step++) {
        act(&r);
        if (r.step % 64 == 0) {
            act_advance(&r);
            shrimp_assert_holds(r.qts);
        }
        if (r.step % 700 == 699) {
            r.qts = fugu_migrate(r.qts, r.options, "");
        }
    }
    finish(&r);
    qtest_quit(r.qts);
    shrimp_model_free(r.m);
    g_rand_free(r.rng);
    g_free(r.options);
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
