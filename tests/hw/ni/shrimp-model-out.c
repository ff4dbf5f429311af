/*
 * A model of SHRIMP's network interfaces: the way out
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-model-parts.h"

/* ---- Sizes ---------------------------------------------------------------- */

uint32_t model_data_words(const ModelPacket *p)
{
    return (p->addr % 4 + p->bytes + 3) / 4;
}

uint32_t model_counted(const ModelPacket *p)
{
    return 3 + model_data_words(p);
}

uint32_t shrimp_model_words(const GQueue *packets)
{
    uint32_t words = 0;

    for (GList *l = packets->head; l; l = l->next) {
        words += model_counted(l->data);
    }
    return words;
}

uint32_t shrimp_model_used(const ModelNode *n)
{
    uint32_t open = n->open_bytes
                    ? 3 + (n->open_addr % 4 + n->open_bytes + 3) / 4 : 0;

    return shrimp_model_words(&n->out) + open;
}

/* ---- Table --------------------------------------------------------------------- */

int model_page_of(uint32_t addr)
{
    uint32_t page = (addr - FUGU_RAM_BASE) / PAGE;

    return addr >= FUGU_RAM_BASE && page < MODEL_PAGES ? page : -1;
}

/* Returns the part for @addr; sets *@end to the first address past the part. */
const ModelPart *model_part_at(const ModelNode *n, uint32_t addr,
                               uint32_t *end)
{
    static const ModelPart nothing;
    int page = model_page_of(addr);
    uint32_t split;
    bool upper;

    if (page < 0) {
        return &nothing;
    }
    split = n->page[page].split;
    upper = addr % PAGE >= split;
    *end = addr - addr % PAGE + (upper ? PAGE : split);
    return &n->page[page].part[upper];
}

/* ---- The way out ------------------------------------------------------------ */

static void launch(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *p = g_queue_pop_head(&n->out);

    p->time = at;
    p->damage = n->damage;
    n->damage = INTACT;
    n->credits -= model_counted(p);
    n->free = at + m->options.mesh_word * model_counted(p);
    g_queue_push_tail(&n->uncredited, g_memdup2(p, sizeof(*p)));
    g_queue_push_tail(&m->launched, p);
}

/* The first time from @at on at which the head can leave, or -1: not yet known. */
int64_t model_head_leaves(const ModelNode *n, int64_t at)
{
    const ModelPacket *p = g_queue_peek_head((GQueue *)&n->out);

    return p && n->credits >= model_counted(p) ? MAX(n->free, at) : -1;
}

void model_leave(ShrimpModel *m, ModelNode *n, int64_t at)
{
    while (model_head_leaves(n, at) == at) {
        launch(m, n, at);
    }
}

uint32_t model_next_bytes(ShrimpModel *m, ModelNode *n)
{
    uint32_t end = 0;
    const ModelPart *part = model_part_at(n, n->next, &end);
    uint32_t there = (n->next + part->place) % PAGE;
    uint32_t most = MIN(4 * n->left, MIN(m->options.packet_max, end - n->next));

    return MIN(most, PAGE - there);
}

/* Puts a packet with @data, which was at @addr, into the FIFO. */
void model_enqueue(ShrimpModel *m, unsigned node, uint32_t addr,
                   const uint8_t *data, uint32_t bytes)
{
    ModelNode *n = &m->node[node];
    ModelPacket *p = g_new0(ModelPacket, 1);
    uint32_t end = 0;
    const ModelPart *part = model_part_at(n, addr, &end);

    *p = (ModelPacket) {
        .source = node, .dest = part->node, .number = ++n->sent, .bytes = bytes,
        .addr = part->place / PAGE * PAGE + (addr + part->place) % PAGE,
    };
    memcpy(p->data, data, bytes);
    g_queue_push_tail(&n->out, p);
}

void model_close_open(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];

    if (n->open_bytes) {
        model_enqueue(m, node, n->open_addr, n->open_data, n->open_bytes);
        n->open_bytes = 0;
        model_leave(m, n, at);
    }
}

void shrimp_model_fence(ShrimpModel *m, unsigned node)
{
    model_close_open(m, node, m->now);
    model_retry(m, node, m->now);
}

static void put(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];
    uint32_t bytes = model_next_bytes(m, n);

    model_close_open(m, node, at);
    model_enqueue(m, node, n->next, n->ram + (n->next - FUGU_RAM_BASE), bytes);
    n->next += bytes;
    n->left -= bytes / 4;
    n->read = at + (n->left ? m->options.dma_word * (model_next_bytes(m, n) / 4) : 0);
    model_leave(m, n, at);
}

static bool has_room(ShrimpModel *m, ModelNode *n)
{
    uint32_t words = shrimp_model_used(n);

    return !words || words + 3 + model_next_bytes(m, n) / 4 <= n->threshold;
}

void model_retry(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];

    if (n->waits && has_room(m, n)) {
        n->waits = false;
        put(m, node, at);
    }
}

void shrimp_model_retry(ShrimpModel *m, unsigned node)
{
    model_retry(m, node, m->now);
}

void model_engine_reads(ShrimpModel *m, unsigned node)
{
    ModelNode *n = &m->node[node];

    n->waits = true;
    model_retry(m, node, n->read);
}

void model_credit_comes(ShrimpModel *m, ModelCredit *c)
{
    ModelNode *n = &m->node[c->to];

    n->credits += c->words;
    for (GList *l = n->uncredited.head; l; l = l->next) {
        ModelPacket *p = l->data;

        if (p->dest == c->from) {
            g_free(p);
            g_queue_delete_link(&n->uncredited, l);
            break;
        }
    }
    model_leave(m, n, c->time);
    model_retry(m, c->to, c->time);
    g_queue_remove(&m->credits, c);
    g_free(c);
}

uint32_t shrimp_model_credited(const ModelNode *n)
{
    const ModelPacket *p = g_queue_peek_head((GQueue *)&n->uncredited);

    return p ? p->number - 1 : n->sent - n->out.length;
}
