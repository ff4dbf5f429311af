/*
 * A network interface without a message part
 *
 * The machine has what every kind has, and nothing for users: kernels exchange
 * messages by the second network. The type has no state and no method of its
 * own, so it also shows what the system part does by itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/system/system.h"

static void none_ni_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->desc = "Network interface without a message part";
    FUGU_NETIF_CLASS(klass)->number = FUGU_NETIF_NONE;
}

static const TypeInfo none_ni_types[] = {
    {
        .name = FUGU_NETIF_TYPE_NAME("none"),
        .parent = TYPE_FUGU_SYSTEM_NI,
        .class_init = none_ni_class_init,
    },
};

DEFINE_TYPES(none_ni_types)
