/*
 * The hub: collects the packets that nodes send in a round, and delivers them
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/remote.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/trace.h"

struct FuguHub {
    FuguMachineState *machine;
    Mesh *mesh[FUGU_MESHES];
    FuguNetifLimits limits[FUGU_NETWORKS];
    FuguPacketList spare;

    FuguPacketList sent;        /* in this round, in order of the calls */

    /* For routing a round. Grow as needed, and never shrink. */
    MeshLaunch *launches;
    uint64_t *arrivals;
    size_t launches_max;
};

FuguPacket *fugu_packet_new(FuguHub *hub)
{
    FuguPacket *p = QTAILQ_FIRST(&hub->spare);

    if (p) {
        QTAILQ_REMOVE(&hub->spare, p, next);
    } else {
        p = g_new(FuguPacket, 1);
    }
    /* Two short memset() become a few stores; the compiler turns one long one
     * into a string instruction, which takes several times as long. */
    memset(p, 0, offsetof(FuguPacket, words));
    memset(p->words, 0, sizeof(p->words));
    p->body_len = 0;
    p->body = NULL;
    return p;
}

void fugu_packet_free(FuguHub *hub, FuguPacket *p)
{
    g_free(p->body);
    p->body = NULL;
    QTAILQ_INSERT_HEAD(&hub->spare, p, next);
}

void fugu_hub_send(FuguHub *hub, FuguPacket *p)
{
    /* What departs in a round is routed with it, in the order of time. */
    assert(p->time >= hub->machine->time.round_start &&
           p->time < fugu_machine_round_end(hub->machine));
    QTAILQ_INSERT_TAIL(&hub->sent, p, next);
}

FuguPacketList *fugu_hub_sent(FuguHub *hub)
{
    return &hub->sent;
}

void fugu_hub_arrive(FuguHub *hub, FuguPacket *p)
{
    FuguNetif *ni = hub->machine->parts.nodes[p->dest]->ni;

    trace_fugu_hub_deliver(p->source, p->dest, p->network, p->kind, p->length,
                           p->time, p->arrival);
    ni->kind->arrive(ni, p);
}

/* Returns the index of the mesh that has the network's links. */
static int mesh_of(int network)
{
    return network == FUGU_URGENT_NETWORK ? FUGU_MAIN_NETWORK : network;
}

static void hub_deliver(FuguHub *hub, FuguPacket *p)
{
    if (likely(hub->machine->parts.nodes[p->dest])) {
        fugu_hub_arrive(hub, p);
    } else {
        hub->machine->parts.remote->deliver(hub->machine->parts.remote, p);
    }
}

static void hub_add_launch(FuguHub *hub, size_t i, FuguPacket *p)
{
    if (i == hub->launches_max) {
        hub->launches_max = MAX(64, 2 * hub->launches_max);
        hub->launches = g_renew(MeshLaunch, hub->launches, hub->launches_max);
        hub->arrivals = g_renew(uint64_t, hub->arrivals, hub->launches_max);
    }
    hub->launches[i] = (MeshLaunch) {
        .time = p->time,
        .opaque = p,
        .source = p->source,
        .dest = p->dest,
        .sequence = p->sequence,
        .words = fugu_netif_carried(&hub->limits[p->network], p),
        .body_words = p->body_len / 4,
        .network = mesh_of(p->network),
        .urgent = p->network == FUGU_URGENT_NETWORK,
    };
}

/* Returns by how many cycles @p arrives before its last word does. */
static int64_t hub_lead(const FuguHub *hub, const FuguPacket *p)
{
    const FuguNetifLimits *limits = &hub->limits[p->network];

    return limits->by_head
           ? (int64_t)hub->mesh[mesh_of(p->network)]->params.word *
             (fugu_netif_carried(limits, p) + p->body_len / 4 - 1) : 0;
}

/* Messages contend for links, so the mesh has to see all those of a round at
 * once. Returns the number of messages. */
static size_t hub_route_messages(FuguHub *hub)
{
    FuguPacket *p, *next;
    size_t n = 0;

    QTAILQ_FOREACH_SAFE(p, &hub->sent, next, next) {
        if (p->kind == FUGU_PACKET_MESSAGE) {
            QTAILQ_REMOVE(&hub->sent, p, next);
            hub_add_launch(hub, n++, p);
        }
    }
    mesh_round(hub->mesh, hub->launches, n, hub->arrivals);
    for (size_t i = 0; i < n; i++) {
        p = hub->launches[i].opaque;
        p->arrival = hub->arrivals[i] - hub_lead(hub, p);
        hub_deliver(hub, p);
    }
    return n;
}

