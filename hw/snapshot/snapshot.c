/*
 * Snapshots: when they are saved and loaded
 *
 * QEMU's main loop saves and loads, while the machine is stopped. From the
 * moment that a save is due, no round runs until the save is done. So the
 * snapshot has the state of that cycle, however long the main loop takes to
 * stop the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "block/aio.h"
#include "hw/qdev-properties.h"
#include "system/runstate.h"
#include "system/system.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/snapshot/disks.h"
#include "hw/fugu/snapshot/file.h"
#include "hw/fugu/snapshot/snapshot.h"

/*
 * -device fugu-save,cycle=C,file=F: saves at the end of the first round that
 * ends at or after cycle C. A command line may have several.
 */
OBJECT_DECLARE_SIMPLE_TYPE(FuguSave, FUGU_SAVE)

struct FuguSave {
    DeviceState parent_obj;

    uint64_t cycle;
    char *file;
    bool done;
    QLIST_ENTRY(FuguSave) next;
};

static QLIST_HEAD(, FuguSave) saves = QLIST_HEAD_INITIALIZER(saves);

/* Prints the error in the form of the machine's other messages. */
static void report(Error *err)
{
    error_printf("fugu: %s\n", error_get_pretty(err));
    error_free(err);
}

static void set_next_save(FuguMachineState *m)
{
    FuguSave *s;

    m->time.save_at = FUGU_NEVER;
    QLIST_FOREACH(s, &saves, next) {
        if (!s->done) {
            m->time.save_at = MIN(m->time.save_at, (int64_t)s->cycle);
        }
    }
}

static bool save_all_due(FuguMachineState *m, Error **errp)
{
    int64_t now = m->time.round_start;
    FuguSave *s;

    QLIST_FOREACH(s, &saves, next) {
        if (!s->done && s->cycle <= now) {
            s->done = true;
            if (!fugu_snapshot_write(m, s->file, errp)) {
                return false;
            }
            error_printf("fugu: saved at cycle %" PRId64 ": %s\n", now,
                         s->file);
        }
    }
    return true;
}

static void save_bh(void *opaque)
{
    FuguMachineState *m = opaque;
    RunState state = runstate_get();
    Error *err = NULL;

    vm_stop(RUN_STATE_SAVE_VM);
    if (!save_all_due(m, &err)) {
        report(err);
        fugu_machine_stop(m, FUGU_STATUS_FILE, FUGU_STOP_NOW);
    }
    set_next_save(m);
    qatomic_set(&m->time.held, false);
    vm_resume(state);
}

void fugu_save_due(FuguMachineState *m)
{
    qatomic_set(&m->time.held, true);
    aio_bh_schedule_oneshot(qemu_get_aio_context(), save_bh, m);
}

bool fugu_save_complete(FuguMachineState *m, int64_t cycle)
{
    bool complete = true;
    FuguSave *s;

    QLIST_FOREACH(s, &saves, next) {
        if (!s->done) {
            error_printf("fugu: the run ended at cycle %" PRId64
                         ", before cycle %" PRIu64 ": %s was not saved\n",
                         cycle, s->cycle, s->file);
            complete = false;
        }
    }
    return complete;
}

/* ---- Load --------------------------------------------------------------- */

static void load_bh(void *opaque)
{
    FuguMachineState *m = opaque;
    RunState state = runstate_get();
    Error *err = NULL;

    vm_stop(RUN_STATE_RESTORE_VM);
    if (!fugu_snapshot_read(m, m->options.load, &err)) {
        report(err);
        exit(FUGU_STATUS_FILE);
    }
    qatomic_set(&m->time.held, false);
    vm_resume(state);
}

static void load_when_ready(Notifier *notifier, void *data)
{
    FuguMachineState *m = container_of(notifier, FuguMachineState, ready);

    aio_bh_schedule_oneshot(qemu_get_aio_context(), load_bh, m);
}

void fugu_snapshot_load_at_start(FuguMachineState *m)
{
    m->time.held = true;
    m->ready.notify = load_when_ready;
    qemu_add_machine_init_done_notifier(&m->ready);
}

/* ---- Device ------------------------------------------------------------- */

static void save_realize(DeviceState *dev, Error **errp)
{
    FuguMachineState *m = (FuguMachineState *)
        object_dynamic_cast(qdev_get_machine(), TYPE_FUGU_MACHINE);
    FuguSave *s = FUGU_SAVE(dev);

    if (!m || !s->file || !s->cycle || s->cycle > FUGU_TIME_MAX) {
        error_setg(errp, "it takes a cycle and a file, and a machine 'fugu'");
        return;
    }
    if (!fugu_machine_can_be_saved(m, errp) ||
        !fugu_snapshot_may_write(s->file, errp) ||
        !fugu_snapshot_check_disks(m, errp)) {
        return;
    }
    if (!m->parts.program) {
        m->parts.program = fugu_snapshot_program(m);
    }
    QLIST_INSERT_HEAD(&saves, s, next);
    set_next_save(m);
}

static const Property save_properties[] = {
    DEFINE_PROP_UINT64("cycle", FuguSave, cycle, 0),
    DEFINE_PROP_STRING("file", FuguSave, file),
};

static void save_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "FUGU: save the machine at a cycle";
    dc->realize = save_realize;
    dc->hotpluggable = false;
    device_class_set_props(dc, save_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo save_types[] = {
    {
        .name = TYPE_FUGU_SAVE,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguSave),
        .class_init = save_class_init,
    },
};

DEFINE_TYPES(save_types)
