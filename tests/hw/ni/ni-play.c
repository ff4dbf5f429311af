/*
 * Plays any bytes as a sequence of actions on the network interfaces
 *
 * An action is a byte, followed by the bytes of its operands:
 *
 *   7     2 1   0
 *  |  kind | node |
 *
 * Each kind takes as many bytes as it needs. After the end of the input all
 * bytes are 0. So every input is valid, and a small change to the input makes a
 * small change to the actions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-play.h"

#define STEPS_MAX 300

typedef struct Play {
    Model m;
    const uint8_t *next, *end;
    unsigned node;              /* the one that acts */
} Play;

/* ---- Operands ----------------------------------------------------------- */

static uint8_t take(Play *p)
{
    return p->next < p->end ? *p->next++ : 0;
}

static FuguMode mode_of(uint8_t bits)
{
    return bits & 1 ? KERNEL : USER;
}

/* Small numbers, numbers near a limit, or any number. */
static uint32_t take_value(Play *p)
{
    static const uint32_t near[] = {
        FUGU_RAM_BASE, FUGU_RAM_BASE + 4, FUGU_RAM_BASE + 0xffc,
        FUGU_RAM_BASE + MODEL_RAM - 4, FUGU_RAM_BASE + MODEL_RAM,
        FUGU_BOOT_SIZE - 4, FUGU_NI_USER_BASE, FUGU_CONTROL_BASE,
        0xfffffffc, UINT32_MAX, 0x80000000, 0x7fffffff,
        FUGU_BODY_MAX, FUGU_BODY_MAX - 4, FUGU_BODY_MAX + 4, 0x10000,
    };
    uint8_t first = take(p);

    if (first < 0xa0) {
        return first;
    }
    if (first < 0xe0) {
        return near[first % ARRAY_SIZE(near)] + (first & 0x10 ? 64 : 0);
    }
    return (uint32_t)take(p) << 24 | take(p) << 16 | take(p) << 8 | take(p);
}

/* Most headers are valid: to one of the nodes, with the GID there. */
static uint32_t take_header(Play *p)
{
    uint8_t bits = take(p);
    uint32_t header = bits % MODEL_NODES;

    if (bits & 0x80) {
        header |= take(p) << 24;
    }
    if (bits & 0x40) {
        header ^= take_value(p);
    }
    return header;
}

/* ---- Messages ----------------------------------------------------------- */

static uint32_t window_of(FuguMode mode)
{
    return mode == USER ? U(OUT) : K(OUT);
}

static void put_word(Play *p, FuguMode mode, unsigned i, uint32_t value)
{
    model_store(&p->m, p->node, mode, 4, window_of(mode) + 4 * i, value);
}

static void act_describe(Play *p)
{
    uint8_t bits = take(p);
    FuguMode mode = mode_of(bits);

    put_word(p, mode, 0, take_header(p));
    for (unsigned i = 1; i <= bits >> 4; i++) {
        put_word(p, mode, i, 0x01010101 * p->m.step + i);
    }
}

static void act_launch(Play *p)
{
    uint8_t bits = take(p);
    FuguMode mode = mode_of(bits);
    uint32_t n = bits & 2 ? take_value(p)
                 : model_reg(&p->m, p->node, window_of(mode) + FUGU_U_DESC_LEN);

    model_launch(&p->m, p->node, mode, n, bits & 4 ? take(p) & 31 : 0);
}

static void act_send(Play *p)
{
    uint8_t bits = take(p);
    FuguMode mode = mode_of(bits);
    unsigned words = 1 + (bits >> 4);

    put_word(p, mode, 0, take_header(p));
    put_word(p, mode, words - 1, 0x01010101 * p->m.step);
    model_launch(&p->m, p->node, mode, words, 0);
}

static void act_send_body(Play *p)
{
    uint8_t bits = take(p);
    FuguMode mode = mode_of(bits);
    unsigned pairs = 1 + (bits >> 1 & 3);
    uint32_t addr = FUGU_RAM_BASE + 4 * (bits >> 3);

    model_store(&p->m, p->node, KERNEL, 4, addr, 0x01010101 * p->m.step);
    put_word(p, mode, 0, take_header(p));
    put_word(p, mode, 1, p->m.step);
    for (unsigned i = 0; i < pairs; i++) {
        put_word(p, mode, 2 + 2 * i, bits & 0x80 ? take_value(p) : addr);
        put_word(p, mode, 3 + 2 * i, take_value(p));
    }
    model_launch(&p->m, p->node, mode, 2 + 2 * pairs, pairs);
}

static void act_dispose(Play *p)
{
    model_dispose(&p->m, p->node, mode_of(take(p)));
}

static void act_storeback(Play *p)
{
    uint8_t bits = take(p);

    model_store(&p->m, p->node, USER, 4, U(SB_ADDR),
                bits & 2 ? take_value(p)
                : FUGU_RAM_BASE + 0x2000 + (bits & 0xf0));
    model_store(&p->m, p->node, USER, 4, U(SB_OFFSET),
                bits & 4 ? take_value(p) : 0);
    model_store(&p->m, p->node, mode_of(bits), 4, U(SB_COUNT),
                bits & 8 ? take_value(p)
                : model_reg(&p->m, p->node, HEAD(BODY)));
}

