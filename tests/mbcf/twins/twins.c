/*
 * mbcf-twins ROUNDS SEED: random lists of commands on the fast path and on the slow one.
 *
 * Each node has two twins of a region for each node, which alone sends commands to them.
 * It sends each list twice: to the first twin with the target's own key, by the call that
 * tries the fast path; and to the second one through an agent, which the fast path does
 * not serve, by the call that does not try it. Memory, results, statuses, errors of the
 * call and counters have to be the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "random.h"
#include "udm-collective.h"

#define NODES_MOST  4
#define LISTS       3           /* under way at a time, at most */
#define COMMANDS    MBCF_COMBINED_MAX
#define RESULT      44          /* bytes for the result of a command, and around it */
#define BAD_KEY     0           /* index of entries of the table: first those with a */
#define NO_TASK     1           /* mistake, then the agent of each node */
#define AGENTS      2
#define NO_LOGICAL  0x10000             /* number that is no logical task */
#define LAST_WORD   (2 * GLAZE_PAGE - 4)        /* in a region: commands that free slots
                                                   count here */

/* What commands reach. Its first two pages can be written and read. */
struct region {
    uint8_t bytes[2 * GLAZE_PAGE];
    struct mbcf_fifo fifo[2];           /* their buffers: 64 and 256 bytes */
    uint8_t rest[GLAZE_PAGE - 2 * sizeof(struct mbcf_fifo)];
    uint8_t ring[2][GLAZE_PAGE / 2];    /* the second one begins with the page's last
                                           part, so that entries lie over pages */
    uint8_t after[GLAZE_PAGE];
} __attribute__((aligned(GLAZE_PAGE)));

