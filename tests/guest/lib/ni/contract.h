/*
 * The machine's default parameters of both networks (docs/machine.md), and the
 * latencies that follow from them. Tests compare what they measure with these.
 */
#ifndef GUEST_CONTRACT_H
#define GUEST_CONTRACT_H

#include <stdint.h>

#define MESH_BASE       64      /* cycles that every message takes */
#define MESH_HOP        2       /* more cycles for each hop */
#define MESH_WORD       4       /* more cycles for each word */

#define SECOND_BASE     256     /* the same for the second network */
#define SECOND_HOP      2
#define SECOND_WORD     32

#define SOURCE_SPACE    64      /* words that a node may have in the network */
#define INPUT_QUEUE     128     /* words in a node's input queue */
#define SECOND_SPACE    64      /* both, for the second network */
#define SECOND_QUEUE    64

/* Width of the mesh, which is as square as the number of nodes allows, and
 * wider than high if it is not square. */
static inline uint32_t mesh_width(uint32_t nodes)
{
    uint32_t height = 1;

    for (uint32_t d = 1; d * d <= nodes; d++) {
        if (nodes % d == 0) {
            height = d;
        }
    }
    return nodes / height;
}

static inline uint32_t mesh_distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static inline uint32_t mesh_hops(uint32_t nodes, uint32_t from, uint32_t to)
{
    uint32_t width = mesh_width(nodes);

    return mesh_distance(from % width, to % width) +
           mesh_distance(from / width, to / width);
}

/* Cycles from launch to arrival when all links are free. */
static inline uint32_t mesh_latency(uint32_t nodes, uint32_t from,
                                    uint32_t to, uint32_t words)
{
    return MESH_BASE + MESH_HOP * mesh_hops(nodes, from, to) +
           MESH_WORD * words;
}

/* Cycles from dispose to the return of its space to the source. */
static inline uint32_t mesh_credit_latency(uint32_t nodes, uint32_t from,
                                           uint32_t to)
{
    return MESH_BASE + MESH_HOP * mesh_hops(nodes, from, to);
}

static inline uint32_t second_latency(uint32_t nodes, uint32_t from,
                                      uint32_t to, uint32_t words)
{
    return SECOND_BASE + SECOND_HOP * mesh_hops(nodes, from, to) +
           SECOND_WORD * words;
}

#endif
