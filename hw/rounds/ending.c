/*
 * The end of the machine: its reason, the report, QEMU's exit status
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
#include "hw/fugu/devices/files-host.h"
#include "hw/fugu/rounds/ending.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/report/reporter.h"
#include "hw/fugu/link/hub-side.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/machine/line.h"
#include "hw/fugu/report/observer.h"
#include "hw/fugu/snapshot/snapshot.h"
#include "hw/fugu/trace.h"

static uint64_t machine_digest(FuguMachineState *m, const FuguNodeStatus *nodes)
{
    uint64_t digest = m->options.node_count;

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        digest = XXH64_mergeround(digest, nodes[i].digest);
    }
    return XXH64_avalanche(digest);
}

/* Whether the report has a line for each node. */
static bool reports_nodes(const FuguEnding *e)
{
    return e->reason == FUGU_ENDING_DEADLOCK ||
           e->reason == FUGU_ENDING_TIMEOUT ||
           (e->reason == FUGU_ENDING_STOPPED &&
            e->machine->time.stop_status == FUGU_STATUS_ERROR_MODE);
}

static void report_nodes(FuguMachineState *m, const FuguNodeStatus *nodes,
                         const GPtrArray *notes)
{
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        g_autofree char *state = fugu_node_status_text(&nodes[i]);
        const char *note = notes->pdata[i];

        error_printf("  node %u: %s%s\n", i, state, note ?: "");
    }
}

/* Reports the first status that is not 0, by local time, then by number, and
 * returns it. */
static uint32_t report_done(FuguMachineState *m, const FuguNodeStatus *nodes)
{
    int first = -1;

    for (uint32_t i = 0; i < m->options.node_count; i++) {
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

/* A message about the file has been printed already, if there is one. */
static bool is_about_files(uint32_t status)
{
    return status == FUGU_STATUS_FILE || status == FUGU_STATUS_READER;
}

static void report_stopped(int64_t time, uint32_t status)
{
    if (status == FUGU_STATUS_ERROR_MODE) {
        error_printf("fugu: a node is in error mode, at cycle %" PRId64 "\n",
                     time);
    } else if (status && status != FUGU_STATUS_CHECK &&
               !is_about_files(status)) {
        error_printf("fugu: the program stopped the machine with status %u "
                     "at cycle %" PRId64 "\n", status, time);
    }
}

/* Prints why the machine ends, in the process that has the console. Returns the
 * exit status. */
static uint32_t report(FuguEnding *e, const FuguNodeStatus *nodes,
                       const GPtrArray *notes)
{
    FuguMachineState *m = e->machine;
    int64_t time = fugu_machine_round_end(m);
    uint32_t status = m->time.stop_status;

    switch (e->reason) {
    case FUGU_ENDING_DONE:
        status = report_done(m, nodes);
        break;
    case FUGU_ENDING_DEADLOCK:
        error_printf("fugu: deadlock at cycle %" PRId64 ": all nodes wait, "
                     "and nothing is in flight\n", time);
        status = FUGU_STATUS_DEADLOCK;
        break;
    case FUGU_ENDING_TIMEOUT:
        error_printf("fugu: timeout at cycle %" PRId64 "\n", time);
        status = FUGU_STATUS_TIMEOUT;
        break;
    case FUGU_ENDING_STOPPED:
        report_stopped(time, status);
        break;
    case FUGU_ENDING_NONE:
        g_assert_not_reached();
    }
    if (reports_nodes(e)) {
        report_nodes(m, nodes, notes);
    }
    if (m->options.digest) {
        /* A line of its own, in whatever way the program has ended. */
        printf("%sdigest: %016" PRIx64 "\n", m->terminal.mid_line ? "\n" : "",
               machine_digest(m, nodes));
        /* A line goes out with its newline, before fflush(). */
        if (fflush(stdout) != 0 || ferror(stdout)) {
            m->ops.output_lost(m, STDOUT_FILENO);
        }
    }
    return status;
}

/* ---- Ending -------------------------------------------------------------- */

/* Whether @fd is a pipe or a socket whose other end was closed. */
static bool reader_has_gone(int fd)
{
    struct pollfd end = { .fd = fd };

    return poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP));
}

static void end_with(FuguMachineState *m, uint32_t status)
{
    m->time.stopping = true;
    m->time.stop_time = FUGU_STOP_NOW;
    m->time.stop_status = status;
}

/*
 * Ends the machine because output of the console could not be written. The
 * status is FUGU_STATUS_READER if the other end of a pipe was closed.
 */
