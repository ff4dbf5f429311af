/*
 * The options of -machine fugu: names, defaults, ranges
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/link/link.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/board/options.h"
#include "hw/fugu/ni/ni.h"

#define NODE_RAM_MIN    (64 * KiB)
#define CACHE_SIZE_MIN  (4 * KiB)
#define CACHE_SIZE_MAX  (1 * MiB)
#define WORDS_MAX       65536       /* queues and source space */
#define CYCLES_MAX      MESH_CYCLES_MAX
#define LINK_TIMEOUT_MAX (24 * 60 * 60 * 1000)

/* ---- Checks ------------------------------------------------------------- */

static void check_mesh(FuguMachineState *m, const MeshParams *params)
{
    char err[200];

    if (!mesh_params_check(params, m->node_count, m->quantum,
                           err, sizeof(err))) {
        error_report("fugu: %s", err);
        exit(1);
    }
}

static void check_range(const char *name, uint64_t value, uint64_t min,
                        uint64_t max)
{
    if (value < min || value > max) {
        error_report("fugu: %s=%" PRIu64 ": must be %" PRIu64 " to %" PRIu64,
                     name, value, min, max);
        exit(1);
    }
}

/* Options of QEMU's that would silently say nothing here. */
static void check_foreign_options(MachineState *machine)
{
    MachineClass *mc = MACHINE_GET_CLASS(machine);

    if (g_strcmp0(machine->cpu_type, mc->default_cpu_type)) {
        error_report("fugu: -cpu: the nodes have Sparcle processors");
        exit(1);
    }
    if (machine->ram_size != mc->default_ram_size) {
        error_report("fugu: -m: memory is given by node, as in "
                     "-M fugu,node-ram=8388608");
        exit(1);
    }
}

void fugu_options_check(FuguMachineState *m)
{
    check_foreign_options(MACHINE(m));
    check_range("timeout", m->timeout, 0, FUGU_TIME_MAX);
    check_range("nodes", m->node_count, 1, FUGU_NODES_MAX);
    check_range("quantum", m->quantum, 1, CYCLES_MAX);
    check_range("input-queue", m->input_queue, FUGU_MSG_WORDS, WORDS_MAX);
    check_range("source-space", m->source_space, FUGU_MSG_WORDS, WORDS_MAX);
    check_range("dma-word", m->dma_word, 0, CYCLES_MAX);
    check_range("cache-miss", m->cache_miss, 0, CYCLES_MAX);
    check_range("cache-size", m->cache_size, CACHE_SIZE_MIN, CACHE_SIZE_MAX);
    check_range("node-ram", m->node_ram, NODE_RAM_MIN, FUGU_RAM_MAX);
    if (!fugu_netif_kind(m)) {
        error_report("fugu: network-interface=%s: there is no such kind of "
                     "network interface", m->network_interface);
        exit(1);
    }
    if (!is_power_of_2(m->cache_size)) {
        error_report("fugu: cache-size=%u: must be a power of two",
                     m->cache_size);
        exit(1);
    }
    if (m->node_ram % (4 * KiB)) {
        error_report("fugu: node-ram=%u: must be whole pages of 4 KiB",
                     m->node_ram);
        exit(1);
    }
    m->second_params.width = m->main_params.width;
    m->second_params.height = m->main_params.height;
    check_mesh(m, &m->main_params);
    check_mesh(m, &m->second_params);
    check_range("processes", m->processes, 1,
                MIN(m->node_count, FUGU_PROCESSES_MAX));
    check_range("process", m->process, 0, m->processes - 1);
    check_range("link-timeout", m->link_timeout, 1, LINK_TIMEOUT_MAX);
}

/* ---- Options ------------------------------------------------------------ */

/*
 * The machine is built by its options, and the vCPU thread reads them without
 * a lock: from then on a monitor can read them, and not change them.
 */
static bool may_set(const char *name, Error **errp)
{
    if (phase_check(PHASE_MACHINE_INITIALIZED)) {
        error_setg(errp, "%s stays what it is: the machine is built", name);
        return false;
    }
    return true;
}

static char *get_mesh(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_MACHINE(obj);

    return g_strdup_printf("%ux%u", m->main_params.width,
                           m->main_params.height);
}

static void set_mesh(Object *obj, const char *value, Error **errp)
{
    FuguMachineState *m = FUGU_MACHINE(obj);

    if (!may_set("mesh", errp)) {
        return;
    }
    if (!mesh_parse_shape(value, &m->main_params.width,
                          &m->main_params.height)) {
        error_setg(errp, "mesh=%s: must be WIDTHxHEIGHT, as in 4x2", value);
    }
}

/* Which of @count names @value is; -1 with @errp if it is none, or too late. */
static int choose(const char *option, const char *const names[], int count,
                  const char *value, Error **errp)
{
    g_autofree char *all = NULL;

    if (!may_set(option, errp)) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (!strcmp(value, names[i])) {
            return i;
        }
    }
    all = g_strjoinv(" or ", (char **)names);
    error_setg(errp, "%s=%s: must be %s", option, value, all);
    return -1;
}

