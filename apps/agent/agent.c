/*
 * A server, whose clients get an agent's key and nothing more; the clients use
 * the service, and then attack the server. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

/* The server is the process of the first job on node 0: its task has number 1. */
enum { SERVER_NODE = 0, SERVER_TASK = 1 };
enum { RATES = 8, ROOM = 32, HELLO = 1, BYE };
enum { QUEUE, AGENT, GUESS };   /* entries of a client's table of tasks */

/* What the server tells a client: the only things that the client knows. */
struct offer {
    uint64_t key;               /* of the agent */
    uint32_t task;
    uint32_t rates;             /* addresses: to read; */
    uint32_t notes;             /* to read and write; */
    uint32_t orders;            /* a FIFO to send orders to; */
    uint32_t secret;            /* memory that the agent does not open */
    uint32_t there;
};

struct order {
    uint32_t node, amount;
};

/* ---- The server ---------------------------------------------------------- */

static uint32_t rates[RATES], secret[RATES];    /* the clients may not write */
static uint32_t notes[64];                      /* they may */
static uint32_t buffer[ROOM * (sizeof(struct order) / 4 + 1)];
static struct mbcf_fifo orders = {
    .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
};

static struct offer make_agent(void)
{
    struct mbcf_agent agent = {
        .range = {
            { (uintptr_t)rates, sizeof(rates), MBCF_RANGE_READ },
            { (uintptr_t)notes, sizeof(notes),
              MBCF_RANGE_READ | MBCF_RANGE_WRITE },
            { (uintptr_t)&orders, sizeof(orders), MBCF_RANGE_STRUCTURE },
        },
    };

    mbcf_agent(0, &agent);
    return (struct offer) {
        agent.key, agent.task, (uintptr_t)rates, (uintptr_t)notes,
        (uintptr_t)&orders, (uintptr_t)secret, true,
    };
}

/* Returns how many words of rates, secret and structure are not as they were. */
static uint32_t damage(void)
{
    uint32_t words = orders.buffer != (uintptr_t)buffer ||
                     orders.size != sizeof(buffer);

    for (uint32_t k = 0; k < RATES; k++) {
        words += (rates[k] != 100 + k) + (secret[k] != 7000 + k);
    }
    return words;
}

static int serve(void)
{
    uint32_t left = udm_nodes(), got = 0, sum = 0, right = 0, words;
    struct mbcf_first first;
    struct offer offer;
    struct order order;

    for (uint32_t k = 0; k < RATES; k++) {
        rates[k] = 100 + k;
        secret[k] = 7000 + k;
    }
    mbcf_open();
    offer = make_agent();
    mbcf_queue();
    while (left) {
        if (!mbcf_read_queue(&first)) {
            glaze_yield();
        } else if (first.data[0] == HELLO) {
            /* The client has sent its own key, for the answer. */
            mbcf_write(mbcf_enter(0, first.source.node, first.source.number,
                                  (uint64_t)first.data[1] << 32 |
                                  first.data[2]),
                       first.data[3], &offer, sizeof(offer), MBCF_WAKES,
                       NULL);
        } else {
            left--;
        }
        while (mbcf_take(&orders, &order, sizeof(order)) == sizeof(order)) {
            got++;
            sum += order.node * 1000 + order.amount;
        }
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        right += node * 1000 + 100 + node % RATES;
    }
    words = damage();
    printf("agent: %lu orders, sum %lu; %lu words of the server changed: %s\n",
           (unsigned long)got, (unsigned long)sum, (unsigned long)words,
           words || got != udm_nodes() || sum != right ? "wrong" : "right");
    return words || got != udm_nodes() || sum != right;
}

/* ---- A client ------------------------------------------------------------ */

static volatile struct offer offer;
static uint32_t wrong;

static void expect(const char *what, uint32_t status, uint32_t want)
{
    if (status != want) {
        printf("agent: node %lu: %s: %s\n", (unsigned long)udm_node(), what,
               mbcf_status_name(status));
        wrong++;
    }
}

