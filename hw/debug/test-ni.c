/*
 * A second kind of network interface, for tests: -machine
 * fugu,network-interface=test-ni, with qtest
 *
 * It is the smallest kind that works, and shows what a kind has to provide
 * (machine/netif.h). A message is one word. The kind has one page of registers,
 * in place of the FUGU interface's user page:
 *
 *   0  rw  the node to send to
 *   4  w   sends the value; waits for the credit of the last message
 *   8  r   number of messages in the queue
 *  12  r   removes the first message from the queue and returns its word
 *
 * The interrupt FUGU_IRQ_MESSAGE is up while there is a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "system/qtest.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

#define TYPE_TEST_NI    "test-ni"
OBJECT_DECLARE_SIMPLE_TYPE(TestNI, TEST_NI)

#define KIND            0x7e57

enum { DEST = 0, SEND = 4, COUNT = 8, RECEIVE = 12 };

struct TestNI {
    FuguNetif parent_obj;

    MemoryRegion page;
    FuguEvent arrival;          /* of the first packet in flight */
    FuguPacketList flight;      /* on their way here, soonest first */
    FuguPacketList queue;
    uint32_t dest;
    uint32_t sequence;          /* of packets sent */
    bool in_network;            /* our last message */
};

static FuguNode *node_of(TestNI *s)
{
    return s->parent_obj.node;
}

static FuguHub *hub_of(TestNI *s)
{
    return node_of(s)->machine->parts.hub;
}

static void test_ni_update_irq(TestNI *s)
{
    fugu_node_set_irq(node_of(s), FUGU_IRQ_MESSAGE, !QTAILQ_EMPTY(&s->queue));
}

/* ---- Packets ------------------------------------------------------------- */

static void test_ni_send(TestNI *s, FuguPacketKind kind, uint32_t dest,
                         uint32_t word, int64_t time)
{
    FuguPacket *p = fugu_packet_new(hub_of(s));

    p->kind = kind;
    p->source = node_of(s)->number;
    p->dest = dest;
    p->sequence = s->sequence++;
    p->length = kind == FUGU_PACKET_MESSAGE ? 1 : 0;
    p->words[0] = word;
    p->time = time;
    fugu_hub_send(hub_of(s), p);
}

static void test_ni_arrive(FuguNetif *ni, FuguPacket *p)
{
    TestNI *s = TEST_NI(ni);

    fugu_packet_insert(&s->flight, p);
    fugu_event_set(ni->node, &s->arrival, QTAILQ_FIRST(&s->flight)->arrival);
}

static void test_ni_fire(void *opaque)
{
    TestNI *s = opaque;
    FuguPacket *p = QTAILQ_FIRST(&s->flight);
    int64_t now = p->arrival;

    while ((p = QTAILQ_FIRST(&s->flight)) && p->arrival == now) {
        QTAILQ_REMOVE(&s->flight, p, next);
        if (p->kind == FUGU_PACKET_CREDIT) {
            s->in_network = false;
            fugu_packet_free(hub_of(s), p);
        } else {
            QTAILQ_INSERT_TAIL(&s->queue, p, next);
            test_ni_send(s, FUGU_PACKET_CREDIT, p->source, 1, p->arrival);
        }
    }
    fugu_event_set(node_of(s), &s->arrival, p ? p->arrival : FUGU_NEVER);
    test_ni_update_irq(s);
}

/* ---- Registers ----------------------------------------------------------- */

static uint32_t test_ni_receive(TestNI *s)
{
    FuguPacket *p = QTAILQ_FIRST(&s->queue);
    uint32_t word = p ? p->words[0] : 0;

    if (p) {
        QTAILQ_REMOVE(&s->queue, p, next);
        fugu_packet_free(hub_of(s), p);
        test_ni_update_irq(s);
    }
    return word;
}

