/*
 * Properties of the whole machine for debuggers (tools/gdb/fugu.py)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "qobject/qlist.h"
#include "qom/object.h"
#include "system/runstate.h"
#include "hw/fugu/debug/inspect.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/ni/ni.h"
#include "hw/fugu/board/rounds.h"

bool fugu_inspect_allowed(Error **errp)
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

/*
 * Lists messages by receiver, in the order in which the receiver gets them;
 * then the messages that the mesh has not routed yet.
 */
static char *get_flight(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;
    g_autoptr(QList) all = qlist_new();
    g_autoptr(GString) text = NULL;

    if (!fugu_inspect_allowed(errp)) {
        return NULL;
    }
    for (uint32_t i = m->first; i < m->end; i++) {
        for (int n = 0; n < FUGU_NETWORKS; n++) {
            FuguChannel *c = &m->nodes[i]->ni->channel[n];

            add_list(all, &c->queue, "queue", true);
            add_list(all, &c->blocked, "blocked", true);
            add_list(all, &c->flight, "mesh", true);
        }
    }
    add_list(all, fugu_hub_sent(m->hub), "sent", false);
    for (uint32_t i = m->first; i < m->end; i++) {
        for (int n = 0; n < FUGU_NETWORKS; n++) {
            add_list(all, &m->nodes[i]->ni->channel[n].departing, "departing",
                     false);
        }
    }
    text = qobject_to_json(QOBJECT(all));
    return g_strdup(text->str);
}

/* ---- A kernel's place for windows --------------------------------------- */

/* The value is three addresses, the members of SPARCSavedWindows. */
static void set_saved_windows(Object *obj, const char *value, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;
    unsigned count, sp, windows;

    if (!fugu_inspect_allowed(errp)) {
        return;
    }
    if (qemu_strtoui(value, &value, 0, &count) || *value++ != ',' ||
        qemu_strtoui(value, &value, 0, &sp) || *value++ != ',' ||
        qemu_strtoui(value, NULL, 0, &windows)) {
        error_setg(errp, "saved-windows: three addresses with commas "
                   "between: of count, stack pointer, windows");
        return;
    }
    for (uint32_t i = m->first; i < m->end; i++) {
        m->nodes[i]->cpu.env.saved_windows = (SPARCSavedWindows) {
            .count = count,
            .sp = sp,
            .windows = windows,
        };
    }
}

void fugu_inspect_add_properties(ObjectClass *klass)
{
    object_class_property_add_str(klass, "flight", get_flight, NULL);
    object_class_property_add_str(klass, "saved-windows", NULL,
                                  set_saved_windows);
}