unsigned fugu_hub_round(FuguHub *hub)
{
    FuguPacket *p;
    unsigned count;

    if (QTAILQ_EMPTY(&hub->sent)) {
        return 0;
    }
    count = hub_route_messages(hub);
    while ((p = QTAILQ_FIRST(&hub->sent))) {
        QTAILQ_REMOVE(&hub->sent, p, next);
        p->arrival = p->time + mesh_credit_latency(hub->mesh[mesh_of(p->network)],
                                                   p->source, p->dest);
        hub_deliver(hub, p);
        count++;
    }
    return count;
}

void fugu_hub_reset(FuguHub *hub)
{
    FuguPacket *p;

    while ((p = QTAILQ_FIRST(&hub->sent))) {
        QTAILQ_REMOVE(&hub->sent, p, next);
        fugu_packet_free(hub, p);
    }
    for (int i = 0; i < FUGU_MESHES; i++) {
        mesh_reset(hub->mesh[i]);
    }
}

/* Lets messages be urgent, if the kind of network interface has such. */
static void hub_use_priorities(FuguHub *hub)
{
    const FuguMachineState *m = hub->machine;
    const FuguNetifClass *kind = fugu_netif_kind(m);
    FuguNetifLimits main = kind->limits(m, FUGU_MAIN_NETWORK);

    if (kind->limits(m, FUGU_URGENT_NETWORK).space &&
        !mesh_use_priorities(hub->mesh[FUGU_MAIN_NETWORK],
                             main.words + main.body / 4)) {
        error_report("fugu: no memory for the mesh");
        exit(1);
    }
}

FuguHub *fugu_hub_new(FuguMachineState *machine)
{
    const MeshParams *params[FUGU_MESHES] = {
        [FUGU_MAIN_NETWORK] = &machine->options.main_params,
        [FUGU_SECOND_NETWORK] = &machine->options.second_params,
    };
    FuguHub *hub = g_new0(FuguHub, 1);

    hub->machine = machine;
    QTAILQ_INIT(&hub->spare);
    QTAILQ_INIT(&hub->sent);
    for (int i = 0; i < FUGU_MESHES; i++) {
        hub->mesh[i] = mesh_new(params[i], machine->options.node_count);
        if (!hub->mesh[i]) {
            error_report("fugu: no memory for the mesh");
            exit(1);
        }
    }
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        hub->limits[i] = fugu_netif_kind(machine)->limits(machine, i);
    }
    hub_use_priorities(hub);
    return hub;
}

void fugu_hub_count_links(FuguHub *hub)
{
    for (int i = 0; i < FUGU_MESHES; i++) {
        if (!mesh_count_words(hub->mesh[i])) {
            error_report("fugu: no memory to count what links carry");
            exit(1);
        }
    }
}

uint64_t fugu_hub_link_words(const FuguHub *hub, int network, uint32_t link)
{
    return hub->mesh[network]->link_words[link];
}

static bool has_priorities(void *opaque)
{
    return ((Mesh *)opaque)->urgent_free;
}

static const VMStateDescription vmstate_priorities = {
    .name = "fugu-mesh/priorities",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = has_priorities,
    .fields = (const VMStateField[]) {
        VMSTATE_VARRAY_UINT32(urgent_free, Mesh, links, 1, vmstate_info_uint64,
                              uint64_t),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_mesh = {
    .name = "fugu-mesh",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(links, Mesh, "another number of nodes"),
        VMSTATE_VARRAY_UINT32(link_free, Mesh, links, 1, vmstate_info_uint64,
                              uint64_t),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription *const []) {
        &vmstate_priorities,
        NULL
    }
};

const VMStateDescription vmstate_fugu_hub = {
    .name = "fugu-hub",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_QTAILQ_V(sent, FuguHub, 1, vmstate_fugu_packet, FuguPacket,
                         next),
        VMSTATE_ARRAY_OF_POINTER_TO_STRUCT(mesh, FuguHub, FUGU_MESHES, 1,
                                           vmstate_mesh, Mesh),
        VMSTATE_END_OF_LIST()
    }
};
