/*
 * What the contract says of the mesh, for tests that hold it to it. All at
 * the machine's default settings.
 */
#ifndef GUEST_CONTRACT_H
#define GUEST_CONTRACT_H

#include <stdint.h>

#define MESH_BASE       64      /* cycles that every message takes */
#define MESH_HOP        2       /* and a hop */
#define MESH_WORD       4       /* and a word */

#define SECOND_BASE     256     /* the same on the second network */
#define SECOND_HOP      2
#define SECOND_WORD     32

#define SOURCE_SPACE    64      /* words of a source in the network */
#define INPUT_QUEUE     128     /* words in a node's input queue */
#define SECOND_SPACE    32      /* both, on the second network */
#define SECOND_QUEUE    32

/* As square as the number of nodes allows, and rather wide than high. */
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

/* From launch to arrival, with all links free. */
static inline uint32_t mesh_latency(uint32_t nodes, uint32_t from,
                                    uint32_t to, uint32_t words)
{
    return MESH_BASE + MESH_HOP * mesh_hops(nodes, from, to) +
           MESH_WORD * words;
}

/* From dispose to more space at the source. */
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
