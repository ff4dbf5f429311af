/*
 * A model of SHRIMP's network interfaces (see shrimp-model.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "shrimp-model.h"

#define BASE    64                      /* of the mesh, and its hop */
#define HOP     2

/* ---- Sizes ---------------------------------------------------------------- */

static uint32_t data_words(const ModelPacket *p)
{
    return (p->addr % 4 + p->bytes + 3) / 4;
}

static uint32_t counted(const ModelPacket *p)
{
    return 3 + data_words(p);
}

uint32_t shrimp_model_words(const GQueue *packets)
{
    uint32_t words = 0;

    for (GList *l = packets->head; l; l = l->next) {
        words += counted(l->data);
    }
    return words;
}

uint32_t shrimp_model_used(const ModelNode *n)
{
    uint32_t open = n->open_bytes
                    ? 3 + (n->open_addr % 4 + n->open_bytes + 3) / 4 : 0;

    return shrimp_model_words(&n->out) + open;
}

/* ---- Table ----------------------------------------------------------------- */

static int page_of(uint32_t addr)
{
    uint32_t page = (addr - FUGU_RAM_BASE) / PAGE;

    return addr >= FUGU_RAM_BASE && page < MODEL_PAGES ? page : -1;
}

/* Returns the part for @addr; sets *@end to the first address past the part. */
static const ModelPart *part_at(const ModelNode *n, uint32_t addr,
                                uint32_t *end)
{
    static const ModelPart nothing;
    int page = page_of(addr);
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

static void close_open(ShrimpModel *m, unsigned node, int64_t at);
static void retry(ShrimpModel *m, unsigned node, int64_t at);

/* What was stored to a page goes where the old entry says. */
static void leave_automatic(ShrimpModel *m, unsigned node, uint32_t page)
{
    ModelNode *n = &m->node[node];

    if (n->open_bytes && page_of(n->open_addr) == (int)page) {
        close_open(m, node, m->now);
    }
    retry(m, node, m->now);
}

/* The entry of a page is about to change. */
static void leave_page(ShrimpModel *m, unsigned node, uint32_t page)
{
    ModelNode *n = &m->node[node];

    if (n->left && page_of(n->base) == (int)page) {
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
    leave_page(m, node, page);
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
    leave_page(m, node, page);
    m->node[node].page[page].split = split;
    return true;
}

/* ---- The way out ------------------------------------------------------------ */

static void launch(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *p = g_queue_pop_head(&n->out);

    p->time = at;
    p->damage = n->damage;
    n->damage = INTACT;
    n->credits -= counted(p);
    n->free = at + m->options.mesh_word * counted(p);
    g_queue_push_tail(&n->uncredited, g_memdup2(p, sizeof(*p)));
    g_queue_push_tail(&m->launched, p);
}

/* The first time from @at on at which the head can leave, or -1: not yet known. */
static int64_t head_leaves(const ModelNode *n, int64_t at)
{
    const ModelPacket *p = g_queue_peek_head((GQueue *)&n->out);

    return p && n->credits >= counted(p) ? MAX(n->free, at) : -1;
}

static void leave(ShrimpModel *m, ModelNode *n, int64_t at)
{
    while (head_leaves(n, at) == at) {
        launch(m, n, at);
    }
}

static uint32_t next_bytes(ShrimpModel *m, ModelNode *n)
{
    uint32_t end = 0;
    const ModelPart *part = part_at(n, n->next, &end);
    uint32_t there = (n->next + part->place) % PAGE;
    uint32_t most = MIN(4 * n->left, MIN(m->options.packet_max, end - n->next));

    return MIN(most, PAGE - there);
}

/* Puts a packet with @data, which was at @addr, into the FIFO. */
static void enqueue(ShrimpModel *m, unsigned node, uint32_t addr,
                    const uint8_t *data, uint32_t bytes)
{
    ModelNode *n = &m->node[node];
    ModelPacket *p = g_new0(ModelPacket, 1);
    uint32_t end = 0;
    const ModelPart *part = part_at(n, addr, &end);

    *p = (ModelPacket) {
        .source = node, .dest = part->node, .number = ++n->sent, .bytes = bytes,
        .addr = part->place / PAGE * PAGE + (addr + part->place) % PAGE,
    };
    memcpy(p->data, data, bytes);
    g_queue_push_tail(&n->out, p);
}

static void close_open(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];

    if (n->open_bytes) {
        enqueue(m, node, n->open_addr, n->open_data, n->open_bytes);
        n->open_bytes = 0;
        leave(m, n, at);
    }
}

void shrimp_model_fence(ShrimpModel *m, unsigned node)
{
    close_open(m, node, m->now);
    retry(m, node, m->now);
}

static void put(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];
    uint32_t bytes = next_bytes(m, n);

    close_open(m, node, at);
    enqueue(m, node, n->next, n->ram + (n->next - FUGU_RAM_BASE), bytes);
    n->next += bytes;
    n->left -= bytes / 4;
    n->read = at + (n->left ? m->options.dma_word * (next_bytes(m, n) / 4) : 0);
    leave(m, n, at);
}

