/*
 * Unit tests of the mesh, without QEMU.
 *
 * Cases made by hand test what docs/machine.md promises. Random traffic, with
 * the same seed each time, is compared with a second, slow implementation of
 * the mesh, and tested for the properties that the rest of the machine needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include <glib.h>
#include "machine/mesh.h"

static const MeshParams main_net = MESH_MAIN_DEFAULTS;
static const MeshParams second_net = MESH_SECOND_DEFAULTS;

static Mesh *mesh_of(uint32_t width, uint32_t height)
{
    MeshParams p = main_net;

    p.width = width;
    p.height = height;
    return mesh_new(&p, width * height);
}

static uint64_t send(Mesh *m, uint64_t time, uint32_t source, uint32_t dest,
                     uint16_t words)
{
    MeshLaunch l = {
        .time = time, .source = source, .dest = dest, .words = words,
    };

    return mesh_route(m, &l);
}

/* ---- Shape and parameters ----------------------------------------------- */

static void test_shape_defaults(void)
{
    static const uint32_t want[][3] = {
        { 1, 1, 1 }, { 2, 2, 1 }, { 3, 3, 1 }, { 4, 2, 2 }, { 6, 3, 2 },
        { 7, 7, 1 }, { 8, 4, 2 }, { 12, 4, 3 }, { 15, 5, 3 }, { 16, 4, 4 },
        { 64, 8, 8 }, { 97, 97, 1 }, { 128, 16, 8 }, { 1000, 40, 25 },
        { 1023, 33, 31 }, { 1024, 32, 32 },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
        uint32_t w, h;
        Mesh *m;

        mesh_shape(want[i][0], &w, &h);
        g_assert_cmpuint(w, ==, want[i][1]);
        g_assert_cmpuint(h, ==, want[i][2]);

        m = mesh_new(&main_net, want[i][0]);
        g_assert_cmpuint(m->params.width, ==, want[i][1]);
        g_assert_cmpuint(m->params.height, ==, want[i][2]);
        g_assert_cmpuint(m->links, ==, want[i][0] * MESH_LINKS);
        mesh_free(m);
    }
}

static void test_parse_shape(void)
{
    static const char *const bad[] = {
        "", "x", "4", "4x", "x2", "0x2", "4x0", "04x2", "-4x2", " 4x2", "4x2 ",
        "4X2", "4x2x1", "4 x2", "100000x1", "+4x2",
    };
    uint32_t w = 77, h = 88;

    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_false(mesh_parse_shape(bad[i], &w, &h));
        g_assert_cmpuint(w, ==, 77);
        g_assert_cmpuint(h, ==, 88);
    }
    g_assert_true(mesh_parse_shape("4x2", &w, &h));
    g_assert_cmpuint(w, ==, 4);
    g_assert_cmpuint(h, ==, 2);
    g_assert_true(mesh_parse_shape("1x1024", &w, &h));
    g_assert_cmpuint(w, ==, 1);
    g_assert_cmpuint(h, ==, 1024);
}

