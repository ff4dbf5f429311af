/*
 * qtest of the M-Machine's message interface: random actions, compared with a
 * model (mm-model.h) cycle by cycle
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "mm-model.h"

typedef struct Run {
    QTestState *qts;
    MMModel *m;
    GRand *rng;
    char *options;
    unsigned node;              /* the one that acts */
    const char *doing;
    int step;
    uint64_t sent, refused, words;
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

static ModelNode *self(Run *r)
{
    return &r->m->node[r->node];
}

/* ---- Entries ---------------------------------------------------------------- */

/* GIDs 0 and 1; segments of all sizes, some of which overlap. */
static void set_segment(Run *r, unsigned i)
{
    uint32_t log = one_in(r, 4) ? pick(r, 3, 30) : pick(r, 5, 12);
    uint32_t rights = one_in(r, 4) ? pick(r, 0, 255) : 255;
    uint32_t gid = pick(r, 0, 1), base = pick(r, 0, 3) << 29;
    uint32_t local = 8 * pick(r, 0, 0xffff);

    mm_segment(r->qts, r->node, i, gid, base,
               rights << FUGU_MM_RIGHTS_SHIFT | log, local);
    self(r)->segment[i].valid = true;
    self(r)->segment[i].gid = gid;
    self(r)->segment[i].base = base;
    self(r)->segment[i].log = log;
    self(r)->segment[i].rights = rights;
    self(r)->segment[i].local = local;
}

static void set_handler(Run *r, unsigned i)
{
    uint32_t gid = pick(r, 0, 1), index = pick(r, 0, 7);
    uint32_t pc = 4 * pick(r, 0, 0xffff);
    uint32_t extent = one_in(r, 4) ? pick(r, 0, 0xffffff) : pick(r, 0, 40);
    uint32_t needs = one_in(r, 3) ? pick(r, 0, 255) : 0;

    mm_handler(r->qts, r->node, i, gid, index, pc,
               needs << FUGU_MM_NEEDS_SHIFT | extent);
    self(r)->handler[i].valid = true;
    self(r)->handler[i].gid = gid;
    self(r)->handler[i].index = index;
    self(r)->handler[i].pc = pc;
    self(r)->handler[i].extent = extent;
    self(r)->handler[i].needs = needs;
}

/* ---- Actions ------------------------------------------------------------------ */

static void act_segment(Run *r)
{
    unsigned i = pick(r, 0, FUGU_MM_GTLB - 1);

    if (one_in(r, 4)) {
        mm_set(r->qts, r->node, FUGU_K_MM_GTLB, i);
        mm_set(r->qts, r->node, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID, 0);
        self(r)->segment[i].valid = false;
    } else {
        set_segment(r, i);
    }
}

static void act_handler(Run *r)
{
    set_handler(r, pick(r, 0, 15));
}

static void act_send(Run *r)
{
    unsigned i = pick(r, 0, FUGU_MM_GTLB - 1), context = pick(r, 0, 2);
    uint32_t log = self(r)->segment[i].log;
    uint32_t offset = pick(r, 0, (1u << log) - 1);
    uint32_t dest = one_in(r, 20) ? g_rand_int(r->rng)
                    : self(r)->segment[i].base + (pick(r, 0, 4) << log) + offset;
    uint32_t handler = one_in(r, 20) ? g_rand_int(r->rng) : pick(r, 0, 7);
    unsigned length = pick(r, 0, one_in(r, 10) ? 15 : 10);
    unsigned ack = pick(r, 0, 15);
    uint32_t first = g_rand_int(r->rng);
    int should = mm_model_send(r->m, r->node, context, dest, handler, length,
                               ack, first);

    expect(r, "the result",
           mm_send(r->qts, r->node, context, dest, handler, length, ack, first),
           should);
    r->sent += should == FUGU_DONE;
    r->refused += should > 0;
}

static void act_await(Run *r)
{
    unsigned context = pick(r, 0, 2);
    uint32_t acks = g_rand_int(r->rng) & g_rand_int(r->rng);

    expect(r, "the result", mm_await(r->qts, r->node, context, acks),
           mm_model_await(r->m, r->node, context, acks));
}

/* Some words of a message, or the next message. */
static void act_words(Run *r)
{
    unsigned priority = pick(r, 0, 1);
    bool head = one_in(r, 3);

    for (unsigned n = head ? 1 : pick(r, 1, 12); n; n--) {
        uint32_t word, model = 0;
        int should = mm_model_word(r->m, r->node, priority, head, &model);

        expect(r, "the result",
               mm_word(r->qts, r->node, 1 + priority, head, &word), should);
        if (should) {
            return;
        }
        expect(r, head ? "MsgHead" : "MsgBody", word, model);
        r->words++;
    }
}

static void act_gid(Run *r)
{
    self(r)->gid = pick(r, 0, 1);
    fugu_store(r->qts, r->node, K(FUGU_K_GID), self(r)->gid);
}

static void act_rules(Run *r)
{
    self(r)->rules = !one_in(r, 4);
    self(r)->priority = one_in(r, 4);
    mm_set(r->qts, r->node, FUGU_K_MM_RULES, self(r)->rules);
    mm_set(r->qts, r->node, FUGU_K_MM_PRIORITY, self(r)->priority);
}