static bool has_room(ShrimpModel *m, ModelNode *n)
{
    uint32_t words = shrimp_model_used(n);

    return !words || words + 3 + next_bytes(m, n) / 4 <= n->threshold;
}

static void retry(ShrimpModel *m, unsigned node, int64_t at)
{
    ModelNode *n = &m->node[node];

    if (n->waits && has_room(m, n)) {
        n->waits = false;
        put(m, node, at);
    }
}

void shrimp_model_retry(ShrimpModel *m, unsigned node)
{
    retry(m, node, m->now);
}

static void engine_reads(ShrimpModel *m, unsigned node)
{
    ModelNode *n = &m->node[node];

    n->waits = true;
    retry(m, node, n->read);
}

static void credit_comes(ShrimpModel *m, ModelCredit *c)
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
    leave(m, n, c->time);
    retry(m, c->to, c->time);
    g_queue_remove(&m->credits, c);
    g_free(c);
}

uint32_t shrimp_model_credited(const ModelNode *n)
{
    const ModelPacket *p = g_queue_peek_head((GQueue *)&n->uncredited);

    return p ? p->number - 1 : n->sent - n->out.length;
}

/* ---- The way in ------------------------------------------------------------- */

static int64_t base_and_hops(ShrimpModel *m, unsigned from, unsigned to)
{
    return BASE + HOP * mesh_hops(m->mesh, from, to);
}

static void begin(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *head = g_queue_peek_head(&n->in);

    n->stored = at + m->options.incoming_word * data_words(head);
}

static void take_in(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *p;

    while ((p = g_queue_peek_head(&n->blocked)) &&
           shrimp_model_words(&n->in) + counted(p) <= FUGU_SHRIMP_FIFO) {
        ModelCredit *c = g_new(ModelCredit, 1);

        *c = (ModelCredit) { p->dest, p->source, counted(p),
                             at + base_and_hops(m, p->dest, p->source) };
        g_queue_push_tail(&m->credits, c);
        g_queue_push_tail(&n->in, g_queue_pop_head(&n->blocked));
        n->entered++;
        if (n->in.length == 1) {
            begin(m, n, at);
        }
    }
}

static void arrive(ShrimpModel *m, ModelPacket *p)
{
    g_queue_remove(&m->flight, p);
    g_queue_push_tail(&m->node[p->dest].blocked, p);
    take_in(m, &m->node[p->dest], p->time);
}

static void store(ShrimpModel *m, ModelNode *n)
{
    ModelPacket *p = g_queue_pop_head(&n->in);
    int page = page_of(p->addr);
    int64_t at = n->stored;

    n->gone++;
    if (p->damage == INTACT && page >= 0 && n->page[page].mapped) {
        memcpy(n->ram + (p->addr - FUGU_RAM_BASE), p->data, p->bytes);
        n->page[page].arrived |= n->page[page].armed;
        n->page[page].armed = false;
    } else {
        n->bad_place += p->damage == BAD_PLACE;
        n->bad_crc += p->damage == BAD_CRC;
        n->bad_page += p->damage == INTACT;
        n->dropped = true;
    }
    g_free(p);
    if (n->in.length) {
        begin(m, n, at);
    }
    take_in(m, n, at);
}

