/*
 * A model of the M-Machine's message interfaces, to compare the real ones with
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "mm-model.h"

#define BASE    64              /* the default mesh */
#define HOP     2

static uint32_t hops(unsigned from, unsigned to)
{
    return (from % 2 != to % 2) + (from / 2 != to / 2);
}

static int64_t word_time(const MMModel *m, const ModelMessage *message,
                         unsigned i)
{
    return message->time + (int64_t)m->options.word * i;
}

static int64_t tail_time(const MMModel *m, const ModelMessage *message)
{
    return word_time(m, message, message->length - 1);
}

/* ---- Receiving ------------------------------------------------------------ */

uint32_t mm_model_words(const ModelEnd *end)
{
    uint32_t words = 0;

    for (GList *l = end->queue.head; l; l = l->next) {
        words += ((ModelMessage *)l->data)->length;
    }
    return words;
}

/* What waits enters the queue at @time, as far as there is room. */
static void accept_blocked(MMModel *m, ModelEnd *end, int64_t time)
{
    ModelMessage *message;

    while ((message = g_queue_peek_head(&end->blocked)) &&
           mm_model_words(end) + message->length <= m->options.queue / 2) {
        ModelCredit *credit = g_new0(ModelCredit, 1);

        g_queue_push_tail(&end->queue, g_queue_pop_head(&end->blocked));
        message->time = MAX(time, end->tail + m->options.word);
        end->tail = tail_time(m, message);
        *credit = (ModelCredit) {
            .to = message->source,
            .priority = message->priority,
            .words = message->length,
            .time = time + BASE + HOP * hops(message->source, message->dest),
        };
        g_queue_push_tail(&m->credits, credit);
    }
}

static void leave(MMModel *m, ModelEnd *end, int64_t time)
{
    g_free(g_queue_pop_head(&end->queue));
    end->reads = false;
    end->drops = false;
    end->left++;
    accept_blocked(m, end, time);
}

static ModelMessage *next_of(const ModelEnd *end)
{
    return g_queue_peek_nth((GQueue *)&end->queue, end->reads);
}

int64_t mm_model_head_time(const MMModel *m, const ModelEnd *end)
{
    ModelMessage *next = next_of(end);

    return next ? word_time(m, next, 1) : -1;
}

static int read_head(MMModel *m, ModelEnd *end, uint32_t *word)
{
    ModelMessage *next = next_of(end);

    if ((!next || word_time(m, next, 1) > m->now) && end->reads &&
        !end->drops) {
        end->drops = true;
        end->drop_time = MAX(m->now,
                             tail_time(m, g_queue_peek_head(&end->queue)));
    }
    if (!next || word_time(m, next, 1) > m->now) {
        return FUGU_WAITS;
    }
    *word = next->words[0];
    if (end->reads) {
        leave(m, end, m->now);
    }
    end->reads = true;
    end->next = 1;
    end->gid = next->gid;
    return FUGU_DONE;
}

static int read_body(MMModel *m, ModelEnd *end, uint32_t *word)
{
    ModelMessage *current = g_queue_peek_head(&end->queue);

    *word = 0;
    if (!end->reads || end->drops) {
        return FUGU_DONE;
    }
    if (word_time(m, current, end->next + 1) > m->now) {
        return FUGU_WAITS;
    }
    *word = current->words[end->next++];
    if (end->next == current->length - 1) {
        leave(m, end, m->now);
    }
    return FUGU_DONE;
}

int mm_model_word(MMModel *m, unsigned node, unsigned priority, bool head,
                  uint32_t *word)
{
    ModelEnd *end = &m->node[node].end[priority];

    return head ? read_head(m, end, word) : read_body(m, end, word);
}

/* ---- Sending -------------------------------------------------------------- */

uint32_t mm_model_acks(const MMModel *m, unsigned node, unsigned context)
{
    uint32_t pending = m->node[node].injection[context].free > m->now
                       ? 1u << m->node[node].injection[context].ack : 0;

    return m->node[node].injection[context].acks & ~pending;
}

int mm_model_await(MMModel *m, unsigned node, unsigned context, uint32_t acks)
{
    return acks & 0xffff & ~mm_model_acks(m, node, context) ? FUGU_WAITS
                                                            : FUGU_DONE;
}

/* Fills in the message's destination, handler and DestAddr. */
static int translate(const ModelNode *n, uint32_t gid, uint32_t dest,
                     uint32_t handler, ModelMessage *message)
{
    int s = -1, h = -1;
    uint32_t offset;

    for (int i = FUGU_MM_GTLB - 1; i >= 0; i--) {
        if (n->segment[i].valid && n->segment[i].gid == gid &&
            dest >= n->segment[i].base &&
            dest < n->segment[i].base +
                   ((uint64_t)MODEL_NODES << n->segment[i].log)) {
            s = i;
        }
    }
    for (int i = FUGU_MM_HANDLERS - 1; i >= 0; i--) {
        if (n->handler[i].valid && n->handler[i].gid == gid &&
            n->handler[i].index == handler) {
            h = i;
        }
    }
    if (s < 0 || h < 0) {
        return MISS;
    }
    offset = (dest - n->segment[s].base) % (1u << n->segment[s].log);
    if (offset + (uint64_t)n->handler[h].extent > 1u << n->segment[s].log ||
        (n->segment[s].rights & n->handler[h].needs) != n->handler[h].needs) {
        return VIOLATION;
    }
    message->dest = (dest - n->segment[s].base) / (1u << n->segment[s].log);
    message->words[0] = n->handler[h].pc;
    message->words[1] = n->segment[s].local + offset;
    return FUGU_DONE;
}

