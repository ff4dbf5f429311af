/*
 * The console: output in whole lines, input with a time for each byte, and
 * standard input by parts
 *
 * A run must not depend on the moment at which the host typed a byte. So each
 * byte of input has a time. A script gives bytes with their times. A byte from
 * the chardev gets the start of the next round as its time, and is traced, so
 * that the trace of one run can serve as the script of another.
 *
 * Standard input by parts needs no times: the guest asks for a part, and the
 * machine stands still until the host has given it. A part ends with a newline,
 * with FUGU_CONSOLE_INPUT_MAX bytes, or with the input, so parts depend on the
 * bytes alone, and not on how the host delivers them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/ctype.h"
#include "qemu/cutils.h"
#include "qemu/main-loop.h"
#include "chardev/char.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "system/runstate.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/mesh/remote.h"
#include "hw/fugu/trace.h"

static void console_update_irq(FuguConsole *s)
{
    fugu_node_set_irq(s->node, FUGU_IRQ_CONSOLE,
                      s->irq_enabled && !fifo8_is_empty(&s->input));
}

/* ---- Output ------------------------------------------------------------- */

/*
 * Writes all of the data, and waits for a slow reader.
 *
 * qemu_chr_fe_write_all() will not do: when a signal is to end QEMU, it keeps
 * waiting, and holds the lock that the main thread needs to end QEMU.
 */
static void console_write_chr(FuguMachineState *m, CharBackend *chr,
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
            m->output_lost(m, STDOUT_FILENO);
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
static void console_write_error(FuguMachineState *m, const uint8_t *data,
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
                m->output_lost(m, STDERR_FILENO);
            }
            return;
        }
    }
}

void fugu_console_print(FuguMachineState *m, bool error, const uint8_t *data,
                        size_t len)
{
    if (error) {
        console_write_error(m, data, len);
    } else if (len) {
        console_write_chr(m, &m->console_chr, data, len);
        m->mid_line = data[len - 1] != '\n';
    }
}

/* One process writes all output for the machine's chardev, in one order. */
static void console_write_out(FuguConsole *s, bool error, const uint8_t *data,
                              size_t len)
{
    FuguMachineState *m = s->node->machine;
    FuguRemote *remote = m->remote;

    if (s->chr != &m->console_chr) {
        console_write_chr(m, s->chr, data, len);
    } else if (remote && remote->print) {
        remote->print(remote, error, data, len);
    } else {
        fugu_console_print(m, error, data, len);
    }
}

/* With a single node there is no other node's line to keep apart. */
static bool is_raw(const FuguMachineState *m)
{
    return !m->label && (m->raw || m->node_count == 1);
}

/* Output goes out line by line, so that lines of several nodes do not mix. */
static void console_flush_line(FuguConsole *s, FuguConsoleLine *line)
{
    FuguMachineState *m = s->node->machine;
    bool error = line == &s->error;

    if (line->len == 0) {
        return;
    }
    if (m->label) {
        g_autofree char *label = g_strdup_printf("[%u @%" PRId64 "] ",
                                                 s->node->number, line->time);

        console_write_out(s, error, (uint8_t *)label, strlen(label));
    }
    console_write_out(s, error, line->bytes, line->len);
    if (!is_raw(m) && line->bytes[line->len - 1] != '\n') {
        console_write_out(s, error, (const uint8_t *)"\n", 1);
    }
    line->len = 0;
}

void fugu_console_flush(FuguConsole *s)
{
    console_flush_line(s, &s->out);
    console_flush_line(s, &s->error);
}

void fugu_console_flush_all(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    for (uint32_t i = m->first; i < m->end; i++) {
        fugu_console_flush(m->nodes[i]->console);
    }
}

/* In a digest, bytes for standard error differ from those of the console. */
#define DIGEST_ERROR    0x100

static void console_put(FuguConsole *s, FuguConsoleLine *line, uint8_t byte)
{
    int64_t time = fugu_node_time(s->node);

    trace_fugu_console_output(s->node->number, time, byte);
    fugu_digest(s->node, FUGU_DIGEST_CONSOLE,
                byte | (line == &s->error ? DIGEST_ERROR : 0));
    if (line->len == 0) {
        line->time = time;
    }
    line->bytes[line->len++] = byte;
    if (byte == '\n' || line->len == FUGU_CONSOLE_LINE_MAX) {
        console_flush_line(s, line);
    }
}

