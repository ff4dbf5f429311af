/*
 * How long csend() and crecv() take (nx.h): two nodes send messages to and fro, and each
 * one is sent when the one before has been received. Prints half a turn, in cycles, for
 * each length, and at last the time of messages that go one way:
 *
 *      typed BYTES: CYCLES
 *      typed stream of 1 MiB: CYCLES
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "nx.h"
#include "udm-collective.h"

#define WARM    4               /* turns before those that are measured */
#define TURNS   16
#define PIECE   16384           /* bytes of a message of the stream */
#define STREAM  (1 << 20)

static uint64_t buffer[PIECE / 8];

static void turn(uint32_t bytes)
{
    if (udm_node() == 0) {
        csend(1, buffer, bytes, 1, 0);
        crecv(2, buffer, bytes);
    } else {
        crecv(1, buffer, bytes);
        csend(2, buffer, bytes, 0, 0);
    }
}

static void measure(uint32_t bytes)
{
    uint64_t began = 0;

    udm_barrier();
    for (uint32_t k = 0; k < WARM + TURNS; k++) {
        if (k == WARM) {
            began = udm_cycles();
        }
        turn(bytes);
    }
    if (udm_node() == 0) {
        printf("typed %lu: %lu\n", (unsigned long)bytes,
               (unsigned long)((udm_cycles() - began) / (2 * TURNS)));
    }
}

static void stream(void)
{
    uint64_t began = udm_cycles();

    for (uint32_t done = 0; done < STREAM; done += PIECE) {
        if (udm_node() == 0) {
            csend(3, buffer, PIECE, 1, 0);
        } else {
            crecv(3, buffer, PIECE);
        }
    }
    if (udm_node() == 0) {
        crecv(4, buffer, 0);
        printf("typed stream of 1 MiB: %lu\n", (unsigned long)(udm_cycles() - began));
    } else {
        csend(4, buffer, 0, 0, 0);
    }
}

int main(void)
{
    static const uint32_t lengths[] = { 0, 4, 64, 248, 1024, 4096, 16384 };

    for (uint32_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++) {
        for (uint32_t i = 0; i < PIECE / 8; i++) {
            buffer[i] = i + lengths[k];
        }
        measure(lengths[k]);
        for (uint32_t i = 0; i < PIECE / 8; i++) {
            if (buffer[i] != i + lengths[k]) {
                printf("typed: a word is wrong\n");
                return 1;
            }
        }
    }
    udm_barrier();
    stream();
    return 0;
}
