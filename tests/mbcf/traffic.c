/*
 * mbcf-traffic OPERATIONS SEED PAGES: random commands against a model.
 *
 * Each node has a region of PAGES pages for each other node, in which that
 * node alone reads and writes, and a copy of each such region in which it does
 * what it has requested. Words that all nodes add to are compared at the end.
 * Two commands to each target are under way at a time, so that no more wait
 * for a page than may.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define NODES_MOST      4
#define PAGES_MOST      24
#define WINDOW          2
#define LOCAL           (MBCF_BYTES_MAX + 64)

_Static_assert(NODES_MOST * WINDOW <= MBCF_ASIDE, "no command is refused");

static uint8_t region[NODES_MOST][PAGES_MOST * GLAZE_PAGE];
static uint8_t model[NODES_MOST][PAGES_MOST * GLAZE_PAGE];
static uint32_t counter[8], added[8];
static uint32_t size;           /* bytes of a region */
static uint32_t random_state;
static uint32_t wrong;

/* A command that is under way. */
static struct pending {
    volatile uint32_t status;
    bool used;
    uint32_t bytes;             /* that come back, and what they have to be */
    uint8_t got[LOCAL], want[LOCAL];
    uint8_t *at;                /* in got[] */
} pending[NODES_MOST][WINDOW];

static uint32_t any(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % below;
}

static void complain(const char *what, uint32_t node, uint32_t a, uint32_t b)
{
    if (wrong++ < 5) {
        printf("node %u, target %u: %s: %u, %u\n", (unsigned)udm_node(),
               (unsigned)node, what, (unsigned)a, (unsigned)b);
    }
}

static void finish(uint32_t node, struct pending *one)
{
    if (!one->used) {
        return;
    }
    if (mbcf_await(&one->status) != MBCF_DONE) {
        complain("status", node, one->status, 0);
    } else if (memcmp(one->at, one->want, one->bytes)) {
        complain("bytes", node, one->bytes, one->want[0]);
    }
    one->used = false;
}

static uint32_t any_length(void)
{
    static const uint16_t below[] = { 8, 40, 300, MBCF_BYTES_MAX };

    return 1 + any(below[any(4)]);
}

static void write(uint32_t node, struct pending *one, uint32_t offset,
                  uint32_t bytes)
{
    uint8_t *from = one->got + any(8);

    for (uint32_t k = 0; k < bytes; k += 1 + any(64)) {
        from[k] = any(256);
    }
    memcpy(model[node] + offset, from, bytes);
    one->bytes = 0;
    mbcf_write(node, (uintptr_t)region[udm_node()] + offset, from, bytes,
               MBCF_STATUS | MBCF_COLOUR(1), &one->status);
}

static void read(uint32_t node, struct pending *one, uint32_t offset,
                 uint32_t bytes)
{
    one->at = one->got + any(8);
    one->bytes = bytes;
    memcpy(one->want, model[node] + offset, bytes);
    mbcf_read(node, one->at, (uintptr_t)region[udm_node()] + offset, bytes,
              MBCF_STATUS, &one->status);
}

/* SWAP, FETCH_ADD or COMP_SWAP in the region. */
static void change(uint32_t node, struct pending *one, uint32_t offset)
{
    uint32_t address = (uintptr_t)region[udm_node()] + offset, value = any(9);
    uint32_t *word = (uint32_t *)(model[node] + offset);
    volatile uint32_t *old = (volatile uint32_t *)one->got;

    one->bytes = sizeof(*word);
    memcpy(one->want, word, sizeof(*word));
    switch (any(3)) {
    case 0:
        mbcf_swap(node, address, value, old, MBCF_STATUS, &one->status);
        *word = value;
        break;
    case 1:
        mbcf_fetch_add(node, address, value, old, MBCF_STATUS, &one->status);
        *word += value;
        break;
    default:
        mbcf_comp_swap(node, address, value, 5, old, MBCF_STATUS,
                       &one->status);
        *word = *word == value ? 5 : *word;
        break;
    }
}

static void add(uint32_t node, struct pending *one)
{
    uint32_t k = any(8), value = any(1000);

    one->bytes = 0;
    added[k] += value;
    mbcf_fetch_add(node, (uintptr_t)&counter[k], value, NULL,
                   MBCF_STATUS | MBCF_WAKES, &one->status);
}

static void operate(uint32_t turn)
{
    uint32_t node = any(udm_nodes()), bytes = any_length();
    uint32_t offset = any(size - bytes);
    struct pending *one = &pending[node][turn % WINDOW];

    finish(node, one);
    one->used = true;
    one->status = MBCF_PENDING;
    one->at = one->got;
    switch (any(4)) {
    case 0:
        write(node, one, offset, bytes);
        break;
    case 1:
        read(node, one, offset, bytes);
        break;
    case 2:
        change(node, one, any(size / 4) * 4);
        break;
    default:
        add(node, one);
        break;
    }
}

static void compare(uint32_t node)
{
    static uint8_t page[GLAZE_PAGE];

    for (uint32_t at = 0; at < size; at += GLAZE_PAGE) {
        if (mbcf_read_now(node, page, (uintptr_t)region[udm_node()] + at,
                          GLAZE_PAGE) != MBCF_DONE ||
            memcmp(page, model[node] + at, GLAZE_PAGE)) {
            complain("page at the end", node, at, 0);
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t operations = argc == 4 ? atoi(argv[1]) : 0;
    struct glaze_count count;

    if (argc != 4 || udm_nodes() > NODES_MOST ||
        (size = atoi(argv[3]) * GLAZE_PAGE) > sizeof(region[0]) || !size) {
        printf("usage: mbcf-traffic OPERATIONS SEED PAGES, on 4 nodes at "
               "most\n");
        return 2;
    }
    random_state = (atoi(argv[2]) + 1) * 2654435761u + udm_node() * 97;
    mbcf_open();
    udm_barrier();
    for (uint32_t turn = 0; turn < operations; turn++) {
        operate(turn);
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        for (unsigned k = 0; k < WINDOW; k++) {
            finish(node, &pending[node][k]);
        }
        compare(node);
    }
    mbcf_barrier(1);
    udm_barrier();
    for (unsigned k = 0; k < 8; k++) {
        uint32_t sum = udm_reduce_all_int(UDM_SUM, counter[k]);

        if (sum != (uint32_t)udm_reduce_all_int(UDM_SUM, added[k])) {
            complain("sum", k, sum, 0);
        }
    }
    if (mbcf_page()->free != MBCF_SLOTS) {
        complain("slots", 0, mbcf_page()->free, 0);
    }
    glaze_count(&count);
    printf("node %u: %u operations, %u wrong, %u pages came back\n",
           (unsigned)udm_node(), (unsigned)operations, (unsigned)wrong,
           (unsigned)count.ins);
    udm_barrier();
    return wrong != 0;
}