static void act_irqs(Run *r)
{
    self(r)->irqs = pick(r, 0, 3);
    mm_set(r->qts, r->node, FUGU_K_MM_IRQ, self(r)->irqs);
}

/* Whether a message interrupts. Sets *@known to false if its word comes right now:
 * then it depends on what has looked. */
static bool interrupts(Run *r, bool *known)
{
    bool set = false;

    *known = true;
    for (unsigned p = 0; p < FUGU_MM_PRIORITIES; p++) {
        int64_t time = mm_model_head_time(r->m, &self(r)->end[p]);

        if (self(r)->irqs >> p & 1) {
            *known &= time != r->m->now;
            set |= time >= 0 && time <= r->m->now;
        }
    }
    return set;
}

static void act_look(Run *r)
{
    bool known, set = interrupts(r, &known);

    for (unsigned p = 0; p < FUGU_MM_PRIORITIES; p++) {
        const ModelEnd *end = &self(r)->end[p];

        expect(r, "WORDS", mm_kernel(r->qts, r->node, FUGU_K_MM_WORDS + 4 * p),
               mm_model_words(end));
        expect(r, "SPACE", mm_kernel(r->qts, r->node, FUGU_K_MM_SPACE + 4 * p),
               end->space);
        expect(r, "LEFT", mm_kernel(r->qts, r->node, FUGU_K_MM_LEFT + 4 * p),
               end->left);
        expect(r, "GID", mm_kernel(r->qts, r->node, FUGU_K_MM_GID + 4 * p),
               end->gid);
    }
    expect(r, "ACK", fugu_load(r->qts, r->node, U(FUGU_U_MM_ACK)),
           mm_model_acks(r->m, r->node, THREAD));
    if (known) {
        expect(r, "PENDING", fugu_load(r->qts, r->node, K(FUGU_K_PENDING)),
               set ? FUGU_PEND_MESSAGE : 0);
    }
}

static void act_advance(Run *r)
{
    uint32_t cycles = one_in(r, 6) ? pick(r, 1, 1000) : pick(r, 1, 60);

    fugu_advance(r->qts, cycles);
    mm_model_advance(r->m, cycles);
}

static const struct {
    const char *name;
    void (*act)(Run *r);
    unsigned weight;
} actions[] = {
    { "send", act_send, 30 },
    { "words", act_words, 30 },
    { "advance", act_advance, 18 },
    { "look", act_look, 8 },
    { "await", act_await, 4 },
    { "segment", act_segment, 3 },
    { "handler", act_handler, 2 },
    { "gid", act_gid, 2 },
    { "rules", act_rules, 1 },
    { "irqs", act_irqs, 2 },
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
    actions[i].act(r);
}

/* ---- Runs ---------------------------------------------------------------------- */

static void set_all(Run *r)
{
    for (r->node = 0; r->node < MODEL_NODES; r->node++) {
        for (unsigned i = 0; i < FUGU_MM_GTLB; i++) {
            set_segment(r, i);
        }
        for (unsigned i = 0; i < 16; i++) {
            set_handler(r, i);
        }
    }
}

/* Reads all that is left. */
static void finish(Run *r)
{
    r->doing = "the end";
    for (unsigned i = 0; i < 400; i++) {
        fugu_advance(r->qts, 1000);
        mm_model_advance(r->m, 1000);
        for (r->node = 0; r->node < MODEL_NODES; r->node++) {
            act_words(r);
        }
    }
    for (r->node = 0; r->node < MODEL_NODES; r->node++) {
        act_look(r);
    }
    mm_assert_holds(r->qts);
    fugu_advance(r->qts, 1000);
    mm_assert_balance(r->qts);
}

static void run(unsigned seed, int steps)
{
    static const uint32_t rooms[] = { 26, 32, 64, 128 };
    Run r = { .rng = g_rand_new_with_seed(seed) };
    ModelOptions o = {
        .space = rooms[pick(&r, 0, 3)],
        .queue = rooms[pick(&r, 0, 3)],
        .word = pick(&r, 1, 5),
    };

    r.options = g_strdup_printf(MM ",source-space=%u,input-queue=%u,"
                                "mesh-word=%u", o.space, o.queue, o.word);
    r.qts = fugu_start(r.options, "");
    r.m = mm_model_new(o);
    set_all(&r);
    for (r.step = 0; r.step < steps; r.step++) {
        act(&r);
        if (r.step % 64 == 0) {
            act_advance(&r);
            mm_assert_holds(r.qts);
            mm_assert_balance(r.qts);
        }
        if (r.step % 700 == 699) {
            r.qts = fugu_migrate(r.qts, r.options, "");
        }
    }
    finish(&r);
    /* The run has met what it is for. */
    g_assert_cmpuint(r.sent, >, steps / 40);
    g_assert_cmpuint(r.refused, >, steps / 100);
    g_assert_cmpuint(r.words, >, steps / 10);
    qtest_quit(r.qts);
    mm_model_free(r.m);
    g_rand_free(r.rng);
    g_free(r.options);
}

static void test_random(void)
{
    for (unsigned seed = 1; seed <= 8; seed++) {
        run(seed, 2000);
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
    qtest_add_func("fugu/mm/random", test_random);
    if (g_test_slow()) {
        qtest_add_func("fugu/mm/random-for-long", test_random_for_long);
    }
    return g_test_run();
}
