/*
 * The mesh between the network interfaces: when does a message arrive?
 *
 * Two dimensions, node n at column n % width and row n / width; a message
 * travels along its row first and then along its column. A Mesh is one
 * logical network: networks share the shape and nothing else, so each has a
 * Mesh of its own with its own latencies.
 *
 * The arrival times are a pure function of what the links have carried so
 * far (link_free) and of this round's launches in the order of time, source
 * and sequence. No clock, no randomness, no allocation: whoever holds the
 * mesh, and however the nodes are split into processes, the times are the
 * same.
 *
 * Like all of QEMU's headers this one needs "qemu/osdep.h" included first;
 * it uses the C library alone, so that unit tests run it without QEMU.
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

/* No parameter may exceed it: sums of times then fit 64 bits for ever. */
#define MESH_CYCLES_MAX 1000000u

typedef struct MeshParams {
    const char *name;   /* for error messages: "main network" */
    uint32_t width;     /* in nodes; width and height both 0: as square as */
    uint32_t height;    /*   the number of nodes allows, see mesh_shape() */
    uint32_t base;      /* cycles a message takes however near */
    uint32_t hop;       /* cycles a hop */
    uint32_t word;      /* cycles a word */
} MeshParams;

#define MESH_MAIN_DEFAULTS \
    { .name = "main network", .base = 64, .hop = 2, .word = 4 }
#define MESH_SECOND_DEFAULTS \
    { .name = "second network", .base = 256, .hop = 2, .word = 32 }

typedef struct MeshLaunch {
    uint64_t time;      /* leaves the network interface: outgoing DMA is over */
    void *opaque;       /* the caller's; moves with the record when sorted */
    uint32_t source;
    uint32_t dest;
    uint32_t sequence;  /* counts the launches of this source; may wrap */
    uint32_t body_words;
    uint16_t words;     /* descriptor words, at least 1 */
    uint16_t network;   /* index into what mesh_round() gets */
} MeshLaunch;

typedef struct Mesh {
    /* Fixed by mesh_new(). */
    MeshParams params;  /* width and height filled in */
    uint32_t nodes;
    uint32_t links;     /* nodes * MESH_LINKS */

    /* The whole state: from when on each link can take another message. */
    uint64_t *link_free;
} Mesh;

/*
 * The default shape: of all pairs with width * height == nodes and
 * width >= height, the squarest. A prime number of nodes makes one row.
 */
void mesh_shape(uint32_t nodes, uint32_t *width, uint32_t *height);

/* Reads "WxH", both at least 1. Nothing is changed when it returns false. */
bool mesh_parse_shape(const char *text, uint32_t *width, uint32_t *height);

/*
 * Can these parameters serve so many nodes that meet every `quantum` cycles?
 * If not, one line (no newline, no prefix) in err says why.
 */
bool mesh_params_check(const MeshParams *params, uint32_t nodes,
                       uint64_t quantum, char *err, size_t err_size);

/*
 * Nothing, neither a message nor a credit, takes less than this: it is what
 * a credit to oneself takes, and bounds the quantum.
 */
uint64_t mesh_smallest_latency(const MeshParams *params);

/* Caller must have checked params. Returns NULL when out of memory. */
Mesh *mesh_new(const MeshParams *params, uint32_t nodes);
void mesh_free(Mesh *mesh);

/* All links are free again, from time 0 on. */
void mesh_reset(Mesh *mesh);

uint32_t mesh_hops(const Mesh *mesh, uint32_t from, uint32_t to);

/*
 * What space takes that a receiver gives back to a sender. Credits contend
 * for nothing and delay nothing, so this depends on no state.
 */
uint64_t mesh_credit_latency(const Mesh *mesh, uint32_t from, uint32_t to);

/*
 * Sends one message and returns when its last word has arrived: at
 *     time + base + hop * hops + word * (words + body_words)
 * or later. No two messages arrive at one node at the same time.
 *
 * Caller must route in the order of mesh_sort(), and a source's times must
 * not decrease as its sequence grows: a network interface whose DMA holds
 * one message back holds back those behind it.
 */
uint64_t mesh_route(Mesh *mesh, const MeshLaunch *launch);

/* Sorts by time, then source, then sequence, then network. In place. */
void mesh_sort(MeshLaunch *launches, size_t n);

/*
 * One round: sorts the launches of all networks, and routes each through
 * networks[launch.network]. arrivals[i] belongs to launches[i] as it stands
 * after the call.
 *
 * Caller must hand over a launch in the round that its time falls in, not
 * before: links are given away in the order of the calls, so a message that
 * is still in the sender's DMA would make others wait.
 */
void mesh_round(Mesh *const *networks, MeshLaunch *launches, size_t n,
                uint64_t *arrivals);

#endif /* FUGU_MESH_H */