/* ---- Input -------------------------------------------------------------- */

/* Gives a byte to the guest. Caller must have checked that input has room. */
static void console_type(FuguConsole *s, int64_t time, uint8_t byte)
{
    trace_fugu_console_input(s->node->number, time, byte);
    fifo8_push(&s->input, byte);
}

/*
 * Gives the guest the bytes of the script whose time has come, and schedules
 * the event for the next one. Bytes for which input has no room wait until the
 * guest has read.
 */
static void console_type_script(FuguConsole *s)
{
    int64_t now = fugu_node_time(s->node);
    int64_t next = FUGU_NEVER;

    while (s->script_next < s->script->len && !fifo8_is_full(&s->input)) {
        FuguConsoleByte *b = &g_array_index(s->script, FuguConsoleByte,
                                            s->script_next);

        if (b->time > now) {
            next = b->time;
            break;
        }
        console_type(s, now, b->byte);
        s->script_next++;
    }
    fugu_event_set(s->node, &s->event, next);
}

static void console_fire(void *opaque)
{
    FuguConsole *s = opaque;

    console_type_script(s);
    console_update_irq(s);
}

/*
 * The guest can read the bytes at once: the node's local time is not before
 * the start of the round. The event tells the scheduler that the node may have
 * to run.
 */
void fugu_console_round(FuguConsole *s, int64_t round_start)
{
    BQL_LOCK_GUARD();

    while (!fifo8_is_empty(&s->host) && !fifo8_is_full(&s->input)) {
        console_type(s, round_start, fifo8_pop(&s->host));
    }
    qatomic_set(&s->host_input, false);
    fugu_event_set(s->node, &s->event, round_start);
    qemu_chr_fe_accept_input(s->chr);
}

bool fugu_console_can_wake(FuguMachineState *machine)
{
    for (uint32_t i = machine->first; i < machine->end; i++) {
        FuguConsole *s = machine->nodes[i]->console;

        if (s->irq_enabled && s->reads && qemu_chr_fe_backend_open(s->chr)) {
            return true;
        }
    }
    return false;
}

/* Tells the scheduler, which does not take the lock, that s->host has bytes. */
static void console_announce(FuguConsole *s)
{
    qatomic_set(&s->host_input, true);
    qatomic_set(&s->node->machine->console_input, true);
}

/* Called by the chardev, in the main thread. */
static int console_can_receive(void *opaque)
{
    FuguConsole *s = opaque;

    return s->skip ? MIN(s->skip, INT_MAX) : fifo8_num_free(&s->host);
}

/* Called by the chardev, in the main thread. */
static void console_receive(void *opaque, const uint8_t *bytes, int count)
{
    FuguConsole *s = opaque;

    s->fresh = false;
    if (s->skip) {
        s->skip -= count;
        return;
    }
    s->received += count;
    fifo8_push_all(&s->host, bytes, count);
    console_announce(s);
}

/* Takes the next byte of input. Returns the byte, or -1 if there is none. */
static uint32_t console_get(FuguConsole *s)
{
    uint8_t byte;

    if (fifo8_is_empty(&s->input)) {
        return -1;
    }
    if (fugu_device_peeked()) {
        fifo8_peek_buf(&s->input, &byte, 1);
        return byte;
    }
    byte = fifo8_pop(&s->input);
    /* Now input has room for a byte that the host has typed. */
    if (!fifo8_is_empty(&s->host)) {
        console_announce(s);
    }
    console_type_script(s);
    console_update_irq(s);
    return byte;
}

/* ---- Standard input by parts --------------------------------------------- */

/* Takes the next byte of standard input: what was typed, what is left of the
 * script whatever its time, then what the host has given. Returns -1 if there
 * is none now. */
static int std_next(FuguConsole *s)
{
    int byte;

    if (!fifo8_is_empty(&s->input)) {
        byte = fifo8_pop(&s->input);
        console_update_irq(s);
        return byte;
    }
    if (s->script_next < s->script->len) {
        byte = g_array_index(s->script, FuguConsoleByte,
                             s->script_next++).byte;
    } else if (!fifo8_is_empty(&s->host)) {
        byte = fifo8_pop(&s->host);
        qemu_chr_fe_accept_input(s->chr);
    } else {
        return -1;
    }
    trace_fugu_console_input(s->node->number, s->node->machine->round_start,
                             byte);
    return byte;
}

