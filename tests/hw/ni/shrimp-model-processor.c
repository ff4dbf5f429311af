/*
 * A model of SHRIMP's network interfaces: what its processor does
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "shrimp-model-parts.h"

/* ---- Table --------------------------------------------------------------------- */

/* What was stored to a page goes where the old entry says. */
static void leave_automatic(ShrimpModel *m, unsigned node, uint32_t page)
{
    ModelNode *n = &m->node[node];

    if (n->open_bytes && model_page_of(n->open_addr) == (int)page) {
        model_close_open(m, node, m->now);
    }
    model_retry(m, node, m->now);
}

/* The entry of a page is about to change, for these bytes of it. */
static void leave_page(ShrimpModel *m, unsigned node, uint32_t page, uint32_t from,
                       uint32_t to)
{
    ModelNode *n = &m->node[node];

    if (n->left && model_page_of(n->base) == (int)page && n->base % PAGE >= from &&
        n->base % PAGE < to) {
        n->left = 0;
        n->waits = false;
    }
    leave_automatic(m, node, page);
}

bool shrimp_model_set_part(ShrimpModel *m, unsigned node, uint32_t page, bool upper,
                    uint32_t mode, uint32_t to, uint32_t place)
{
    ModelNode *n = &m->node[node];

    if (mode && to >= MODEL_NODES) {
        return false;
    }
    leave_page(m, node, page, upper ? n->page[page].split : 0,
               upper ? PAGE : n->page[page].split);
    n->page[page].part[upper] = mode ? (ModelPart) { mode, to, place & ~7u }
                                     : (ModelPart) { 0 };
    return true;
}

bool shrimp_model_set_split(ShrimpModel *m, unsigned node, uint32_t page,
                            uint32_t split)
{
    if (split > PAGE - 8 || split % 8) {
        return false;
    }
    leave_page(m, node, page, 0, PAGE);
    m->node[node].page[page].split = split;
    return true;
}

/* ---- Stores of the processor ---------------------------------------------------- */

/* The most bytes of a packet that begins at @addr. */
static uint32_t most_open(ShrimpModel *m, const ModelNode *n, uint32_t addr)
{
    uint32_t end = 0;
    const ModelPart *part = model_part_at(n, addr, &end);
    uint32_t there = (addr + part->place) % PAGE;

    return MIN(MIN(end - addr, PAGE - there), m->options.packet_max - addr % 4);
}

/* Words that @size more bytes add to the open packet. */
static uint32_t grows_by(const ModelNode *n, unsigned size)
{
    uint32_t begun = n->open_addr % 4 + n->open_bytes;

    return (begun + size + 3) / 4 - (begun + 3) / 4;
}

bool shrimp_model_store(ShrimpModel *m, unsigned node, uint32_t addr,
                        unsigned size, uint64_t value)
{
    ModelNode *n = &m->node[node];
    uint8_t *at = n->ram + (addr - FUGU_RAM_BASE);
    uint32_t end = 0, most = 0, mode = model_part_at(n, addr, &end)->mode;
    bool sends = mode == FUGU_NIPT_SINGLE || mode == FUGU_NIPT_BLOCKED;
    bool merges = false;

    if (n->open_bytes) {
        most = most_open(m, n, n->open_addr);
        merges = addr == n->open_addr + n->open_bytes &&
                 n->open_bytes + size <= most;
    }
    if (sends && shrimp_model_used(n) +
                 (merges ? grows_by(n, size) : 3 + (size + 3) / 4) >
                 FUGU_SHRIMP_FIFO) {
        return false;
    }
    stn_be_p(at, size, value);
    if (!sends) {
        return true;
    }
    if (!merges) {
        model_close_open(m, node, m->now);
    }
    if (mode == FUGU_NIPT_SINGLE) {
        model_enqueue(m, node, addr, at, size);
        model_leave(m, n, m->now);
    } else {
        n->open_addr = merges ? n->open_addr : addr;
        memcpy(n->open_data + n->open_bytes, at, size);
        n->open_bytes += size;
        n->deadline = m->now + n->merge;
        if (n->open_bytes == most_open(m, n, n->open_addr)) {
            model_close_open(m, node, m->now);
        }
    }
    model_retry(m, node, m->now);
    return true;
}

/* ---- Commands ------------------------------------------------------------------ */

bool shrimp_model_command(ShrimpModel *m, unsigned node, uint32_t addr,
                          uint32_t command)
{
    ModelNode *n = &m->node[node];
    uint32_t end = 0;
    const ModelPart *part = model_part_at(n, addr, &end);
    int page = model_page_of(addr);

    if (command == FUGU_COMMAND_ARM || command == FUGU_COMMAND_DISARM) {
        if (page < 0 || !n->page[page].mapped) {
            return false;
        }
        n->page[page].armed = command == FUGU_COMMAND_ARM;
        return true;
    }
    if (command == FUGU_COMMAND_SINGLE || command == FUGU_COMMAND_BLOCKED) {
        ModelPart *mine = (ModelPart *)part;

        if (page < 0 || (part->mode != FUGU_NIPT_SINGLE &&
                         part->mode != FUGU_NIPT_BLOCKED)) {
            return false;
        }
        leave_automatic(m, node, page);
        mine->mode = command == FUGU_COMMAND_SINGLE ? FUGU_NIPT_SINGLE
                                                    : FUGU_NIPT_BLOCKED;
        return true;
    }
    if (part->mode != FUGU_NIPT_DELIBERATE || !command ||
        command > (end - addr) / 4) {
        return false;
    }
    if (!n->left) {
        n->base = n->next = addr;
        n->left = command;
        n->read = m->now + m->options.dma_word * (model_next_bytes(m, n) / 4);
        shrimp_model_settle(m, node);
    }
    return true;
}

bool shrimp_model_engine(ShrimpModel *m, unsigned node, uint32_t addr, uint32_t *value)
{
    ModelNode *n = &m->node[node];
    uint32_t end = 0;

    *value = !n->left ? 0 : n->left | (addr == n->base ? 1u << 31 : 0);
    return model_part_at(n, addr, &end)->mode == FUGU_NIPT_DELIBERATE;
}