static void output_lost(FuguMachineState *m, int fd)
{
    if (is_about_files(m->time.stop_status)) {
        return;
    }
    if (reader_has_gone(fd)) {
        /* Like other programs, end without a message. */
        end_with(m, FUGU_STATUS_READER);
    } else {
        error_printf("fugu: the output cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n",
                     m->time.round_start);
        end_with(m, FUGU_STATUS_FILE);
    }
}

/* Whether writing to the log's file has failed. */
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
 * A trace with holes would look complete, so the machine ends as soon as
 * writing has failed. Without a file, the trace goes to standard error.
 */
void fugu_ending_check_log(FuguMachineState *m)
{
    const char *failed = fugu_observer_failed(m);

    if (is_about_files(m->time.stop_status)) {
        return;
    }
    if (log_failed()) {
        error_printf("fugu: the trace file cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n",
                     m->time.round_start);
        end_with(m, FUGU_STATUS_FILE);
    } else if (failed) {
        error_printf("fugu: the %s cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n",
                     failed, m->time.round_start);
        end_with(m, FUGU_STATUS_FILE);
    } else if (ferror(stderr) && reader_has_gone(STDERR_FILENO)) {
        end_with(m, FUGU_STATUS_READER);
    }
}

/* Writes the report, ends all processes, and asks QEMU to exit. */
static void end_machine(FuguEnding *e, const FuguNodeStatus *nodes,
                        const GPtrArray *notes)
{
    FuguMachineState *m = e->machine;
    uint32_t status;

    fugu_line_hide(m);
    status = e->told ? e->status : report(e, nodes, notes);

    trace_fugu_rounds_end(fugu_machine_round_end(m), status);
    fugu_observer_end(m);
    fugu_ending_check_log(m);
    status = fugu_files_write_all(m) ?: status;
    if (is_about_files(m->time.stop_status)) {
        status = m->time.stop_status;
    }
    if (!e->told && !fugu_save_complete(m, fugu_machine_round_end(m))) {
        status = status ?: FUGU_STATUS_FILE;
    }
    if (m->parts.link) {
        fugu_link_end(m->parts.link, status);
    }
    BQL_LOCK_GUARD();
    e->ended = e->told = true;
    e->status = status;
    first_cpu->stopped = true;
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           status);
}

void fugu_ending_finish(FuguEnding *e)
{
    FuguMachineState *m = e->machine;
    g_autofree FuguNodeStatus *nodes = g_new(FuguNodeStatus,
                                             m->options.node_count);
    g_autoptr(GPtrArray) notes = fugu_reporter_notes(m, reports_nodes(e));

    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        nodes[i] = fugu_node_status(m->parts.nodes[i]);
    }
    if (!m->parts.link ||
        fugu_link_collect_nodes(m->parts.link, nodes, notes) ==
        FUGU_LINK_READY) {
        end_machine(e, nodes, notes);
    }
}

void fugu_ending_begin(FuguEnding *e, FuguReason reason)
{
    e->reason = reason;
    fugu_console_flush_all(e->machine);
    if (e->machine->parts.link) {
        fugu_link_finish(e->machine->parts.link, reports_nodes(e));
    }
}

/* Called when QEMU shuts down, perhaps by control-C or another signal. */
static void ending_shutdown(Notifier *notifier, void *data)
{
    FuguEnding *e = container_of(notifier, FuguEnding, shutdown);
    FuguMachineState *m = e->machine;
    ShutdownCause *cause = data;

    fugu_line_hide(m);
    /*
     * libqtest ends QEMU by a signal, which is no failure. A machine that has
     * ended keeps its status: under a debugger QEMU still runs then.
     */
    if (*cause == SHUTDOWN_CAUSE_HOST_SIGNAL && !qtest_enabled() &&
        !e->ended) {
        /* First, so that output waits for no reader (write_chr()). */
        qemu_system_shutdown_request_with_code(*cause, FUGU_STATUS_SIGNAL);
        if (m->options.process == 0) {
            fugu_console_flush_all(m);
        }
        fugu_save_complete(m, m->time.round_start);
    } else if (*cause == SHUTDOWN_CAUSE_HOST_QMP_QUIT && e->told && !e->ended) {
        /* The machine has gone back from its end, whose status is not due. */
        qemu_system_shutdown_request_with_code(*cause, 0);
    }
}

void fugu_ending_init(FuguEnding *e, FuguMachineState *m)
{
    e->machine = m;
    m->ops.output_lost = output_lost;
    e->shutdown.notify = ending_shutdown;
    qemu_register_shutdown_notifier(&e->shutdown);
}

void fugu_ending_reset(FuguEnding *e)
{
    e->reason = FUGU_ENDING_NONE;
    e->ended = false;
}