static void test_params_errors(void)
{
    static const struct {
        uint32_t nodes, quantum, width, height, base, hop, word;
        const char *want;       /* NULL: no error */
    } cases[] = {
        { 8, 64, 0, 0, 64, 2, 4, NULL },
        { 8, 64, 4, 2, 64, 2, 4, NULL },
        { 8, 64, 1, 8, 64, 0, 1, NULL },
        { 8, 1, 0, 0, 1, 0, 1, NULL },
        { 8, MESH_CYCLES_MAX, 0, 0, MESH_CYCLES_MAX, MESH_CYCLES_MAX,
          MESH_CYCLES_MAX, NULL },
        { 0, 64, 0, 0, 64, 2, 4, "a mesh needs at least one node" },
        { 8, 64, 4, 0, 64, 2, 4,
          "give the mesh's width and its height, or neither" },
        { 8, 64, 0, 2, 64, 2, 4,
          "give the mesh's width and its height, or neither" },
        { 8, 64, 3, 2, 64, 2, 4,
          "a 3x2 mesh has room for 6 nodes, but there are 8" },
        { 0x80000000, 64, 0x80000000, 3, 64, 2, 4,
          "a 2147483648x3 mesh has room for 6442450944 nodes, "
          "but there are 2147483648" },
        { 8, 64, 0, 0, 0, 2, 4,
          "test network: base latency of 0 cycles is not between 1 and "
          "1000000" },
        { 8, 64, 0, 0, 1000001, 2, 4,
          "test network: base latency of 1000001 cycles is not between 1 and "
          "1000000" },
        { 8, 64, 0, 0, 64, 1000001, 4,
          "test network: latency a hop of 1000001 cycles is not between 0 and "
          "1000000" },
        { 8, 64, 0, 0, 64, 2, 0,
          "test network: latency a word of 0 cycles is not between 1 and "
          "1000000" },
        { 8, 64, 0, 0, 64, 2, 1000001,
          "test network: latency a word of 1000001 cycles is not between 1 and "
          "1000000" },
        { 8, 0, 0, 0, 64, 2, 4, "the quantum must be at least one cycle" },
        { 8, 65, 0, 0, 64, 2, 4,
          "the quantum of 65 cycles is longer than the test network's "
          "smallest latency of 64" },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        MeshParams p = {
            .name = "test network",
            .width = cases[i].width, .height = cases[i].height,
            .base = cases[i].base, .hop = cases[i].hop, .word = cases[i].word,
        };
        char err[200] = "untouched";
        bool ok = mesh_params_check(&p, cases[i].nodes, cases[i].quantum,
                                    err, sizeof(err));

        g_assert_cmpint(ok, ==, cases[i].want == NULL);
        g_assert_cmpstr(err, ==, ok ? "untouched" : cases[i].want);
    }
    g_assert_true(mesh_params_check(&second_net, 8, 256, NULL, 0));
    g_assert_cmpuint(mesh_smallest_latency(&main_net), ==, 64);
    g_assert_cmpuint(mesh_smallest_latency(&second_net), ==, 256);
}

/* ---- Hand-made traffic --------------------------------------------------- */

static void test_formula_all_pairs(void)
{
    static const uint32_t shapes[][2] = {
        { 1, 1 }, { 2, 1 }, { 1, 5 }, { 4, 2 }, { 3, 3 }, { 7, 1 }, { 5, 6 },
    };

    for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++) {
        int width = shapes[s][0];
        int nodes = width * shapes[s][1];
        Mesh *m = mesh_of(width, shapes[s][1]);

        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                int hops = abs(from % width - to % width) +
                           abs(from / width - to / width);
                MeshLaunch l = {
                    .time = 1000, .source = from, .dest = to,
                    .words = 1 + (from + to) % 16,
                    .body_words = from % 3 * 100,
                };

                mesh_reset(m);
                g_assert_cmpuint(mesh_hops(m, from, to), ==, hops);
                g_assert_cmpuint(mesh_route(m, &l), ==, 1000 + 64 + 2 * hops +
                                 4 * (l.words + l.body_words));
                g_assert_cmpuint(mesh_credit_latency(m, from, to), ==,
                                 64 + 2 * hops);
            }
        }
        mesh_free(m);
    }
}

/* The example that docs/machine.md calculates. */
static void test_documented_example(void)
{
    Mesh *m = mesh_new(&main_net, 8);

    g_assert_cmpuint(send(m, 1000, 0, 7, 3), ==, 1084);
    g_assert_cmpuint(send(m, 1002, 3, 7, 2), ==, 1092);
    g_assert_cmpuint(send(m, 1003, 4, 7, 2), ==, 1100);
    mesh_free(m);
}

