/*
 * Actions on SHRIMP's network interfaces, compared with a model (shrimp-model.h)
 * cycle by cycle
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "shrimp-play.h"

/* Returns a number from @first to @last. */
static uint32_t pick(ShrimpPlay *r, uint32_t first, uint32_t last)
{
    return first + r->draw(r->source, last - first + 1);
}

static uint32_t any_word(ShrimpPlay *r)
{
    return r->draw(r->source, 0);
}

static bool one_in(ShrimpPlay *r, uint32_t n)
{
    return pick(r, 1, n) == 1;
}

/* Ends the program by a signal that libFuzzer notes, unlike that of g_error(). */
static void expect(ShrimpPlay *r, const char *what, uint32_t is, uint32_t should)
{
    if (is != should) {
        g_printerr("step %d, %s, node %u, cycle %" PRId64 ": %s is 0x%x, and should "
                   "be 0x%x (%s)\n", r->step, r->doing, r->node, r->m->now, what, is,
                   should, r->options);
        abort();
    }
}

static void expect_taken(ShrimpPlay *r, int result, bool taken)
{
    expect(r, "the result", result, taken ? FUGU_DONE : VIOLATION);
}

static ModelNode *self(ShrimpPlay *r)
{
    return &r->m->node[r->node];
}

static uint32_t any_mode(ShrimpPlay *r)
{
    return pick(r, FUGU_NIPT_SINGLE, FUGU_NIPT_DELIBERATE);
}

/* Numbers around one that decides, from 1 to the FIFO's size. */
static uint32_t near(ShrimpPlay *r, uint32_t words)
{
    return MAX(3, MIN(words + pick(r, 0, 4), FUGU_SHRIMP_FIFO + 2)) - 2;
}

/* ---- Actions ------------------------------------------------------------------ */

static void act_part(ShrimpPlay *r)
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

static void act_split(ShrimpPlay *r)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1);
    uint32_t split = one_in(r, 8) ? pick(r, 0, PAGE + 8)
                     : one_in(r, 2) ? 0 : 8 * pick(r, 0, PAGE / 8 - 1);

    fugu_store(r->qts, r->node, K(FUGU_K_NIPT_PAGE), page);
    expect_taken(r, fugu_try_store(r->qts, r->node, KERNEL, 4,
                                   K(FUGU_K_NIPT_SPLIT), split),
                 shrimp_model_set_split(r->m, r->node, page, split));
}

static void act_in(ShrimpPlay *r)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1), in = pick(r, 0, 3);

    in |= one_in(r, 4) ? 0 : FUGU_NIPT_IN_MAPPED;
    shrimp_in(r->qts, r->node, page, in);
    self(r)->page[page].mapped = in & FUGU_NIPT_IN_MAPPED;
    self(r)->page[page].armed = in & FUGU_NIPT_IN_ARMED;
}

static uint32_t any_address(ShrimpPlay *r)
{
    return AT(pick(r, 0, MODEL_PAGES - 1), 4 * pick(r, 0, PAGE / 4 - 1));
}