static uint32_t send(uint32_t command, uint32_t task, uint32_t address,
                     const void *from, uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(command, task, address, from, bytes, MBCF_STATUS, &status);
    return mbcf_await(&status);
}

/* Says HELLO or BYE, for which no key is needed. */
static void say(uint32_t what)
{
    uint32_t task = mbcf_enter(QUEUE, SERVER_NODE, SERVER_TASK, 0), status;
    const uint32_t data[4] = { what, mbcf_page()->key >> 32,
                               mbcf_page()->key, (uintptr_t)&offer };

    do {                        /* the server has not begun, or has much to do */
        status = send(MBCF_WRITE_QUEUE, task, 0, data, sizeof(data));
    } while (status == MBCF_FULL || status == MBCF_NO_QUEUE ||
             status == MBCF_NO_TASK);
    expect("first message", status, MBCF_DONE);
}

/* What the server offers: reads a rate, leaves a note, and sends an order. */
static void use(uint32_t agent)
{
    uint32_t node = udm_node(), rate = 0;
    struct order order = { node, 0 };

    expect("read", mbcf_read_now(agent, &rate, offer.rates + 4 * (node % RATES),
                                 sizeof(rate)), MBCF_DONE);
    expect("write", mbcf_write_now(agent, offer.notes + 4 * (node % 64), &node,
                                   sizeof(node)), MBCF_DONE);
    order.amount = rate;
    while (send(MBCF_FIFO, agent, offer.orders, &order, sizeof(order)) ==
           MBCF_FULL) {
        glaze_yield();
    }
}

/* What it does not offer: each attempt has to be refused. */
static void attack(uint32_t agent)
{
    const struct mbcf_fifo forged = { .buffer = offer.secret, .size = 32 };
    uint32_t word = 666, server = mbcf_enter(GUESS, SERVER_NODE, SERVER_TASK,
                                             offer.key);

    expect("writes rates", mbcf_write_now(agent, offer.rates, &word, 4),
           MBCF_BAD_ADDRESS);
    expect("reads the secret", mbcf_read_now(agent, &word, offer.secret, 4),
           MBCF_BAD_ADDRESS);
    expect("writes over the end", mbcf_write_now(agent, offer.notes + 252,
                                                 &forged, 8),
           MBCF_BAD_ADDRESS);
    expect("changes the FIFO", mbcf_write_now(agent, offer.orders, &forged,
                                              sizeof(forged)),
           MBCF_BAD_ADDRESS);
    mbcf_write_now(agent, offer.notes + 64 + 32 * (udm_node() % 4), &forged,
                   sizeof(forged));     /* that is a note, as any other */
    expect("makes a FIFO", send(MBCF_FIFO, agent, offer.notes + 64, &word, 4),
           MBCF_BAD_ADDRESS);
    expect("opens the server with the agent's key",
           mbcf_write_now(server, offer.secret, &word, 4), MBCF_BAD_KEY);
    expect("guesses a key",
           mbcf_write_now(mbcf_enter(GUESS, SERVER_NODE, offer.task,
                                     offer.key + 1), offer.notes, &word, 4),
           MBCF_BAD_KEY);
}

static int client(void)
{
    uint32_t agent;

    mbcf_open();
    say(HELLO);
    mbcf_sleep_while(&offer.there, false);
    agent = mbcf_enter(AGENT, SERVER_NODE, offer.task, offer.key);
    use(agent);
    attack(agent);
    say(BYE);
    wrong = udm_reduce_all_int(UDM_SUM, wrong);
    if (udm_node() == 0) {
        printf("agent: %lu clients, %lu commands had another end: %s\n",
               (unsigned long)udm_nodes(), (unsigned long)wrong,
               wrong ? "wrong" : "right");
    }
    return wrong != 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "server")) {
        return udm_node() == SERVER_NODE ? serve() : 0;
    }
    if (argc == 2 && !strcmp(argv[1], "client")) {
        return client();
    }
    if (udm_node() == 0) {
        fprintf(stderr, "agent: two jobs: agent server + agent client\n");
    }
    return 2;
}
