/*
 * The mesh between the network interfaces. See mesh.h for its interface.
 *
 * A link is directed and carries one message after the other. One number
 * describes it: the time at which it becomes free. A message occupies each
 * link of its path from the moment its head gets the link until all its words
 * have passed. The path includes the injection channel of its source and the
 * ejection channel of its destination. The head moves on one hop latency after
 * it got the link, and waits in an unbounded buffer if the next link is taken
 * (virtual cut-through). So a message that waits never holds a link.
 *
 * Messages of a pair of nodes stay in order: they take the same links, and the
 * second message cannot get a link before the first has passed it. This holds
 * for messages of a node to itself too: their path consists of the injection
 * and the ejection channel.
 *
 * Rejected: an event queue that gives a link to the head that reaches it
 * first. This mesh gives the link to the message that was launched first. The
 * two differ where a message waits at one link while another one, launched
 * later, could pass a link further on. But an event queue would make the
 * messages in flight part of the state, and empty rounds would cost time
 * (docs/caveats.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "mesh.h"

/* ---- Shape and parameters ----------------------------------------------- */

void mesh_shape(uint32_t nodes, uint32_t *width, uint32_t *height)
{
    uint32_t rows = 1;

    for (uint32_t d = 1; (uint64_t)d * d <= nodes; d++) {
        if (nodes % d == 0) {
            rows = d;
        }
    }
    *width = nodes / rows;
    *height = rows;
}

/* Reads a number from 1 to 99999 without sign, space or leading zero. Returns
 * the rest of the text, or NULL. */
static const char *parse_extent(const char *text, uint32_t *value)
{
    uint32_t v = 0;
    int digits = 0;

    while (*text >= '0' && *text <= '9' && digits < 5) {
        v = v * 10 + (*text++ - '0');
        digits++;
        if (v == 0) {
            return NULL;
        }
    }
    *value = v;
    return digits ? text : NULL;
}

bool mesh_parse_shape(const char *text, uint32_t *width, uint32_t *height)
{
    uint32_t w, h;
    const char *rest = parse_extent(text, &w);

    if (!rest || *rest != 'x') {
        return false;
    }
    rest = parse_extent(rest + 1, &h);
    if (!rest || *rest) {
        return false;
    }
    *width = w;
    *height = h;
    return true;
}

static bool shape_check(const MeshParams *p, uint32_t nodes,
                        char *err, size_t err_size)
{
    if (nodes == 0) {
        snprintf(err, err_size, "a mesh needs at least one node");
        return false;
    }
    if (!p->width != !p->height) {
        snprintf(err, err_size,
                 "give the mesh's width and its height, or neither");
        return false;
    }
    if (p->width && (uint64_t)p->width * p->height != nodes) {
        snprintf(err, err_size,
                 "a %" PRIu32 "x%" PRIu32 " mesh has room for %" PRIu64
                 " nodes, but there are %" PRIu32, p->width, p->height,
                 (uint64_t)p->width * p->height, nodes);
        return false;
    }
    return true;
}

static bool latency_check(const MeshParams *p, const char *what, uint32_t min,
                          uint32_t value, char *err, size_t err_size)
{
    if (value < min || value > MESH_CYCLES_MAX) {
        snprintf(err, err_size,
                 "%s: %s of %" PRIu32 " cycles is not between %" PRIu32
                 " and %u", p->name, what, value, min, MESH_CYCLES_MAX);
        return false;
    }
    return true;
}

bool mesh_params_check(const MeshParams *p, uint32_t nodes, uint64_t quantum,
                       char *err, size_t err_size)
{
    /*
     * A word takes at least one cycle, so that no two messages arrive at the
     * same time: the network interface would have to order them.
     */
    if (!shape_check(p, nodes, err, err_size) ||
        !latency_check(p, "base latency", 1, p->base, err, err_size) ||
        !latency_check(p, "latency a hop", 0, p->hop, err, err_size) ||
        !latency_check(p, "latency a word", 1, p->word, err, err_size)) {
        return false;
    }
    if (quantum == 0) {
        snprintf(err, err_size, "the quantum must be at least one cycle");
        return false;
    }
    if (quantum > mesh_smallest_latency(p)) {
        snprintf(err, err_size,
                 "the quantum of %" PRIu64 " cycles is longer than the %s's "
                 "smallest latency of %" PRIu64, quantum, p->name,
                 mesh_smallest_latency(p));
        return false;
    }
    return true;
}

uint64_t mesh_smallest_latency(const MeshParams *p)
{
    return p->base;
}

/* ---- Life of a mesh ----------------------------------------------------- */

Mesh *mesh_new(const MeshParams *params, uint32_t nodes)
{
    Mesh *m = calloc(1, sizeof(*m));

    if (!m) {
        return NULL;
    }
    m->params = *params;
    if (!m->params.width) {
        mesh_shape(nodes, &m->params.width, &m->params.height);
    }
    m->nodes = nodes;
    m->links = nodes * MESH_LINKS;
    m->link_free = calloc(m->links, sizeof(m->link_free[0]));
    if (!m->link_free) {
        free(m);
        return NULL;
    }
    return m;
}

void mesh_free(Mesh *m)
{
    if (m) {
        free(m->link_free);
        free(m->urgent_free);
        free(m->link_words);
        free(m);
    }
}

bool mesh_use_priorities(Mesh *m, uint32_t words)
{
    m->urgent_free = calloc(m->links, sizeof(m->urgent_free[0]));
    m->longest = (uint64_t)m->params.word * words;
    return m->urgent_free != NULL;
}