static bool std_has_ended(FuguConsole *s)
{
    return !s->reads || !qemu_chr_fe_backend_open(s->chr);
}

/* Completes the part that the guest has asked for, or as much as there is. */
static void std_supply(FuguConsole *s)
{
    FuguConsoleStdin *std = &s->std;

    while (std->asked) {
        int byte = std_next(s);

        if (byte >= 0) {
            fifo8_push(&std->part, byte);
            std->asked = byte != '\n' && !fifo8_is_full(&std->part);
        } else if (std_has_ended(s)) {
            std->asked = false;
            std->ended = true;
        } else {
            return;
        }
    }
}

bool fugu_console_supply(FuguMachineState *m)
{
    bool waits = false;

    BQL_LOCK_GUARD();
    m->console_asked = false;
    for (uint32_t i = m->first; i < m->end; i++) {
        FuguConsole *s = m->nodes[i]->console;

        if (s->std.asked && m->round_start > s->std.round) {
            std_supply(s);
            waits |= s->std.asked;
        }
        m->console_asked |= s->std.asked;
    }
    return !waits;
}

static uint32_t std_get(FuguConsole *s)
{
    FuguConsoleStdin *std = &s->std;
    uint8_t byte;

    if (std->asked) {
        return FUGU_STDIN_NONE;
    }
    if (fifo8_is_empty(&std->part)) {
        return std->ended ? FUGU_STDIN_END : FUGU_STDIN_NONE;
    }
    if (fugu_device_peeked()) {
        fifo8_peek_buf(&std->part, &byte, 1);
        return byte;
    }
    return fifo8_pop(&std->part);
}

/* A prompt has to be seen before the machine stands still. */
static void std_ask(FuguConsole *s)
{
    FuguConsoleStdin *std = &s->std;

    if (std->asked || std->ended || !fifo8_is_empty(&std->part)) {
        return;
    }
    fugu_console_flush(s);
    std->asked = true;
    std->round = s->node->machine->round_start;
    s->node->machine->console_asked = true;
}

/* ---- Script ------------------------------------------------------------- */

#define TRACED "fugu_console_input "

static void script_add(FuguConsole *s, int64_t time, const char *bytes,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        FuguConsoleByte b = { time, bytes[i] };

        g_array_append_val(s->script, b);
    }
}

/*
 * Reads a line of the script: NODE TIME BYTE, or NODE TIME "TEXT" with the
 * escapes of C. The name of the trace event may precede the line. One script
 * is for all nodes, so lines for other nodes are skipped. Returns NULL, or
 * what is wrong with the line.
 */
static const char *script_line(FuguConsole *s, char *line)
{
    unsigned node, byte;
    int64_t time;
    const char *p = g_strstrip(line);
    size_t len;

    if (*p == '\0' || *p == '#') {
        return NULL;
    }
    if (g_str_has_prefix(p, TRACED)) {
        p += strlen(TRACED);
    }
    if (qemu_strtoui(p, &p, 0, &node) || qemu_strtoi64(p, &p, 0, &time) ||
        time < 0 || !qemu_isspace(*p)) {
        return "expected NODE TIME BYTE or NODE TIME \"TEXT\"";
    }
    if (node != s->node->number) {
        return NULL;
    }
    if (s->script->len &&
        g_array_index(s->script, FuguConsoleByte, s->script->len - 1).time >
        time) {
        return "times of a node must not decrease";
    }
    while (qemu_isspace(*p)) {
        p++;
    }
    len = strlen(p);
    if (len >= 2 && p[0] == '"' && p[len - 1] == '"') {
        g_autofree char *quoted = g_strndup(p + 1, len - 2);
        g_autofree char *text = g_strcompress(quoted);

        script_add(s, time, text, strlen(text));
    } else if (qemu_strtoui(p, NULL, 0, &byte) == 0 && byte <= 0xff) {
        script_add(s, time, &(char) { byte }, 1);
    } else {
        return "expected a byte, 0 to 255, or \"TEXT\"";
    }
    return NULL;
}