/* ---- Time -------------------------------------------------------------------- */

static int compare_launches(const void *a, const void *b, void *opaque)
{
    const ModelPacket *p = a, *q = b;

    return p->time != q->time ? (p->time < q->time ? -1 : 1)
           : p->source != q->source ? (int)p->source - (int)q->source
           : (int)(p->number - q->number);
}

/* Routes what was launched before @time: nothing can come between any more. */
static void route(ShrimpModel *m, int64_t time)
{
    ModelPacket *p;

    g_queue_sort(&m->launched, compare_launches, NULL);
    while ((p = g_queue_peek_head(&m->launched)) && p->time < time) {
        MeshLaunch l = {
            .time = p->time, .source = p->source, .dest = p->dest,
            .words = counted(p),
        };

        g_queue_pop_head(&m->launched);
        p->time = mesh_route(m->mesh, &l);
        g_queue_push_tail(&m->flight, p);
    }
}

/* Does the first thing that is due at @limit or before on the way out of @node.
 * Returns its time, or INT64_MAX if there is none. */
static int64_t first_out(ShrimpModel *m, unsigned node, int64_t limit, bool act)
{
    ModelNode *n = &m->node[node];
    int64_t credit = INT64_MAX, close, link, read, first;
    ModelCredit *c = NULL;

    for (GList *l = m->credits.head; l; l = l->next) {
        ModelCredit *other = l->data;

        if (other->to == node && other->time < credit) {
            c = other;
            credit = c->time;
        }
    }
    link = head_leaves(n, 0);
    link = link < 0 ? INT64_MAX : link;
    read = n->left && !n->waits ? n->read : INT64_MAX;
    close = n->open_bytes ? n->deadline : INT64_MAX;
    first = MIN(MIN(credit, close), MIN(link, read));
    if (!act || first > limit) {
        return first;
    }
    if (first == close) {
        close_open(m, node, close);
        retry(m, node, close);
    } else if (first == read) {
        engine_reads(m, node);
    } else if (first == link) {
        leave(m, n, link);
        retry(m, node, link);
    } else {
        credit_comes(m, c);
    }
    return first;
}

void shrimp_model_settle(ShrimpModel *m, unsigned node)
{
    while (first_out(m, node, m->now, true) <= m->now) {
    }
}

/* Does the first thing before @end. Returns false if there is none. */
static bool step(ShrimpModel *m, int64_t end)
{
    int64_t first = end;
    ModelPacket *arrives = NULL;
    int out = -1, in = -1;

    for (unsigned i = 0; i < MODEL_NODES; i++) {
        ModelNode *n = &m->node[i];
        int64_t time = first_out(m, i, 0, false);

        if (time < first) {
            first = time;
            out = i;
        }
        if (n->in.length && n->stored < first) {
            first = n->stored;
            out = -1;
            in = i;
        }
    }
    /* A launch that is not routed arrives later than any of these. */
    route(m, first);
    for (GList *l = m->flight.head; l; l = l->next) {
        ModelPacket *p = l->data;

        if (p->time < first) {
            first = p->time;
            arrives = p;
        }
    }
    if (first == end) {
        return false;
    }
    if (arrives) {
        arrive(m, arrives);
    } else if (out >= 0) {
        first_out(m, out, first, true);
    } else {
        store(m, &m->node[in]);
    }
    return true;
}

void shrimp_model_advance(ShrimpModel *m, uint64_t cycles)
{
    while (step(m, m->now + cycles)) {
    }
    m->now += cycles;
}

/* ---- Stores of the processor ---------------------------------------------------- */