bool mesh_count_words(Mesh *m)
{
    m->link_words = calloc(m->links, sizeof(m->link_words[0]));
    return m->link_words != NULL;
}

void mesh_reset(Mesh *m)
{
    memset(m->link_free, 0, m->links * sizeof(m->link_free[0]));
    if (m->urgent_free) {
        memset(m->urgent_free, 0, m->links * sizeof(m->urgent_free[0]));
    }
}

/* ---- Routing ------------------------------------------------------------ */

uint32_t mesh_hops(const Mesh *m, uint32_t from, uint32_t to)
{
    int32_t width = m->params.width;
    int32_t columns = (int32_t)(to % width) - (int32_t)(from % width);
    int32_t rows = (int32_t)(to / width) - (int32_t)(from / width);

    return abs(columns) + abs(rows);
}

uint64_t mesh_credit_latency(const Mesh *m, uint32_t from, uint32_t to)
{
    return m->params.base + (uint64_t)m->params.hop * mesh_hops(m, from, to);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/*
 * Returns the time at which the head of an urgent message gets a link that it
 * reaches at @head. If it comes while urgent ones pass, it follows them at once.
 * Otherwise the link may be in the middle of another message.
 */
static uint64_t urgent_start(const Mesh *m, size_t link, uint64_t head)
{
    uint64_t idle = m->link_free[link];

    if (head <= m->urgent_free[link]) {
        return m->urgent_free[link];
    }
    return idle > head + m->longest ? head + m->longest : later(idle, head);
}

/* The same as take(), for an urgent message, without the words that are counted. */
static __attribute__((cold, noinline))
uint64_t take_urgent(Mesh *m, size_t link, uint64_t head, uint64_t words)
{
    uint64_t start = urgent_start(m, link, head);

    m->urgent_free[link] = start + m->params.word * words;
    m->link_free[link] = later(start, m->link_free[link]) +
                         m->params.word * words;
    return start;
}

/* The head of @l reaches a link at @head, and @words words follow it. Returns the
 * time at which the head gets the link. */
static inline uint64_t take(Mesh *m, const MeshLaunch *l, size_t link,
                            uint64_t head, uint64_t words)
{
    uint64_t start = later(head, m->link_free[link]);

    if (m->link_words) {
        m->link_words[link] += words;
    }
    if (l->urgent) {
        return take_urgent(m, link, head, words);
    }
    m->link_free[link] = start + m->params.word * words;
    return start;
}

/* Moves the head along one dimension: @hops hops over links that are @stride
 * nodes apart. Returns the time at which the head reaches the end. */
static uint64_t walk(Mesh *m, const MeshLaunch *l, size_t link, int32_t hops,
                     int32_t stride, uint64_t head, uint64_t words)
{
    ptrdiff_t step = (ptrdiff_t)stride * MESH_LINKS;

    for (; hops > 0; hops--) {
        head = take(m, l, link, head, words) + m->params.hop;
        link += step;
    }
    return head;
}

uint64_t mesh_route(Mesh *m, const MeshLaunch *l)
{
    const MeshParams *p = &m->params;
    int32_t width = p->width;
    uint64_t words = l->words + (uint64_t)l->body_words;
    size_t source, corner, dest;
    int32_t columns, rows;
    uint64_t head;

    assert(l->source < m->nodes && l->dest < m->nodes && l->words > 0);
    assert(!l->urgent || m->urgent_free);

    columns = (int32_t)(l->dest % width) - (int32_t)(l->source % width);
    rows = (int32_t)(l->dest / width) - (int32_t)(l->source / width);
    source = (size_t)l->source * MESH_LINKS;
    corner = source + (ptrdiff_t)columns * MESH_LINKS;
    dest = (size_t)l->dest * MESH_LINKS;

    head = take(m, l, source + MESH_INJECT, l->time, words);
    if (columns >= 0) {
        head = walk(m, l, source + MESH_EAST, columns, 1, head, words);
    } else {
        head = walk(m, l, source + MESH_WEST, -columns, -1, head, words);
    }
    if (rows >= 0) {
        head = walk(m, l, corner + MESH_SOUTH, rows, width, head, words);
    } else {
        head = walk(m, l, corner + MESH_NORTH, -rows, -width, head, words);
    }
    head = take(m, l, dest + MESH_EJECT, head, words);
    return head + p->word * words + p->base;
}

/* ---- Rounds ------------------------------------------------------------- */

static bool before(const MeshLaunch *a, const MeshLaunch *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    if (a->source != b->source) {
        return a->source < b->source;
    }
    if (a->sequence != b->sequence) {
        return (int32_t)(a->sequence - b->sequence) < 0;
    }
    return a->network < b->network;
}

/*
 * Shell's sort. It works in place, without the allocation that qsort() may do,
 * and is a plain insertion sort for the few launches of a usual round. It need
 * not be stable: the order is total.
 */
void mesh_sort(MeshLaunch *launches, size_t n)
{
    static const uint32_t gaps[] = {
        45000, 20000, 8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1
    };

    for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
        size_t gap = gaps[g];

        for (size_t i = gap; i < n; i++) {
            MeshLaunch l = launches[i];
            size_t j = i;

            for (; j >= gap && before(&l, &launches[j - gap]); j -= gap) {
                launches[j] = launches[j - gap];
            }
            launches[j] = l;
        }
    }
}

void mesh_round(Mesh *const *networks, MeshLaunch *launches, size_t n,
                uint64_t *arrivals)
{
    mesh_sort(launches, n);
    for (size_t i = 0; i < n; i++) {
        arrivals[i] = mesh_route(networks[launches[i].network], &launches[i]);
    }
}
