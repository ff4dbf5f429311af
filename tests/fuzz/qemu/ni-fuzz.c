/*
 * Fuzzing the network interfaces: a target of QEMU's fuzzing layer
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "tests/qtest/fuzz/fuzz.h"
#include "../../fugu/ni/ni-play.h"

static GString *command_line(FuzzTarget *target)
{
    return g_string_new(TARGET_NAME " -nodefaults -display none "
                        "-machine fugu,accel=qtest," MODEL_OPTIONS " "
                        NI_PLAY_ARGS);
}

static GString *command_line_soft(FuzzTarget *target)
{
    return g_string_new(TARGET_NAME " -nodefaults -display none "
                        "-machine fugu,accel=qtest," MODEL_SOFT " "
                        NI_PLAY_ARGS);
}

static GString *command_line_none(FuzzTarget *target)
{
    return g_string_new(TARGET_NAME " -nodefaults -display none "
                        "-machine fugu,accel=qtest," MODEL_NONE " "
                        NI_PLAY_ARGS);
}

static void fuzz(QTestState *qts, const unsigned char *data, size_t size)
{
    fuzz_reset(qts);
    ni_play(qts, data, size);
}

static void register_target(void)
{
    fuzz_add_target(&(FuzzTarget) {
        .name = "fugu-ni",
        .description = "Sends and receives on the FUGU network interfaces",
        .get_init_cmdline = command_line,
        .fuzz = fuzz,
    });
    fuzz_add_target(&(FuzzTarget) {
        .name = "fugu-ni-soft",
        .description = "The same, where atomicity is left to software",
        .get_init_cmdline = command_line_soft,
        .fuzz = fuzz,
    });
    fuzz_add_target(&(FuzzTarget) {
        .name = "fugu-ni-none",
        .description = "The same, without a message part",
        .get_init_cmdline = command_line_none,
        .fuzz = fuzz,
    });
}

fuzz_target_init(register_target);
