/*
 * Typed messages of NX/2 on memory that is mapped over the network: each rule of nx.h.
 *
 *      typed sizes [TURNS]     each node sends messages of many lengths to the next one,
 *                              from and to any address
 *      typed types             types at the edges of 16 bits; mixed types, received in
 *                              other orders than they were sent in
 *      typed everyone          all nodes send long messages to all, then receive
 *      typed waits             a receiver that computes for long, then one that sleeps
 *      typed trips             nodes 0 and 1 wait for each message before they send
 *      typed meets             a message comes at each time around that at which its
 *                              receiver begins to wait
 *      typed leaves            processes that end with messages under way
 *      typed ends OFFSET       messages begin so many cycles around their receivers' end
 *      typed random SEED       all nodes send and receive at random
 *      typed far FROM TO       a message from a node to another one, of more than 256
 *      typed NAME              a mistake of node 0, which ends the job: see mistakes[]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "nx.h"
#include "pause.h"
#include "random.h"
#include "shrimp.h"
#include "udm-collective.h"

#define MOST    20000           /* bytes of a message */
#define GUARD   8               /* bytes around a buffer */

static uint32_t node, nodes, next, before, turns = 3;
static char out[MOST + 2 * GUARD], in[MOST + 2 * GUARD];

static char content(uint32_t from, uint32_t to, uint32_t type, uint32_t turn, uint32_t i)
{
    return hash(from << 16 | to, type << 16 | turn, i / 4) >> (i % 4 * 7);
}

static void send_from(char *buffer, uint32_t type, uint32_t turn, uint32_t bytes,
                      uint32_t to)
{
    for (uint32_t i = 0; i < bytes; i++) {
        buffer[i] = content(node, to, type, turn, i);
    }
    csend(type, buffer, bytes, to, 0);
    memset(buffer, 0x55, bytes);        /* the buffer may change */
}

/* Receives a message. Returns how many things of it are wrong. */
static uint32_t receive_to(char *buffer, uint32_t type, uint32_t turn, uint32_t bytes,
                           uint32_t room, uint32_t from)
{
    uint32_t wrong = 0;

    memset(buffer - GUARD, 0x77, room + 2 * GUARD);
    crecv(type, buffer, room);
    for (uint32_t i = 0; i < bytes; i++) {
        wrong += buffer[i] != content(from, node, type, turn, i);
    }
    for (uint32_t i = 0; i < GUARD; i++) {
        wrong += buffer[-1 - (int32_t)i] != 0x77;
    }
    for (uint32_t i = bytes; i < room + GUARD; i++) {
        wrong += buffer[i] != 0x77;
    }
    return wrong + (infocount() != (long)bytes) + (infonode() != (long)from) +
           (infotype() != (long)type);
}

/* ---- Lengths, types, orders ------------------------------------------------- */

/* Around words, slots of 248 bytes, packets of 256, rings of 15 slots, and pages. */
static const uint32_t lengths[] = {
    0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 244, 245, 247, 248, 249, 252, 255, 256, 257, 495, 496,
    497, 1024, 3719, 3720, 3721, 3840, 4088, 4092, 4095, 4096, 4097, 8192, MOST - 16,
};

enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static void sizes(void)
{
    uint32_t wrong = 0;

    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t k = 0; k < LENGTHS; k++) {
            uint32_t shift = (turn + k * turn) % GUARD;

            send_from(out + shift, 7, turn * 100 + k, lengths[k], next);
        }
        for (uint32_t k = 0; k < LENGTHS; k++) {
            uint32_t shift = GUARD + turn * (k + 3) % GUARD;

            wrong += receive_to(in + shift, 7, turn * 100 + k, lengths[k],
                                lengths[k] + (k % 2 ? 0 : 5), before);
        }
    }
    check("messages of all lengths come in order", wrong, 0);
}

static const uint32_t edges[] = { 0, 1, 255, 256, 257, 32767, 32768, 65534, 65535 };

enum { EDGES = sizeof(edges) / sizeof(edges[0]), EACH = 4 };

static void types(void)
{
    uint32_t wrong = 0;

    /* Each node has types of its own at a receiver: its number is added. */
    for (uint32_t k = 0; k < EDGES; k++) {
        send_from(out, edges[k], 0, 4 + k, next);
    }
    for (uint32_t k = 0; k < EDGES; k++) {
        wrong += receive_to(in + GUARD, edges[k], 0, 4 + k, 64, before);
    }
    check("types at the edges", wrong, 0);

    /* Sent by number, received by type, the last type first. */
    for (uint32_t number = 1; number <= EACH; number++) {
        for (uint32_t k = 0; k < EDGES; k++) {
            send_from(out, edges[k], number, k % 2 ? 700 * number : 8 * number, next);
        }
    }
    for (uint32_t k = EDGES; k-- > 0;) {
        for (uint32_t number = 1; number <= EACH; number++) {
            wrong += receive_to(in + GUARD, edges[k], number,
                                k % 2 ? 700 * number : 8 * number, 4000, before);
        }
    }
    check("mixed types: in order within each of them", wrong, 0);

    send_from(out, 77, 1, 8, node);
    send_from(out, 77, 2, 5000, node);
    wrong += receive_to(in + GUARD, 77, 1, 8, 8, node);
    wrong += receive_to(in + GUARD, 77, 2, 5000, 5000, node);
    check("to the process itself", wrong, 0);
}

