/*
 * A model of the network interfaces: registers, and stores with an effect
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "ni-model.h"

/* ---- Registers ---------------------------------------------------------- */

typedef enum Access { LOAD = 1, STORE = 2, PAIR = 4, ALL = 7, ZERO = 8 } Access;

/* Words from @first to @last. std may store to two words of a PAIR. A ZERO is
 * there for code that looks for a message part: it keeps nothing. */
typedef struct Registers {
    uint16_t first, last;
    uint8_t access;             /* Access bits */
} Registers;

static const Registers user_page[] = {
    { FUGU_U_OUT, FUGU_U_DESC_LEN - 4, ALL },
    { FUGU_U_DESC_LEN, FUGU_U_BODY_SPACE, LOAD },
    { FUGU_U_CYCLES, FUGU_U_CYCLES + 4, LOAD },
    { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_BODY, LOAD },
    { FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET, LOAD | STORE },
    { FUGU_U_SB_COUNT, FUGU_U_SB_COUNT, STORE },
    { }
};

static const Registers kernel_page[] = {
    { FUGU_K_OUT, FUGU_K_DESC_LEN - 4, ALL },
    { FUGU_K_DESC_LEN, FUGU_K_SPACE, LOAD },
    { FUGU_K_UAC, FUGU_K_TIMER, LOAD | STORE },
    { FUGU_K_PENDING, FUGU_K_PENDING, LOAD },
    { FUGU_K_OFFSET, FUGU_K_OFFSET + 4, ALL },
    { FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SOURCE, LOAD },
    { FUGU_K_USER_OUT, FUGU_K_USER_LEN - 4, ALL },
    { FUGU_K_USER_LEN, FUGU_K_USER_LEN, LOAD | STORE },
    { FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY, LOAD | STORE },
    { FUGU_K_SECOND_OUT, FUGU_K_SECOND_LAUNCH - 4, ALL },
    { FUGU_K_SECOND_LAUNCH, FUGU_K_SECOND_LAUNCH, STORE },
    { FUGU_K_SECOND_SPACE, FUGU_K_SECOND_SPACE, LOAD },
    { FUGU_K_SECOND_HEAD, FUGU_K_SECOND_HEAD + FUGU_HEAD_BODY, LOAD },
    { FUGU_K_SECOND_DISPOSE, FUGU_K_SECOND_DISPOSE, STORE },
    { }
};

/* The same of a machine without a message part. */
static const Registers user_page_none[] = {
    { FUGU_U_OUT, FUGU_U_SPACE, LOAD | ZERO },
    { FUGU_U_UAC, FUGU_U_NODES, LOAD },
    { FUGU_U_BODY_SPACE, FUGU_U_BODY_SPACE, LOAD | ZERO },
    { FUGU_U_CYCLES, FUGU_U_CYCLES + 4, LOAD },
    { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_BODY, LOAD | STORE | ZERO },
    { FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET, LOAD | STORE | ZERO },
    { }
};

static const Registers kernel_page_none[] = {
    { FUGU_K_OUT, FUGU_K_DESC_LEN - 4, ALL | ZERO },
    { FUGU_K_DESC_LEN, FUGU_K_SPACE, LOAD | STORE | ZERO },
    { FUGU_K_UAC, FUGU_K_GID, LOAD | STORE },
    { FUGU_K_DIVERT, FUGU_K_DIVERT, LOAD | STORE | ZERO },
    { FUGU_K_TIMEOUT, FUGU_K_TIMER, LOAD | STORE },
    { FUGU_K_PENDING, FUGU_K_PENDING, LOAD },
    { FUGU_K_OFFSET, FUGU_K_OFFSET + 4, ALL },
    { FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SOURCE, LOAD | STORE | ZERO },
    { FUGU_K_USER_OUT, FUGU_K_USER_LEN - 4, ALL | ZERO },
    { FUGU_K_USER_LEN, FUGU_K_USER_LEN, LOAD | STORE | ZERO },
    { FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY, LOAD | STORE | ZERO },
    { FUGU_K_SECOND_OUT, FUGU_K_SECOND_LAUNCH - 4, ALL },
    { FUGU_K_SECOND_LAUNCH, FUGU_K_SECOND_LAUNCH, STORE },
    { FUGU_K_SECOND_SPACE, FUGU_K_SECOND_SPACE, LOAD },
    { FUGU_K_SECOND_HEAD, FUGU_K_SECOND_HEAD + FUGU_HEAD_BODY, LOAD },
    { FUGU_K_SECOND_DISPOSE, FUGU_K_SECOND_DISPOSE, STORE },
    { }
};

