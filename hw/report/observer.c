/*
 * The observer of a machine: figures, timeline and profile of a run
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/notify.h"
#include "exec/cpu-all.h"
#include "accel/tcg/line-cache.h"
#include "system/lockstep.h"
#include "system/system.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/report/observer.h"
#include "hw/fugu/observe/plan.h"
#include "hw/fugu/observe/profile.h"

typedef struct FuguObserver {
    FuguMachineState *machine;
    FuguPlan *plan;
    FuguTimeline *timeline;     /* or NULL */
    FuguProfile **profiles;     /* by node, or NULL */
    FuguRaceLog *races;         /* or NULL */
    bool started;
    int64_t start;              /* cycle */
    Notifier exit;
} FuguObserver;

/* ---- Code that is reached ----------------------------------------------- */

static bool is_observed(void *opaque, vaddr pc, bool starts)
{
    FuguObserver *o = opaque;

    return (starts && o->profiles) || fugu_plan_is_marked(o->plan, pc);
}

static uint32_t register_of(CPUSPARCState *env, unsigned number)
{
    return number < 8 ? env->gregs[number] : env->regwptr[number - 8];
}

static uint32_t value_of(CPUState *cpu, const FuguOperand *operand)
{
    uint32_t value = register_of(cpu_env(cpu), operand->reg);
    uint8_t word[4] = { 0 };

    if (!operand->in_memory) {
        return value;
    }
    cpu_memory_rw_debug(cpu, value + operand->offset, word, sizeof(word),
                        false);
    return ldl_be_p(word);
}

static void reach_mark(FuguNode *node, const FuguMark *mark, int64_t now)
{
    CPUState *cpu = CPU(&node->cpu);
    uint32_t value[FUGU_MARK_OPERANDS] = { 0 };

    for (unsigned i = 0; i < mark->count && i < FUGU_MARK_OPERANDS; i++) {
        value[i] = value_of(cpu, &mark->operand[i]);
    }
    if (fugu_sharing_has(mark->kind)) {
        fugu_sharing_mark(fugu_seen_sharing(node->seen), now, mark->kind,
                          value);
    } else if (mark->kind == FUGU_MARK_UPDATE_WAIT ||
               mark->kind == FUGU_MARK_UPDATE_SEEN) {
        fugu_seen_update_wait(node->seen, now, value[0],
                              mark->kind == FUGU_MARK_UPDATE_WAIT);
    } else {
        fugu_seen_mark(node->seen, now, mark->kind,
                       mark->count ? value[0] : node->seen->gid, value[1]);
    }
}

/* Returns the GID that the processor works for: a message slot's, or that which the
 * network interface serves. */
static uint32_t gid_of(const FuguNode *node)
{
    return node->seen->runs >= 0 ? node->seen->runs_for : node->seen->gid;
}

static void reach_block(FuguProfile *profile, FuguNode *node, uint32_t pc,
                        int64_t now)
{
    CPUSPARCState *env = &node->cpu.env;

    fugu_profile_block(profile, now, &(FuguProfileBlock) {
        .pc = pc,
        .sp = env->regwptr[6],
        .o7 = env->regwptr[7],
        .l1 = env->regwptr[9],
        .l2 = env->regwptr[10],
        .gid = gid_of(node),
        .user = !env->psrs,
        .trap = MAX(node->seen->trap, 0),
        .waited = node->seen->waited,
        .why = node->seen->waited_for,
    });
}

static void reach_access(FuguNode *node, const FuguAccess *a, uint32_t pc)
{
    CPUSPARCState *env = &node->cpu.env;

    fugu_races_access(node->seen->races, node->seen->gid,
                      fugu_seen_in_handler(node->seen), pc,
                      register_of(env, a->rs1) + register_of(env, a->rs2) +
                      a->offset);
}

static void reached(void *opaque, CPUState *cpu, vaddr pc)
{
    FuguObserver *o = opaque;
    FuguNode *node = cpu_env(cpu)->sparcle.node;
    int64_t now = fugu_node_time(node);
    uint32_t gid = node->cpu.env.psrs ? 0 : gid_of(node);
    const FuguAccess *access;
    const FuguMark *mark;

    if (o->profiles) {
        reach_block(o->profiles[node->number], node, pc, now);
    }
    mark = fugu_plan_mark(o->plan, gid, pc);
    if (mark && !fugu_seen_again(node->seen, pc)) {
        reach_mark(node, mark, now);
    }
    access = o->races ? fugu_plan_access(o->plan, gid, pc) : NULL;
    if (access) {
        reach_access(node, access, pc);
    }
}

