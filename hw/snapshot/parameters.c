/*
 * The parameters of a machine, by name: the options that a guest can notice
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qobject/qjson.h"
#include "qobject/qstring.h"
#include "qom/qom-qobject.h"
#include "migration/blocker.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/snapshot/parameters.h"

static const char *const parameters[] = {
    "nodes", "mesh", "quantum", "node-ram",
    "mesh-base", "mesh-hop", "mesh-word",
    "second-base", "second-hop", "second-word",
    "input-queue", "source-space", "dma-word", "atomicity",
    "packet-max", "incoming-word", "write-through", "pin-cycles",
    "cache", "cache-size", "cache-miss", "network-interface",
    "output-max", "terminals",
};

/* Returns the shape of the mesh, given or default, as text. */
static QObject *mesh_shape_text(FuguMachineState *m)
{
    uint32_t width = m->options.main_params.width;
    uint32_t height = m->options.main_params.height;
    g_autofree char *text = NULL;

    if (!width) {
        mesh_shape(m->options.node_count, &width, &height);
    }
    text = g_strdup_printf("%ux%u", width, height);
    return QOBJECT(qstring_from_str(text));
}

QDict *fugu_parameters_get(FuguMachineState *m)
{
    QDict *dict = qdict_new();

    for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
        const char *name = parameters[i];

        qdict_put_obj(dict, name, !strcmp(name, "mesh") ? mesh_shape_text(m)
                      : object_property_get_qobject(OBJECT(m), name,
                                                    &error_abort));
    }
    return dict;
}

static char *value_text(QDict *dict, const char *name)
{
    QObject *value = qdict_get(dict, name);
    GString *text = value ? qobject_to_json(value) : g_string_new("none");

    return g_string_free(text, false);
}

bool fugu_parameters_check(FuguMachineState *m, QDict *saved, Error **errp)
{
    g_autoptr(QDict) own = fugu_parameters_get(m);

    for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
        const char *name = parameters[i];
        g_autofree char *here = value_text(own, name);
        g_autofree char *there = value_text(saved, name);

        if (strcmp(here, there)) {
            error_setg(errp, "the snapshot is of a machine with %s=%s, and "
                       "this one has %s=%s", name, there, name, here);
            return false;
        }
    }
    return fugu_machine_can_be_saved(m, errp);
}

/* ---- State -------------------------------------------------------------- */

typedef struct FuguParameters {
    FuguMachineState *machine;
    uint8_t *text;              /* set while the machine is saved or loaded */
    uint32_t len;
} FuguParameters;

static int parameters_pre_save(void *opaque)
{
    FuguParameters *p = opaque;
    g_autoptr(QDict) dict = fugu_parameters_get(p->machine);
    GString *text = qobject_to_json(QOBJECT(dict));

    p->len = text->len;
    p->text = (uint8_t *)g_string_free(text, false);
    return 0;
}

static int parameters_post_save(void *opaque)
{
    FuguParameters *p = opaque;

    g_clear_pointer(&p->text, g_free);
    return 0;
}

static int parameters_post_load(void *opaque, int version)
{
    FuguParameters *p = opaque;
    g_autofree char *text = g_strndup((char *)p->text, p->len);
    QObject *saved = qobject_from_json(text, NULL);
    g_autoptr(QDict) dict = qobject_to(QDict, saved);
    Error *err = NULL;

    g_clear_pointer(&p->text, g_free);
    if (!dict) {
        qobject_unref(saved);
        error_report("fugu: the snapshot's parameters cannot be read");
        return -EINVAL;
    }
    if (!fugu_parameters_check(p->machine, dict, &err)) {
        error_reportf_err(err, "fugu: ");
        return -EINVAL;
    }
    return 0;
}

static const VMStateDescription vmstate_parameters = {
    .name = "fugu-parameters",
    .version_id = 1,
    .minimum_version_id = 1,
    .early_setup = true,        /* before RAM, whose size depends on them */
    .priority = MIG_PRI_MAX - 1,
    .pre_save = parameters_pre_save,
    .post_save = parameters_post_save,
    .post_load = parameters_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(len, FuguParameters),
        VMSTATE_VBUFFER_ALLOC_UINT32(text, FuguParameters, 1, NULL, len),
        VMSTATE_END_OF_LIST()
    }
};

/* Makes QEMU refuse its own snapshots where ours are refused. */
static void block_snapshots(FuguMachineState *m)
{
    static Error *reason;

    if (!fugu_machine_can_be_saved(m, &reason)) {
        migrate_add_blocker(&reason, &error_fatal);
    }
}

void fugu_parameters_register(FuguMachineState *m)
{
    FuguParameters *p = g_new0(FuguParameters, 1);

    block_snapshots(m);
    p->machine = m;
    vmstate_register(NULL, 0, &vmstate_parameters, p);
}