static bool word_is(const Model *m, uint32_t addr, Access access)
{
    bool user = addr >= FUGU_NI_USER_BASE;
    const Registers *r = m->messages ? (user ? user_page : kernel_page)
                         : user ? user_page_none : kernel_page_none;

    for (; r->access; r++) {
        if (addr % FUGU_DEVICE_PAGE >= r->first &&
            addr % FUGU_DEVICE_PAGE <= r->last) {
            return r->access & access;
        }
    }
    return false;
}

static bool is_allowed(const Model *m, FuguMode mode, unsigned size,
                       uint32_t addr, Access access)
{
    if (size < 4 || (mode == USER && addr < FUGU_NI_USER_BASE)) {
        return false;
    }
    return word_is(m, addr, access) &&
           (size == 4 || word_is(m, addr + 4, access == STORE ? PAIR : LOAD));
}

/* The words at @addr, after any access to them: those of a ZERO are 0. */
static void check_zeros(Model *m, unsigned node, unsigned size, uint32_t addr)
{
    for (uint32_t at = addr & -4; at < addr + size; at += 4) {
        if (word_is(m, at, ZERO)) {
            model_expect(m, model_reg(m, node, at), 0,
                         "a register of no message part");
        }
    }
}

static bool is_ni(uint32_t addr)
{
    return addr >= FUGU_NI_KERNEL_BASE;
}

void model_load(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr)
{
    uint64_t value;
    int is;

    addr &= -size;
    is = fugu_try_load(m->qts, node, mode, size, addr, &value);
    if (is_ni(addr)) {
        model_expect(m, is, is_allowed(m, mode, size, addr, LOAD)
                     ? FUGU_DONE : VIOLATION, "load");
        check_zeros(m, node, size, addr);
    } else if (is != FUGU_DONE) {
        model_expect(m, is, FUGU_TT_DATA_ACCESS, "load");
    }
}

/* ---- Output windows ----------------------------------------------------- */

/* Stores one word, or the two of an std. */
static int store_window(Model *m, unsigned node, FuguMode mode, unsigned size,
                        uint32_t addr, uint64_t value)
{
    uint32_t window = addr & -FUGU_DEVICE_PAGE;
    uint32_t described = model_reg(m, node, window + FUGU_U_DESC_LEN);
    uint32_t words = (addr - window + size) / 4;
    bool fits = words <= model_reg(m, node, window + FUGU_U_SPACE);
    int is = fugu_try_store(m->qts, node, mode, size, addr, value);

    model_expect(m, is, fits ? FUGU_DONE : FUGU_WAITS,
                 "store to the window");
    model_expect(m, model_reg(m, node, window + FUGU_U_DESC_LEN),
                 fits ? MAX(described, words) : described,
                 "descriptor-length");
    for (unsigned i = described; fits && i < words - size / 4; i++) {
        model_expect(m, model_reg(m, node, window + 4 * i), 0,
                     "a word skipped");
    }
    if (fits) {
        model_expect(m, model_reg(m, node, window + 4 * words - 4),
                     (uint32_t)value, "the word stored");
    }
    return is;
}

/* ---- Stores with an effect ----------------------------------------------- */

static int launch_second(Model *m, unsigned node, uint32_t n)
{
    uint32_t header = model_reg(m, node, K(SECOND_OUT));
    uint32_t dest = header & FUGU_HDR_NODE_MASK;
    uint32_t space = model_reg(m, node, K(SECOND_SPACE));
    int should = n == 0 || n > FUGU_MSG_WORDS || dest >= MODEL_NODES
                 ? VIOLATION : n > space ? FUGU_WAITS : FUGU_DONE;
    Message *msg;

    model_expect(m, fugu_try_store(m->qts, node, KERNEL, 4, K(SECOND_LAUNCH),
                                   n), should, "launch on the second network");
    if (should == FUGU_DONE) {
        msg = g_new0(Message, 1);
        msg->length = n;
        for (unsigned i = 0; i < n; i++) {
            msg->words[i] = model_reg(m, node, K(SECOND_OUT) + 4 * i);
        }
        msg->words[0] = (header & ~FUGU_HDR_NODE_MASK) | node;
        model_sent(m, 1, node, dest, msg);
    }
    return should;
}