static void test_contention(void)
{
    Mesh *m = mesh_of(4, 4);

    /* Two from one source: 4 cycles per word apart, to any node. */
    g_assert_cmpuint(send(m, 0, 5, 6, 10), ==, 64 + 2 + 40);
    g_assert_cmpuint(send(m, 1, 5, 4, 1), ==, 40 + 64 + 2 + 4);

    /* Two into one node by different links: the same distance apart. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 4, 5, 10), ==, 64 + 2 + 40);
    g_assert_cmpuint(send(m, 1, 1, 5, 2), ==, 64 + 2 + 40 + 8);

    /* One shared link in the middle (5 to 6), both ends apart. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 4, 6, 10), ==, 64 + 4 + 40);
    g_assert_cmpuint(send(m, 1, 5, 7, 1), ==, (2 + 40) + 4 + 4 + 64);

    /* From a node to itself: its own channels, in order with other messages. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 5, 5, 10), ==, 64 + 40);
    g_assert_cmpuint(send(m, 1, 5, 5, 1), ==, 64 + 44);
    g_assert_cmpuint(send(m, 2, 4, 5, 1), ==, 64 + 48);

    /* The link is free again at exactly this cycle. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 4, 5, 10), ==, 106);
    g_assert_cmpuint(send(m, 40, 4, 5, 1), ==, 40 + 64 + 2 + 4);
    mesh_free(m);
}

static void test_no_contention(void)
{
    Mesh *m = mesh_of(4, 4);

    /* A link's two directions are two links. */
    g_assert_cmpuint(send(m, 0, 4, 5, 10), ==, 64 + 2 + 40);
    g_assert_cmpuint(send(m, 0, 5, 4, 10), ==, 64 + 2 + 40);
    g_assert_cmpuint(send(m, 0, 2, 6, 10), ==, 64 + 2 + 40);
    g_assert_cmpuint(send(m, 0, 6, 2, 10), ==, 64 + 2 + 40);

    /* Columns first, then rows: 0-1-5 and 5-4-0 meet nowhere. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 0, 5, 10), ==, 64 + 4 + 40);
    g_assert_cmpuint(send(m, 0, 5, 0, 10), ==, 64 + 4 + 40);

    /* A row's and a column's traffic cross in a router without meeting. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 4, 6, 10), ==, 64 + 4 + 40);
    g_assert_cmpuint(send(m, 0, 1, 9, 10), ==, 64 + 4 + 40);

    /* Row first: 0-1-5 shares the link 0-1 with the row of 0, and not 4-5. */
    mesh_reset(m);
    g_assert_cmpuint(send(m, 0, 4, 6, 10), ==, 64 + 4 + 40);
    g_assert_cmpuint(send(m, 0, 0, 5, 10), ==, 64 + 4 + 40);
    mesh_free(m);
}

static void test_networks_apart(void)
{
    Mesh *nets[] = { mesh_new(&main_net, 8), mesh_new(&second_net, 8) };
    MeshLaunch l[] = {
        { .time = 5, .source = 0, .dest = 1, .sequence = 9, .words = 16,
          .network = 1 },
        { .time = 5, .source = 0, .dest = 1, .sequence = 9, .words = 16,
          .network = 0 },
    };
    uint64_t arrivals[2];

    mesh_round(nets, l, 2, arrivals);
    g_assert_cmpuint(l[0].network, ==, 0);
    g_assert_cmpuint(arrivals[0], ==, 5 + 64 + 2 + 4 * 16);
    g_assert_cmpuint(l[1].network, ==, 1);
    g_assert_cmpuint(arrivals[1], ==, 5 + 256 + 2 + 32 * 16);
    mesh_free(nets[0]);
    mesh_free(nets[1]);
}

static uint64_t send_urgent(Mesh *m, uint64_t time, uint32_t source,
                            uint32_t dest, uint16_t words)
{
    MeshLaunch l = {
        .time = time, .source = source, .dest = dest, .words = words,
        .urgent = true,
    };

    return mesh_route(m, &l);
}

/* 64 + 4 a word and 2 a hop. The longest message that is not urgent has 16
 * words, and passes a link in 64 cycles. */
static void test_urgent_alone(void)
{
    Mesh *m = mesh_of(2, 1);

    g_assert_true(mesh_use_priorities(m, 16));

    /* Alone, an urgent message is as any other. */
    g_assert_cmpuint(send_urgent(m, 10, 0, 1, 3), ==, 10 + 64 + 2 + 12);

    /* Three that are not wait for each other. */
    g_assert_cmpuint(send(m, 1000, 0, 1, 16), ==, 1000 + 130);
    g_assert_cmpuint(send(m, 1001, 0, 1, 16), ==, 1064 + 130);
    g_assert_cmpuint(send(m, 1002, 0, 1, 16), ==, 1128 + 130);

    mesh_reset(m);
    g_assert_cmpuint(send_urgent(m, 10, 0, 1, 3), ==, 10 + 64 + 2 + 12);
    mesh_free(m);
}

