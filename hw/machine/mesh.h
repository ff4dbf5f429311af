/*
 * The mesh between the network interfaces: when does a message arrive?
 *
 * The mesh has two dimensions. Node n is at column n % width and row
 * n / width. A message travels along its row first and then along its column.
 * A Mesh is one logical network. Networks share the shape and nothing else, so
 * each one has a Mesh with its own latencies and links.
 *
 * The arrival times are a pure function of what the links have carried so far
 * (link_free) and of this round's launches in the order of time, source and
 * sequence. The mesh uses no clock, no randomness and no allocation, so the
 * times do not depend on how the nodes are split into processes.
 *
 * Like all of QEMU's headers, this one needs "qemu/osdep.h" included first.
 * This header uses the C library alone, so that unit tests run it without
 * QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MESH_H
#define FUGU_MESH_H

/*
 * The links that leave a node's router, and the one that enters it from the
 * network interface. Index in link_free: node * MESH_LINKS + link.
 */
enum {
    MESH_EAST,          /* to column + 1 */
    MESH_WEST,
    MESH_SOUTH,         /* to row + 1 */
    MESH_NORTH,
    MESH_INJECT,        /* network interface to router, no hop cost */
    MESH_EJECT,         /* router to network interface, no hop cost */
    MESH_LINKS
};

/* The largest value of a parameter: sums of times then never exceed 64 bits. */
#define MESH_CYCLES_MAX 1000000u

typedef struct MeshParams {
    const char *name;   /* for error messages: "main network" */
    uint32_t width;     /* in nodes; width and height both 0: as square as */
    uint32_t height;    /*   the number of nodes allows, see mesh_shape() */
    uint32_t base;      /* cycles that each message takes, at any distance */
    uint32_t hop;       /* cycles per hop */
    uint32_t word;      /* cycles per word */
} MeshParams;

#define MESH_MAIN_DEFAULTS \
    { .name = "main network", .base = 64, .hop = 2, .word = 4 }
#define MESH_SECOND_DEFAULTS \
    { .name = "second network", .base = 256, .hop = 2, .word = 32 }

typedef struct MeshLaunch {
    uint64_t time;      /* when it leaves the interface, after outgoing DMA */
    void *opaque;       /* for the caller; moves with the record when sorted */
    uint32_t source;
    uint32_t dest;
    uint32_t sequence;  /* counts the launches of this source; may wrap */
    uint32_t body_words;
    uint16_t words;     /* descriptor words, at least 1 */
    uint8_t network;    /* index into the networks of mesh_round() */
    bool urgent;        /* of priority 1: see mesh_use_priorities() */
} MeshLaunch;

typedef struct Mesh {
    /* Fixed by mesh_new(). */
    MeshParams params;  /* width and height filled in */
    uint32_t nodes;
    uint32_t links;     /* nodes * MESH_LINKS */

    /* The whole state: the time at which each link becomes free. */
    uint64_t *link_free;

    /*
     * With priorities, the state has a second part: the time at which each link
     * becomes free of urgent messages. NULL: there are none.
     */
    uint64_t *urgent_free;
    uint64_t longest;   /* cycles in which the longest message that is not
                           urgent passes a link */

    /* Words that each link has carried. NULL: not counted. */
    uint64_t *link_words;
} Mesh;

/*
 * Computes the default shape: the squarest of all pairs with
 * width * height == nodes and width >= height. A prime number of nodes makes
 * one row.
 */
void mesh_shape(uint32_t nodes, uint32_t *width, uint32_t *height);

/* Reads "WxH", both at least 1. Changes nothing if it returns false. */
bool mesh_parse_shape(const char *text, uint32_t *width, uint32_t *height);

/*
 * Checks these parameters for a machine of @nodes nodes whose rounds have
 * @quantum cycles. If it returns false, @err has the reason: one line without
 * newline and prefix.
 */
bool mesh_params_check(const MeshParams *params, uint32_t nodes,
                       uint64_t quantum, char *err, size_t err_size);

/*
 * Returns the smallest latency of any message or credit, which is that of a
 * credit of a node to itself. The quantum must not exceed it.
 */
uint64_t mesh_smallest_latency(const MeshParams *params);

/* Caller must have checked params. Returns NULL if there is no memory. */
Mesh *mesh_new(const MeshParams *params, uint32_t nodes);
void mesh_free(Mesh *mesh);

/*
 * Lets messages be urgent from now on: those of priority 1, of two that share the
 * links. @words is the length of the longest message that is not urgent, its body
 * with it. Returns false if there is no memory.
 *
 * At each link an urgent message goes before all others that wait there. It waits
 * for urgent ones that were launched before it, and for the message that the link
 * is carrying: @words at most. The cycles that it takes are those of the messages
 * that are launched later. Those before it have their times already, and keep
 * them (docs/caveats.md).
 */
bool mesh_use_priorities(Mesh *mesh, uint32_t words);

/* Counts the words on each link from now on. Returns false if there is no
 * memory. */
bool mesh_count_words(Mesh *mesh);

/* Makes all links free from time 0 on. */
void mesh_reset(Mesh *mesh);

uint32_t mesh_hops(const Mesh *mesh, uint32_t from, uint32_t to);

/*
 * Returns the latency of a credit, by which a receiver gives space back to a
 * sender. Credits use no links, so the latency depends on no state.
 */
uint64_t mesh_credit_latency(const Mesh *mesh, uint32_t from, uint32_t to);

/*
 * Sends one message. Returns the time at which its last word arrives:
 *     time + base + hop * hops + word * (words + body_words)
 * or later. No two messages of one priority arrive at one node at the same time.
 *
 * Caller must route messages in the order of mesh_sort(). The times of one
 * source must not decrease as its sequence grows: a network interface whose
 * DMA holds one message back also holds back the messages after it.
 */
uint64_t mesh_route(Mesh *mesh, const MeshLaunch *launch);

/* Sorts by time, then source, then sequence, then network. In place. */
void mesh_sort(MeshLaunch *launches, size_t n);

/*
 * Routes one round: sorts the launches of all networks, and routes each one
 * through networks[launch.network]. After the call, arrivals[i] belongs to
 * launches[i].
 *
 * Caller must hand over a launch in the round that its time falls in, not
 * earlier. Messages get links in the order of the calls, so a message that is
 * still in the sender's DMA would make others wait.
 */
void mesh_round(Mesh *const *networks, MeshLaunch *launches, size_t n,
                uint64_t *arrivals);

#endif /* FUGU_MESH_H */
