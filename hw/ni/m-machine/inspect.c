/*
 * The M-Machine's message interface: what debuggers ask of it (see inspect.h)
 *
 * Nothing here changes the interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "qobject/qlist.h"
#include "system/runstate.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/m-machine/inject.h"
#include "hw/fugu/ni/m-machine/inspect.h"

static QList *words_list(const uint32_t *words, unsigned count)
{
    QList *list = qlist_new();

    for (unsigned i = 0; i < count; i++) {
        qlist_append_int(list, words[i]);
    }
    return list;
}

static void put_registers(QDict *dict, const SparcleBank *bank)
{
    qdict_put_int(dict, "pc", bank->pc);
    qdict_put(dict, "g", words_list(bank->gregs, 8));
    qdict_put(dict, "o", words_list(bank->window, 8));
    qdict_put(dict, "l", words_list(bank->window + 8, 8));
    qdict_put(dict, "i", words_list(bank->window + 16, 8));
}

static void put_message(QDict *dict, MMachineNI *ni, unsigned priority)
{
    const MMExtraction *x = &ni->extraction[priority];
    const FuguPacket *p = QTAILQ_FIRST(&ni->channel[priority].queue);

    if (x->reads && !x->drops) {
        qdict_put(dict, "reads", words_list(p->words, mm_words(p)));
        qdict_put_int(dict, "next", x->next);
    }
}

static QDict *context_dict(MMachineNI *ni, unsigned context)
{
    static const char *const states[] = {
        [FUGU_MM_SLOT_OFF] = "off",
        [FUGU_MM_SLOT_ON] = "on",
        [FUGU_MM_SLOT_FAULT] = "fault",
        [FUGU_MM_SLOT_HELD] = "held",
    };
    const MMExtraction *x = context ? &ni->extraction[context - 1] : NULL;
    const FuguContext *c = &ni->node->contexts->context[context];
    QDict *dict = qdict_new();

    qdict_put_str(dict, "state", states[x ? x->state : FUGU_MM_SLOT_ON]);
    if (c->waits) {
        qdict_put_int(dict, "waits", c->wait);
    }
    qdict_put_int(dict, "gid", x ? x->gid : ni->parent_obj.gid);
    qdict_put_int(dict, "fault", x ? x->fault : 0);
    qdict_put_int(dict, "acks", mm_acks(ni, context));
    put_registers(dict, sparcle_bank(&ni->node->cpu.env, context));
    if (x) {
        put_message(dict, ni, context - 1);
    }
    return dict;
}

static char *get_slots(Object *obj, Error **errp)
{
    MMachineNI *ni = MM_NI(obj);
    g_autoptr(QDict) dict = NULL;
    g_autoptr(GString) text = NULL;
    QList *list;

    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return NULL;
    }
    dict = qdict_new();
    list = qlist_new();
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        qlist_append(list, context_dict(ni, i));
    }
    qdict_put_int(dict, "active", sparcle_context(&ni->node->cpu.env));
    qdict_put(dict, "contexts", list);
    text = qobject_to_json(QOBJECT(dict));
    return g_strdup(text->str);
}

void mm_class_init_inspect(ObjectClass *klass)
{
    object_class_property_add_str(klass, "slots", get_slots, NULL);
}