static struct region region[2][NODES_MOST];
static uint8_t source[2 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t result[2][LISTS][COMMANDS][RESULT] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t status[2][LISTS][COMMANDS];
static int32_t error[2][LISTS];
static struct mbcf_request list[2 * GLAZE_PAGE / sizeof(struct mbcf_request)]
    __attribute__((aligned(GLAZE_PAGE)));
static struct mbcf_agent agent[NODES_MOST];     /* of this node, by client */
static volatile uint32_t pings;
static uint32_t nodes, me, state, wrong, lists, sent, fast;
static bool plain;              /* the fast path sends the list, if it is not spoilt */
static bool quiet;              /* no command of the list needs a reply, mostly */

static uint32_t any(uint32_t below)
{
    return random_next(&state) % below;
}

static void complain(uint32_t round, const char *what, uint32_t where, uint32_t a,
                     uint32_t b)
{
    if (wrong++ < 8) {
        printf("node %u, round %u: %s %u: %x, %x\n", (unsigned)me, (unsigned)round, what,
               (unsigned)where, (unsigned)a, (unsigned)b);
    }
}

/* ---- Messages that interrupt ---------------------------------------------- */

static void ping(void)
{
    udm_dispose();
    pings++;
}

static void disturb(void)
{
    for (uint32_t k = any(4); k; k--) {
        udm_inject(any(nodes), ping);
    }
}

/* ---- Lists ---------------------------------------------------------------- */

/* Returns where a command of `bytes` goes, as an offset in a region. */
static uint32_t any_offset(uint32_t bytes)
{
    switch (any(8)) {
    case 0:
        return any(GLAZE_PAGE);                         /* odd, mostly */
    case 1:
        return GLAZE_PAGE - any(bytes + 8);             /* over pages */
    default:
        return any(16) * 4;                             /* near others */
    }
}

/* Fills in a command: the same for both twins, apart from addresses. */
static struct mbcf_request any_command(unsigned twin, unsigned l, unsigned k)
{
    static const uint8_t commands[] = {
        MBCF_WRITE, MBCF_WRITE, MBCF_WRITE, MBCF_SWAP, MBCF_FETCH_ADD, MBCF_FETCH_ADD,
        MBCF_COMP_SWAP, MBCF_FIFO, MBCF_FIFO, MBCF_READ, MBCF_FIFOE, MBCF_FIFOE_RETRY,
    };
    static const uint8_t options[] = {
        0, MBCF_ON_FAILURE, MBCF_WAKES, MBCF_STATUS, MBCF_STATUS,
        MBCF_STATUS | MBCF_WAKES, MBCF_COLOUR(3), MBCF_COLOUR(5) | MBCF_STATUS,
    };
    struct region *to = &region[twin][me];
    struct mbcf_request r = { .status = (uintptr_t)&status[twin][l][k] };
    uint32_t bytes = any(8) ? 1 + any(MBCF_INLINE_MAX) : 4 * (1 + any(8));
    uint32_t place = (uintptr_t)result[twin][l][k];
    bool moves;

    r.command = commands[any(plain ? 9 : sizeof(commands))];
    r.options = options[any(quiet ? 3 : sizeof(options))];
    moves = r.command == MBCF_WRITE || r.command == MBCF_FIFO ||
            r.command == MBCF_FIFOE || r.command == MBCF_FIFOE_RETRY;
    r.bytes = bytes;
    r.operand[0] = any(8);
    r.operand[1] = any(8);
    r.address = (uintptr_t)to->bytes + any_offset(bytes);
    if (r.command >= MBCF_FIFO) {
        r.operand[0] = 0;
        r.address = (uintptr_t)&to->fifo[any(2)];
    }
    r.local = moves ? (uintptr_t)source + any(GLAZE_PAGE - 64) + (plain ? 0 : GLAZE_PAGE - 32)
            : r.command == MBCF_READ || (!quiet && any(2)) ? place + 4 * any(2) : 0;
    if (moves && (plain || any(4))) {
        r.local &= ~3u;
    }
    switch (any(24)) {
    case 0:
        r.address = 4;                                  /* no memory */
        break;
    case 1:
        r.address = GLAZE_MBCF_PAGE + 8 * any(8);       /* cannot be written */
        r.options |= MBCF_STATUS;
        r.command = r.command == MBCF_READ ? MBCF_WRITE : r.command;
        break;
    case 2:
        r.local += !moves && r.local ? any(4) : 0;      /* odd */
        break;
    case 3:
        r.local = moves || r.command == MBCF_READ || !r.local ? r.local : 8;
        break;                                          /* none for the old value */
    default:
        break;
    }
    return r;
}

/* Spoils a list now and then: the call returns an error, and sends nothing. `elsewhere`
 * is a task of another node, if there is one. */
static void spoil(struct mbcf_request *r, uint32_t count, uint32_t *of,
                  uint32_t elsewhere)
{
    uint32_t k = any(count);

    switch (any(40)) {
    case 0:
        r[k].bytes = any(2) ? 0 : MBCF_INLINE_MAX + 1 + any(64);
        break;
    case 1:
        r[k].command = any(2) ? 0 : MBCF_COMMANDS + any(1000);
        break;
    case 2:
        r[k].options |= any(2) ? 0x80 : MBCF_CANCELS;
        break;
    case 3:
        r[k].task = nodes > 1 && any(2) ? elsewhere : NO_LOGICAL;
        break;
    case 4:
        r[k].local = 12;                                /* of WRITE: no memory */
        break;
    case 5:
        *of = any(2) ? 0 : MBCF_COMBINED_MAX + 1 + any(1u << 27);
        break;
    default:
        break;
    }
}

/* Tries a call until it does not need to be tried again. */
static int32_t send(unsigned twin, const struct mbcf_request *r, uint32_t count)
{
    int32_t got;

    do {
        got = twin ? glaze_call4(GLAZE_MBCF, MBCF_REQUEST, (uintptr_t)r, count, 0)
                   : mbcf_try(r, count);
    } while (got == -EAGAIN);
    return got;
}

/* Waits until all commands to a logical task are done: the reply to one more frees the
 * slots of silent ones. */
static void free_slots(unsigned twin, uint32_t task)
{
    volatile uint32_t done = MBCF_PENDING;

    mbcf_fetch_add(task, (uintptr_t)&region[twin][me].bytes[LAST_WORD], 1, NULL,
                   MBCF_STATUS, &done);
    mbcf_await(&done);
}

/* Sends the lists of a round to one twin, and waits until they are done. */
static void send_lists(uint32_t round, unsigned twin, uint32_t seed)
{
    const volatile struct mbcf_page *page = mbcf_page();
    uint32_t calls;

    state = seed;
    lists = round % 2 ? 1 + any(LISTS) : 1;
    for (uint32_t l = 0; l < lists; l++) {
        uint32_t count = 2 + any(COMMANDS - 1), of = count, target = any(nodes);
        uint32_t task = twin ? nodes + AGENTS + target : target, elsewhere;
        struct mbcf_request *r = (void *)((uint8_t *)list + 4 * any(64));

        plain = any(3);
        quiet = !any(3);
        if (!plain && !any(2)) {                        /* over pages */
            r = (void *)((uint8_t *)list + GLAZE_PAGE - 4 * (1 + any(40)));
        }
        elsewhere = (target + 1) % nodes;
        if (!any(10)) {
            task = nodes + any(AGENTS);                 /* of the last node */
            elsewhere = 0;
        }
        elsewhere += twin ? nodes + AGENTS : 0;
        for (uint32_t k = 0; k < count; k++) {
            r[k] = any_command(twin, l, k);
            r[k].task = task;
        }
        spoil(r, count, &of, elsewhere);
        disturb();
        calls = page->long_calls;
        error[twin][l] = send(twin, r, of);
        if (!twin && !error[0][l]) {
            sent++;
            fast += page->long_calls == calls;
        }
        disturb();
    }
    for (uint32_t k = 0; k < nodes; k++) {
        free_slots(twin, twin ? nodes + AGENTS + k : k);
    }
    free_slots(twin, nodes + BAD_KEY);
    free_slots(twin, nodes + NO_TASK);
    if (page->free != MBCF_SLOTS) {
        complain(round, "slots that are free", twin, page->free, MBCF_SLOTS);
    }
}

/* ---- Comparison ------------------------------------------------------------ */

/* What has been counted since the last look. */
struct counts {
    uint32_t commands, refused, wakes, colours;
};

static struct counts count(void)
{
    static struct counts last;
    const volatile struct mbcf_page *page = mbcf_page();
    struct counts now = { page->commands, page->refused, page->wakes, 0 }, since;

    for (unsigned c = 1; c < MBCF_COLOURS; c++) {
        now.colours += page->colour[c].requests * c + page->colour[c].replies * 16 * c;
    }
    since = (struct counts) { now.commands - last.commands, now.refused - last.refused,
                              now.wakes - last.wakes, now.colours - last.colours };
    last = now;
    return since;
}

static void compare_bytes(uint32_t round, const char *what, uint32_t where,
                          const volatile void *a, const volatile void *b, uint32_t bytes)
{
    const volatile uint8_t *one = a, *other = b;

    for (uint32_t k = 0; k < bytes; k++) {
        if (one[k] != other[k]) {
            complain(round, what, where * 100000 + k, one[k], other[k]);
            return;
        }
    }
}

/* Compares what commands have done here, and what this node's have brought. */
static void compare(uint32_t round, struct counts a, struct counts b)
{
    if (a.commands != b.commands || a.refused != b.refused || a.colours != b.colours) {
        complain(round, "commands", 0, a.commands, b.commands);
        complain(round, "refused", 0, a.refused, b.refused);
        complain(round, "colours", 0, a.colours, b.colours);
    }
    /* With several lists, kernels ask for replies that free slots, and count them. */
    if (round % 2 == 0 && a.wakes != b.wakes) {
        complain(round, "wakes", 0, a.wakes, b.wakes);
    }
    for (uint32_t l = 0; l < lists; l++) {
        if (error[0][l] != error[1][l]) {
            complain(round, "errors of list", l, error[0][l], error[1][l]);
        }
        compare_bytes(round, "statuses of list", l, status[0][l], status[1][l],
                      sizeof(status[0][l]));
        compare_bytes(round, "results of list", l, result[0][l], result[1][l],
                      sizeof(result[0][l]));
    }
    for (uint32_t node = 0; node < nodes; node++) {
        struct region *one = &region[0][node], *other = &region[1][node];

        compare_bytes(round, "bytes from node", node, one->bytes, other->bytes,
                      sizeof(one->bytes));
        compare_bytes(round, "rings from node", node, one->ring, other->ring,
                      sizeof(one->ring));
        for (unsigned k = 0; k < 2; k++) {
            compare_bytes(round, "FIFO from node", node, &one->fifo[k].head,
                          &other->fifo[k].head, 4 * sizeof(uint32_t));
        }
    }
}

/* Takes some entries of all FIFOs of this node, the same of both twins. */
static void take(uint32_t round)
{
    uint8_t entry[2][MBCF_INLINE_MAX];

    for (uint32_t node = 0; node < nodes; node++) {
        for (unsigned k = 0; k < 2; k++) {
            for (uint32_t left = any(6); left; left--) {
                int32_t bytes = mbcf_take(&region[0][node].fifo[k], entry[0], sizeof(entry[0]));

                if (bytes != mbcf_take(&region[1][node].fifo[k], entry[1], sizeof(entry[1]))) {
                    complain(round, "bytes of an entry", node, k, bytes);
                } else if (bytes > 0) {
                    compare_bytes(round, "entry of", node, entry[0], entry[1], bytes);
                }
            }
        }
    }
}

/* ---- Program --------------------------------------------------------------- */

static void set_up(void)
{
    for (uint32_t k = 0; k < sizeof(source); k++) {
        source[k] = hash(me, k, 1);
    }
    memset(result, 0, sizeof(result));
    memset(list, 0, sizeof(list));
    memset(region, 0, sizeof(region));
    for (unsigned twin = 0; twin < 2; twin++) {
        for (uint32_t node = 0; node < nodes; node++) {
            struct region *one = &region[twin][node];

            one->fifo[0] = (struct mbcf_fifo) { .buffer = (uintptr_t)one->ring[0], .size = 64 };
            one->fifo[1] = (struct mbcf_fifo) {
                .buffer = (uintptr_t)one->after - 128, .size = 256,
            };
        }
    }
}

/* Makes an agent for each node's second twin, and enters those that it has elsewhere. */
static void make_agents(void)
{
    for (uint32_t client = 0; client < nodes; client++) {
        struct region *one = &region[1][client];

        agent[client] = (struct mbcf_agent) { .range = {
            { (uintptr_t)one->bytes, sizeof(one->bytes), MBCF_RANGE_READ | MBCF_RANGE_WRITE },
            { (uintptr_t)one->fifo, sizeof(one->fifo), MBCF_RANGE_STRUCTURE },
        } };
        mbcf_agent(client, &agent[client]);
    }
    udm_barrier();
    mbcf_enter(BAD_KEY, nodes - 1, mbcf_page()->task, 1);
    mbcf_enter(NO_TASK, nodes - 1, 99, 1);
    for (uint32_t node = 0; node < nodes; node++) {
        struct mbcf_agent there;

        mbcf_read_now(node, &there, (uintptr_t)&agent[me], sizeof(there));
        mbcf_enter(AGENTS + node, node, there.task, there.key);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 20;
    uint32_t seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;

    me = udm_node();
    nodes = udm_nodes();
    mbcf_open();
    set_up();
    make_agents();
    udm_barrier();
    for (uint32_t round = 0; round < rounds; round++) {
        struct counts counts[2];
        uint32_t start = hash(seed, me, round) | 1;

        memset(result, 0, sizeof(result));
        for (unsigned l = 0; l < LISTS; l++) {
            for (unsigned k = 0; k < COMMANDS; k++) {
                status[0][l][k] = status[1][l][k] = 0;
            }
        }
        for (unsigned twin = 0; twin < 2; twin++) {
            udm_barrier();
            count();
            udm_barrier();
            send_lists(round, twin, start);
            udm_barrier();
            counts[twin] = count();
        }
        compare(round, counts[0], counts[1]);
        state = start;
        take(round);
    }
    sent = udm_reduce_int(0, UDM_SUM, sent);
    fast = udm_reduce_int(0, UDM_SUM, fast);
    if (udm_reduce_int(0, UDM_SUM, wrong) == 0 && me == 0) {
        printf("twins: %u lists, %u on the fast path: equal\n", (unsigned)sent,
               (unsigned)fast);
    }
    return wrong != 0;
}
