/*
 * The SHRIMP network interface: what debuggers ask of it (see inspect.h)
 *
 * Nothing here changes the interface, nor settles what is due.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "qobject/qlist.h"
#include "system/runstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/inspect.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/packet.h"

static QDict *part_dict(const ShrimpPart *part)
{
    QDict *dict = qdict_new();

    qdict_put_int(dict, "target", part->target);
    qdict_put_int(dict, "place", part->place);
    return dict;
}

static QList *maps_list(const ShrimpNipt *nipt)
{
    QList *list = qlist_new();

    for (uint32_t i = 0; i < nipt->pages; i++) {
        const ShrimpEntry *e = &nipt->entry[i];
        QDict *dict;

        if (!e->in && !shrimp_nipt_is_out(nipt, i)) {
            continue;
        }
        dict = qdict_new();
        qdict_put_int(dict, "page", FUGU_RAM_BASE + i * SHRIMP_PAGE);
        qdict_put_int(dict, "split", e->split);
        qdict_put(dict, "lower", part_dict(&e->part[0]));
        qdict_put(dict, "upper", part_dict(&e->part[1]));
        qdict_put_int(dict, "in", e->in & ~SHRIMP_IN_ARRIVED);
        qdict_put_bool(dict, "arrived", e->in & SHRIMP_IN_ARRIVED);
        qlist_append(list, dict);
    }
    return list;
}

/* @here: its coordinates are right. */
static QDict *packet_dict(const FuguPacket *p, bool here)
{
    QDict *dict = qdict_new();

    qdict_put_int(dict, "source", p->source);
    qdict_put_int(dict, "to", p->dest);
    qdict_put_int(dict, "from", p->from);
    qdict_put_int(dict, "mode", p->mode);
    qdict_put_int(dict, "address", shrimp_packet_dest(p));
    qdict_put_int(dict, "bytes", shrimp_packet_bytes(p));
    qdict_put_int(dict, "words", shrimp_packet_counted(p));
    qdict_put_int(dict, "issued", p->issued);
    qdict_put_bool(dict, "here", here);
    qdict_put_bool(dict, "whole", shrimp_packet_is_whole(p));
    return dict;
}

static QDict *outgoing_dict(const ShrimpNI *ni)
{
    const ShrimpOutgoing *out = &ni->out;
    const FuguPacket *p;
    QDict *dict = qdict_new();
    QList *list = qlist_new();

    QTAILQ_FOREACH(p, &out->fifo, next) {
        qlist_append(list, packet_dict(p, true));
    }
    qdict_put_int(dict, "words", out->words);
    qdict_put_int(dict, "threshold", out->threshold);
    qdict_put_int(dict, "await", out->await);
    qdict_put_int(dict, "sent", out->sent);
    qdict_put_int(dict, "credited", shrimp_out_last_credited(ni));
    qdict_put_int(dict, "space", ni->main.space);
    qdict_put(dict, "packets", list);
    return dict;
}

static QDict *incoming_dict(const ShrimpNI *ni)
{
    const ShrimpIncoming *in = &ni->in;
    const FuguPacket *p;
    QDict *dict = qdict_new();
    QList *list = qlist_new();

    QTAILQ_FOREACH(p, &ni->main.queue, next) {
        qlist_append(list, packet_dict(p, shrimp_packet_is_here(ni, p)));
    }
    qdict_put_int(dict, "words", ni->main.queue_words);
    qdict_put_int(dict, "entered", in->entered);
    qdict_put_int(dict, "left", in->left);
    qdict_put_int(dict, "place", in->dropped_place);
    qdict_put_int(dict, "crc", in->dropped_crc);
    qdict_put_int(dict, "page", in->dropped_page);
    qdict_put_int(dict, "due", in->due);
    qdict_put(dict, "packets", list);
    return dict;
}

static QDict *open_dict(const ShrimpNI *ni)
{
    const ShrimpOpen *open = &ni->open;
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, open->addr);
    QDict *dict = qdict_new();

    qdict_put_int(dict, "bytes", open->bytes);
    qdict_put_int(dict, "words", shrimp_open_words(ni));
    qdict_put_int(dict, "from", open->addr);
    qdict_put_int(dict, "to", route.node);
    qdict_put_int(dict, "address", route.dest);
    qdict_put_int(dict, "closes", open->deadline);
    return dict;
}

static QDict *engine_dict(const ShrimpNI *ni)
{
    const ShrimpEngine *e = &ni->engine;
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, e->next);
    QDict *dict = qdict_new();

    qdict_put_int(dict, "left", e->left);
    qdict_put_int(dict, "base", e->base);
    qdict_put_int(dict, "next", e->next);
    qdict_put_int(dict, "to", route.node);
    qdict_put_int(dict, "address", route.dest);
    qdict_put_bool(dict, "waits", e->waits);
    qdict_put_int(dict, "due", e->due);
    qdict_put_int(dict, "asked", e->asked);
    qdict_put_int(dict, "gid", e->gid);
    return dict;
}

static char *get_updates(Object *obj, Error **errp)
{
    const ShrimpNI *ni = SHRIMP_NI(obj);
    g_autoptr(QDict) dict = NULL;
    g_autoptr(GString) text = NULL;

    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return NULL;
    }
    dict = qdict_new();
    qdict_put(dict, "maps", maps_list(&ni->nipt));
    qdict_put(dict, "outgoing", outgoing_dict(ni));
    qdict_put(dict, "incoming", incoming_dict(ni));
    qdict_put(dict, "open", open_dict(ni));
    qdict_put(dict, "engine", engine_dict(ni));
    text = qobject_to_json(QOBJECT(dict));
    return g_strdup(text->str);
}

void shrimp_class_init_inspect(ObjectClass *klass)
{
    object_class_property_add_str(klass, "updates", get_updates, NULL);
}
