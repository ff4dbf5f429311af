/*
 * The hub: takes what the nodes launch in a round, and delivers it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/fugu/hub.h"
#include "hw/fugu/machine.h"
#include "hw/fugu/ni.h"
#include "trace.h"

struct FuguHub {
    FuguMachineState *machine;
    Mesh *mesh[FUGU_NETWORKS];
    FuguPacketList spare;

    /* This round's, empty between two; grown as needed, never shrunk. */
    MeshLaunch *launches;
    uint64_t *arrivals;
    size_t launched, launches_max;
    FuguPacketList credits;
};

FuguPacket *fugu_packet_new(FuguHub *hub)
{
    FuguPacket *p = QTAILQ_FIRST(&hub->spare);

    if (p) {
        QTAILQ_REMOVE(&hub->spare, p, next);
    } else {
        p = g_new(FuguPacket, 1);
    }
    memset(p, 0, sizeof(*p));
    return p;
}

void fugu_packet_free(FuguHub *hub, FuguPacket *p)
{
    g_free(p->body);
    p->body = NULL;
    QTAILQ_INSERT_HEAD(&hub->spare, p, next);
}

static void hub_add_launch(FuguHub *hub, FuguPacket *p)
{
    if (hub->launched == hub->launches_max) {
        hub->launches_max = MAX(64, 2 * hub->launches_max);
        hub->launches = g_renew(MeshLaunch, hub->launches, hub->launches_max);
        hub->arrivals = g_renew(uint64_t, hub->arrivals, hub->launches_max);
    }
    hub->launches[hub->launched++] = (MeshLaunch) {
        .time = p->time,
        .opaque = p,
        .source = p->source,
        .dest = p->dest,
        .sequence = p->sequence,
        .words = p->length,
        .body_words = p->body_len / 4,
        .network = p->network,
    };
}

void fugu_hub_send(FuguHub *hub, FuguPacket *p)
{
    if (p->kind == FUGU_PACKET_MESSAGE) {
        hub_add_launch(hub, p);
    } else {
        QTAILQ_INSERT_TAIL(&hub->credits, p, next);
    }
}

static void hub_deliver(FuguHub *hub, FuguPacket *p)
{
    trace_fugu_hub_deliver(p->source, p->dest, p->network, p->kind, p->length,
                           p->time, p->arrival);
    fugu_ni_arrive(hub->machine->nodes[p->dest]->ni, p);
}

unsigned fugu_hub_round(FuguHub *hub)
{
    unsigned count = hub->launched;
    FuguPacket *p;

    if (hub->launched) {
        mesh_round(hub->mesh, hub->launches, hub->launched, hub->arrivals);
        for (size_t i = 0; i < hub->launched; i++) {
            p = hub->launches[i].opaque;
            p->arrival = hub->arrivals[i];
            hub_deliver(hub, p);
        }
        hub->launched = 0;
    }
    while ((p = QTAILQ_FIRST(&hub->credits))) {
        QTAILQ_REMOVE(&hub->credits, p, next);
        p->arrival = p->time + mesh_credit_latency(hub->mesh[p->network],
                                                   p->source, p->dest);
        hub_deliver(hub, p);
        count++;
    }
    return count;
}

void fugu_hub_reset(FuguHub *hub)
{
    FuguPacket *p;

    for (size_t i = 0; i < hub->launched; i++) {
        fugu_packet_free(hub, hub->launches[i].opaque);
    }
    hub->launched = 0;
    while ((p = QTAILQ_FIRST(&hub->credits))) {
        QTAILQ_REMOVE(&hub->credits, p, next);
        fugu_packet_free(hub, p);
    }
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        mesh_reset(hub->mesh[i]);
    }
}

FuguHub *fugu_hub_new(FuguMachineState *machine)
{
    const MeshParams *params[FUGU_NETWORKS] = {
        [FUGU_MAIN_NETWORK] = &machine->main_params,
        [FUGU_SECOND_NETWORK] = &machine->second_params,
    };
    FuguHub *hub = g_new0(FuguHub, 1);

    hub->machine = machine;
    QTAILQ_INIT(&hub->spare);
    QTAILQ_INIT(&hub->credits);
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        hub->mesh[i] = mesh_new(params[i], machine->node_count);
        if (!hub->mesh[i]) {
            error_report("fugu: no memory for the mesh");
            exit(1);
        }
    }
    return hub;
}

static const VMStateDescription vmstate_mesh = {
    .name = "fugu-mesh",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(links, Mesh, "another number of nodes"),
        VMSTATE_VARRAY_UINT32(link_free, Mesh, links, 1, vmstate_info_uint64,
                              uint64_t),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_hub = {
    .name = "fugu-hub",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_ARRAY_OF_POINTER_TO_STRUCT(mesh, FuguHub, FUGU_NETWORKS, 1,
                                           vmstate_mesh, Mesh),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_packet = {
    .name = "fugu-packet",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(time, FuguPacket),
        VMSTATE_INT64(arrival, FuguPacket),
        VMSTATE_UINT8(kind, FuguPacket),
        VMSTATE_UINT8(network, FuguPacket),
        VMSTATE_BOOL(has_body, FuguPacket),
        VMSTATE_UINT16(source, FuguPacket),
        VMSTATE_UINT16(dest, FuguPacket),
        VMSTATE_UINT32(sequence, FuguPacket),
        VMSTATE_UINT32(length, FuguPacket),
        VMSTATE_UINT32_ARRAY(words, FuguPacket, FUGU_MSG_WORDS),
        VMSTATE_UINT32(body_len, FuguPacket),
        VMSTATE_VBUFFER_ALLOC_UINT32(body, FuguPacket, 1, NULL, body_len),
        VMSTATE_END_OF_LIST()
    }
};