int mm_model_send(MMModel *m, unsigned node, unsigned context, uint32_t dest,
                  uint32_t handler, unsigned length, unsigned ack,
                  uint32_t first)
{
    ModelNode *n = &m->node[node];
    ModelMessage message = { .source = node, .length = 3 + length };
    int result;

    if (context == THREAD) {
        message.priority = n->priority;
        message.gid = n->gid;
    } else {
        message.priority = n->rules ? 1 : context - 1;
        message.gid = n->end[context - 1].gid;
    }
    if (length > 10 || (context == SLOT_1 && n->rules)) {
        return VIOLATION;
    }
    result = translate(n, message.gid, dest, handler, &message);
    if (result) {
        return result;
    }
    if (n->injection[context].free > m->now ||
        n->end[message.priority].space < message.length) {
        return FUGU_WAITS;
    }
    for (unsigned i = 0; i < length; i++) {
        message.words[2 + i] = first + i;
    }
    n->end[message.priority].space -= message.length;
    n->injection[context].ack = ack;
    n->injection[context].free = m->now + length;
    g_queue_push_tail(&m->launched, g_memdup2(&message, sizeof(message)));
    return FUGU_DONE;
}

/* ---- Time ------------------------------------------------------------------- */

static gint by_source(gconstpointer a, gconstpointer b, gpointer unused)
{
    const ModelMessage *x = a, *y = b;

    return (int)x->source - (int)y->source;
}

/* All of them left their nodes now. */
static void route(MMModel *m)
{
    ModelMessage *message;

    g_queue_sort(&m->launched, by_source, NULL);        /* it is stable */
    while ((message = g_queue_pop_head(&m->launched))) {
        MeshLaunch launch = {
            .time = m->now,
            .source = message->source,
            .dest = message->dest,
            .words = message->length,
            .urgent = message->priority == 1,
        };

        message->time = mesh_route(m->mesh, &launch) -
                        (int64_t)m->options.word * (message->length - 1);
        g_queue_push_tail(&m->flight, message);
    }
}

/* Finds what happens first, among messages, credits and what is dropped. */
typedef struct Soonest {
    int64_t time;
    GList *message, *credit;
    ModelEnd *drop;
} Soonest;

static Soonest soonest(MMModel *m)
{
    Soonest s = { .time = INT64_MAX };

    for (unsigned i = 0; i < MODEL_NODES * FUGU_MM_PRIORITIES; i++) {
        ModelEnd *end = &m->node[i / 2].end[i % 2];

        if (end->drops && end->drop_time < s.time) {
            s.time = end->drop_time;
            s.drop = end;
        }
    }
    for (GList *l = m->flight.head; l; l = l->next) {
        if (((ModelMessage *)l->data)->time < s.time) {
            s = (Soonest) { ((ModelMessage *)l->data)->time, .message = l };
        }
    }
    for (GList *l = m->credits.head; l; l = l->next) {
        if (((ModelCredit *)l->data)->time < s.time) {
            s = (Soonest) { ((ModelCredit *)l->data)->time, .credit = l };
        }
    }
    return s;
}

static void happen(MMModel *m, const Soonest *s)
{
    if (s->message) {
        ModelMessage *message = s->message->data;
        ModelEnd *end = &m->node[message->dest].end[message->priority];

        g_queue_delete_link(&m->flight, s->message);
        g_queue_push_tail(&end->blocked, message);
        accept_blocked(m, end, s->time);
    } else if (s->credit) {
        ModelCredit *credit = s->credit->data;

        m->node[credit->to].end[credit->priority].space += credit->words;
        g_free(credit);
        g_queue_delete_link(&m->credits, s->credit);
    } else {
        leave(m, s->drop, s->time);
    }
}

void mm_model_advance(MMModel *m, uint64_t cycles)
{
    int64_t end = m->now + cycles;
    Soonest s;

    route(m);
    while ((s = soonest(m)).time < end) {
        happen(m, &s);
    }
    m->now = end;
}

/* ---- Life of a model ---------------------------------------------------------- */

MMModel *mm_model_new(ModelOptions options)
{
    MMModel *m = g_new0(MMModel, 1);
    MeshParams params = MESH_MAIN_DEFAULTS;

    params.width = 2;
    params.height = 2;
    params.word = options.word;
    m->options = options;
    m->mesh = mesh_new(&params, MODEL_NODES);
    mesh_use_priorities(m->mesh, MODEL_WORDS);
    for (unsigned i = 0; i < MODEL_NODES; i++) {
        ModelNode *n = &m->node[i];

        n->rules = 1;
        for (unsigned c = 0; c < MODEL_CONTEXTS; c++) {
            n->injection[c].acks = 0xffff;
        }
        for (unsigned p = 0; p < FUGU_MM_PRIORITIES; p++) {
            n->end[p].space = options.space / 2;
        }
    }
    return m;
}

void mm_model_free(MMModel *m)
{
    g_queue_clear_full(&m->launched, g_free);
    g_queue_clear_full(&m->flight, g_free);
    g_queue_clear_full(&m->credits, g_free);
    for (unsigned i = 0; i < MODEL_NODES * FUGU_MM_PRIORITIES; i++) {
        g_queue_clear_full(&m->node[i / 2].end[i % 2].blocked, g_free);
        g_queue_clear_full(&m->node[i / 2].end[i % 2].queue, g_free);
    }
    mesh_free(m->mesh);
    g_free(m);
}