static int dispose_second(Model *m, unsigned node, uint32_t value)
{
    uint32_t source = model_reg(m, node, SECOND(WORDS)) & FUGU_HDR_NODE_MASK;
    bool present = model_reg(m, node, SECOND(PRESENT));
    int is = fugu_try_store(m->qts, node, KERNEL, 4, K(SECOND_DISPOSE), value);

    model_expect(m, is, present ? FUGU_DONE : FUGU_TT_BAD_DISPOSE,
                 "dispose on the second network");
    if (present) {
        model_dropped(m, 1, node, source);
    }
    return is;
}

bool model_is_ram(uint32_t addr, uint32_t len)
{
    return addr >= FUGU_RAM_BASE && addr - FUGU_RAM_BASE <= MODEL_RAM &&
           len <= MODEL_RAM - (addr - FUGU_RAM_BASE);
}

bool model_is_readable(uint32_t addr, uint32_t len)
{
    return model_is_ram(addr, len) ||
           (addr < FUGU_BOOT_SIZE && len <= FUGU_BOOT_SIZE - addr);
}

void model_check_body(Model *m, unsigned node, uint32_t addr,
                      const Message *msg, uint32_t from, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        model_expect(m, model_reg(m, node, addr + at),
                     (uint32_t)ldl_be_p(msg->body + from + at),
                     "a word of a body in memory");
    }
}

static int expected_storeback(Model *m, unsigned node, FuguMode mode,
                              uint32_t count)
{
    uint32_t addr = model_reg(m, node, U(SB_ADDR));
    uint32_t offset = model_reg(m, node, U(SB_OFFSET));
    uint32_t body = model_reg(m, node, HEAD(BODY));

    if (mode == USER && model_reg(m, node, K(DIVERT))) {
        return FUGU_TT_STOREBACK_EXTEND;
    }
    if (mode == USER ? !model_available(m, node)
                     : !model_reg(m, node, HEAD(PRESENT))) {
        return FUGU_TT_BAD_DISPOSE;
    }
    return addr % 4 || offset % 4 || count % 4 || offset > body ||
           count > body - offset || (count && !model_is_ram(addr, count))
           ? VIOLATION : FUGU_DONE;
}

static int storeback(Model *m, unsigned node, FuguMode mode, uint32_t count)
{
    int should = expected_storeback(m, node, mode, count);
    int is = fugu_try_store(m->qts, node, mode, 4, U(SB_COUNT), count);

    if (is == FUGU_WAITS && should == FUGU_DONE) {
        return is;                  /* it waits: the DMA engine is busy */
    }
    model_expect(m, is, should, "storeback");
    if (is == FUGU_DONE) {
        model_check_body(m, node, model_reg(m, node, U(SB_ADDR)),
                         model_head(m, node),
                         model_reg(m, node, U(SB_OFFSET)), count);
    }
    return is;
}

/* A store that the interface allows. */
static int store_ni(Model *m, unsigned node, FuguMode mode, unsigned size,
                    uint32_t addr, uint64_t value)
{
    int is;

    if (m->messages && addr % FUGU_DEVICE_PAGE < FUGU_U_DESC_LEN) {
        return store_window(m, node, mode, size, addr, value);
    }
    switch (addr) {
    case U(SB_COUNT):
        return storeback(m, node, mode, value);
    case K(SECOND_LAUNCH):
        return launch_second(m, node, value);
    case K(SECOND_DISPOSE):
        return dispose_second(m, node, value);
    }
    is = fugu_try_store(m->qts, node, mode, size, addr, value);
    model_expect(m, is, FUGU_DONE, "store");
    check_zeros(m, node, size, addr);
    if (m->soft && (addr == K(TIMEOUT) || addr == K(TIMER))) {
        model_expect(m, model_reg(m, node, addr), 0,
                     "a register that soft atomicity has not");
    }
    return is;
}

int model_store(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr, uint64_t value)
{
    int is;

    addr &= -size;
    value &= UINT64_MAX >> (64 - 8 * size);
    if (is_ni(addr) && is_allowed(m, mode, size, addr, STORE)) {
        return store_ni(m, node, mode, size, addr, value);
    }
    is = fugu_try_store(m->qts, node, mode, size, addr, value);
    if (is_ni(addr) || is != FUGU_DONE) {
        model_expect(m, is, is_ni(addr) ? VIOLATION : FUGU_TT_DATA_ACCESS,
                     "store");
    }
    return is;
}
