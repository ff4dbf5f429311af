/*
 * The end of the machine: why it ends, and what it has to say then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/xxhash.h"
#include "hw/fugu/ending.h"
#include "hw/fugu/machine.h"

static uint64_t machine_digest(FuguMachineState *m, const LinkNode *nodes)
{
    uint64_t digest = m->node_count;

    for (uint32_t i = 0; i < m->node_count; i++) {
        digest = XXH64_mergeround(digest, nodes[i].digest);
    }
    return XXH64_avalanche(digest);
}

static const char *wait_text(uint32_t wait)
{
    static const char *const text[FUGU_WAITS] = {
        [FUGU_WAIT_INTERRUPT] = "an interrupt",
        [FUGU_WAIT_SPACE] = "space in the network",
        [FUGU_WAIT_BODY] = "its last message with a body to be delivered",
        [FUGU_WAIT_DMA] = "the DMA engine",
        [FUGU_WAIT_SECOND] = "space in the second network",
    };

    return text[wait];
}

char *fugu_ending_describe(const LinkNode *node)
{
    switch (node->state) {
    case FUGU_NODE_RUNS:
        return g_strdup_printf("runs, pc 0x%08x", node->pc);
    case FUGU_NODE_WAITS:
        return g_strdup_printf("waits for %s, pc 0x%08x",
                               wait_text(node->wait), node->pc);
    case FUGU_NODE_ENDED:
        return g_strdup_printf("ended with status %u", node->status);
    case FUGU_NODE_FAILED:
        return g_strdup_printf("error mode, trap 0x%02x with traps disabled, "
                               "pc 0x%08x, npc 0x%08x", node->status,
                               node->pc, node->npc);
    }
    g_assert_not_reached();
}

static void report_nodes(FuguMachineState *m, const LinkNode *nodes)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        g_autofree char *state = fugu_ending_describe(&nodes[i]);

        error_printf("  node %u: %s\n", i, state);
    }
}

/* The first status that is not 0: by local time, then by number. */
static uint32_t report_done(FuguMachineState *m, const LinkNode *nodes)
{
    int first = -1;

    for (uint32_t i = 0; i < m->node_count; i++) {
        if (nodes[i].status &&
            (first < 0 || nodes[i].end_time < nodes[first].end_time)) {
            first = i;
        }
    }
    if (first < 0) {
        return 0;
    }
    error_printf("fugu: node %d ended with status %u at cycle %" PRId64 "\n",
                 first, nodes[first].status, nodes[first].end_time);
    return nodes[first].status;
}

static void report_stopped(FuguMachineState *m, int64_t time, uint32_t status,
                           const LinkNode *nodes)
{
    if (status == FUGU_STATUS_ERROR_MODE) {
        error_printf("fugu: a node is in error mode, at cycle %" PRId64 "\n",
                     time);
        report_nodes(m, nodes);
    } else if (status && status != FUGU_STATUS_FILE) {
        error_printf("fugu: the program stopped the machine with status %u "
                     "at cycle %" PRId64 "\n", status, time);
    }
}

uint32_t fugu_ending_report(FuguMachineState *m, FuguEnding ending,
                            int64_t time, uint32_t stop_status,
                            const LinkNode *nodes)
{
    uint32_t status = stop_status;

    switch (ending) {
    case FUGU_ENDING_DONE:
        status = report_done(m, nodes);
        break;
    case FUGU_ENDING_DEADLOCK:
        error_printf("fugu: deadlock at cycle %" PRId64 ": all nodes wait, "
                     "and nothing is in flight\n", time);
        report_nodes(m, nodes);
        status = FUGU_STATUS_DEADLOCK;
        break;
    case FUGU_ENDING_TIMEOUT:
        error_printf("fugu: timeout at cycle %" PRId64 "\n", time);
        report_nodes(m, nodes);
        status = FUGU_STATUS_TIMEOUT;
        break;
    case FUGU_ENDING_STOPPED:
        report_stopped(m, time, stop_status, nodes);
        break;
    case FUGU_ENDING_NONE:
        g_assert_not_reached();
    }
    if (m->digest) {
        printf("digest: %016" PRIx64 "\n", machine_digest(m, nodes));
        fflush(stdout);
    }
    return status;
}