/* The most bytes of a packet that begins at @addr. */
static uint32_t most_open(ShrimpModel *m, const ModelNode *n, uint32_t addr)
{
    uint32_t end = 0;
    const ModelPart *part = part_at(n, addr, &end);
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
    uint32_t end = 0, most = 0, mode = part_at(n, addr, &end)->mode;
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
        close_open(m, node, m->now);
    }
    if (mode == FUGU_NIPT_SINGLE) {
        enqueue(m, node, addr, at, size);
        leave(m, n, m->now);
    } else {
        n->open_addr = merges ? n->open_addr : addr;
        memcpy(n->open_data + n->open_bytes, at, size);
        n->open_bytes += size;
        n->deadline = m->now + n->merge;
        if (n->open_bytes == most_open(m, n, n->open_addr)) {
            close_open(m, node, m->now);
        }
    }
    retry(m, node, m->now);
    return true;
}

/* ---- Commands ------------------------------------------------------------------ */

bool shrimp_model_command(ShrimpModel *m, unsigned node, uint32_t addr,
                          uint32_t command)
{
    ModelNode *n = &m->node[node];
    uint32_t end = 0;
    const ModelPart *part = part_at(n, addr, &end);
    int page = page_of(addr);

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
        n->read = m->now + m->options.dma_word * (next_bytes(m, n) / 4);
        shrimp_model_settle(m, node);
    }
    return true;
}

bool shrimp_model_engine(ShrimpModel *m, unsigned node, uint32_t addr, uint32_t *value)
{
    ModelNode *n = &m->node[node];
    uint32_t end = 0;

    *value = !n->left ? 0 : n->left | (addr == n->base ? 1u << 31 : 0);
    return part_at(n, addr, &end)->mode == FUGU_NIPT_DELIBERATE;
}

/* ---- Interrupts ------------------------------------------------------------------ */

uint32_t shrimp_model_arrival(const ModelNode *n)
{
    for (uint32_t i = 0; i < MODEL_PAGES; i++) {
        if (n->page[i].arrived) {
            return i;
        }
    }
    return FUGU_SHRIMP_NO_PAGE;
}

uint32_t shrimp_model_pending(const ModelNode *n)
{
    uint32_t words = shrimp_model_words(&n->out), set = 0;
    uint32_t used = shrimp_model_used(n);

    set |= shrimp_model_arrival(n) != FUGU_SHRIMP_NO_PAGE ? FUGU_PEND_ARRIVAL : 0;
    set |= n->dropped ? FUGU_PEND_DROPPED : 0;
    set |= n->await && used + n->await <= FUGU_SHRIMP_FIFO ? FUGU_PEND_ROOM : 0;
    set |= !n->await && words > n->threshold ? FUGU_PEND_OUTGOING : 0;
    return set;
}

/* ---- Set-up ---------------------------------------------------------------------- */

ShrimpModel *shrimp_model_new(ModelOptions options)
{
    ShrimpModel *m = g_new0(ShrimpModel, 1);
    MeshParams params = {
        .name = "mesh", .width = 2, .height = 2, .base = BASE, .hop = HOP,
        .word = options.mesh_word,
    };

    m->options = options;
    m->mesh = mesh_new(&params, MODEL_NODES);
    for (unsigned i = 0; i < MODEL_NODES; i++) {
        m->node[i].credits = FUGU_SHRIMP_CREDITS;
        m->node[i].threshold = 768;
        m->node[i].merge = 32;
    }
    return m;
}

void shrimp_model_free(ShrimpModel *m)
{
    for (unsigned i = 0; i < MODEL_NODES; i++) {
        g_queue_clear_full(&m->node[i].out, g_free);
        g_queue_clear_full(&m->node[i].uncredited, g_free);
        g_queue_clear_full(&m->node[i].blocked, g_free);
        g_queue_clear_full(&m->node[i].in, g_free);
    }
    g_queue_clear_full(&m->launched, g_free);
    g_queue_clear_full(&m->flight, g_free);
    g_queue_clear_full(&m->credits, g_free);
    mesh_free(m->mesh);
    g_free(m);
}
