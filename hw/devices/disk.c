/*
 * The disk: copies sectors to and from RAM, with QEMU's block layer
 *
 * When the guest writes a command, the host does the transfer at once, and the
 * guest learns of its end at a modelled time. So the guest cannot see how fast
 * the host's disk is, and no request is in flight when the machine is saved.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/qdev-properties-system.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "system/block-backend.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/devices/transfer.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/trace.h"

/*
 * At 25 MHz: 1 ms until the transfer starts, and then 10 MB/s, as a good disk
 * of the middle nineties. There are no seek times, so that the cycles of a run
 * do not depend on where its data lie.
 */
#define COMMAND_CYCLES          25000
#define SECTOR_CYCLES           1280

/* Bytes that are copied at a time. */
#define CHUNK_SIZE              (64 * KiB)

static void disk_update_irq(FuguDisk *s)
{
    fugu_node_set_irq(s->node, FUGU_IRQ_DISK,
                      s->irq_enabled && (s->status & FUGU_DISK_DONE));
}

/* ---- Commands ----------------------------------------------------------- */

static uint64_t disk_bytes(FuguDisk *s)
{
    return (uint64_t)s->count * FUGU_DISK_SECTOR_SIZE;
}

/* Returns true if all sectors are on the disk, and all of the memory is RAM. */
static bool disk_range_valid(FuguDisk *s)
{
    uint64_t ram_offset = (uint64_t)s->addr - FUGU_RAM_BASE;

    return (uint64_t)s->sector + s->count <= s->sectors &&
           s->addr >= FUGU_RAM_BASE &&
           ram_offset + disk_bytes(s) <= s->node->ram_size;
}

static int disk_to_ram(FuguDisk *s, uint8_t *buffer, int64_t offset,
                       hwaddr addr, unsigned len)
{
    CPUState *cs = CPU(&s->node->cpu);
    int ret = blk_pread(s->blk, offset, len, buffer, 0);

    if (ret == 0) {
        address_space_write(cs->as, addr, MEMTXATTRS_UNSPECIFIED, buffer, len);
        fugu_transfer_wrote(s->node, addr, len);
    }
    return ret;
}

static int disk_from_ram(FuguDisk *s, uint8_t *buffer, int64_t offset,
                         hwaddr addr, unsigned len)
{
    address_space_read(CPU(&s->node->cpu)->as, addr, MEMTXATTRS_UNSPECIFIED,
                       buffer, len);
    fugu_transfer_read(s->node, addr, len);
    if (s->node->machine->parts.history) {
        s->node->machine->ops.disk_changes(s->node->machine, s->node->number,
                                       offset, len);
    }
    return blk_pwrite(s->blk, offset, len, buffer, 0);
}

/*
 * Copies all sectors of the command. Returns 0, or a negative error number of
 * the host.
 */
static int disk_transfer(FuguDisk *s, bool write)
{
    g_autofree uint8_t *buffer = g_malloc(CHUNK_SIZE);
    int64_t offset = (int64_t)s->sector * FUGU_DISK_SECTOR_SIZE;
    hwaddr addr = s->addr;
    uint64_t left = disk_bytes(s);

    while (left) {
        unsigned len = MIN(left, CHUNK_SIZE);
        int ret = write ? disk_from_ram(s, buffer, offset, addr, len)
                        : disk_to_ram(s, buffer, offset, addr, len);

        if (ret < 0) {
            return ret;
        }
        offset += len;
        addr += len;
        left -= len;
    }
    return 0;
}

/* Does all the work of a command. Returns false if the command fails. */
static bool disk_execute(FuguDisk *s, uint32_t command)
{
    int ret;

    switch (command) {
    case FUGU_DISK_READ:
    case FUGU_DISK_WRITE:
        if (!s->blk || !disk_range_valid(s) ||
            (command == FUGU_DISK_WRITE && !blk_is_writable(s->blk))) {
            return false;
        }
        ret = disk_transfer(s, command == FUGU_DISK_WRITE);
        break;
    case FUGU_DISK_FLUSH:
        if (!s->blk) {
            return false;
        }
        ret = blk_flush(s->blk);
        break;
    default:
        return false;
    }
    if (ret < 0) {
        /* Another run with the same inputs may not repeat this error. */
        warn_report("disk of node %u: %s", s->node->number, strerror(-ret));
    }
    return ret == 0;
}

static void disk_command(FuguDisk *s, uint32_t command)
{
    int64_t now = fugu_node_time(s->node);
    int64_t cycles = COMMAND_CYCLES;

    if (s->status & FUGU_DISK_BUSY) {
        qemu_log_mask(LOG_GUEST_ERROR, "%s: node %u: command %u while busy\n",
                      TYPE_FUGU_DISK, s->node->number, command);
        return;
    }
    s->failed = !disk_execute(s, command);
    if (s->failed) {
        qemu_log_mask(LOG_GUEST_ERROR, "%s: node %u: cannot do command %u at "
                      "sector %u, %u sectors, address 0x%08x\n",
                      TYPE_FUGU_DISK, s->node->number, command, s->sector,
                      s->count, s->addr);
    } else if (command != FUGU_DISK_FLUSH) {
        cycles += (int64_t)s->count * SECTOR_CYCLES;
    }
    trace_fugu_disk_command(s->node->number, now, command, s->sector,
                            s->count, s->addr, s->failed);
    s->status = FUGU_DISK_BUSY;
    disk_update_irq(s);
    fugu_event_set(s->node, &s->event, now + cycles);
}