/* More than all rings hold, before anyone receives. */
static void everyone(void)
{
    uint32_t wrong = 0;

    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t k = 0; k < nodes; k++) {
            uint32_t to = (node + k) % nodes;

            send_from(out, node, turn, 6000 + 8 * turn, to);
            send_from(out, node, turn, 4, to);
        }
        for (uint32_t from = 0; from < nodes; from++) {
            wrong += receive_to(in + GUARD, from, turn, 6000 + 8 * turn, MOST, from);
            wrong += receive_to(in + GUARD, from, turn, 4, 4, from);
        }
    }
    check("all send to all, then receive", wrong, 0);
}

/* ---- Waiting, ending ------------------------------------------------------- */

/* Nodes 0 and 1 wait for each message before they send. */
static void trips(void)
{
    uint32_t wrong = 0;

    for (uint32_t k = 0; k < LENGTHS && node < 2; k++) {
        if (node == 0) {
            send_from(out, 6, k, lengths[k], 1);
        }
        wrong += receive_to(in + GUARD, 6, k, lengths[k], lengths[k], 1 - node);
        if (node == 1) {
            send_from(out, 6, k, lengths[k], 0);
        }
    }
    check("round trips", wrong, 0);
}

static void waits(void)
{
    uint32_t wrong = 0;

    for (uint32_t turn = 0; turn < turns; turn++) {
        if (node % 2 == turn % 2) {
            spin_for(60000);    /* the others wait without the processor */
        }
        for (uint32_t k = 0; k < 40; k++) {
            send_from(out, 5, k, 8, next);
        }
        if (node % 2 != turn % 2) {
            spin_for(60000);
        }
        for (uint32_t k = 0; k < 40; k++) {
            wrong += receive_to(in + GUARD, 5, k, 8, 8, before);
        }
    }
    check("messages to those who compute, from those who wait", wrong, 0);

    /* Each one's message comes while it waits, or just before: all delays. */
    for (uint32_t turn = 0; turn < 40; turn++) {
        spin_for((node + 1) * 137 * (turn % 7) + turn * 211 % 14000);
        send_from(out, 6, turn, 12, next);
        wrong += receive_to(in + GUARD, 6, turn, 12, 12, before);
    }
    check("no message is missed by one who begins to wait", wrong, 0);
}

/* The sender of each message is not known yet, so no word of the board is the one that will
 * change. The barrier may wait as well, and leave the board's page unarmed. */
static void meets(void)
{
    uint32_t wrong = 0, state = 1;

    for (uint32_t turn = 0; nodes > 1 && turn < 600; turn++) {
        if (node == 1) {
            spin_for(random_next(&state) % 40000);
        }
        udm_barrier();
        if (node == 1) {
            spin_for(8000 + random_next(&state) % 5000);
            send_from(out, 1000 + turn, turn, 8, 0);
            wrong += receive_to(in + GUARD, 0, turn, 0, 0, 0);
        } else if (node == 0) {
            wrong += receive_to(in + GUARD, 1000 + turn, turn, 8, 8, 1);
            send_from(out, 0, turn, 0, 1);
        }
    }
    check("no message is missed, whenever it comes", wrong, 0);
}

/* Nodes but 0 end, one after the other; each time node 0 begins to send to one. */
static void ends(int32_t offset)
{
    uint32_t first = 400000, each = 60000, step = 100;

    for (uint32_t k = 1; k < nodes; k++) {
        uint32_t at = first + k * each + (node ? 0 : offset + (int32_t)(k * step));

        if (node == 0 || node == k) {
            while (udm_cycles32() < at) {
            }
        }
        for (uint32_t i = 0; node == 0 && i < 20; i++) {
            csend(1, out, 4, k, 0);
        }
        if (node == k) {
            return;
        }
    }
    check("nobody waits for those who have ended", 0, 0);
}

/* Nodes but 0 send and end at once. Node 1 does not receive what node 0 sends to it. */
static void leaves(void)
{
    uint32_t wrong = 0;

    if (node) {
        send_from(out, node, 1, 100, 0);
        send_from(out, node, 2, 3000, 0);
        return;
    }
    for (uint32_t k = 0; nodes > 1 && k < 100; k++) {
        send_from(out, 3, k, 8 * k, 1);
    }
    spin_for(200000);
    for (uint32_t from = 1; from < nodes; from++) {
        wrong += receive_to(in + GUARD, from, 1, 100, 100, from);
        wrong += receive_to(in + GUARD, from, 2, 3000, 3000, from);
    }
    check("what was sent before the end has come", wrong, 0);
    for (uint32_t k = 0; nodes > 1 && k < 100; k++) {
        send_from(out, 4, k, 8 * k, 1);
    }
    check("what is sent after it is lost, and nobody waits", wrong, 0);
}

