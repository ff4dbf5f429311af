/*
 * Console output: whole lines, so that the lines of several nodes do not mix
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "system/runstate.h"
#include "hw/fugu/devices/output.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/remote.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/machine/line.h"
#include "hw/fugu/trace.h"

/*
 * Writes all of the data, and waits for a slow reader.
 *
 * qemu_chr_fe_write_all() will not do: when a signal is to end QEMU, it keeps
 * waiting, and holds the lock that the main thread needs to end QEMU.
 */
static void write_chr(FuguMachineState *m, CharBackend *chr,
                      const uint8_t *data, size_t len)
{
    if (!qemu_chr_fe_backend_connected(chr)) {
        return;
    }
    while (len > 0) {
        int written = qemu_chr_fe_write(chr, data, len);

        if (written > 0) {
            data += written;
            len -= written;
        } else if (written < 0 && errno != EAGAIN) {
            m->ops.output_lost(m, STDOUT_FILENO);
            return;
        } else if (qemu_shutdown_requested_get()) {
            return;
        } else {
            g_usleep(100);
        }
    }
}

/* Writes all of the data to standard error, and waits for a slow reader. A
 * standard error that is closed is no mistake: then the data has no reader. */
static void write_error(FuguMachineState *m, const uint8_t *data,
                        size_t len)
{
    while (len > 0) {
        ssize_t written = write(STDERR_FILENO, data, len);

        if (written > 0) {
            data += written;
            len -= written;
        } else if (errno == EAGAIN) {
            if (qemu_shutdown_requested_get()) {
                return;
            }
            g_usleep(100);
        } else if (errno != EINTR) {
            if (errno != EBADF) {
                m->ops.output_lost(m, STDERR_FILENO);
            }
            return;
        }
    }
}

void fugu_output_print(FuguMachineState *m, bool error, const uint8_t *data,
                       size_t len)
{
    fugu_line_hide(m);
    if (error) {
        write_error(m, data, len);
        if (len) {
            m->terminal.error_mid_line = data[len - 1] != '\n';
        }
    } else if (len) {
        write_chr(m, &m->parts.console_chr, data, len);
        m->terminal.mid_line = data[len - 1] != '\n';
    }
}

/* One process writes all output for the machine's chardev, in one order. */
static void write_out(FuguConsoleOutput *o, bool error, const uint8_t *data,
                      size_t len)
{
    FuguMachineState *m = o->node->machine;
    FuguRemote *remote = m->parts.remote;

    if (o->chr != &m->parts.console_chr) {
        write_chr(m, o->chr, data, len);
    } else if (remote && remote->print) {
        remote->print(remote, error, data, len);
    } else {
        fugu_output_print(m, error, data, len);
    }
}

/* With a single node there is no other node's line to keep apart. */
static bool is_raw(const FuguMachineState *m)
{
    return !m->options.label && (m->options.raw || m->options.node_count == 1);
}

/* [NODE @TIME], or [NODE job JOB @TIME]. */
static void write_label(FuguConsoleOutput *o, bool error,
                        const FuguConsoleLine *line)
{
    g_autoptr(GString) label = g_string_new(NULL);

    g_string_printf(label, "[%u ", o->node->number);
    if (line->job) {
        g_string_append_printf(label, "job %u ", line->job);
    }
    g_string_append_printf(label, "@%" PRId64 "] ", line->time);
    write_out(o, error, (const uint8_t *)label->str, label->len);
}

/* Output goes out line by line, so that lines of several nodes do not mix. */
static void print_line(FuguConsoleOutput *o, FuguConsoleLine *line)
{
    FuguMachineState *m = o->node->machine;
    bool error = line == &o->error;

    if (m->options.label) {
        write_label(o, error, line);
    }
    write_out(o, error, line->bytes, line->len);
    if (!is_raw(m) && line->bytes[line->len - 1] != '\n') {
        write_out(o, error, (const uint8_t *)"\n", 1);
    }
}

/* A run that has gone back flushes the same lines again. */
static void flush_line(FuguConsoleOutput *o, FuguConsoleLine *line)
{
    bool is_new = line->before >= line->printed;

    if (line->len == 0) {
        return;
    }
    line->before += line->len;
    if (is_new && !o->node->machine->terminal.muted) {
        line->printed = line->before;
        print_line(o, line);
    }
    line->len = 0;
}

void fugu_output_flush(FuguConsoleOutput *o)
{
    flush_line(o, &o->out);
    flush_line(o, &o->error);
}

/* In a digest, bytes for standard error differ from those of the console. */
#define DIGEST_ERROR    0x100

void fugu_output_put(FuguConsoleOutput *o, bool error, uint8_t byte)
{
    FuguConsoleLine *line = error ? &o->error : &o->out;
    int64_t time = fugu_node_time(o->node);

    trace_fugu_console_output(o->node->number, time, byte);
    fugu_digest(o->node, FUGU_DIGEST_CONSOLE,
                byte | (error ? DIGEST_ERROR : 0));
    if (line->len == 0) {
        line->time = time;
        line->job = o->node->ni->kind->job(o->node->ni);
    }
    line->bytes[line->len++] = byte;
    if (byte == '\n' || line->len == FUGU_CONSOLE_LINE_MAX) {
        flush_line(o, line);
    }
}

/* ---- State -------------------------------------------------------------- */

static int output_post_load(void *opaque, int version_id)
{
    FuguConsoleOutput *o = opaque;

    return o->out.len < FUGU_CONSOLE_LINE_MAX &&
           o->error.len < FUGU_CONSOLE_LINE_MAX ? 0 : -EINVAL;
}

const VMStateDescription vmstate_fugu_console_output = {
    .name = "fugu-console/output",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = output_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(out.bytes, FuguConsoleOutput,
                            FUGU_CONSOLE_LINE_MAX),
        VMSTATE_UINT32(out.len, FuguConsoleOutput),
        VMSTATE_INT64(out.time, FuguConsoleOutput),
        VMSTATE_UINT32(out.job, FuguConsoleOutput),
        VMSTATE_UINT8_ARRAY(error.bytes, FuguConsoleOutput,
                            FUGU_CONSOLE_LINE_MAX),
        VMSTATE_UINT32(error.len, FuguConsoleOutput),
        VMSTATE_INT64(error.time, FuguConsoleOutput),
        VMSTATE_UINT32(error.job, FuguConsoleOutput),
        VMSTATE_END_OF_LIST()
    }
};