static bool script_read(FuguConsole *s, Error **errp)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) lines = NULL;

    if (!g_file_get_contents(s->script_file, &text, NULL, &error)) {
        error_setg(errp, "console script: %s", error->message);
        return false;
    }
    lines = g_strsplit(text, "\n", 0);
    for (unsigned i = 0; lines[i]; i++) {
        const char *wrong = script_line(s, lines[i]);

        if (wrong) {
            error_setg(errp, "console script %s, line %u: %s", s->script_file,
                       i + 1, wrong);
            return false;
        }
    }
    if (s->script->len > FUGU_CONSOLE_SCRIPT_MAX) {
        error_setg(errp, "console script %s: more than %d bytes for node %u",
                   s->script_file, FUGU_CONSOLE_SCRIPT_MAX, s->node->number);
        return false;
    }
    return true;
}

/* ---- Registers ---------------------------------------------------------- */

static uint64_t console_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguConsole *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_CONSOLE_DATA:
            return console_get(s);
        case FUGU_CONSOLE_STATUS:
            return !fifo8_is_empty(&s->input);
        case FUGU_CONSOLE_CONTROL:
            return s->irq_enabled;
        case FUGU_CONSOLE_TERMINALS:
            return s->node->machine->terminals;
        case FUGU_CONSOLE_STDIN:
            return std_get(s);
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_CONSOLE, addr, size);
}

static void console_write(void *opaque, hwaddr addr, uint64_t value,
                          unsigned size)
{
    FuguConsole *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_CONSOLE_DATA:
            console_put(s, &s->out, value);
            return;
        case FUGU_CONSOLE_ERROR:
            console_put(s, &s->error, value);
            return;
        case FUGU_CONSOLE_STDIN:
            std_ask(s);
            return;
        case FUGU_CONSOLE_CONTROL:
            s->irq_enabled = value & 1;
            console_update_irq(s);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_CONSOLE, addr, size, value);
}

static const MemoryRegionOps console_ops =
    FUGU_DEVICE_OPS(console_read, console_write);

/* ---- Reset -------------------------------------------------------------- */

static void console_reset_hold(Object *obj, ResetType type)
{
    FuguConsole *s = FUGU_CONSOLE(obj);

    fugu_console_flush(s);
    s->irq_enabled = false;
    fifo8_reset(&s->input);
    fifo8_reset(&s->std.part);
    s->std.asked = s->std.ended = false;
    s->script_next = 0;
    fugu_event_set(s->node, &s->event,
                   s->script->len ?
                   g_array_index(s->script, FuguConsoleByte, 0).time :
                   FUGU_NEVER);
    console_update_irq(s);
}

/* ---- State -------------------------------------------------------------- */

static int console_pre_save(void *opaque)
{
    FuguConsole *s = opaque;

    s->saved_script = (FuguConsoleByte *)s->script->data;
    s->saved_script_len = s->script->len;
    return 0;
}

static int console_post_save(void *opaque)
{
    FuguConsole *s = opaque;

    s->saved_script = NULL;
    return 0;
}

static int console_pre_load(void *opaque)
{
    FuguConsole *s = opaque;

    s->saved_script = NULL;
    return 0;
}

static bool fifo_valid(const Fifo8 *fifo)
{
    return fifo->head < fifo->capacity && fifo->num <= fifo->capacity;
}

/* FuguNode saves the interrupt line and the event. */
static int console_post_load(void *opaque, int version_id)
{
    FuguConsole *s = opaque;

    g_array_set_size(s->script, 0);
    g_array_append_vals(s->script, s->saved_script, s->saved_script_len);
    g_clear_pointer(&s->saved_script, g_free);
    if (s->out.len >= FUGU_CONSOLE_LINE_MAX ||
        s->error.len >= FUGU_CONSOLE_LINE_MAX ||
        !fifo_valid(&s->std.part) ||
        s->script_next > s->script->len ||
        !fifo_valid(&s->input) || !fifo_valid(&s->host)) {
        return -EINVAL;
    }
    if (!fifo8_is_empty(&s->host)) {
        console_announce(s);
    }
    s->node->machine->console_asked |= s->std.asked;
    /* The host gives the whole input again. A user does not type it again. */
    s->skip = s->fresh && !isatty(STDIN_FILENO) ? s->received : 0;
    return 0;
}

static bool console_script_fits(void *opaque, int version_id)
{
    FuguConsole *s = opaque;

    return s->saved_script_len >= 0 &&
           s->saved_script_len <= FUGU_CONSOLE_SCRIPT_MAX;
}