/* ---- At random -------------------------------------------------------------- */

static uint32_t seed;

enum { KINDS = 3, MESSAGES = 12 };

static uint32_t type_of(uint32_t from, uint32_t kind)
{
    return kind * 20000 + from * 7;
}

static uint32_t length_of(uint32_t from, uint32_t to, uint32_t kind, uint32_t number)
{
    uint32_t r = hash(seed ^ from << 8 ^ to, kind, number);

    return r % 3 ? r % 300 : r % 5000;
}

/* All messages from each node to each in an order of chance; those that a node receives
 * in another one, between its own. */
static void at_random(void)
{
    static uint8_t sent[256][KINDS], received[256][KINDS];
    uint32_t state = seed * 1000 + node + 1, wrong = 0;
    uint32_t to_send = nodes * KINDS * MESSAGES, to_receive = 0;

    while (to_send || to_receive < nodes * KINDS * MESSAGES) {
        uint32_t other = random_next(&state) % nodes;
        uint32_t kind = random_next(&state) % KINDS;
        uint32_t shift = random_next(&state) % GUARD;

        if (random_next(&state) % 16 == 0) {
            spin_for(random_next(&state) % 3000);
        }
        /* Nobody receives what may not be sent before it. */
        if (to_send) {
            if (sent[other][kind] < MESSAGES) {
                uint32_t number = sent[other][kind]++;

                send_from(out + shift, type_of(node, kind), number,
                          length_of(node, other, kind, number), other);
                to_send--;
            }
        } else if (received[other][kind] < MESSAGES) {
            uint32_t number = received[other][kind]++;
            uint32_t bytes = length_of(other, node, kind, number);

            wrong += receive_to(in + GUARD + shift, type_of(other, kind), number, bytes,
                                bytes + shift, other);
            to_receive++;
        }
    }
    check("messages at random", wrong, 0);
}

/* ---- Mistakes --------------------------------------------------------------- */

static void mistake(const char *name)
{
    char buffer[64] = "";

    if (!strcmp(name, "two-senders")) {
        if (node) {
            csend(9, buffer, 4, 0, 0);
            return;
        }
        crecv(9, buffer, 4);
        crecv(9, buffer, 4);
    }
    if (!strcmp(name, "too-long")) {
        csend(9, buffer, 5, next, 0);
        crecv(9, buffer, 4);
    }
    if (!strcmp(name, "too-long-queued")) {
        csend(9, out, 5000, next, 0);
        csend(10, buffer, 4, next, 0);
        crecv(10, buffer, 4);
        crecv(9, in, 4999);
    }
    if (node) {
        return;
    }
    if (!strcmp(name, "type-above")) {
        csend(65536, buffer, 4, 0, 0);
    } else if (!strcmp(name, "type-below")) {
        csend(-1, buffer, 4, 0, 0);
    } else if (!strcmp(name, "receive-type")) {
        crecv(65536, buffer, 4);
    } else if (!strcmp(name, "node-above")) {
        csend(1, buffer, 4, nodes, 0);
    } else if (!strcmp(name, "node-below")) {
        csend(1, buffer, 4, -1, 0);
    } else if (!strcmp(name, "process")) {
        csend(1, buffer, 4, 0, 1);
    } else if (!strcmp(name, "send-length")) {
        csend(1, buffer, -4, 0, 0);
    } else if (!strcmp(name, "receive-length")) {
        crecv(1, buffer, -4);
    } else if (!strcmp(name, "send-null")) {
        csend(1, NULL, 4, 0, 0);
    } else if (!strcmp(name, "receive-null")) {
        crecv(1, NULL, 4);
    } else if (!strcmp(name, "no-memory")) {
        for (;;) {
            csend(1, out, MOST, 0, 0);
        }
    } else if (!strcmp(name, "nobody")) {
        crecv(1, buffer, 4);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    before = (node + nodes - 1) % nodes;
    turns = argc > 2 ? (uint32_t)atoi(argv[2]) : turns;
    seed = turns;
    if (!strcmp(name, "sizes")) {
        sizes();
    } else if (!strcmp(name, "types")) {
        types();
    } else if (!strcmp(name, "everyone")) {
        everyone();
    } else if (!strcmp(name, "waits")) {
        waits();
    } else if (!strcmp(name, "trips")) {
        trips();
    } else if (!strcmp(name, "leaves")) {
        leaves();
    } else if (!strcmp(name, "meets")) {
        meets();
    } else if (!strcmp(name, "far")) {
        if (node == turns) {
            csend(1, out, 4, atoi(argv[3]), 0);
        }
    } else if (!strcmp(name, "ends")) {
        ends(atoi(argv[2]));
    } else if (!strcmp(name, "random")) {
        at_random();
    } else {
        mistake(name);
        return 0;
    }
    return check_end();
}
