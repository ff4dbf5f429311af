/*
 * Machine "fugu": a multicomputer of Sparcle nodes on a mesh
 *
 * The QOM tree is the picture of the machine:
 *
 *   machine -> rounds
 *           -> node[i] -> cluster -> cpu
 *                      -> ni, timer, console, disk, files, control
 *
 * Each node's processor has its own memory tree. The RAM of all nodes is one
 * block; each node has an alias of its part. The boot image is one read-only
 * block that all nodes share, so that QEMU translates its code once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "chardev/char.h"
#include "elf.h"
#include "hw/loader.h"
#include "hw/qdev-properties.h"
#include "system/block-backend.h"
#include "system/blockdev.h"
#include "system/lockstep.h"
#include "system/qtest.h"
#include "system/reset.h"
#include <sys/mman.h>
#include "accel/tcg/line-cache.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/devices/control.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/devices/files.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/debug/inspect.h"
#include "hw/fugu/rounds/watches.h"
#include "hw/fugu/link/setup.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/node/mmu-check.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/devices/node-state.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/board/options.h"
#include "hw/fugu/snapshot/parameters.h"
#include "hw/fugu/debug/qtest.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/history.h"
#include "hw/fugu/report/observer.h"
#include "hw/fugu/snapshot/snapshot.h"
#include "hw/fugu/devices/timer.h"

/* ---- Memory ------------------------------------------------------------- */

static void create_memory(FuguMachineState *m)
{
    uint64_t ram = fugu_ram_stride(m) * (m->parts.end - m->parts.first);

    memory_region_init_ram_flags_nomigrate(&m->parts.ram, OBJECT(m),
                                           "fugu.ram", ram, RAM_NORESERVE,
                                           &error_fatal);
    vmstate_register_ram_global(&m->parts.ram);
    /* With huge pages, the first page that a node touches would cost 2 MiB. */
    madvise(memory_region_get_ram_ptr(&m->parts.ram), ram, MADV_NOHUGEPAGE);
    memory_region_init_rom_nomigrate(&m->parts.boot, OBJECT(m), "fugu.boot",
                                     FUGU_BOOT_SIZE, &error_fatal);
    vmstate_register_ram_global(&m->parts.boot);
}

static void map_memory(FuguMachineState *m, FuguNode *node)
{
    Object *obj = OBJECT(node);

    memory_region_init(&node->root, obj, "fugu-node", 4 * GiB);
    memory_region_init_alias(&node->boot, obj, "boot", &m->parts.boot, 0,
                             FUGU_BOOT_SIZE);
    memory_region_init_alias(&node->ram, obj, "ram", &m->parts.ram,
                             fugu_ram_stride(m) *
                             (node->number - m->parts.first),
                             m->options.node_ram);
    memory_region_add_subregion(&node->root, FUGU_BOOT_BASE, &node->boot);
    memory_region_add_subregion(&node->root, FUGU_RAM_BASE, &node->ram);
}

/* ---- Nodes -------------------------------------------------------------- */

static void create_cpu(FuguMachineState *m, FuguNode *node)
{
    DeviceState *cluster = DEVICE(&node->cluster);

    qdev_prop_set_uint32(cluster, "cluster-id", node->number);
    /* Otherwise QEMU would look for a free number among all processors. */
    CPU(&node->cpu)->cpu_index = node->number;
    object_property_set_link(OBJECT(&node->cpu), "memory", OBJECT(&node->root),
                             &error_abort);
    qdev_realize(DEVICE(&node->cpu), NULL, &error_fatal);
    qdev_realize(cluster, NULL, &error_fatal);
    if (m->options.cache) {
        line_cache_new(CPU(&node->cpu), m->options.cache_size,
                       m->options.cache_miss);
    }
}

static void *create_device(FuguNode *node, const char *name, const char *type,
                           size_t size)
{
    void *dev = lockstep_alloc(size);

    object_initialize_child_with_props(OBJECT(node), name, dev, size, type,
                                       &error_abort, NULL);
    return dev;
}

static void map_device(FuguNode *node, void *dev, MemoryRegion *mmio,
                       hwaddr base)
{
    qdev_realize(DEVICE(dev), NULL, &error_fatal);
    memory_region_add_subregion(&node->root, base, mmio);
}