static void act_arm(Play *p)
{
    uint8_t bits = take(p);

    model_store(&p->m, p->node, KERNEL, 4, K(DMA_ADDR),
                bits & 2 ? take_value(p) : FUGU_RAM_BASE + 0x4000 + bits);
    model_store(&p->m, p->node, KERNEL, 4, K(DMA_BODY),
                bits & 4 ? FUGU_RAM_BASE + 0x5000 + bits : 0);
    model_store(&p->m, p->node, KERNEL, 4, K(DMA_ARM), bits & 1);
}

static void act_send_second(Play *p)
{
    uint8_t bits = take(p);

    model_store(&p->m, p->node, KERNEL, 4, K(SECOND_OUT), take_header(p));
    model_store(&p->m, p->node, KERNEL, 4, K(SECOND_OUT) + 4 * (bits & 15),
                0x01010101 * p->m.step);
    model_store(&p->m, p->node, KERNEL, 4, K(SECOND_LAUNCH),
                bits & 0x80 ? take_value(p) : 1 + (bits & 15));
}

static void act_dispose_second(Play *p)
{
    model_store(&p->m, p->node, KERNEL, 4, K(SECOND_DISPOSE), 0);
}

/* ---- Time, mode, atomicity, registers ----------------------------------- */

static void act_advance(Play *p)
{
    model_advance(&p->m, 1 + take(p));
}

static void act_advance_far(Play *p)
{
    model_advance(&p->m, 64 * (1 + take(p)));
}

static void act_mode(Play *p)
{
    fugu_mode(p->m.qts, p->node, mode_of(take(p)));
}

static void act_atom(Play *p)
{
    uint8_t bits = take(p);

    model_atom(&p->m, p->node, mode_of(bits), bits & 2,
               bits & 0x80 ? take_value(p) : bits >> 2);
}

static void act_control(Play *p)
{
    static const uint32_t registers[] = {
        K(UAC), K(GID), K(DIVERT), K(TIMEOUT), K(TIMER), K(OFFSET),
        K(OFFSET) + 4, K(USER_OUT), K(USER_LEN), K(DMA_ADDR), K(DMA_ARM),
        FUGU_TIMER_BASE + FUGU_TIMER_COMPARE + 4,
        FUGU_TIMER_BASE + FUGU_TIMER_CONTROL,
    };
    uint8_t bits = take(p);

    model_store(&p->m, p->node, KERNEL, 4,
                registers[bits % ARRAY_SIZE(registers)], take_value(p));
}

static uint32_t take_address(Play *p)
{
    static const uint32_t pages[] = {
        FUGU_NI_USER_BASE, FUGU_NI_KERNEL_BASE, FUGU_TIMER_BASE,
        FUGU_DISK_BASE, FUGU_CONSOLE_BASE, FUGU_CONTROL_BASE, FUGU_RAM_BASE,
        FUGU_BOOT_SIZE,
    };
    uint8_t bits = take(p);

    return pages[bits % ARRAY_SIZE(pages)] + (bits >> 5 << 8) + take(p);
}

static void act_load(Play *p)
{
    uint8_t bits = take(p);

    model_load(&p->m, p->node, mode_of(bits), 1 << (bits >> 1 & 3),
               take_address(p));
}

static void act_store(Play *p)
{
    uint8_t bits = take(p);
    uint32_t addr = take_address(p);
    uint64_t value = take_value(p);

    model_store(&p->m, p->node, mode_of(bits), 1 << (bits >> 1 & 3), addr,
                bits & 8 ? value << 32 | take_value(p) : value);
}

/* ---- Actions ------------------------------------------------------------ */

/* The actions, in the order of their numbers. Stored inputs depend on the
 * order, so new actions go to the end. */
static const struct {
    const char *name;
    void (*act)(Play *p);
} kinds[] = {
    { "advance", act_advance },
    { "advance far", act_advance_far },
    { "describe", act_describe },
    { "launch", act_launch },
    { "send", act_send },
    { "send with a body", act_send_body },
    { "dispose", act_dispose },
    { "storeback", act_storeback },
    { "arm the DMA", act_arm },
    { "send on the second network", act_send_second },
    { "dispose on the second network", act_dispose_second },
    { "mode", act_mode },
    { "beginatom or endatom", act_atom },
    { "control register", act_control },
    { "load", act_load },
    { "store", act_store },
};

void ni_play(QTestState *qts, const uint8_t *data, size_t size)
{
    Play p = { .next = data, .end = data + size };

    model_init(&p.m, qts);
    while (p.next < p.end && p.m.step < STEPS_MAX) {
        uint8_t action = take(&p);
        unsigned kind = (action >> 2) % ARRAY_SIZE(kinds);

        p.node = action % MODEL_NODES;
        p.m.step++;
        p.m.doing = kinds[kind].name;
        kinds[kind].act(&p);
        model_check(&p.m);
    }
    model_finish(&p.m);
}