static MemTxResult test_ni_read(void *opaque, hwaddr addr, uint64_t *data,
                                unsigned size, MemTxAttrs attrs)
{
    TestNI *s = opaque;
    FuguPacket *p;

    *data = 0;
    switch (addr) {
    case DEST:
        *data = s->dest;
        break;
    case COUNT:
        QTAILQ_FOREACH(p, &s->queue, next) {
            ++*data;
        }
        break;
    case RECEIVE:
        *data = test_ni_receive(s);
        break;
    }
    return MEMTX_OK;
}

static MemTxResult test_ni_write(void *opaque, hwaddr addr, uint64_t value,
                                 unsigned size, MemTxAttrs attrs)
{
    TestNI *s = opaque;

    if (addr == DEST) {
        s->dest = MIN(value, node_of(s)->machine->options.node_count - 1);
    } else if (addr == SEND) {
        if (s->in_network) {
            return SPARCLE_TX_RESOLVE;
        }
        s->in_network = true;
        test_ni_send(s, FUGU_PACKET_MESSAGE, s->dest, value,
                     fugu_node_time(node_of(s)));
    }
    return MEMTX_OK;
}

static int test_ni_resolve(FuguNetif *ni, uintptr_t ra)
{
    fugu_node_wait(ni->node, FUGU_WAIT_SPACE);
    return SPARCLE_WAIT;
}

static const MemoryRegionOps test_ni_ops = {
    .read_with_attrs = test_ni_read,
    .write_with_attrs = test_ni_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- State --------------------------------------------------------------- */

static const FuguPacketList *test_ni_packets(FuguNetif *ni, int network,
                                             FuguNetifPlace place)
{
    TestNI *s = TEST_NI(ni);

    if (network != FUGU_MAIN_NETWORK) {
        return NULL;
    }
    return place == FUGU_NETIF_FLIGHT ? &s->flight :
           place == FUGU_NETIF_QUEUE ? &s->queue : NULL;
}

static FuguNetifLimits test_ni_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_MAIN_NETWORK
           ? (FuguNetifLimits) { .space = 1, .words = 1 }
           : (FuguNetifLimits) { 0 };
}

static const VMStateDescription vmstate_test_ni = {
    .name = TYPE_TEST_NI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_QTAILQ_V(flight, TestNI, 1, vmstate_fugu_packet, FuguPacket,
                         next),
        VMSTATE_QTAILQ_V(queue, TestNI, 1, vmstate_fugu_packet, FuguPacket,
                         next),
        VMSTATE_UINT32(dest, TestNI),
        VMSTATE_UINT32(sequence, TestNI),
        VMSTATE_BOOL(in_network, TestNI),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Device -------------------------------------------------------------- */

static void test_ni_init(Object *obj)
{
    TestNI *s = TEST_NI(obj);

    QTAILQ_INIT(&s->flight);
    QTAILQ_INIT(&s->queue);
}

static void test_ni_realize(DeviceState *dev, Error **errp)
{
    TestNI *s = TEST_NI(dev);

    if (!qtest_enabled()) {
        error_setg(errp, "network-interface=" TYPE_TEST_NI " is for qtest");
        return;
    }
    fugu_event_init(node_of(s), &s->arrival, test_ni_fire, s);
    memory_region_init_io(&s->page, OBJECT(s), &test_ni_ops, s, TYPE_TEST_NI,
                          FUGU_DEVICE_PAGE);
    memory_region_add_subregion(&node_of(s)->root, FUGU_NI_USER_BASE,
                                &s->page);
}

static void test_ni_class_init(ObjectClass *oc, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(oc);

    DEVICE_CLASS(oc)->realize = test_ni_realize;
    nc->instance_size = sizeof(TestNI);
    nc->number = KIND;
    nc->state = &vmstate_test_ni;
    nc->arrive = test_ni_arrive;
    nc->limits = test_ni_limits;
    nc->resolve = test_ni_resolve;
    nc->packets = test_ni_packets;
}

static const TypeInfo test_ni_types[] = {
    {
        .name = TYPE_TEST_NI,
        .parent = TYPE_FUGU_NETIF,
        .instance_size = sizeof(TestNI),
        .instance_init = test_ni_init,
        .class_init = test_ni_class_init,
    },
};

DEFINE_TYPES(test_ni_types)
