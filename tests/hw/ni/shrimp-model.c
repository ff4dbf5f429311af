/*
 * A model of SHRIMP's network interfaces (see shrimp-model.h): the way in, time
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-model-parts.h"

#define BASE    64                      /* of the mesh, and its hop */
#define HOP     2

/* ---- The way in ------------------------------------------------------------- */

static int64_t base_and_hops(ShrimpModel *m, unsigned from, unsigned to)
{
    return BASE + HOP * mesh_hops(m->mesh, from, to);
}

static void begin(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *head = g_queue_peek_head(&n->in);

    n->stored = at + m->options.incoming_word * model_data_words(head);
}

static void take_in(ShrimpModel *m, ModelNode *n, int64_t at)
{
    ModelPacket *p;

    while ((p = g_queue_peek_head(&n->blocked)) &&
           shrimp_model_words(&n->in) + model_counted(p) <= FUGU_SHRIMP_FIFO) {
        ModelCredit *c = g_new(ModelCredit, 1);

        *c = (ModelCredit) { p->dest, p->source, model_counted(p),
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
    int page = model_page_of(p->addr);
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
            .words = model_counted(p),
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
    link = model_head_leaves(n, 0);
    link = link < 0 ? INT64_MAX : link;
    read = n->left && !n->waits ? n->read : INT64_MAX;
    close = n->open_bytes ? n->deadline : INT64_MAX;
    first = MIN(MIN(credit, close), MIN(link, read));
    if (!act || first > limit) {
        return first;
    }
    if (first == close) {
        model_close_open(m, node, close);
        model_retry(m, node, close);
    } else if (first == read) {
        model_engine_reads(m, node);
    } else if (first == link) {
        model_leave(m, n, link);
        model_retry(m, node, link);
    } else {
        model_credit_comes(m, c);
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
