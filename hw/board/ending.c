/*
 * The end of the machine: why it ends, and what it has to say then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <poll.h>
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/xxhash.h"
#include "system/qtest.h"
#include "system/runstate.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/link/link.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/board/outlook.h"
#include "hw/fugu/board/rounds.h"
#include "hw/fugu/snapshot/snapshot.h"
#include "hw/fugu/trace.h"

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

/* What it is about has been said when it was found, if it is to be said. */
static bool is_about_files(uint32_t status)
{
    return status == FUGU_STATUS_FILE || status == FUGU_STATUS_READER;
}

static void report_stopped(FuguMachineState *m, int64_t time, uint32_t status,
                           const LinkNode *nodes)
{
    if (status == FUGU_STATUS_ERROR_MODE) {
        error_printf("fugu: a node is in error mode, at cycle %" PRId64 "\n",
                     time);
        report_nodes(m, nodes);
    } else if (status && !is_about_files(status)) {
        error_printf("fugu: the program stopped the machine with status %u "
                     "at cycle %" PRId64 "\n", status, time);
    }
}

/* Returns the exit status. In the process that has the console. */
static uint32_t report(FuguRounds *r, const LinkNode *nodes)
{
    FuguMachineState *m = r->machine;
    int64_t time = fugu_round_end(r);
    uint32_t status = r->stop_status;

    switch (r->ending) {
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
        report_stopped(m, time, status, nodes);
        break;
    case FUGU_ENDING_NONE:
        g_assert_not_reached();
    }
    if (m->digest) {
        printf("digest: %016" PRIx64 "\n", machine_digest(m, nodes));
        if (fflush(stdout) != 0) {
            fugu_ending_output_lost(r);
        }
    }
    return status;
}

/* ---- Ending -------------------------------------------------------------- */

void fugu_machine_flush(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    for (uint32_t i = m->first; i < m->end; i++) {
        fugu_console_flush(m->nodes[i]->console);
    }
}

/* Whether this is a pipe or a socket, and its other end was closed. */
static bool reader_has_gone(int fd)
{
    struct pollfd end = { .fd = fd };

    return poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP));
}

static void end_with(FuguRounds *r, uint32_t status)
{
    r->stopping = true;
    r->stop_status = status;
}

void fugu_ending_output_lost(FuguRounds *r)
{
    if (is_about_files(r->stop_status)) {
        return;
    }
    if (reader_has_gone(STDOUT_FILENO)) {
        /* It wants no more: no words, as other programs have none. */
        end_with(r, FUGU_STATUS_READER);
    } else {
        error_printf("fugu: the output cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n", r->start);
        end_with(r, FUGU_STATUS_FILE);
    }
}

/* Whether what was written to the log's file has not arrived there. */
static bool log_failed(void)
{
    bool failed = false;

    if (qemu_log_separate()) {
        FILE *file = qemu_log_trylock();

        failed = file && (fflush(file) || ferror(file));
        qemu_log_unlock(file);
    }
    return failed;
}

/*
 * A trace with holes would look like one without: the machine ends, as soon
 * as it is seen. Without a file of its own, the trace goes to standard error.
 */
void fugu_ending_check_log(FuguRounds *r)
{
    if (is_about_files(r->stop_status)) {
        return;
    }
    if (log_failed()) {
        error_printf("fugu: the trace file cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n", r->start);
        end_with(r, FUGU_STATUS_FILE);
    } else if (ferror(stderr) && reader_has_gone(STDERR_FILENO)) {
        end_with(r, FUGU_STATUS_READER);
    }
}

/* All that the machine has to say, then the status for QEMU's exit. */
static void end_machine(FuguRounds *r, const LinkNode *nodes)
{
    FuguMachineState *m = r->machine;
    uint32_t status = report(r, nodes);

    trace_fugu_rounds_end(fugu_round_end(r), status);
    fugu_ending_check_log(r);
    if (is_about_files(r->stop_status)) {
        status = r->stop_status;
    }
    fugu_save_warn(m, fugu_round_end(r));
    if (m->link) {
        fugu_link_end(m->link, status);
    }
    BQL_LOCK_GUARD();
    r->ended = true;
    r->end_status = status;
    first_cpu->stopped = true;
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           status);
}

void fugu_ending_finish(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    g_autofree LinkNode *nodes = g_new(LinkNode, m->node_count);

    for (uint32_t i = m->first; i < m->end; i++) {
        fugu_outlook_node(m->nodes[i], &nodes[i]);
    }
    if (!m->link ||
        fugu_link_collect_nodes(m->link, nodes) == FUGU_LINK_READY) {
        end_machine(r, nodes);
    }
}

void fugu_ending_begin(FuguRounds *r, FuguEnding ending)
{
    r->ending = ending;
    fugu_machine_flush(r->machine);
    if (r->machine->link) {
        fugu_link_finish(r->machine->link);
    }
}

void fugu_machine_stop(FuguMachineState *m, uint32_t status)
{
    FuguRounds *r = m->rounds;

    if (!r->stopping) {
        r->stopping = true;
        r->stop_status = status;
    }
}

/* Control-C, or another signal of the host's. */
static void ending_shutdown(Notifier *notifier, void *data)
{
    FuguRounds *r = container_of(notifier, FuguRounds, shutdown);
    ShutdownCause *cause = data;

    /*
     * libqtest ends QEMU by a signal, and that is no failure. A machine that
     * has ended keeps its status (QEMU goes on under a debugger).
     */
    if (*cause == SHUTDOWN_CAUSE_HOST_SIGNAL && !qtest_enabled() &&
        !r->ended) {
        if (r->machine->process == 0) {
            fugu_machine_flush(r->machine);
        }
        fugu_save_warn(r->machine, r->start);
        qemu_system_shutdown_request_with_code(*cause, FUGU_STATUS_SIGNAL);
    }
}

void fugu_ending_init(FuguRounds *r)
{
    r->shutdown.notify = ending_shutdown;
    qemu_register_shutdown_notifier(&r->shutdown);
}