static const LockstepObserver lockstep_observer = {
    .is_observed = is_observed,
    .reached = reached,
};

/* ---- Files -------------------------------------------------------------- */

static char *file_name(const FuguMachineState *m, const char *what)
{
    g_autofree char *name = g_strdup_printf("%s.%u", what, m->options.process);

    return g_build_filename(m->options.observe, name, NULL);
}

static void write_links(FuguMachineState *m, FILE *file)
{
    for (unsigned network = 0; network < FUGU_MESHES; network++) {
        for (uint32_t i = 0; i < m->options.node_count * MESH_LINKS; i++) {
            uint64_t words = fugu_hub_link_words(m->parts.hub, network, i);

            if (words) {
                fprintf(file, "link %u %u %u %" PRIu64 "\n", network,
                        i / MESH_LINKS, i % MESH_LINKS, words);
            }
        }
    }
}

static void misses_of(const FuguNode *node, uint64_t *misses)
{
    const CPULineCache *cache = CPU(&node->cpu)->neg.line_cache;

    misses[0] = cache ? cache->misses[0] : 0;
    misses[1] = cache ? cache->misses[1] : 0;
}

static void write_node(FuguObserver *o, FuguNode *node, FILE *file)
{
    int64_t now = fugu_node_time(node);
    uint64_t misses[2];

    fprintf(file, "node %u\n", node->number);
    misses_of(node, misses);
    fugu_seen_finish(node->seen, now);
    fugu_tally_write(&node->seen->tally, &node->meter, now, misses,
                     node->number, file);
    fugu_seen_write_sharing(node->seen, node->number, file);
    fugu_masked_write(&node->seen->masked,
                      node->seen->wait == FUGU_WAIT_INTERRUPT
                      ? node->seen->masked.since : now,
                      node->seen->trap, node->number, file);
    if (o->profiles) {
        fugu_profile_write(o->profiles[node->number], now,
                           node->seen->waited, node->seen->waited_for,
                           node->number, file);
    }
}

/* The last line shows that the file is whole. */
static void write_figures(FuguObserver *o, FILE *file)
{
    FuguMachineState *m = o->machine;

    fprintf(file, "run %" PRId64 " %" PRId64 "\n", o->start,
            fugu_machine_round_end(m));
    fprintf(file, "netif %u\n", fugu_netif_kind(m)->number);
    for (uint32_t i = m->parts.first; o->started && i < m->parts.end; i++) {
        write_node(o, m->parts.nodes[i], file);
    }
    write_links(m, file);
    if (o->timeline) {
        fugu_timeline_write_codes(o->timeline, file);
    }
    fprintf(file, "end\n");
}

/* The launcher sees by the missing last line that something was not written. */
static void observer_exit(Notifier *notifier, void *data)
{
    FuguObserver *o = container_of(notifier, FuguObserver, exit);
    g_autofree char *name = file_name(o->machine, "figures");
    FILE *file;

    if (o->races && !fugu_race_log_close(o->races)) {
        return;
    }
    file = fopen(name, "w");
    if (!file) {
        error_report("fugu: %s cannot be written: %s", name, strerror(errno));
        return;
    }
    write_figures(o, file);
    if (fclose(file)) {
        error_report("fugu: %s cannot be written: %s", name, strerror(errno));
    }
    if (o->timeline && !fugu_timeline_close(o->timeline)) {
        error_report("fugu: the timeline could not be written: is the disk "
                     "full?");
    }
}

void fugu_observer_end(FuguMachineState *m)
{
    if (m->parts.observer && m->parts.observer->races) {
        fugu_race_log_flush(m->parts.observer->races);
    }
}

const char *fugu_observer_failed(const FuguMachineState *m)
{
    FuguObserver *o = m->parts.observer;

    if (o && o->timeline && o->timeline->proto->failed) {
        return "timeline";
    }
    return o && o->races && fugu_race_log_failed(o->races) ? "log of accesses"
                                                           : NULL;
}

/* ---- Start -------------------------------------------------------------- */

/* Whether the main context is in user mode. */
static bool main_is_user(const FuguNode *node)
{
    const CPUSPARCState *env = &node->cpu.env;

    return env->slots.active ? !(env->slots.bank[0].psr & PSR_S) : !env->psrs;
}

static uint32_t word_at(const FuguNode *node, uint32_t address)
{
    return address_space_ldl_be(CPU(&node->cpu)->as, address, MEMTXATTRS_UNSPECIFIED,
                                NULL);
}

