/*
 * mbcf-mixture: bytes and words of memory that each node has for each other, and pages with
 * copies, beside a model of what each must hold.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "random.h"
#include "mixture.h"

enum {
    REGION = 6 * GLAZE_PAGE,    /* bytes that a node has for each other one */
};

static uint8_t region[NODES][REGION] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t model[NODES][REGION] __attribute__((aligned(8)));

/* ---- Memory -------------------------------------------------------------------- */

static uint32_t any_length(void)
{
    static const uint16_t below[] = { 8, 40, 300, MBCF_BYTES_MAX };

    return 1 + pick(below[pick(4)]);
}

static struct mbcf_request at(uint32_t node, uint32_t command, uint32_t offset,
                              uint32_t bytes)
{
    return (struct mbcf_request) {
        .command = command, .task = node, .bytes = bytes,
        .address = (uintptr_t)region[me] + offset,
    };
}

static void write_bytes(struct lane *lane, uint32_t node)
{
    uint32_t bytes = any_length(), offset = pick(REGION - bytes);
    uint32_t shift = bytes > MBCF_INLINE_MAX ? 4 * pick(3) : pick(8);

    for (uint32_t k = 0; k < bytes; k += 1 + pick(64)) {
        lane->from[shift + k] = pick(256);
    }
    memcpy(model[node] + offset, lane->from + shift, bytes);
    lane->request[0] = at(node, MBCF_WRITE, offset, bytes);
    lane->request[0].local = (uintptr_t)lane->from + shift;
    lane->request[0].options = MBCF_COLOUR(1 + pick(3));
}

static void read_bytes(struct lane *lane, uint32_t node)
{
    uint32_t bytes = any_length(), offset = pick(REGION - bytes);

    lane->shift = pick(8);
    lane->bytes = bytes;
    memcpy(lane->want, model[node] + offset, bytes);
    lane->request[0] = at(node, MBCF_READ, offset, bytes);
    lane->request[0].local = (uintptr_t)lane->got + lane->shift;
}

/* A command on word `k` of a lane's. Sets what it finds and leaves. */
static void use_word(struct lane *lane, uint32_t k, uint32_t node, uint32_t offset)
{
    static const uint32_t commands[] = { MBCF_SWAP, MBCF_FETCH_ADD, MBCF_COMP_SWAP };
    uint32_t command = commands[pick(3)], value = pick(4), old;

    memcpy(&old, model[node] + offset, 4);
    memcpy(lane->want + 4 * k, &old, 4);
    lane->request[k] = at(node, command, offset, 0);
    lane->request[k].local = (uintptr_t)lane->got + 4 * k;
    lane->request[k].operand[0] = value;
    lane->request[k].operand[1] = 3;
    value = command == MBCF_SWAP ? value : command == MBCF_FETCH_ADD ? old + value :
            old == value ? 3 : old;
    memcpy(model[node] + offset, &value, 4);
}

/* Words that lie apart: they may be done in any order if one is refused for now. */
static void use_words(struct lane *lane, uint32_t node)
{
    uint32_t step = 4 * (1 + pick(REGION / 4 / PACKET - 1));

    lane->count = 1 + pick(PACKET);
    lane->bytes = 4 * lane->count;
    for (uint32_t k = 0; k < lane->count; k++) {
        use_word(lane, k, node, k * step);
    }
}

/*
 * Bytes are read, and then written over, without a wait in between. The long READ may have
 * to wait at the target, for a page or for the network. What is behind it must not overtake.
 */
static void read_and_write(struct lane *lane, uint32_t node)
{
    enum { MOST = 64 };
    uint32_t first, bytes;

    read_bytes(lane, node);
    first = lane->request[0].address - (uintptr_t)region[me];
    lane->count = 2 + pick(3);
    lane->ordered = true;
    for (uint32_t k = 1; k < lane->count; k++) {
        uint8_t *from = lane->from + (k - 1) * MOST;
        uint32_t offset = first + pick(lane->bytes);

        bytes = 1 + pick(MOST);
        bytes = offset + bytes < REGION ? bytes : REGION - offset;
        for (uint32_t i = 0; i < bytes; i++) {
            from[i] = pick(256);
        }
        memcpy(model[node] + offset, from, bytes);
        lane->request[k] = at(node, MBCF_WRITE, offset, bytes);
        lane->request[k].local = (uintptr_t)from;
    }
}

void use_memory(struct lane *lane, uint32_t node)
{
    switch (pick(4)) {
    case 0:
        write_bytes(lane, node);
        break;
    case 1:
        read_bytes(lane, node);
        break;
    case 2:
        read_and_write(lane, node);
        break;
    default:
        use_words(lane, node);
    }
}

void check_memory(void)
{
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t offset = 0; offset < REGION; offset += GLAZE_PAGE) {
            struct lane *lane = empty(&lanes[node][0]);

            lane->bytes = GLAZE_PAGE;
            memcpy(lane->want, model[node] + offset, GLAZE_PAGE);
            lane->request[0] = at(node, MBCF_READ, offset, GLAZE_PAGE);
            lane->request[0].local = (uintptr_t)lane->got;
            launch(lane);
            finish(lane);
        }
    }
}

/* ---- Multicasts ------------------------------------------------------------------ */

/* The page of each root, and its copies. A node writes its quarter alone. */
static uint8_t cast[NODES][GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t cast_model[NODES][GLAZE_PAGE / NODES];

void casts_set_up(void)
{
    for (uint32_t root = 0; root < nodes; root++) {
        uint32_t mine = (me + nodes - root) % nodes, count = 0;
        uint32_t ways = 1 + hash(seed, root, 3) % 3;
        struct mbcf_copy copies[3];

        for (uint32_t k = mine * ways + 1; k <= mine * ways + ways && k < nodes; k++) {
            copies[count++] = (struct mbcf_copy) {
                .task = (root + k) % nodes, .page = (uintptr_t)cast[root],
            };
        }
        mbcf_pattern((uintptr_t)cast[root], copies, count);
    }
}

void send_cast(struct lane *lane, uint32_t root)
{
    uint32_t bytes = 1 + pick(pick(3) ? 40 : GLAZE_PAGE / NODES);
    uint32_t offset = pick(GLAZE_PAGE / NODES - bytes + 1);

    lane->request[0] = (struct mbcf_request) {
        .command = pick(12) ? MBCF_UPDATE : MBCF_INVALIDATE,
        .task = root, .address = (uintptr_t)cast[root],
    };
    if (lane->request[0].command == MBCF_INVALIDATE) {  /* there is no view of it */
        return;
    }
    for (uint32_t k = 0; k < bytes; k++) {
        lane->from[k] = pick(256);
    }
    memcpy(cast_model[root] + offset, lane->from, bytes);
    lane->request[0].address += me * (GLAZE_PAGE / NODES) + offset;
    lane->request[0].bytes = bytes;
    lane->request[0].local = (uintptr_t)lane->from;
    lane->request[0].options = pick(2) ? MBCF_WAKES : 0;
}

void check_casts(void)
{
    for (uint32_t root = 0; root < nodes; root++) {
        for (uint32_t node = 0; node < nodes; node++) {
            struct lane *lane = empty(&lanes[node][0]);

            lane->bytes = GLAZE_PAGE / NODES;
            memcpy(lane->want, cast_model[root], lane->bytes);
            lane->request[0] = (struct mbcf_request) {
                .command = MBCF_READ, .task = node, .bytes = lane->bytes,
                .address = (uintptr_t)cast[root] + me * lane->bytes,
                .local = (uintptr_t)lane->got,
            };
            launch(lane);
            finish(lane);
        }
    }
}
