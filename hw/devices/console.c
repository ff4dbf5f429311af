/*
 * The console: registers, and what the machine asks of all consoles
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "chardev/char.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"

/* ---- All consoles of the process ---------------------------------------- */

void fugu_console_flush_all(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        fugu_output_flush(&m->parts.nodes[i]->console->output);
    }
}

bool fugu_console_can_wake(FuguMachineState *m)
{
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        if (fugu_input_can_wake(&m->parts.nodes[i]->console->input)) {
            return true;
        }
    }
    return false;
}

bool fugu_console_supply(FuguMachineState *m)
{
    bool waits = false;

    BQL_LOCK_GUARD();
    m->terminal.asked = false;
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        FuguConsoleInput *in = &m->parts.nodes[i]->console->input;

        if (in->std.asked && m->time.round_start > in->std.round) {
            fugu_input_supply(in);
            waits |= in->std.asked;
        }
        m->terminal.asked |= in->std.asked;
    }
    return !waits;
}

/* ---- Registers ---------------------------------------------------------- */

/* A prompt has to be seen before the machine stands still. */
static void console_ask(FuguConsole *s)
{
    if (fugu_input_wants_part(&s->input)) {
        fugu_output_flush(&s->output);
        fugu_input_ask(&s->input);
    }
}

static uint64_t console_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguConsole *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_CONSOLE_DATA:
            return fugu_input_get(&s->input);
        case FUGU_CONSOLE_STATUS:
            return !fifo8_is_empty(&s->input.typed);
        case FUGU_CONSOLE_CONTROL:
            return s->input.irq_enabled;
        case FUGU_CONSOLE_TERMINALS:
            return s->node->machine->options.terminals;
        case FUGU_CONSOLE_STDIN:
            return fugu_input_std_get(&s->input);
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
            fugu_output_put(&s->output, false, value);
            return;
        case FUGU_CONSOLE_ERROR:
            fugu_output_put(&s->output, true, value);
            return;
        case FUGU_CONSOLE_STDIN:
            console_ask(s);
            return;
        case FUGU_CONSOLE_CONTROL:
            s->input.irq_enabled = value & 1;
            fugu_input_update_irq(&s->input);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_CONSOLE, addr, size, value);
}

static const MemoryRegionOps console_ops =
    FUGU_DEVICE_OPS(console_read, console_write);

/* ---- State -------------------------------------------------------------- */

static void console_reset_hold(Object *obj, ResetType type)
{
    FuguConsole *s = FUGU_CONSOLE(obj);

    fugu_output_flush(&s->output);
    fugu_input_reset(&s->input);
}

/* FuguNode saves the interrupt line and the event. */
const VMStateDescription vmstate_fugu_console = {
    .name = TYPE_FUGU_CONSOLE,
    .version_id = 3,
    .minimum_version_id = 3,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(input, FuguConsole, 1, vmstate_fugu_console_input,
                       FuguConsoleInput),
        VMSTATE_STRUCT(output, FuguConsole, 1, vmstate_fugu_console_output,
                       FuguConsoleOutput),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Device ------------------------------------------------------------- */

static void console_init(Object *obj)
{
    fugu_input_init(&FUGU_CONSOLE(obj)->input);
}

static void console_finalize(Object *obj)
{
    fugu_input_finalize(&FUGU_CONSOLE(obj)->input);
}

/* Finds the chardev: the node's own, or the machine's. */
static bool console_connect(FuguConsole *s, Error **errp)
{
    g_autofree char *name = g_strdup_printf("console%u", s->node->number);
    Chardev *own = qemu_chr_find(name);
    CharBackend *chr = own ? &s->own : &s->node->machine->parts.console_chr;

    if (own && !qemu_chr_fe_init(&s->own, own, errp)) {
        return false;
    }
    s->input.node = s->output.node = s->node;
    s->input.chr = s->output.chr = chr;
    s->input.reads = own || s->node->number == 0;
    return true;
}

static void console_realize(DeviceState *dev, Error **errp)
{
    FuguConsole *s = FUGU_CONSOLE(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &console_ops, s,
                          TYPE_FUGU_CONSOLE, FUGU_DEVICE_PAGE);
    if (s->script_file &&
        !fugu_console_script_read(s->input.script, s->script_file,
                                  s->node->number, errp)) {
        return;
    }
    if (console_connect(s, errp)) {
        fugu_input_realize(&s->input);
    }
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