/* Tells the observer which processes are in buffered mode. GID 0 is no process's. */
static void observe_modes(const FuguModes *at, FuguNode *node, int64_t now)
{
    for (uint32_t gid = 1; gid < at->count; gid++) {
        uint32_t process = word_at(node, at->processes + 4 * gid);

        if (process && word_at(node, word_at(node, process + at->info) +
                                     at->mode) == at->buffered) {
            fugu_seen_is_buffered(node->seen, now, gid);
        }
    }
}

/* Tells the observer which messages are on their way to the node. */
static void observe_flight(FuguNode *node, int network, FuguNetifPlace place)
{
    FuguNetifLimits limits = node->ni->kind->limits(node->machine, network);
    const FuguPacketList *list = node->ni->kind->packets(node->ni, network, place);
    const FuguPacket *p;

    if (list) {
        QTAILQ_FOREACH(p, list, next) {
            if (p->kind == FUGU_PACKET_MESSAGE && !fugu_netif_is_word(&limits, p)) {
                fugu_seen_flight(node->seen);
            }
        }
    }
}

static void observe_node(FuguObserver *o, FuguNode *node)
{
    int64_t now = fugu_node_time(node);
    uint32_t gid = node->ni->kind->job ? node->ni->kind->job(node->ni) : 0;
    FuguSeen *seen = node->seen;
    uint64_t misses[2];

    misses_of(node, misses);
    fugu_seen_start(seen, now, gid, main_is_user(node),
                    node->ni->kind->section(node->ni).uac, fugu_node_masks(node),
                    node->state == FUGU_NODE_WAITS ? node->wait : -1,
                    node->state == FUGU_NODE_ENDED, misses);
    observe_modes(&o->plan->modes, node, now);
    for (int network = 0; network < FUGU_NETWORKS; network++) {
        observe_flight(node, network, FUGU_NETIF_FLIGHT);
        observe_flight(node, network, FUGU_NETIF_BLOCKED);
    }
    fugu_node_show_contexts(node);
    if (o->profiles) {
        o->profiles[node->number] = fugu_profile_new(o->plan, gid, now);
    }
}

void fugu_observer_start(FuguMachineState *m)
{
    FuguObserver *o = m->parts.observer;

    if (o && !o->started) {
        o->started = true;
        o->start = m->time.round_start;
        for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
            observe_node(o, m->parts.nodes[i]);
        }
    }
}

void fugu_observer_round(FuguMachineState *m)
{
    if (m->parts.observer && m->parts.observer->timeline) {
        fugu_timeline_round(m->parts.observer->timeline, m->time.round_start);
    }
}

static FuguTimeline *new_timeline(const FuguMachineState *m,
                                  const FuguPlan *plan)
{
    g_autofree char *name = file_name(m, "timeline");
    FuguTimeline *l = fugu_timeline_new(name, m->options.process, plan->kinds,
                                        plan->first, plan->last);

    if (!l) {
        error_report("fugu: %s cannot be written: %s", name, strerror(errno));
        exit(1);
    }
    return l;
}

static FuguRaceLog *new_race_log(const FuguMachineState *m)
{
    g_autofree char *name = file_name(m, "races");
    FuguRaceLog *log = fugu_race_log_new(name);

    if (!log) {
        error_report("fugu: %s cannot be written: %s", name, strerror(errno));
        exit(1);
    }
    return log;
}

void fugu_observer_init(FuguMachineState *m)
{
    g_autofree char *name = NULL;
    FuguObserver *o;

    if (!m->options.observe) {
        return;
    }
    name = g_build_filename(m->options.observe, "plan", NULL);
    o = g_new0(FuguObserver, 1);
    o->machine = m;
    o->plan = fugu_plan_read(name, &error_fatal);
    o->timeline = o->plan->timeline ? new_timeline(m, o->plan) : NULL;
    o->profiles = o->plan->profile
                  ? g_new0(FuguProfile *, m->options.node_count) : NULL;
    o->races = o->plan->races ? new_race_log(m) : NULL;
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        bool shown = fugu_plan_has_node(o->plan, i);

        m->parts.nodes[i]->seen = fugu_seen_new(i, &m->parts.nodes[i]->meter,
                                          shown ? o->timeline : NULL,
                                          g_hash_table_size(o->plan->marks));
        m->parts.nodes[i]->seen->races =
            o->races ? fugu_races_new(o->races, i) : NULL;
    }
    fugu_hub_count_links(m->parts.hub);
    m->parts.observer = o;
    lockstep_observe(&lockstep_observer, o);
    o->exit.notify = observer_exit;
    qemu_add_exit_notifier(&o->exit);
}
