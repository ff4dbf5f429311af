/*
 * Node control: exit, stop, counters
 *
 * The device has no state to reset or to save: FuguNode holds how a node has
 * ended, the cache counts its misses, and the meter counts the rest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "accel/tcg/line-cache.h"
#include "hw/fugu/devices/control.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/trace.h"

/* Indices of CPULineCache.misses. */
enum { DATA_MISSES, FETCH_MISSES };

static uint32_t control_misses(FuguControl *s, unsigned kind)
{
    CPULineCache *cache = CPU(&s->node->cpu)->neg.line_cache;

    return cache ? cache->misses[kind] : 0;
}

/* ---- The meter's counters ------------------------------------------------ */

static bool is_counter(hwaddr addr)
{
    return addr >= FUGU_CONTROL_METER &&
           addr < FUGU_CONTROL_METER + 8 * FUGU_METER_COUNTERS;
}

static uint64_t counter_read(FuguNode *node, hwaddr addr)
{
    return fugu_meter_read(&node->meter, fugu_node_time(node),
                           node->meter.shown, (addr - FUGU_CONTROL_METER) / 8);
}

/* Reads a half. The high word's load latches the low word. */
static uint32_t counter_read_half(FuguNode *node, hwaddr addr)
{
    uint64_t value = counter_read(node, addr);
    bool high = !(addr & 4);

    if (fugu_device_peeked()) {
        return high ? value >> 32 : value;
    }
    if (high) {
        node->meter.low = value;
        return value >> 32;
    }
    return node->meter.low;
}

/* ---- Registers ----------------------------------------------------------- */

static uint64_t control_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguControl *s = opaque;

    if (is_counter(addr) && size == 8 && addr % 8 == 0) {
        return counter_read(s->node, addr);
    }
    if (is_counter(addr) && size == 4 && addr % 4 == 0) {
        return counter_read_half(s->node, addr);
    }
    if (size == 4) {
        switch (addr) {
        case FUGU_CONTROL_FETCH_MISS:
            return control_misses(s, FETCH_MISSES);
        case FUGU_CONTROL_DATA_MISS:
            return control_misses(s, DATA_MISSES);
        case FUGU_CONTROL_NETIF:
            return s->node->ni->kind->number;
        case FUGU_CONTROL_GID:
            return s->node->meter.shown;
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_CONTROL, addr, size);
}

static void control_write(void *opaque, hwaddr addr, uint64_t value,
                          unsigned size)
{
    FuguControl *s = opaque;
    int64_t time = fugu_node_time(s->node);

    if (size == 4) {
        switch (addr) {
        case FUGU_CONTROL_EXIT:
            trace_fugu_control_exit(s->node->number, time, value);
            fugu_node_end(s->node, value);
            return;
        case FUGU_CONTROL_STOP:
            trace_fugu_control_stop(s->node->number, time, value);
            fugu_machine_stop(s->node->machine,
                              MIN(value, FUGU_STATUS_GUEST_MAX), time);
            return;
        case FUGU_CONTROL_GID:
            s->node->meter.shown = value & FUGU_GID_MAX;
            return;
        case FUGU_CONTROL_CLEAR:
            if (s->node->seen) {
                fugu_seen_clear(s->node->seen, time, s->node->meter.shown);
            }
            fugu_meter_clear(&s->node->meter, time, s->node->meter.shown);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_CONTROL, addr, size, value);
}

static const MemoryRegionOps control_ops =
    FUGU_DEVICE_OPS(control_read, control_write);

static void control_realize(DeviceState *dev, Error **errp)
{
    FuguControl *s = FUGU_CONTROL(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &control_ops, s,
                          TYPE_FUGU_CONTROL, FUGU_DEVICE_PAGE);
}

static void control_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "FUGU node control";
    dc->realize = control_realize;
    dc->user_creatable = false;
}

static const TypeInfo control_types[] = {
    {
        .name = TYPE_FUGU_CONTROL,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguControl),
        .class_init = control_class_init,
    },
};

DEFINE_TYPES(control_types)