static void create_disk(FuguNode *node)
{
    g_autofree char *id = g_strdup_printf("disk%u", node->number);
    BlockBackend *blk = blk_by_name(id);

    node->disk = create_device(node, "disk", TYPE_FUGU_DISK,
                               sizeof(*node->disk));
    node->disk->node = node;
    if (blk) {
        qdev_prop_set_drive_err(DEVICE(node->disk), "drive", blk, &error_fatal);
    }
    map_device(node, node->disk, &node->disk->mmio, FUGU_DISK_BASE);
}

/* Each kind of network interface maps its own registers. */
static void create_network_interface(FuguNode *node)
{
    const FuguNetifClass *kind = fugu_netif_kind(node->machine);
    const char *type = object_class_get_name((ObjectClass *)kind);

    node->ni = create_device(node, "ni", type, kind->instance_size);
    node->ni->node = node;
    qdev_realize(DEVICE(node->ni), NULL, &error_fatal);
}

static void create_devices(FuguNode *node)
{
    node->timer = create_device(node, "timer", TYPE_FUGU_TIMER,
                                sizeof(*node->timer));
    node->timer->node = node;
    map_device(node, node->timer, &node->timer->mmio, FUGU_TIMER_BASE);

    node->console = create_device(node, "console", TYPE_FUGU_CONSOLE,
                                  sizeof(*node->console));
    node->console->node = node;
    map_device(node, node->console, &node->console->mmio, FUGU_CONSOLE_BASE);

    node->control = create_device(node, "control", TYPE_FUGU_CONTROL,
                                  sizeof(*node->control));
    node->control->node = node;
    map_device(node, node->control, &node->control->mmio, FUGU_CONTROL_BASE);

    node->files = create_device(node, "files", TYPE_FUGU_FILES,
                                sizeof(*node->files));
    node->files->node = node;
    map_device(node, node->files, &node->files->mmio, FUGU_FILES_BASE);

    create_disk(node);
    create_network_interface(node);
}

static void create_node(FuguMachineState *m, uint32_t number)
{
    g_autofree char *name = g_strdup_printf("node[%u]", number);
    FuguNode *node = lockstep_alloc(sizeof(*node));

    object_initialize_child(OBJECT(m), name, node, TYPE_FUGU_NODE);
    m->parts.nodes[number] = node;
    node->number = number;
    node->machine = m;
    node->ram_size = m->options.node_ram;
    map_memory(m, node);
    create_cpu(m, node);
    create_devices(node);
    qdev_realize(DEVICE(node), NULL, &error_fatal);
    fugu_node_register_state(node);
}

static void create_nodes(FuguMachineState *m)
{
    m->parts.nodes = g_new0(FuguNode *, m->options.node_count);

    /* In one transaction: each commit walks all address spaces. */
    memory_region_transaction_begin();
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        create_node(m, i);
    }
    memory_region_transaction_commit();
}

static void create_rounds(FuguMachineState *m)
{
    m->parts.rounds = FUGU_ROUNDS(object_new(TYPE_FUGU_ROUNDS));
    m->parts.rounds->machine = m;
    object_property_add_child(OBJECT(m), "rounds", OBJECT(m->parts.rounds));
    object_unref(OBJECT(m->parts.rounds));
    qdev_realize(DEVICE(m->parts.rounds), NULL, &error_fatal);
}

/* ---- Boot image --------------------------------------------------------- */

static void write_parameters(FuguMachineState *m)
{
    const char *cmdline = MACHINE(m)->kernel_cmdline ?: "";
    size_t len = strlen(cmdline);
    uint8_t *page = memory_region_get_ram_ptr(&m->parts.boot)
                    + (FUGU_PARAM_BASE - FUGU_BOOT_BASE);

    if (len > FUGU_PARAM_CMDLINE_MAX) {
        error_report("fugu: the program's arguments have %zu bytes; at most "
                     "%d fit", len, FUGU_PARAM_CMDLINE_MAX);
        exit(1);
    }
    stl_be_p(page + FUGU_PARAM_MAGIC, FUGU_PARAM_MAGIC_VALUE);
    stl_be_p(page + FUGU_PARAM_RAM_SIZE, m->options.node_ram);
    stl_be_p(page + FUGU_PARAM_CMDLINE_LEN, len);
    stl_be_p(page + FUGU_PARAM_ATOMICITY, m->options.atomicity);
    memcpy(page + FUGU_PARAM_CMDLINE, cmdline, len + 1);
}

