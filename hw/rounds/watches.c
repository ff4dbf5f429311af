/*
 * Whose memory a debugger's watchpoints are about (see watches.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qom/object.h"
#include "system/runstate.h"
#include "hw/fugu/rounds/watches.h"

#define MMU_CONTEXT     2       /* of mmuregs */

typedef struct Watch {
    unsigned node, context, address, length;
} Watch;

static GArray *watches;

static void set_watches(Object *obj, const char *value, Error **errp)
{
    g_auto(GStrv) texts = g_strsplit(value, ",", 0);
    g_autoptr(GArray) all = g_array_new(false, false, sizeof(Watch));

    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return;
    }
    for (char **text = texts; strcmp(value, "none") && *text; text++) {
        Watch w;
        int end = 0;

        if (sscanf(*text, "%u:%u:%u:%u%n", &w.node, &w.context,
                   &w.address, &w.length, &end) != 4 || (*text)[end]) {
            error_setg(errp, "watches: NODE:CONTEXT:ADDRESS:LENGTH, with "
                       "commas between");
            return;
        }
        g_array_append_val(all, w);
    }
    g_clear_pointer(&watches, g_array_unref);
    watches = g_steal_pointer(&all);
}

/* Returns whether the watchpoint is about other contexts than this one. */
static bool is_others(const CPUWatchpoint *wp, unsigned node, unsigned context)
{
    bool others = false;

    for (unsigned i = 0; watches && i < watches->len; i++) {
        const Watch *w = &g_array_index(watches, Watch, i);

        if (w->node != node || wp->vaddr - w->address >= w->length) {
            continue;
        }
        if (w->context == context) {
            return false;
        }
        others = true;
    }
    return others;
}

bool fugu_watches_pass(FuguNode *node)
{
    CPUState *cs = CPU(&node->cpu);
    const CPUWatchpoint *wp = cs->watchpoint_hit;

    if (!wp || !(wp->flags & BP_GDB) ||
        !is_others(wp, node->number, node->cpu.env.mmuregs[MMU_CONTEXT])) {
        return false;
    }
    cs->watchpoint_hit = NULL;
    return !cs->singlestep_enabled;
}

void fugu_watches_init(ObjectClass *rounds)
{
    object_class_property_add_str(rounds, "watches", NULL, set_watches);
}
