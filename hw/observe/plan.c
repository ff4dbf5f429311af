/*
 * Plan: what to observe
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/fugu/observe/plan.h"

/* ---- Reading ------------------------------------------------------------ */

static void add_mark(FuguPlan *plan, const FuguMark *mark)
{
    int64_t key = (int64_t)mark->gid << 32 | mark->address;

    g_hash_table_insert(plan->marks, g_memdup2(&key, sizeof(key)),
                        g_memdup2(mark, sizeof(*mark)));
    g_hash_table_add(plan->marked, GUINT_TO_POINTER(mark->address));
}

static bool read_mark(FuguPlan *plan, const char *line)
{
    FuguMark m;
    FuguOperand *o = m.operand;
    int count = sscanf(line, "mark %u %u %u %u %u %u %d %u %u %d %u %u %d",
                       &m.gid, &m.address, &m.kind, &m.count,
                       &o[0].in_memory, &o[0].reg, &o[0].offset,
                       &o[1].in_memory, &o[1].reg, &o[1].offset,
                       &o[2].in_memory, &o[2].reg, &o[2].offset);

    if (count != 13 || m.kind >= FUGU_MARKS || o[0].reg > 31 ||
        o[1].reg > 31 || o[2].reg > 31) {
        return false;
    }
    add_mark(plan, &m);
    return true;
}

static bool read_access(FuguPlan *plan, const char *line)
{
    uint32_t gid, address;
    FuguAccess a;
    int64_t key;

    if (sscanf(line, "access %u %u %u %u %d", &gid, &address, &a.rs1, &a.rs2,
               &a.offset) != 5 || a.rs1 > 31 || a.rs2 > 31) {
        return false;
    }
    key = (int64_t)gid << 32 | address;
    g_hash_table_insert(plan->accesses, g_memdup2(&key, sizeof(key)),
                        g_memdup2(&a, sizeof(a)));
    g_hash_table_add(plan->marked, GUINT_TO_POINTER(address));
    return true;
}

static bool read_modes(FuguPlan *plan, const char *line)
{
    FuguModes *m = &plan->modes;

    return sscanf(line, "modes %u %u %u %u %u", &m->processes, &m->count, &m->info,
                  &m->mode, &m->buffered) == 5 && m->count <= FUGU_SEEN_GIDS;
}

static bool read_function(FuguPlan *plan, const char *line)
{
    uint32_t gid, address;

    if (sscanf(line, "function %u %u", &gid, &address) != 2 ||
        gid >= FUGU_SEEN_GIDS) {
        return false;
    }
    if (!plan->functions[gid]) {
        plan->functions[gid] = g_array_new(false, false, sizeof(uint32_t));
    }
    g_array_append_val(plan->functions[gid], address);
    return true;
}

static bool read_line(FuguPlan *plan, const char *line)
{
    uint32_t node;

    if (sscanf(line, "timeline %u %" SCNd64 " %" SCNd64, &plan->kinds,
               &plan->first, &plan->last) == 3) {
        return plan->timeline = true;
    }
    if (sscanf(line, "node %u", &node) == 1) {
        g_hash_table_add(plan->nodes, GUINT_TO_POINTER(node));
        return true;
    }
    if (sscanf(line, "stacks %u %u %u", &plan->stacks, &plan->stacks_end,
               &plan->stack_size) == 3) {
        return plan->stack_size != 0;
    }
    if (g_str_equal(line, "profile")) {
        return plan->profile = true;
    }
    if (g_str_equal(line, "alone")) {
        return plan->alone = true;
    }
    if (g_str_equal(line, "races")) {
        return plan->races = true;
    }
    return read_access(plan, line) || read_function(plan, line) ||
           read_modes(plan, line) || read_mark(plan, line);
}

FuguPlan *fugu_plan_read(const char *path, Error **errp)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    g_autoptr(GError) err = NULL;
    FuguPlan *plan;

    if (!g_file_get_contents(path, &text, NULL, &err)) {
        error_setg(errp, "%s", err->message);
        return NULL;
    }
    plan = g_new0(FuguPlan, 1);
    plan->stack_size = 1;
    plan->nodes = g_hash_table_new(NULL, NULL);
    plan->marked = g_hash_table_new(NULL, NULL);
    plan->marks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                        g_free);
    plan->accesses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                           g_free);
    lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        if (lines[i][0] && !read_line(plan, lines[i])) {
            error_setg(errp, "%s: line %u is no item of a plan: %s", path,
                       i + 1, lines[i]);
            return NULL;
        }
    }
    return plan;
}

/* ---- Questions ---------------------------------------------------------- */

bool fugu_plan_has_node(const FuguPlan *plan, uint32_t node)
{
    return g_hash_table_size(plan->nodes) == 0 ||
           g_hash_table_contains(plan->nodes, GUINT_TO_POINTER(node));
}

bool fugu_plan_is_marked(const FuguPlan *plan, uint32_t pc)
{
    return g_hash_table_contains(plan->marked, GUINT_TO_POINTER(pc));
}

const FuguMark *fugu_plan_mark(const FuguPlan *plan, uint32_t gid, uint32_t pc)
{
    int64_t key = (int64_t)gid << 32 | pc;

    return g_hash_table_lookup(plan->marks, &key);
}

const FuguAccess *fugu_plan_access(const FuguPlan *plan, uint32_t gid,
                                   uint32_t pc)
{
    int64_t key = (int64_t)gid << 32 | pc;

    return g_hash_table_lookup(plan->accesses, &key);
}

uint32_t fugu_plan_function(const FuguPlan *plan, uint32_t gid, uint32_t pc)
{
    unsigned of = plan->alone ? 0 : gid;
    const GArray *all = of < FUGU_SEEN_GIDS ? plan->functions[of] : NULL;
    unsigned low = 0, high = all ? all->len : 0;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (g_array_index(all, uint32_t, middle) <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? g_array_index(all, uint32_t, low - 1) : 0;
}