static void load_image(FuguMachineState *m)
{
    const char *file = MACHINE(m)->kernel_filename;
    AddressSpace *as = CPU(&m->parts.nodes[m->parts.first]->cpu)->as;
    uint64_t low, high;
    ssize_t size;

    if (!file) {
        if (!qtest_enabled() && !m->options.load) {
            error_report("fugu: no program: give an ELF image with -kernel");
            exit(1);
        }
        return;
    }
    size = load_elf_as(file, NULL, NULL, NULL, NULL, &low, &high, NULL,
                       ELFDATA2MSB, EM_SPARC, 0, 0, as);
    if (size < 0) {
        error_report("fugu: cannot load '%s': %s", file,
                     load_elf_strerror(size));
        exit(1);
    }
    if (high > FUGU_PARAM_BASE) {
        error_report("fugu: '%s' loads at 0x%" PRIx64 " to 0x%" PRIx64 ", but "
                     "the boot image ends at 0x%x: link data to be loaded "
                     "(LMA) behind the text", file, low, high,
                     FUGU_PARAM_BASE);
        exit(1);
    }
}

/* ---- Machine ------------------------------------------------------------ */

static void create_link(FuguMachineState *m)
{
    fugu_link_nodes(m, m->options.process, &m->parts.first, &m->parts.end);
    if (m->options.processes > 1 && !qtest_enabled()) {
        m->parts.link = fugu_link_new(m);
        m->parts.remote = &m->parts.link->remote;
    }
}

static void open_console(FuguMachineState *m)
{
    Chardev *chr;

    if (!m->options.console || !*m->options.console) {
        return;
    }
    chr = qemu_chr_find(m->options.console);
    if (!chr) {
        error_report("fugu: console=%s: there is no such chardev",
                     m->options.console);
        exit(1);
    }
    qemu_chr_fe_init(&m->parts.console_chr, chr, &error_fatal);
    /* A terminal echoes what is typed, and sends whole lines. */
    qemu_chr_fe_set_echo(&m->parts.console_chr, true);
}

static void check_mmu(FuguMachineState *m)
{
    if (m->options.check == FUGU_CHECK_MMU) {
        for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
            fugu_mmu_check_init(m->parts.nodes[i]);
        }
    }
}

static void fugu_machine_init(MachineState *machine)
{
    FuguMachineState *m = FUGU_MACHINE(machine);

    fugu_options_check(m);
    open_console(m);
    create_link(m);
    m->parts.hub = fugu_hub_new(m);
    create_memory(m);
    create_nodes(m);
    create_rounds(m);
    fugu_parameters_register(m);
    write_parameters(m);
    load_image(m);
    if (m->options.load) {
        fugu_snapshot_load_at_start(m);
    }
    fugu_observer_init(m);
    check_mmu(m);
    fugu_inspect_init();
    fugu_watches_init(object_class_by_name(TYPE_FUGU_ROUNDS));
    fugu_history_init(m);
    fugu_qtest_init(m);
}

/* No bus resets the devices of the nodes. */
static void fugu_machine_reset(MachineState *machine, ResetType type)
{
    FuguMachineState *m = FUGU_MACHINE(machine);

    qemu_devices_reset(type);
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        FuguNode *node = m->parts.nodes[i];

        resettable_reset(OBJECT(&node->cpu), type == RESET_TYPE_COLD
                         ? RESET_TYPE_COLD : type);
        resettable_reset(OBJECT(node), type);
        resettable_reset(OBJECT(node->ni), type);
        resettable_reset(OBJECT(node->timer), type);
        resettable_reset(OBJECT(node->console), type);
        resettable_reset(OBJECT(node->disk), type);
        resettable_reset(OBJECT(node->files), type);
        resettable_reset(OBJECT(node->control), type);
        fugu_mmu_check_reset(node);
    }
    resettable_reset(OBJECT(m->parts.rounds), type);
}

static void fugu_machine_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "FUGU multicomputer of Sparcle nodes on a mesh";
    mc->init = fugu_machine_init;
    mc->reset = fugu_machine_reset;
    mc->lockstep = true;
    mc->max_cpus = 1;           /* the option nodes takes the place of -smp */
    mc->no_parallel = 1;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    mc->default_cpu_type = SPARC_CPU_TYPE_NAME("Sparcle");

    fugu_options_class_init(oc);
}

static const TypeInfo machine_types[] = {
    {
        .name = TYPE_FUGU_MACHINE,
        .parent = TYPE_MACHINE,
        .instance_size = sizeof(FuguMachineState),
        .instance_init = fugu_options_init,
        .class_init = fugu_machine_class_init,
    },
};

DEFINE_TYPES(machine_types)
