/*
 * Fuzzing SHRIMP's network interfaces: a target of QEMU's fuzzing layer
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "qapi/error.h"
#include "hw/boards.h"
#include "hw/fugu/machine/machine.h"
#include "tests/qtest/fuzz/fuzz.h"
#include "../../fugu/ni/shrimp-play.h"

static GString *command_line(FuzzTarget *target)
{
    return g_string_new(TARGET_NAME " -nodefaults -display none "
                        "-machine fugu,accel=qtest," SHRIMP_PLAY_MACHINE);
}

/* The machine is in this process, which has no monitor. */
static void damage(QTestState *qts, unsigned node, const char *what)
{
    g_autofree char *path = g_strdup_printf("/machine/node[%u]/ni", node);

    object_property_set_str(object_resolve_path(path, NULL), "damage", what,
                            &error_abort);
}

static uint8_t *ram_of(unsigned node)
{
    FuguMachineState *m = FUGU_MACHINE(qdev_get_machine());

    return (uint8_t *)memory_region_get_ram_ptr(&m->parts.ram) +
           node * fugu_ram_stride(m);
}

static const uint8_t *memory(unsigned node)
{
    return ram_of(node);
}

static void fuzz(QTestState *qts, const unsigned char *data, size_t size)
{
    fuzz_reset(qts);            /* which leaves RAM as it is */
    for (unsigned node = 0; node < MODEL_NODES; node++) {
        memset(ram_of(node), 0, MODEL_RAM);
    }
    shrimp_play_bytes((ShrimpPlay) {
        .qts = qts, .damage = damage, .memory = memory,
    }, data, size);
}

static void register_target(void)
{
    fuzz_add_target(&(FuzzTarget) {
        .name = "fugu-ni-shrimp",
        .description = "Stores, commands and time on the SHRIMP interfaces",
        .get_init_cmdline = command_line,
        .fuzz = fuzz,
    });
}

fuzz_target_init(register_target);