#define ENUM_OPTION(field, ...)                                         \
    static const char *const names_of_##field[] = { __VA_ARGS__, NULL }; \
    static char *get_##field(Object *obj, Error **errp)                 \
    {                                                                   \
        return g_strdup(names_of_##field[FUGU_MACHINE(obj)->field]);    \
    }                                                                   \
    static void set_##field(Object *obj, const char *value, Error **errp) \
    {                                                                   \
        int chosen = choose(#field, names_of_##field,                   \
                            ARRAY_SIZE(names_of_##field) - 1, value, errp); \
        if (chosen >= 0) {                                              \
            FUGU_MACHINE(obj)->field = chosen;                          \
        }                                                               \
    }

ENUM_OPTION(transport,
            [FUGU_TRANSPORT_SHM] = "shm",
            [FUGU_TRANSPORT_UNIX] = "unix",
            [FUGU_TRANSPORT_TCP] = "tcp")
ENUM_OPTION(atomicity,
            [FUGU_ATOMICITY_HARD] = "hard",
            [FUGU_ATOMICITY_SOFT] = "soft")

#define STRING_OPTION(field, name)                                        \
    static char *get_##field(Object *obj, Error **errp)                 \
    {                                                                   \
        return g_strdup(FUGU_MACHINE(obj)->field);                      \
    }                                                                   \
    static void set_##field(Object *obj, const char *value, Error **errp) \
    {                                                                   \
        if (may_set(name, errp)) {                                      \
            g_free(FUGU_MACHINE(obj)->field);                           \
            FUGU_MACHINE(obj)->field = g_strdup(value);                 \
        }                                                               \
    }

STRING_OPTION(network_interface, "network-interface")
STRING_OPTION(console, "console")
STRING_OPTION(load, "load")
STRING_OPTION(link_address, "link")
STRING_OPTION(link_secret, "link-secret")

#define BOOL_OPTION(field, name)                                          \
    static bool get_##field(Object *obj, Error **errp)                  \
    {                                                                   \
        return FUGU_MACHINE(obj)->field;                                \
    }                                                                   \
    static void set_##field(Object *obj, bool value, Error **errp)      \
    {                                                                   \
        if (may_set(name, errp)) {                                      \
            FUGU_MACHINE(obj)->field = value;                           \
        }                                                               \
    }

BOOL_OPTION(cache, "cache")
BOOL_OPTION(digest, "digest")
BOOL_OPTION(label, "label")
BOOL_OPTION(link_quiet, "link-quiet")

static void get_number(Object *obj, Visitor *v, const char *name, void *opaque,
                       Error **errp)
{
    uint32_t *number = opaque;

    visit_type_uint32(v, name, number, errp);
}

static void set_number(Object *obj, Visitor *v, const char *name, void *opaque,
                       Error **errp)
{
    uint32_t *number = opaque, value;

    if (may_set(name, errp) && visit_type_uint32(v, name, &value, errp)) {
        *number = value;
    }
}

static void get_timeout(Object *obj, Visitor *v, const char *name,
                        void *opaque, Error **errp)
{
    visit_type_uint64(v, name, &FUGU_MACHINE(obj)->timeout, errp);
}

static void set_timeout(Object *obj, Visitor *v, const char *name,
                        void *opaque, Error **errp)
{
    uint64_t value;

    if (may_set(name, errp) && visit_type_uint64(v, name, &value, errp)) {
        FUGU_MACHINE(obj)->timeout = value;
    }
}

void fugu_options_init(Object *obj)
{
    FuguMachineState *m = FUGU_MACHINE(obj);
    const struct {
        const char *name;
        uint32_t *value;
    } numbers[] = {
        { "nodes", &m->node_count },
        { "quantum", &m->quantum },
        { "mesh-base", &m->main_params.base },
        { "mesh-hop", &m->main_params.hop },
        { "mesh-word", &m->main_params.word },
        { "second-base", &m->second_params.base },
        { "second-hop", &m->second_params.hop },
        { "second-word", &m->second_params.word },
        { "input-queue", &m->input_queue },
        { "source-space", &m->source_space },
        { "dma-word", &m->dma_word },
        { "cache-size", &m->cache_size },
        { "cache-miss", &m->cache_miss },
        { "node-ram", &m->node_ram },
        { "processes", &m->processes },
        { "process", &m->process },
        { "link-timeout", &m->link_timeout },
    };

    m->node_count = 8;
    m->quantum = 64;
    m->main_params = (MeshParams) MESH_MAIN_DEFAULTS;
    m->second_params = (MeshParams) MESH_SECOND_DEFAULTS;
    m->network_interface = g_strdup(TYPE_FUGU_NI);
    m->input_queue = 128;
    m->source_space = 64;
    m->dma_word = 1;
    m->cache = true;
    m->cache_size = 64 * KiB;
    m->cache_miss = 10;
    m->node_ram = 8 * MiB;
    m->save_at = FUGU_NEVER;
    m->processes = 1;
    m->link_timeout = 10000;

    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
        object_property_add(obj, numbers[i].name, "uint32", get_number,
                            set_number, NULL, numbers[i].value);
    }
    object_property_add(obj, "timeout", "uint64", get_timeout, set_timeout,
                        NULL, NULL);
}

void fugu_options_class_init(ObjectClass *oc)
{
    object_class_property_add_str(oc, "mesh", get_mesh, set_mesh);
    object_class_property_add_str(oc, "atomicity", get_atomicity,
                                  set_atomicity);
    object_class_property_add_str(oc, "network-interface",
                                  get_network_interface,
                                  set_network_interface);
    object_class_property_add_str(oc, "console", get_console, set_console);
    object_class_property_add_str(oc, "load", get_load, set_load);
    object_class_property_add_str(oc, "transport", get_transport,
                                  set_transport);
    object_class_property_add_str(oc, "link", get_link_address,
                                  set_link_address);
    object_class_property_add_str(oc, "link-secret", get_link_secret,
                                  set_link_secret);
    object_class_property_add_bool(oc, "link-quiet", get_link_quiet,
                                   set_link_quiet);
    object_class_property_add_bool(oc, "cache", get_cache, set_cache);
    object_class_property_add_bool(oc, "digest", get_digest, set_digest);
    object_class_property_add_bool(oc, "label", get_label, set_label);
}
