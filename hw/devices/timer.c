/*
 * The cycle timer: interrupts while local time + cycle-offset >= compare
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/devices/timer.h"
#include "hw/fugu/trace.h"

#define COMPARE_LOW     (FUGU_TIMER_COMPARE + 4)
#define NOW_LOW         (FUGU_TIMER_NOW + 4)

static uint64_t timer_now(FuguTimer *s)
{
    return (uint64_t)fugu_node_time(s->node) +
           (uint64_t)s->node->ni->cycle_offset;
}

static bool timer_reached(FuguTimer *s)
{
    return s->enabled && timer_now(s) >= s->compare;
}

/*
 * Returns the local time at which timer_reached() next changes as time passes,
 * or FUGU_NEVER.
 *
 * The comparison is unsigned. With a negative cycle-offset NOW starts near the
 * end of its range and wraps around to 0; timer_reached() becomes false then.
 */
static int64_t timer_next_change(FuguTimer *s)
{
    uint64_t now = timer_now(s);
    uint64_t goal = now < s->compare ? s->compare : 0;
    int64_t time = fugu_node_time(s->node);

    if (!s->enabled || s->compare == 0 || goal - now >= FUGU_NEVER - time) {
        return FUGU_NEVER;
    }
    return time + (int64_t)(goal - now);
}

static void timer_update_irq(FuguTimer *s)
{
    fugu_node_set_irq(s->node, FUGU_IRQ_TIMER, timer_reached(s));
    fugu_event_set(s->node, &s->event, timer_next_change(s));
}

void fugu_timer_offset_changed(FuguTimer *s)
{
    timer_update_irq(s);
}

static void timer_fire(void *opaque)
{
    FuguTimer *s = opaque;

    trace_fugu_timer_fire(s->node->number, fugu_node_time(s->node),
                          s->compare, timer_reached(s));
    timer_update_irq(s);
}

static uint64_t timer_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguTimer *s = opaque;

    if (size == 8) {
        switch (addr) {
        case FUGU_TIMER_COMPARE:
            return s->compare;
        case FUGU_TIMER_NOW:
            return timer_now(s);
        }
    } else if (size == 4) {
        uint64_t now;

        switch (addr) {
        case FUGU_TIMER_COMPARE:
            return s->compare >> 32;
        case COMPARE_LOW:
            return (uint32_t)s->compare;
        case FUGU_TIMER_CONTROL:
            return s->enabled;
        case FUGU_TIMER_STATUS:
            return timer_reached(s);
        case FUGU_TIMER_NOW:
            now = timer_now(s);
            if (!fugu_device_peeked()) {
                s->now_low = now;
            }
            return now >> 32;
        case NOW_LOW:
            return fugu_device_peeked() ? timer_now(s) : s->now_low;
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_TIMER, addr, size);
}

static void timer_set_compare(FuguTimer *s, uint64_t compare)
{
    s->compare = compare;
    trace_fugu_timer_compare(s->node->number, fugu_node_time(s->node),
                             compare);
    timer_update_irq(s);
}

static void timer_write(void *opaque, hwaddr addr, uint64_t value,
                        unsigned size)
{
    FuguTimer *s = opaque;

    if (size == 8 && addr == FUGU_TIMER_COMPARE) {
        timer_set_compare(s, value);
        return;
    }
    if (size == 4) {
        switch (addr) {
        case FUGU_TIMER_COMPARE:
            s->compare_high = value;
            return;
        case COMPARE_LOW:
            timer_set_compare(s, (uint64_t)s->compare_high << 32 | value);
            return;
        case FUGU_TIMER_CONTROL:
            s->enabled = value & 1;
            timer_update_irq(s);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_TIMER, addr, size, value);
}

static const MemoryRegionOps timer_ops =
    FUGU_DEVICE_OPS(timer_read, timer_write);

static void timer_reset_hold(Object *obj, ResetType type)
{
    FuguTimer *s = FUGU_TIMER(obj);

    s->compare = 0;
    s->enabled = false;
    s->compare_high = 0;
    s->now_low = 0;
    timer_update_irq(s);
}

/* FuguNode saves the interrupt line and the event. */
const VMStateDescription vmstate_fugu_timer = {
    .name = TYPE_FUGU_TIMER,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(compare, FuguTimer),
        VMSTATE_BOOL(enabled, FuguTimer),
        VMSTATE_UINT32(compare_high, FuguTimer),
        VMSTATE_UINT32(now_low, FuguTimer),
        VMSTATE_END_OF_LIST()
    }
};

static void timer_realize(DeviceState *dev, Error **errp)
{
    FuguTimer *s = FUGU_TIMER(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &timer_ops, s, TYPE_FUGU_TIMER,
                          FUGU_DEVICE_PAGE);
    fugu_event_init(s->node, &s->event, timer_fire, s);
}

static void timer_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU cycle timer";
    dc->realize = timer_realize;
    dc->user_creatable = false;
    rc->phases.hold = timer_reset_hold;
}

static const TypeInfo timer_types[] = {
    {
        .name = TYPE_FUGU_TIMER,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguTimer),
        .class_init = timer_class_init,
    },
};

DEFINE_TYPES(timer_types)
