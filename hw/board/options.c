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
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/board/options.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

#define NODE_RAM_MIN    (64 * KiB)
#define CACHE_SIZE_MIN  (4 * KiB)
#define CACHE_SIZE_MAX  (1 * MiB)
#define WORDS_MAX       65536       /* queues and source space */
#define OUTPUT_MAX      (1 * GiB)
#define CYCLES_MAX      MESH_CYCLES_MAX
#define PACKET_MIN      8           /* bytes of data */
#define PACKET_MAX      496
#define LINK_TIMEOUT_MAX (24 * 60 * 60 * 1000)

/* ---- Checks ------------------------------------------------------------- */

/* A network that the kind of interface does not use bounds no quantum. */
static void check_mesh(FuguMachineState *m, int network,
                       const MeshParams *params)
{
    bool used = fugu_netif_kind(m)->limits(m, network).space;
    char err[200];

    if (!mesh_params_check(params, m->options.node_count,
                           used ? m->options.quantum : 1, err, sizeof(err))) {
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

/* Refuses options of QEMU that would have no effect here. */
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

/* ---- Options ------------------------------------------------------------ */

/*
 * Returns false with @errp once the machine is built: its parts have been made
 * from the options, and the vCPU thread reads them without a lock. A monitor
 * can still read them.
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

    return g_strdup_printf("%ux%u", m->options.main_params.width,
                           m->options.main_params.height);
}

static void set_mesh(Object *obj, const char *value, Error **errp)
{
    FuguMachineState *m = FUGU_MACHINE(obj);

    if (!may_set("mesh", errp)) {
        return;
    }
    if (!mesh_parse_shape(value, &m->options.main_params.width,
                          &m->options.main_params.height)) {
        error_setg(errp, "mesh=%s: must be WIDTHxHEIGHT, as in 4x2", value);
    }
}

typedef enum OptionType {
    OPTION_NUMBER,              /* uint32_t */
    OPTION_CYCLES,              /* uint64_t, of cycles, bytes or a name */
    OPTION_SWITCH,              /* bool */
    OPTION_TEXT,                /* char *, or NULL */
    OPTION_CHOICE,              /* uint32_t, an index of names */
} OptionType;

typedef struct Option {
    const char *name;
    OptionType type;
    size_t offset;              /* of its field in FuguMachineState */
    const char *const *names;   /* of an OPTION_CHOICE; NULL ends them */
    bool of_kind;               /* only some kinds of network interface have
                                   it (machine/netif.h) */
} Option;

static const char *const transports[] = {
    [FUGU_TRANSPORT_SHM] = "shm",
    [FUGU_TRANSPORT_UNIX] = "unix",
    [FUGU_TRANSPORT_TCP] = "tcp",
    NULL
};

static const char *const atomicities[] = {
    [FUGU_ATOMICITY_HARD] = "hard",
    [FUGU_ATOMICITY_SOFT] = "soft",
    NULL
};

static const char *const checks[] = {
    [FUGU_CHECK_NOTHING] = "nothing",
    [FUGU_CHECK_MMU] = "mmu",
    NULL
};

#define AT(field)       offsetof(FuguMachineState, options.field)

static const Option options[] = {
    { "nodes", OPTION_NUMBER, AT(node_count) },
    { "quantum", OPTION_NUMBER, AT(quantum) },
    { "mesh-base", OPTION_NUMBER, AT(main_params.base), .of_kind = true },
    { "mesh-hop", OPTION_NUMBER, AT(main_params.hop), .of_kind = true },
    { "mesh-word", OPTION_NUMBER, AT(main_params.word), .of_kind = true },
    { "second-base", OPTION_NUMBER, AT(second_params.base) },
    { "second-hop", OPTION_NUMBER, AT(second_params.hop) },
    { "second-word", OPTION_NUMBER, AT(second_params.word) },
    { "network-interface", OPTION_TEXT, AT(network_interface) },
    { "input-queue", OPTION_NUMBER, AT(input_queue), .of_kind = true },
    { "source-space", OPTION_NUMBER, AT(source_space), .of_kind = true },
    { "dma-word", OPTION_NUMBER, AT(dma_word), .of_kind = true },
    { "packet-max", OPTION_NUMBER, AT(packet_max), .of_kind = true },
    { "incoming-word", OPTION_NUMBER, AT(incoming_word), .of_kind = true },
    { "write-through", OPTION_NUMBER, AT(write_through), .of_kind = true },
    { "pin-cycles", OPTION_NUMBER, AT(pin_cycles), .of_kind = true },
    { "atomicity", OPTION_CHOICE, AT(atomicity), atomicities, true },
    { "cache", OPTION_SWITCH, AT(cache) },
    { "cache-size", OPTION_NUMBER, AT(cache_size) },
    { "cache-miss", OPTION_NUMBER, AT(cache_miss) },
    { "node-ram", OPTION_NUMBER, AT(node_ram) },
    { "timeout", OPTION_CYCLES, AT(timeout) },
    { "digest", OPTION_SWITCH, AT(digest) },
    { "check", OPTION_CHOICE, AT(check), checks },
    { "label", OPTION_SWITCH, AT(label) },
    { "raw", OPTION_SWITCH, AT(raw) },
    { "terminals", OPTION_NUMBER, AT(terminals) },
    { "output", OPTION_TEXT, AT(output) },
    { "output-max", OPTION_NUMBER, AT(output_max) },
    { "console", OPTION_TEXT, AT(console) },
    { "load", OPTION_TEXT, AT(load) },
    { "reporter", OPTION_TEXT, AT(reporter) },
    { "history", OPTION_CYCLES, AT(history_max) },
    { "observe", OPTION_TEXT, AT(observe) },
    { "progress", OPTION_SWITCH, AT(progress) },
    { "processes", OPTION_NUMBER, AT(processes) },
    { "process", OPTION_NUMBER, AT(process) },
    { "transport", OPTION_CHOICE, AT(transport), transports },
    { "link", OPTION_TEXT, AT(link_address) },
    { "link-secret", OPTION_TEXT, AT(link_secret) },
    { "link-timeout", OPTION_NUMBER, AT(link_timeout) },
    { "link-quiet", OPTION_SWITCH, AT(link_quiet) },
    { "link-build", OPTION_CYCLES, AT(link_build) },
    { "link-children", OPTION_TEXT, AT(link_children) },
};

static const char *const type_names[] = {
    [OPTION_NUMBER] = "uint32",
    [OPTION_CYCLES] = "uint64",
    [OPTION_SWITCH] = "bool",
    [OPTION_TEXT] = "string",
    [OPTION_CHOICE] = "string",
};

QEMU_BUILD_BUG_ON(sizeof(FuguTransport) != sizeof(uint32_t));
QEMU_BUILD_BUG_ON(ARRAY_SIZE(options) > 64);     /* bits of options.given */

/* Returns where an option is stored, by its type: uint32_t, uint64_t, bool, char *. */
static void *option_field(Object *obj, const Option *o)
{
    return (void *)FUGU_MACHINE(obj) + o->offset;
}

static void get_option(Object *obj, Visitor *v, const char *name,
                       void *opaque, Error **errp)
{
    const Option *o = opaque;
    void *field = option_field(obj, o);
    char *text;

    switch (o->type) {
    case OPTION_NUMBER:
        visit_type_uint32(v, name, field, errp);
        break;
    case OPTION_CYCLES:
        visit_type_uint64(v, name, field, errp);
        break;
    case OPTION_SWITCH:
        visit_type_bool(v, name, field, errp);
        break;
    case OPTION_TEXT:
        text = *(char **)field ?: (char *)"";
        visit_type_str(v, name, &text, errp);
        break;
    case OPTION_CHOICE:
        text = (char *)o->names[*(uint32_t *)field];
        visit_type_str(v, name, &text, errp);
        break;
    }
}

static void set_choice(const Option *o, uint32_t *number, const char *value,
                       Error **errp)
{
    g_autofree char *all = NULL;

    for (int i = 0; o->names[i]; i++) {
        if (!strcmp(value, o->names[i])) {
            *number = i;
            return;
        }
    }
    all = g_strjoinv(" or ", (char **)o->names);
    error_setg(errp, "%s=%s: must be %s", o->name, value, all);
}

static void set_text(const Option *o, void *field, char *value, Error **errp)
{
    if (o->type == OPTION_CHOICE) {
        set_choice(o, field, value, errp);
        g_free(value);
    } else {
        char **text = field;

        g_free(*text);
        *text = value;
    }
}

/* On an error the field stays what it is. */
static void set_option(Object *obj, Visitor *v, const char *name,
                       void *opaque, Error **errp)
{
    const Option *o = opaque;
    void *field = option_field(obj, o);
    uint32_t number;
    uint64_t cycles;
    bool on;
    char *text;

    if (!may_set(name, errp)) {
        return;
    }
    FUGU_MACHINE(obj)->options.given |= UINT64_C(1) << (o - options);
    switch (o->type) {
    case OPTION_NUMBER:
        if (visit_type_uint32(v, name, &number, errp)) {
            *(uint32_t *)field = number;
        }
        break;
    case OPTION_CYCLES:
        if (visit_type_uint64(v, name, &cycles, errp)) {
            *(uint64_t *)field = cycles;
        }
        break;
    case OPTION_SWITCH:
        if (visit_type_bool(v, name, &on, errp)) {
            *(bool *)field = on;
        }
        break;
    case OPTION_TEXT:
    case OPTION_CHOICE:
        if (visit_type_str(v, name, &text, errp)) {
            set_text(o, field, text, errp);
        }
        break;
    }
}

/* ---- All of them together ------------------------------------------------ */

/* Refuses a kind that does not exist, and options that the kind lacks. */
static void check_network_interface(FuguMachineState *m)
{
    const char *name = m->options.network_interface;
    const FuguNetifClass *kind = fugu_netif_kind(m);

    if (!kind) {
        g_autofree char *kinds = fugu_netif_kinds();

        error_report("fugu: network-interface=%s: must be %s", name, kinds);
        exit(1);
    }
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
        const Option *o = &options[i];

        if (o->of_kind && (m->options.given & UINT64_C(1) << i) &&
            !fugu_netif_has_option(kind, o->name)) {
            error_report("fugu: %s: network-interface=%s has no such option",
                         o->name, name);
            exit(1);
        }
    }
}