/* Two messages of 16 words, then urgent ones, all from node to node over the
 * injection channel, one link and the ejection channel. */
static void test_urgent_waits_for_one(void)
{
    Mesh *m = mesh_new(&main_net, 1);
    uint64_t first, second;

    g_assert_true(mesh_use_priorities(m, 16));
    send(m, 100, 0, 0, 16);             /* injection until 164, ejection too */
    send(m, 101, 0, 0, 16);             /* until 228 */
    send(m, 102, 0, 0, 16);             /* until 292 */
    first = send_urgent(m, 110, 0, 0, 4);
    second = send_urgent(m, 111, 0, 0, 4);
    /* At 174 the first has the injection channel; at the ejection channel too it
     * waits for one message, from 174 to 238. */
    g_assert_cmpuint(first, ==, 238 + 16 + 64);
    g_assert_cmpuint(second, ==, first + 16);
    /* What is launched later waits for all of them. */
    g_assert_cmpuint(send(m, 112, 0, 0, 1), ==, 292 + 32 + 4 + 64);
    mesh_free(m);
}

/*
 * In a jam, urgent messages of a pair of nodes stay in order, and a link carries
 * no two messages of one priority at once. The time that they take is in the
 * end lost to the others: each link is free when it has carried all.
 */
static void test_urgent_in_a_jam(void)
{
    GRand *rand = g_rand_new_with_seed(7);
    Mesh *m = mesh_of(4, 4);
    uint64_t last[16][16] = { 0 };
    uint64_t time = 1;

    g_assert_true(mesh_use_priorities(m, 16));
    g_assert_true(mesh_count_words(m));
    for (int i = 0; i < 20000; i++) {
        MeshLaunch l = {
            .time = time,
            .source = g_rand_int_range(rand, 0, 16),
            .dest = g_rand_int_range(rand, 0, 16),
            .words = g_rand_int_range(rand, 1, 17),
            .urgent = g_rand_int_range(rand, 0, 4) == 0,
        };
        uint64_t *urgent = &m->urgent_free[l.dest * MESH_LINKS + MESH_EJECT];
        uint64_t before = *urgent;
        uint64_t arrival = mesh_route(m, &l);

        time += g_rand_int_range(rand, 0, 3);
        if (l.urgent) {
            g_assert_cmpuint(arrival, >, last[l.source][l.dest]);
            g_assert_cmpuint(*urgent - 4 * l.words, >=, before);
            last[l.source][l.dest] = arrival;
        }
    }
    for (uint32_t i = 0; i < m->links; i++) {
        g_assert_cmpuint(m->link_free[i], >=, 4 * m->link_words[i]);
        g_assert_cmpuint(m->link_free[i], >=, m->urgent_free[i]);
    }
    mesh_free(m);
    g_rand_free(rand);
}

static void test_sort(void)
{
    /* Already in order, with a sequence that wraps. */
    static const MeshLaunch want[] = {
        { .time = 1, .source = 3, .sequence = 7 },
        { .time = 2, .source = 0, .sequence = 9 },
        { .time = 2, .source = 1, .sequence = 0xfffffffe },
        { .time = 2, .source = 1, .sequence = 0xffffffff },
        { .time = 2, .source = 1, .sequence = 0 },
        { .time = 2, .source = 1, .sequence = 1, .network = 0 },
        { .time = 2, .source = 1, .sequence = 1, .network = 1 },
        { .time = (uint64_t)1 << 40, .source = 0, .sequence = 1 },
    };
    enum { N = G_N_ELEMENTS(want) };
    MeshLaunch l[N];

    for (int shift = 0; shift < N; shift++) {
        for (int i = 0; i < N; i++) {
            l[i] = want[(i * 3 + shift) % N];
        }
        mesh_sort(l, N);
        g_assert_cmpmem(l, sizeof(l), want, sizeof(want));
    }
    mesh_sort(l, 0);
}

/* ---- Random traffic ------------------------------------------------------ */

