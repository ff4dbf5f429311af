/*
 * Properties of the whole machine for debuggers (tools/gdb/fugu.py)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/xxhash.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "qobject/qlist.h"
#include "qom/object.h"
#include "system/runstate.h"
#include "hw/fugu/debug/inspect.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

/*
 * Returns true if the machine is stopped, otherwise false with @errp. While
 * the machine runs, the vCPU thread changes nodes and messages without a lock.
 */
static bool is_allowed(Error **errp)
{
    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return false;
    }
    return true;
}

/* ---- Messages on their way ---------------------------------------------- */

static void add_message(QList *all, const FuguPacket *p, const char *where,
                        bool routed)
{
    QDict *message = qdict_new();
    QList *words = qlist_new();

    for (uint32_t i = 0; i < p->length; i++) {
        qlist_append_int(words, p->words[i]);
    }
    qdict_put_str(message, "where", where);
    qdict_put_int(message, "network", p->network);
    qdict_put_int(message, "from", p->source);
    qdict_put_int(message, "to", p->dest);
    qdict_put_int(message, "issued", p->issued);
    qdict_put_int(message, "launched", p->time);
    if (routed) {
        qdict_put_int(message, "arrives", p->arrival);
    }
    qdict_put_int(message, "body", p->body_len);
    qdict_put(message, "words", words);
    qlist_append(all, message);
}

static void add_list(QList *all, const FuguPacketList *list, const char *where,
                     bool routed)
{
    FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        if (p->kind == FUGU_PACKET_MESSAGE) {
            add_message(all, p, where, routed);
        }
    }
}

static void add_packets(QList *all, FuguNetif *ni, int network,
                        FuguNetifPlace place, const char *where)
{
    const FuguPacketList *list = ni->kind->packets(ni, network, place);

    if (list) {
        add_list(all, list, where, place != FUGU_NETIF_DEPARTING);
    }
}

/*
 * Lists messages by receiver, in the order in which the receiver gets them;
 * then the messages that the mesh has not routed yet.
 */
static char *get_flight(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;
    g_autoptr(QList) all = qlist_new();
    g_autoptr(GString) text = NULL;

    if (!is_allowed(errp)) {
        return NULL;
    }
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        for (int n = 0; n < FUGU_NETWORKS; n++) {
            FuguNetif *ni = m->parts.nodes[i]->ni;

            add_packets(all, ni, n, FUGU_NETIF_QUEUE, "queue");
            add_packets(all, ni, n, FUGU_NETIF_BLOCKED, "blocked");
            add_packets(all, ni, n, FUGU_NETIF_FLIGHT, "mesh");
        }
    }
    add_list(all, fugu_hub_sent(m->parts.hub), "sent", false);
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        for (int n = 0; n < FUGU_NETWORKS; n++) {
            add_packets(all, m->parts.nodes[i]->ni, n, FUGU_NETIF_DEPARTING,
                        "departing");
        }
    }
    text = qobject_to_json(QOBJECT(all));
    return g_strdup(text->str);
}

/* ---- Memory -------------------------------------------------------------- */

static char *get_memory(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;
    const uint64_t *ram = memory_region_get_ram_ptr(&m->parts.ram);
    size_t words = memory_region_size(&m->parts.ram) / sizeof(*ram);
    uint64_t digest = 0;

    if (!is_allowed(errp)) {
        return NULL;
    }
    for (size_t i = 0; i < words; i++) {
        digest = XXH64_round(digest, ram[i]);
    }
    return g_strdup_printf("%016" PRIx64, XXH64_avalanche(digest));
}

/* ---- A kernel's place for windows --------------------------------------- */

/* The value is three addresses, the members of SPARCSavedWindows. */
static void set_saved_windows(Object *obj, const char *value, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;
    unsigned count, sp, windows;

    if (!is_allowed(errp)) {
        return;
    }
    if (qemu_strtoui(value, &value, 0, &count) || *value++ != ',' ||
        qemu_strtoui(value, &value, 0, &sp) || *value++ != ',' ||
        qemu_strtoui(value, NULL, 0, &windows)) {
        error_setg(errp, "saved-windows: three addresses with commas "
                   "between: of count, stack pointer, windows");
        return;
    }
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        m->parts.nodes[i]->cpu.env.saved_windows = (SPARCSavedWindows) {
            .count = count,
            .sp = sp,
            .windows = windows,
        };
    }
}

/* ---- Nodes --------------------------------------------------------------- */

static char *get_node_state(Object *obj, Error **errp)
{
    FuguNodeStatus status;

    if (!is_allowed(errp)) {
        return NULL;
    }
    status = fugu_node_status(FUGU_NODE(obj));
    return fugu_node_status_text(&status);
}

/* ---- Counters ------------------------------------------------------------ */

static const char *const counter_names[FUGU_METER_COUNTERS] = {
    [FUGU_METER_SENT] = "sent",
    [FUGU_METER_BODIES] = "bodies",
    [FUGU_METER_BYTES] = "bytes",
    [FUGU_METER_RECEIVED] = "received",
    [FUGU_METER_HANDLED] = "handled",
    [FUGU_METER_INSERTED] = "inserted",
    [FUGU_METER_CYCLES] = "cycles",
    [FUGU_METER_HANDLING] = "handling",
};

/* Lists the GIDs that have counted anything; the last one stands for all GIDs
 * without counters of their own. */
static char *get_counters(Object *obj, Error **errp)
{
    FuguNode *node = FUGU_NODE(obj);
    g_autoptr(QList) all = qlist_new();
    g_autoptr(GString) text = NULL;

    if (!is_allowed(errp)) {
        return NULL;
    }
    for (uint32_t gid = 0; gid <= FUGU_METER_GIDS; gid++) {
        QDict *one = qdict_new();
        uint64_t any = 0;

        qdict_put_int(one, "gid", gid);
        for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
            uint64_t value = fugu_meter_read(&node->meter,
                                             fugu_node_time(node), gid, k);

            qdict_put_int(one, counter_names[k], value);
            any |= value;
        }
        if (any) {
            qlist_append(all, one);
        } else {
            qobject_unref(one);
        }
    }
    text = qobject_to_json(QOBJECT(all));
    return g_strdup(text->str);
}

void fugu_inspect_init(void)
{
    ObjectClass *rounds = object_class_by_name(TYPE_FUGU_ROUNDS);
    ObjectClass *node = object_class_by_name(TYPE_FUGU_NODE);

    object_class_property_add_str(rounds, "flight", get_flight, NULL);
    object_class_property_add_str(rounds, "memory", get_memory, NULL);
    object_class_property_add_str(rounds, "saved-windows", NULL,
                                  set_saved_windows);
    object_class_property_add_str(node, "state", get_node_state, NULL);
    object_class_property_add_str(node, "counters", get_counters, NULL);
}