static void store_once(ShrimpPlay *r)
{
    unsigned size = 1 << pick(r, 0, 3);
    uint64_t value = (uint64_t)any_word(r) << 32 | any_word(r);
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

static void pass(ShrimpPlay *r, uint32_t cycles)
{
    fugu_advance(r->qts, cycles);
    shrimp_model_advance(r->m, cycles);
    shrimp_model_settle(r->m, r->node);
}

/* Some stores in a row, which may be merged. Some come just before or after the packet
 * closes that is open. */
static void act_store(ShrimpPlay *r)
{
    for (uint32_t n = pick(r, 1, 12); n; n--) {
        store_once(r);
        if (one_in(r, 3)) {
            pass(r, one_in(r, 2) ? pick(r, 1, 20)
                                 : near(r, MIN(self(r)->merge, 100)));
        }
    }
}

/* Returns a page from which the engine may send, or one whose stores are sent, if there
 * is one, or any. */
static uint32_t page_of(ShrimpPlay *r, bool engine)
{
    uint32_t page = pick(r, 0, MODEL_PAGES - 1);

    for (uint32_t k = 0; k < MODEL_PAGES; k++) {
        uint32_t mode = self(r)->page[page].part[1].mode;

        if (engine ? mode == FUGU_NIPT_DELIBERATE
                   : mode && mode != FUGU_NIPT_DELIBERATE) {
            break;
        }
        page = (page + 1) % MODEL_PAGES;
    }
    return page;
}

/* Stores to every second word of a page, which are not merged, until the FIFO has
 * nearly @most words. */
static void fill(ShrimpPlay *r, uint32_t most)
{
    uint32_t page = page_of(r, false);

    for (uint32_t at = 0;
         at < PAGE && shrimp_model_used(self(r)) + 8 <= most; at += 8) {
        expect(r, "the result",
               fugu_try_store(r->qts, r->node, USER, 4, AT(page, at), at),
               shrimp_model_store(r->m, r->node, AT(page, at), 4, at)
               ? FUGU_DONE : FUGU_WAITS);
    }
}

/* A FIFO that is full or nearly, which few actions would reach. */
static void act_fill(ShrimpPlay *r)
{
    fill(r, one_in(r, 2) ? FUGU_SHRIMP_FIFO : pick(r, 1, FUGU_SHRIMP_FIFO));
}

static void act_command(ShrimpPlay *r)
{
    uint32_t addr = one_in(r, 3) ? AT(pick(r, 0, MODEL_PAGES - 1), 0)
                                 : any_address(r);
    uint32_t command = one_in(r, 6) ? FUGU_COMMAND_SINGLE + pick(r, 0, 3)
                       : one_in(r, 8) ? any_word(r)
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

static void act_arrival(ShrimpPlay *r)
{
    uint32_t page = shrimp_model_arrival(self(r));

    if (page == FUGU_SHRIMP_NO_PAGE || one_in(r, 3)) {
        page = pick(r, 0, MODEL_PAGES - 1);
    }
    fugu_store(r->qts, r->node, K(FUGU_K_ARRIVAL), page);
    self(r)->page[page].arrived = false;
}

static void act_threshold(ShrimpPlay *r)
{
    uint32_t words = one_in(r, 2) ? near(r, shrimp_model_words(&self(r)->out))
                     : one_in(r, 2) ? pick(r, 1, FUGU_SHRIMP_FIFO) : 768;

    fugu_store(r->qts, r->node, K(FUGU_K_OUT_THRESHOLD), words);
    self(r)->threshold = words;
    shrimp_model_retry(r->m, r->node);
}

static void act_await(ShrimpPlay *r)
{
    uint32_t words = one_in(r, 2) ? near(r, shrimp_model_words(&self(r)->out))
                     : one_in(r, 2) ? pick(r, 1, FUGU_SHRIMP_FIFO) : 0;

    fugu_store(r->qts, r->node, K(FUGU_K_OUT_AWAIT), words);
    self(r)->await = words;
}

static void act_dropped(ShrimpPlay *r)
{
    fugu_store(r->qts, r->node, K(FUGU_K_DROPPED), 0);
    self(r)->dropped = false;
}

static void act_damage(ShrimpPlay *r)
{
    bool crc = one_in(r, 2);

    fugu_load(r->qts, r->node, U(FUGU_U_SENT));     /* what is due leaves */
    shrimp_model_fence(r->m, r->node);
    r->damage(r->qts, r->node, crc ? "crc" : "coordinates");
    self(r)->damage = crc ? BAD_CRC : BAD_PLACE;
}

/* A command whose packet just fits below the threshold when the engine has read it, or
 * just does not. */
static void act_engine(ShrimpPlay *r)
{
    uint32_t words = pick(r, 1, r->m->options.packet_max / 4), limit, should;
    uint32_t addr = AT(page_of(r, true), PAGE - 4 * words);

    if (one_in(r, 2)) {
        fill(r, pick(r, 1, FUGU_SHRIMP_FIFO / 2));
    }
    limit = near(r, shrimp_model_used(self(r)) + 3 + words);
    fugu_store(r->qts, r->node, K(FUGU_K_OUT_THRESHOLD), limit);
    self(r)->threshold = limit;
    shrimp_model_retry(r->m, r->node);
    expect_taken(r, shrimp_command(r->qts, r->node, addr, words),
                 shrimp_model_engine(r->m, r->node, addr, &should) &&
                 shrimp_model_command(r->m, r->node, addr, words));
    pass(r, r->m->options.dma_word * words + 1);
}

/* Registers that change nothing when they are read. */
static void look_quietly(ShrimpPlay *r)
{
    const ModelNode *n = self(r);

    shrimp_model_settle(r->m, r->node);
    expect(r, "OUT_WORDS", fugu_load(r->qts, r->node, K(FUGU_K_OUT_WORDS)),
           shrimp_model_words(&n->out));
    expect(r, "ENGINE_LEFT", fugu_load(r->qts, r->node, K(FUGU_K_ENGINE_LEFT)),
           n->left);
    expect(r, "PENDING", fugu_load(r->qts, r->node, K(FUGU_K_PENDING)),
           shrimp_model_pending(n));
}

static void act_look(ShrimpPlay *r)
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

static void act_read(ShrimpPlay *r)
{
    uint32_t addr = any_address(r);

    expect(r, "a word of memory", fugu_load(r->qts, r->node, addr),
           ldl_be_p(self(r)->ram + (addr - FUGU_RAM_BASE)));
}

void shrimp_play_advance(ShrimpPlay *r)
{
    uint32_t cycles = one_in(r, 6) ? pick(r, 1, 4000) : pick(r, 1, 150);

    fugu_advance(r->qts, cycles);
    shrimp_model_advance(r->m, cycles);
}

static const struct {
    const char *name;
    void (*act)(ShrimpPlay *r);
    unsigned weight;
} actions[] = {
    { "advance", shrimp_play_advance, 20 },
    { "command", act_command, 14 },
    { "store", act_store, 18 },
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
    { "engine", act_engine, 6 },
    { "fill", act_fill, 2 },
};

void shrimp_play_act(ShrimpPlay *r)
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
    look_quietly(r);
}

/* ---- Plays ---------------------------------------------------------------------- */

void shrimp_play_map(ShrimpPlay *r)
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

static void compare_memory(ShrimpPlay *r)
{
    if (r->memory && !memcmp(r->memory(r->node), self(r)->ram, MODEL_RAM)) {
        return;
    }
    for (uint32_t at = 0; at < MODEL_RAM; at += 4) {
        expect(r, "a word of memory",
               fugu_load(r->qts, r->node, FUGU_RAM_BASE + at),
               ldl_be_p(self(r)->ram + at));
    }
}

void shrimp_play_finish(ShrimpPlay *r)
{
    r->doing = "the end";
    fugu_advance(r->qts, 1000000);
    shrimp_model_advance(r->m, 1000000);
    for (r->node = 0; r->node < MODEL_NODES; r->node++) {
        shrimp_model_settle(r->m, r->node);
        act_look(r);
        expect(r, "words left", self(r)->left + self(r)->out.length, 0);
        compare_memory(r);
    }
    shrimp_assert_holds(r->qts);
}

/* ---- Bytes --------------------------------------------------------------------- */

#define STEPS_MAX   400         /* a play has an end, however long the input is */

typedef struct Bytes {
    const uint8_t *next, *end;
} Bytes;

/* Takes as many bytes as @count needs. After the end of the input all are 0. */
static uint32_t draw_bytes(void *source, uint32_t count)
{
    Bytes *b = source;
    uint32_t value = 0, most = count - 1;

    do {
        value = value << 8 | (b->next < b->end ? *b->next++ : 0);
        most >>= 8;
    } while (most);
    return count ? value % count : value;
}

/* The pages' entries are the same for all inputs: actions change them. */
static uint32_t draw_map(void *source, uint32_t count)
{
    uint32_t *i = source;

    return 5 * (*i)++ % count;
}

void shrimp_play_bytes(ShrimpPlay p, const uint8_t *data, size_t size)
{
    Bytes bytes = { data, data + size };
    uint32_t i = 0;

    p.options = SHRIMP_PLAY_MACHINE;
    p.m = shrimp_model_new((ModelOptions) SHRIMP_PLAY_OPTIONS);
    p.draw = draw_map;
    p.source = &i;
    shrimp_play_map(&p);
    p.draw = draw_bytes;
    p.source = &bytes;
    while (bytes.next < bytes.end && p.step < STEPS_MAX) {
        p.step++;
        shrimp_play_act(&p);
        if (p.step % 16 == 0) {
            shrimp_play_advance(&p);
            shrimp_assert_holds(p.qts);
        }
    }
    shrimp_play_finish(&p);
    shrimp_model_free(p.m);
}