/*
 * A second, slow implementation of the mesh. A path is a list of pairs of
 * places. Places below nodes are routers, the others network interfaces.
 */
typedef struct Reference {
    int width, nodes;
    uint64_t *free;             /* [place][place] */
} Reference;

static uint64_t *reference_link(Reference *r, int from, int to)
{
    return &r->free[from * 2 * r->nodes + to];
}

static uint64_t reference_route(Reference *r, const MeshLaunch *l)
{
    int x = l->source % r->width, y = l->source / r->width;
    int to_x = l->dest % r->width, to_y = l->dest / r->width;
    uint64_t cycles = 4 * (l->words + l->body_words);
    uint64_t now = l->time;
    uint64_t *link = reference_link(r, r->nodes + l->source, l->source);

    now = MAX(now, *link);
    *link = now + cycles;
    while (x != to_x || y != to_y) {
        int from = y * r->width + x;

        if (x != to_x) {
            x += x < to_x ? 1 : -1;
        } else {
            y += y < to_y ? 1 : -1;
        }
        link = reference_link(r, from, y * r->width + x);
        now = MAX(now, *link);
        *link = now + cycles;
        now += 2;
    }
    link = reference_link(r, l->dest, r->nodes + l->dest);
    now = MAX(now, *link);
    *link = now + cycles;
    return now + cycles + 64;
}

enum { TRAFFIC = 4000 };

/* Times grow with i. Density 1 is a jam, density 100 has little traffic. */
static MeshLaunch *random_traffic(GRand *rand, int nodes, int density)
{
    MeshLaunch *l = g_new0(MeshLaunch, TRAFFIC);
    uint64_t time = 0;

    for (int i = 0; i < TRAFFIC; i++) {
        bool body = g_rand_int_range(rand, 0, 20) == 0;

        time += g_rand_int_range(rand, 0, 2 * density);
        l[i].time = time;
        l[i].source = g_rand_int_range(rand, 0, nodes);
        l[i].dest = g_rand_int_range(rand, 0, nodes);
        l[i].sequence = i;
        l[i].words = g_rand_int_range(rand, 1, 17);
        l[i].body_words = body ? g_rand_int_range(rand, 1, 1025) : 0;
    }
    return l;
}

static void shuffle(GRand *rand, MeshLaunch *l, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = g_rand_int_range(rand, 0, i + 1);
        MeshLaunch swap = l[i];

        l[i] = l[j];
        l[j] = swap;
    }
}

static void check_lower_bounds(Mesh *m, const MeshLaunch *l,
                               const uint64_t *arrivals)
{
    for (int i = 0; i < TRAFFIC; i++) {
        g_assert_cmpuint(arrivals[i], >=, l[i].time + 64 +
                         2 * mesh_hops(m, l[i].source, l[i].dest) +
                         4 * (l[i].words + l[i].body_words));
    }
}

/*
 * Messages enter a node one after the other, each for the time that its words
 * take. Messages of one source stay in order.
 */
static void check_order(Mesh *m, const MeshLaunch *l, const uint64_t *arrivals)
{
    uint64_t *last = g_new0(uint64_t, m->nodes);

    for (int i = 0; i < TRAFFIC; i++) {
        uint64_t begin = arrivals[i] - 4 * (l[i].words + l[i].body_words);

        g_assert_cmpuint(begin, >=, last[l[i].dest]);
        last[l[i].dest] = arrivals[i];
    }
    g_free(last);
}

static void check_reference(Mesh *m, const MeshLaunch *l,
                            const uint64_t *arrivals)
{
    Reference r = {
        .width = m->params.width, .nodes = m->nodes,
        .free = g_new0(uint64_t, 4 * m->nodes * m->nodes),
    };

    for (int i = 0; i < TRAFFIC; i++) {
        g_assert_cmpuint(arrivals[i], ==, reference_route(&r, &l[i]));
    }
    g_free(r.free);
}

