/*
 * Sharing: what shared memory has cost a job on a node
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/observe/sharing.h"

#define DEPTH           4       /* of costs inside others */

typedef struct Cost {
    uint64_t times, cycles;
} Cost;

typedef struct Block {
    uint32_t address, bytes, pc;
} Block;

struct FuguSharing {
    struct {
        unsigned kind;
        uint32_t address;
        int64_t start;
    } open[DEPTH];
    unsigned depth;
    GHashTable *costs;          /* kind << 32 | address: Cost */
    GArray *blocks;             /* in order of time: an address may come again */
};

FuguSharing *fugu_sharing_new(void)
{
    FuguSharing *s = g_new0(FuguSharing, 1);

    s->costs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                     g_free);
    s->blocks = g_array_new(false, false, sizeof(Block));
    return s;
}

static Cost *cost_of(FuguSharing *s, unsigned kind, uint32_t address)
{
    int64_t key = (int64_t)kind << 32 | address;
    Cost *cost = g_hash_table_lookup(s->costs, &key);

    if (!cost) {
        cost = g_new0(Cost, 1);
        g_hash_table_insert(s->costs, g_memdup2(&key, sizeof(key)), cost);
    }
    return cost;
}

/* All kinds but two are outermost: a process that has ended in the middle of one
 * has left it open. */
static bool is_inner(unsigned kind)
{
    return kind == FUGU_MARK_SHM_TWIN || kind == FUGU_MARK_SHM_DIFFERENCE;
}

static void sharing_begin(FuguSharing *s, int64_t now, unsigned kind, uint32_t address)
{
    if (!is_inner(kind)) {
        s->depth = 0;
    }
    if (s->depth < DEPTH) {
        s->open[s->depth].kind = kind;
        s->open[s->depth].address = address;
        s->open[s->depth].start = now;
        s->depth++;
    }
}

static void end(FuguSharing *s, int64_t now)
{
    if (s->depth) {
        unsigned d = --s->depth;
        Cost *cost = cost_of(s, s->open[d].kind, s->open[d].address);

        cost->times++;
        cost->cycles += now - s->open[d].start;
    }
}

void fugu_sharing_mark(FuguSharing *s, int64_t now, unsigned kind,
                       const uint32_t *value)
{
    Block block = { value[0], value[1], value[2] };

    switch (kind) {
    case FUGU_MARK_SHM_END:
        end(s, now);
        break;
    case FUGU_MARK_SHM_BLOCK:
        g_array_append_val(s->blocks, block);
        break;
    default:
        sharing_begin(s, now, kind, value[0]);
        break;
    }
}

void fugu_sharing_write(const FuguSharing *s, uint32_t node, uint32_t gid,
                        FILE *file)
{
    GHashTableIter iter;
    int64_t *key;
    Cost *cost;

    g_hash_table_iter_init(&iter, s->costs);
    while (g_hash_table_iter_next(&iter, (void **)&key, (void **)&cost)) {
        fprintf(file, "cost %u %u %u %u %" PRIu64 " %" PRIu64 "\n", node, gid,
                (unsigned)(*key >> 32), (uint32_t)*key, cost->times,
                cost->cycles);
    }
    for (unsigned i = 0; i < s->blocks->len; i++) {
        const Block *b = &g_array_index(s->blocks, Block, i);

        fprintf(file, "block %u %u %u %u %u\n", node, gid, b->address,
                b->bytes, b->pc);
    }
}