static void disk_fire(void *opaque)
{
    FuguDisk *s = opaque;

    s->status = FUGU_DISK_DONE | (s->failed ? FUGU_DISK_ERROR : 0);
    trace_fugu_disk_done(s->node->number, fugu_node_time(s->node), s->status);
    disk_update_irq(s);
}

/* ---- Registers ---------------------------------------------------------- */

static uint64_t disk_read(void *opaque, hwaddr addr, unsigned size)
{
    FuguDisk *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_DISK_SECTORS:
            return s->sectors;
        case FUGU_DISK_SECTOR:
            return s->sector;
        case FUGU_DISK_COUNT:
            return s->count;
        case FUGU_DISK_ADDR:
            return s->addr;
        case FUGU_DISK_STATUS:
            return s->status;
        case FUGU_DISK_CONTROL:
            return s->irq_enabled;
        }
    }
    return fugu_device_bad_read(s->node, TYPE_FUGU_DISK, addr, size);
}

static void disk_write(void *opaque, hwaddr addr, uint64_t value,
                       unsigned size)
{
    FuguDisk *s = opaque;

    if (size == 4) {
        switch (addr) {
        case FUGU_DISK_SECTOR:
            s->sector = value;
            return;
        case FUGU_DISK_COUNT:
            s->count = value;
            return;
        case FUGU_DISK_ADDR:
            s->addr = value & ~3u;
            return;
        case FUGU_DISK_COMMAND:
            disk_command(s, value);
            return;
        case FUGU_DISK_STATUS:
            s->status &= FUGU_DISK_BUSY;
            disk_update_irq(s);
            return;
        case FUGU_DISK_CONTROL:
            s->irq_enabled = value & 1;
            disk_update_irq(s);
            return;
        }
    }
    fugu_device_bad_write(s->node, TYPE_FUGU_DISK, addr, size, value);
}

static const MemoryRegionOps disk_ops = FUGU_DEVICE_OPS(disk_read, disk_write);

/* ---- Device ------------------------------------------------------------- */

static void disk_reset_hold(Object *obj, ResetType type)
{
    FuguDisk *s = FUGU_DISK(obj);

    s->sector = 0;
    s->count = 0;
    s->addr = 0;
    s->status = 0;
    s->irq_enabled = false;
    s->failed = false;
    fugu_event_set(s->node, &s->event, FUGU_NEVER);
    disk_update_irq(s);
}

/* FuguNode saves the interrupt line and the event. */
const VMStateDescription vmstate_fugu_disk = {
    .name = TYPE_FUGU_DISK,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(sectors, FuguDisk, "another disk"),
        VMSTATE_UINT32(sector, FuguDisk),
        VMSTATE_UINT32(count, FuguDisk),
        VMSTATE_UINT32(addr, FuguDisk),
        VMSTATE_UINT32(status, FuguDisk),
        VMSTATE_BOOL(irq_enabled, FuguDisk),
        VMSTATE_BOOL(failed, FuguDisk),
        VMSTATE_END_OF_LIST()
    }
};

static bool disk_attach(FuguDisk *s, Error **errp)
{
    uint64_t perm = BLK_PERM_CONSISTENT_READ |
                    (blk_supports_write_perm(s->blk) ? BLK_PERM_WRITE : 0);
    int64_t length = blk_getlength(s->blk);

    if (length < 0) {
        error_setg_errno(errp, -length, "disk of node %u", s->node->number);
        return false;
    }
    s->sectors = MIN(length / FUGU_DISK_SECTOR_SIZE, UINT32_MAX);
    return blk_set_perm(s->blk, perm, BLK_PERM_ALL, errp) == 0;
}

static void disk_realize(DeviceState *dev, Error **errp)
{
    FuguDisk *s = FUGU_DISK(dev);

    memory_region_init_io(&s->mmio, OBJECT(s), &disk_ops, s, TYPE_FUGU_DISK,
                          FUGU_DEVICE_PAGE);
    fugu_event_init(s->node, &s->event, disk_fire, s);
    if (s->blk) {
        disk_attach(s, errp);
    }
}

static const Property disk_properties[] = {
    DEFINE_PROP_DRIVE("drive", FuguDisk, blk),
};

static void disk_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU disk";
    dc->realize = disk_realize;
    dc->user_creatable = false;
    device_class_set_props(dc, disk_properties);
    rc->phases.hold = disk_reset_hold;
}

static const TypeInfo disk_types[] = {
    {
        .name = TYPE_FUGU_DISK,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguDisk),
        .class_init = disk_class_init,
    },
};

DEFINE_TYPES(disk_types)