/* The times do not depend on the order in which nodes hand in launches. */
static void check_permutation(GRand *rand, Mesh *m, const MeshLaunch *l,
                              const uint64_t *arrivals)
{
    MeshLaunch *mixed = g_memdup2(l, TRAFFIC * sizeof(*l));
    uint64_t *got = g_new(uint64_t, TRAFFIC);

    shuffle(rand, mixed, TRAFFIC);
    mesh_reset(m);
    mesh_round(&m, mixed, TRAFFIC, got);
    g_assert_cmpmem(mixed, TRAFFIC * sizeof(*l), l, TRAFFIC * sizeof(*l));
    g_assert_cmpmem(got, TRAFFIC * sizeof(*got),
                    arrivals, TRAFFIC * sizeof(*got));
    g_free(mixed);
    g_free(got);
}

/*
 * In rounds of a quantum the times are the same, and none is in the past. They
 * are also the same when the state moves to another mesh in between.
 */
static void check_rounds(GRand *rand, Mesh *m, const MeshLaunch *l,
                         const uint64_t *arrivals, uint64_t quantum)
{
    MeshLaunch *mine = g_memdup2(l, TRAFFIC * sizeof(*l));
    uint64_t *got = g_new(uint64_t, TRAFFIC);
    Mesh *other = mesh_of(m->params.width, m->params.height);
    int first = 0;

    mesh_reset(m);
    for (uint64_t end = quantum; first < TRAFFIC; end += quantum) {
        int n = 0;
        Mesh *now = end / quantum % 2 ? m : other;
        Mesh *next = now == m ? other : m;

        while (first + n < TRAFFIC && mine[first + n].time < end) {
            n++;
        }
        shuffle(rand, mine + first, n);
        mesh_round(&now, mine + first, n, got + first);
        for (int i = first; i < first + n; i++) {
            g_assert_cmpuint(got[i], >=, end);
        }
        memcpy(next->link_free, now->link_free, now->links * sizeof(uint64_t));
        first += n;
    }
    g_assert_cmpmem(got, TRAFFIC * sizeof(*got),
                    arrivals, TRAFFIC * sizeof(*got));
    mesh_free(other);
    g_free(mine);
    g_free(got);
}

static void test_random_traffic(void)
{
    static const uint32_t shapes[][2] = {
        { 1, 1 }, { 4, 2 }, { 2, 4 }, { 5, 5 }, { 13, 1 }, { 8, 8 },
    };
    static const int densities[] = { 1, 10, 100 };
    GRand *rand = g_rand_new_with_seed(1998);

    for (size_t s = 0; s < G_N_ELEMENTS(shapes); s++) {
        for (size_t d = 0; d < G_N_ELEMENTS(densities); d++) {
            Mesh *m = mesh_of(shapes[s][0], shapes[s][1]);
            MeshLaunch *l = random_traffic(rand, m->nodes, densities[d]);
            uint64_t *arrivals = g_new(uint64_t, TRAFFIC);

            mesh_round(&m, l, TRAFFIC, arrivals);
            check_lower_bounds(m, l, arrivals);
            check_order(m, l, arrivals);
            check_reference(m, l, arrivals);
            check_permutation(rand, m, l, arrivals);
            check_rounds(rand, m, l, arrivals, 64);
            check_rounds(rand, m, l, arrivals, 7);
            g_free(arrivals);
            g_free(l);
            mesh_free(m);
        }
    }
    g_rand_free(rand);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/mesh/shape-defaults", test_shape_defaults);
    g_test_add_func("/mesh/parse-shape", test_parse_shape);
    g_test_add_func("/mesh/params-errors", test_params_errors);
    g_test_add_func("/mesh/formula-all-pairs", test_formula_all_pairs);
    g_test_add_func("/mesh/documented-example", test_documented_example);
    g_test_add_func("/mesh/contention", test_contention);
    g_test_add_func("/mesh/no-contention", test_no_contention);
    g_test_add_func("/mesh/networks-apart", test_networks_apart);
    g_test_add_func("/mesh/urgent-alone", test_urgent_alone);
    g_test_add_func("/mesh/urgent-waits-for-one", test_urgent_waits_for_one);
    g_test_add_func("/mesh/urgent-in-a-jam", test_urgent_in_a_jam);
    g_test_add_func("/mesh/sort", test_sort);
    g_test_add_func("/mesh/random-traffic", test_random_traffic);
    return g_test_run();
}
