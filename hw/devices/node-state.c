/*
 * A node: its state, saved and loaded
 *
 * The state of a processor at the end of a round, or where a debugger stopped
 * it inside a round. QEMU saves the registers (target/sparc/machine.c). State
 * that only the host needs is not saved.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/qemu-file-types.h"
#include "migration/vmstate.h"
#include "accel/tcg/line-cache.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/devices/files.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/devices/node-state.h"
#include "hw/fugu/devices/timer.h"

static int node_pre_save(void *opaque)
{
    FuguNode *node = opaque;
    FuguSavedEvents *saved = &node->saved_events;

    *saved = (FuguSavedEvents) { 0 };
    for (FuguEvent *event = node->events; event; event = event->next) {
        saved->id[saved->count] = event->id;
        saved->time[saved->count++] = event->time;
    }
    return 0;
}

static void node_forget_events(FuguNode *node)
{
    for (unsigned i = 0; i < node->event_count; i++) {
        node->all_events[i]->time = FUGU_NEVER;
    }
    node->events = NULL;
    fugu_node_events_changed(node);
}

/* Returns the @i-th saved event, or NULL if it is invalid or earlier than
 * @last. */
static FuguEvent *node_saved_event(FuguNode *node, unsigned i, int64_t last)
{
    FuguSavedEvents *saved = &node->saved_events;
    FuguEvent *event;

    if (i >= node->event_count || saved->id[i] >= node->event_count) {
        return NULL;
    }
    event = node->all_events[saved->id[i]];
    return event->time == FUGU_NEVER && saved->time[i] != FUGU_NEVER &&
           saved->time[i] >= last ? event : NULL;
}

/* Schedules the saved events. Those of the same time keep their order. */
static bool node_load_events(FuguNode *node)
{
    FuguSavedEvents *saved = &node->saved_events;
    FuguEvent **end = &node->events;
    int64_t last = INT64_MIN;

    node_forget_events(node);
    for (unsigned i = 0; i < saved->count; i++) {
        FuguEvent *event = node_saved_event(node, i, last);

        if (!event) {
            return false;
        }
        event->time = last = saved->time[i];
        event->next = NULL;
        *end = event;
        end = &event->next;
    }
    fugu_node_events_changed(node);
    return true;
}

/* Removes a debugger's pending stop: it is no state of the machine. */
static void node_forget_debugger(FuguNode *node)
{
    CPUState *cs = CPU(&node->cpu);

    cs->interrupt_request &= ~CPU_INTERRUPT_DEBUG;
    if (cs->exception_index == EXCP_DEBUG) {
        cs->exception_index = -1;
    }
    cs->cflags_next_tb = -1;
}

static int node_post_load(void *opaque, int version)
{
    FuguNode *node = opaque;

    node_forget_debugger(node);
    if (node->state >= FUGU_NODE_STATES || node->wait >= FUGU_WAITS ||
        !fugu_meter_valid(&node->meter)) {
        return -EINVAL;
    }
    return node_load_events(node) ? 0 : -EINVAL;
}

/* ---- The network interface, of any kind ---------------------------------- */

static int netif_put(QEMUFile *f, void *pv, size_t size,
                     const VMStateField *field, JSONWriter *vmdesc)
{
    FuguNetif *ni = *(FuguNetif **)pv;

    return vmstate_save_state(f, ni->kind->state, ni, vmdesc);
}

static int netif_get(QEMUFile *f, void *pv, size_t size,
                     const VMStateField *field)
{
    FuguNetif *ni = *(FuguNetif **)pv;

    return vmstate_load_state(f, ni->kind->state, ni,
                              ni->kind->state->version_id);
}

static const VMStateInfo vmstate_info_netif = {
    .name = TYPE_FUGU_NETIF,
    .put = netif_put,
    .get = netif_get,
};

/* ---- Node ---------------------------------------------------------------- */

static bool node_has_cache(void *opaque, int version)
{
    FuguNode *node = opaque;

    return CPU(&node->cpu)->neg.line_cache;
}

static bool node_has_contexts(void *opaque)
{
    return FUGU_NODE(opaque)->contexts;
}

static const VMStateDescription vmstate_node_contexts = {
    .name = TYPE_FUGU_NODE "/contexts",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = node_has_contexts,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(contexts, FuguNode, vmstate_fugu_contexts,
                               FuguContexts),
        VMSTATE_END_OF_LIST()
    }
};

/* The devices come first: they contain the node's events. */
static const VMStateDescription vmstate_fugu_node = {
    .name = TYPE_FUGU_NODE,
    .version_id = 5,
    .minimum_version_id = 5,
    .pre_save = node_pre_save,
    .post_load = node_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(timer, FuguNode, vmstate_fugu_timer, FuguTimer),
        VMSTATE_STRUCT_POINTER(console, FuguNode, vmstate_fugu_console,
                               FuguConsole),
        VMSTATE_STRUCT_POINTER(disk, FuguNode, vmstate_fugu_disk, FuguDisk),
        VMSTATE_STRUCT_POINTER(files, FuguNode, vmstate_fugu_files, FuguFiles),
        VMSTATE_SINGLE(ni, FuguNode, 0, vmstate_info_netif, FuguNetif *),
        VMSTATE_INT64(stop, FuguNode),
        VMSTATE_INT32(cpu.parent_obj.neg.cycles_left, FuguNode),
        VMSTATE_BOOL(cpu.parent_obj.neg.stretch_over, FuguNode),
        VMSTATE_UINT32(cpu.parent_obj.neg.line_fetched, FuguNode),
        VMSTATE_BOOL(cpu.env.trap_window.taken, FuguNode),
        VMSTATE_BOOL(cpu.env.trap_window.user, FuguNode),
        VMSTATE_UINT32(cpu.env.trap_window.cwp, FuguNode),
        VMSTATE_UINT32(cpu.env.trap_window.wim, FuguNode),
        VMSTATE_STRUCT_POINTER_TEST(cpu.parent_obj.neg.line_cache, FuguNode,
                                    node_has_cache, vmstate_line_cache,
                                    CPULineCache),
        VMSTATE_UINT32(saved_events.count, FuguNode),
        VMSTATE_UINT8_ARRAY(saved_events.id, FuguNode, FUGU_NODE_EVENTS_MAX),
        VMSTATE_INT64_ARRAY(saved_events.time, FuguNode, FUGU_NODE_EVENTS_MAX),
        VMSTATE_UINT32(state, FuguNode),
        VMSTATE_UINT32(wait, FuguNode),
        VMSTATE_BOOL(in_stretch, FuguNode),
        VMSTATE_BOOL(deferred, FuguNode),
        VMSTATE_UINT32(status, FuguNode),
        VMSTATE_INT64(end_time, FuguNode),
        VMSTATE_UINT32(interrupts, FuguNode),
        VMSTATE_UINT64(digest, FuguNode),
        VMSTATE_STRUCT(meter, FuguNode, 1, vmstate_fugu_meter, FuguMeter),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription *const []) {
        &vmstate_node_contexts,
        NULL
    }
};

/*
 * DeviceClass would number the nodes in order of creation, so the node is
 * registered here, under its number. The node's devices are part of the node's
 * state: each registration walks over all registered states.
 */
void fugu_node_register_state(FuguNode *node)
{
    vmstate_register(NULL, node->number, &vmstate_fugu_node, node);
}
