/*
 * A network interface of no particular kind
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"

/* ---- Kinds --------------------------------------------------------------- */

const FuguNetifClass *fugu_netif_kind(const FuguMachineState *m)
{
    g_autofree char *type = g_strdup_printf(FUGU_NETIF_TYPE_NAME("%s"),
                                            m->options.network_interface);
    ObjectClass *oc = object_class_by_name(type);

    if (!oc || object_class_is_abstract(oc)) {
        return NULL;
    }
    return (FuguNetifClass *)object_class_dynamic_cast(oc, TYPE_FUGU_NETIF);
}

static char *kind_name(ObjectClass *oc)
{
    const char *type = object_class_get_name(oc);
    const char *end = FUGU_NETIF_TYPE_NAME("");

    return g_strndup(type, strlen(type) - strlen(end));
}

char *fugu_netif_kinds(void)
{
    GSList *all = object_class_get_list_sorted(TYPE_FUGU_NETIF, false);
    GString *text = g_string_new(NULL);

    for (GSList *each = all; each; each = each->next) {
        g_autofree char *name = kind_name(each->data);
        const char *before = each == all ? "" : each->next ? ", " : " or ";

        g_string_append_printf(text, "%s%s", before, name);
    }
    g_slist_free(all);
    return g_string_free(text, false);
}

bool fugu_netif_has_option(const FuguNetifClass *kind, const char *name)
{
    const char *const *option = kind->options;

    while (option && *option && strcmp(*option, name)) {
        option++;
    }
    return option && *option;
}

/* ---- Type ---------------------------------------------------------------- */

static void netif_init(Object *obj)
{
    FUGU_NETIF(obj)->kind = FUGU_NETIF_GET_CLASS(obj);
}

static void netif_class_init(ObjectClass *oc, void *data)
{
    DEVICE_CLASS(oc)->user_creatable = false;
}

static const TypeInfo netif_types[] = {
    {
        .name = TYPE_FUGU_NETIF,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguNetif),
        .instance_init = netif_init,
        .class_size = sizeof(FuguNetifClass),
        .class_init = netif_class_init,
        .abstract = true,
    },
};

DEFINE_TYPES(netif_types)