void fugu_options_check(FuguMachineState *m)
{
    check_foreign_options(MACHINE(m));
    check_network_interface(m);
    check_range("timeout", m->options.timeout, 0, FUGU_TIME_MAX);
    check_range("nodes", m->options.node_count, 1, FUGU_NODES_MAX);
    check_range("quantum", m->options.quantum, 1, CYCLES_MAX);
    check_range("input-queue", m->options.input_queue, FUGU_MSG_WORDS,
                WORDS_MAX);
    check_range("source-space", m->options.source_space, FUGU_MSG_WORDS,
                WORDS_MAX);
    check_range("dma-word", m->options.dma_word, 0, CYCLES_MAX);
    check_range("packet-max", m->options.packet_max, PACKET_MIN, PACKET_MAX);
    check_range("incoming-word", m->options.incoming_word, 0, CYCLES_MAX);
    check_range("write-through", m->options.write_through, 0, CYCLES_MAX);
    check_range("pin-cycles", m->options.pin_cycles, 0, CYCLES_MAX);
    check_range("cache-miss", m->options.cache_miss, 0, CYCLES_MAX);
    check_range("terminals", m->options.terminals, 0, FUGU_TERMINAL_ALL);
    check_range("output-max", m->options.output_max, 0, OUTPUT_MAX);
    check_range("cache-size", m->options.cache_size, CACHE_SIZE_MIN,
                CACHE_SIZE_MAX);
    check_range("node-ram", m->options.node_ram, NODE_RAM_MIN, FUGU_RAM_MAX);
    if (m->options.history_max && m->options.processes > 1) {
        error_report("fugu: history: a machine of %u processes cannot go back: "
                     "leave history or processes out", m->options.processes);
        exit(1);
    }
    if (m->options.history_max && m->options.check) {
        error_report("fugu: history and check: what is checked does not go "
                     "back; leave one of them out");
        exit(1);
    }
    if (m->options.history_max && m->options.observe) {
        error_report("fugu: history and observe: a machine that goes back "
                     "would count twice; leave one of them out");
        exit(1);
    }
    if (!is_power_of_2(m->options.cache_size)) {
        error_report("fugu: cache-size=%u: must be a power of two",
                     m->options.cache_size);
        exit(1);
    }
    if (m->options.packet_max % 8) {
        error_report("fugu: packet-max=%u: must be a multiple of 8",
                     m->options.packet_max);
        exit(1);
    }
    if (m->options.node_ram % (4 * KiB)) {
        error_report("fugu: node-ram=%u: must be whole pages of 4 KiB",
                     m->options.node_ram);
        exit(1);
    }
    m->options.second_params.width = m->options.main_params.width;
    m->options.second_params.height = m->options.main_params.height;
    check_mesh(m, FUGU_MAIN_NETWORK, &m->options.main_params);
    check_mesh(m, FUGU_SECOND_NETWORK, &m->options.second_params);
    check_range("processes", m->options.processes, 1,
                MIN(m->options.node_count, FUGU_PROCESSES_MAX));
    check_range("process", m->options.process, 0, m->options.processes - 1);
    check_range("link-timeout", m->options.link_timeout, 1, LINK_TIMEOUT_MAX);
}

void fugu_options_init(Object *obj)
{
    FuguMachineState *m = FUGU_MACHINE(obj);

    m->options.node_count = 8;
    m->options.quantum = 64;
    m->options.main_params = (MeshParams) MESH_MAIN_DEFAULTS;
    m->options.second_params = (MeshParams) MESH_SECOND_DEFAULTS;
    m->options.network_interface = g_strdup("fugu");
    m->options.input_queue = 128;
    m->options.source_space = 64;
    m->options.dma_word = 1;
    m->options.packet_max = 256;
    m->options.incoming_word = 1;
    m->options.cache = true;
    m->options.cache_size = 64 * KiB;
    m->options.cache_miss = 10;
    m->options.node_ram = 8 * MiB;
    m->options.output_max = 16 * MiB;
    m->time.save_at = FUGU_NEVER;
    m->options.processes = 1;
    m->options.link_timeout = 10000;
}

void fugu_options_class_init(ObjectClass *oc)
{
    object_class_property_add_str(oc, "mesh", get_mesh, set_mesh);
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
        const Option *o = &options[i];

        object_class_property_add(oc, o->name, type_names[o->type],
                                  get_option, set_option, NULL, (void *)o);
    }
}