static const VMStateDescription vmstate_console_byte = {
    .name = TYPE_FUGU_CONSOLE "/byte",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(time, FuguConsoleByte),
        VMSTATE_UINT8(byte, FuguConsoleByte),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_console = {
    .name = TYPE_FUGU_CONSOLE,
    .version_id = 2,
    .minimum_version_id = 2,
    .pre_save = console_pre_save,
    .post_save = console_post_save,
    .pre_load = console_pre_load,
    .post_load = console_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(irq_enabled, FuguConsole),
        VMSTATE_FIFO8(input, FuguConsole),
        VMSTATE_FIFO8(host, FuguConsole),
        VMSTATE_INT32(saved_script_len, FuguConsole),
        VMSTATE_VALIDATE("length of the script", console_script_fits),
        VMSTATE_STRUCT_VARRAY_ALLOC(saved_script, FuguConsole,
                                    saved_script_len, 1, vmstate_console_byte,
                                    FuguConsoleByte),
        VMSTATE_UINT32(script_next, FuguConsole),
        VMSTATE_UINT8_ARRAY(out.bytes, FuguConsole, FUGU_CONSOLE_LINE_MAX),
        VMSTATE_UINT32(out.len, FuguConsole),
        VMSTATE_INT64(out.time, FuguConsole),
        VMSTATE_UINT8_ARRAY(error.bytes, FuguConsole, FUGU_CONSOLE_LINE_MAX),
        VMSTATE_UINT32(error.len, FuguConsole),
        VMSTATE_INT64(error.time, FuguConsole),
        VMSTATE_FIFO8(std.part, FuguConsole),
        VMSTATE_BOOL(std.asked, FuguConsole),
        VMSTATE_BOOL(std.ended, FuguConsole),
        VMSTATE_INT64(std.round, FuguConsole),
        VMSTATE_UINT64(received, FuguConsole),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Device ------------------------------------------------------------- */

static void console_init(Object *obj)
{
    FuguConsole *s = FUGU_CONSOLE(obj);

    fifo8_create(&s->input, FUGU_CONSOLE_INPUT_MAX);
    fifo8_create(&s->host, FUGU_CONSOLE_INPUT_MAX);
    fifo8_create(&s->std.part, FUGU_CONSOLE_INPUT_MAX);
    s->fresh = true;
    s->script = g_array_new(false, false, sizeof(FuguConsoleByte));
}

static void console_finalize(Object *obj)
{
    FuguConsole *s = FUGU_CONSOLE(obj);

    fifo8_destroy(&s->input);
    fifo8_destroy(&s->host);
    fifo8_destroy(&s->std.part);
    g_array_unref(s->script);
}

static bool console_connect(FuguConsole *s, Error **errp)
{
    g_autofree char *name = g_strdup_printf("console%u", s->node->number);
    Chardev *own = qemu_chr_find(name);

    if (own) {
        if (!qemu_chr_fe_init(&s->own, own, errp)) {
            return false;
        }
        s->chr = &s->own;
    } else {
        s->chr = &s->node->machine->console_chr;
    }
    s->reads = own || s->node->number == 0;
    if (s->reads) {
        qemu_chr_fe_set_handlers(s->chr, console_can_receive, console_receive,
                                 NULL, NULL, s, NULL, true);
    }
    return true;
}

static void console_realize(DeviceState *dev, Error **errp)
{
    FuguConsole *s = FUGU_CONSOLE(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &console_ops, s,
                          TYPE_FUGU_CONSOLE, FUGU_DEVICE_PAGE);
    fugu_event_init(s->node, &s->event, console_fire, s);
    if (s->script_file && !script_read(s, errp)) {
        return;
    }
    console_connect(s, errp);
}

/* "-global fugu-console.script=FILE" gives all nodes the same script. */
static const Property console_properties[] = {
    DEFINE_PROP_STRING("script", FuguConsole, script_file),
};

static void console_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU console";
    dc->realize = console_realize;
    dc->user_creatable = false;
    device_class_set_props(dc, console_properties);
    rc->phases.hold = console_reset_hold;
}

static const TypeInfo console_types[] = {
    {
        .name = TYPE_FUGU_CONSOLE,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguConsole),
        .instance_init = console_init,
        .instance_finalize = console_finalize,
        .class_init = console_class_init,
    },
};

DEFINE_TYPES(console_types)
