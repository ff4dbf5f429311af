/*
 * A machine that does not start, and its exit status
 *
 * QEMU exits with status 1 when it refuses an option or a file, and when the
 * host lacks memory or file descriptors. In some of these cases QEMU or GLib
 * aborts instead. A guest program can end with status 1 as well. So until the
 * machine runs, an exit with status 1 and an abort both become an exit with
 * FUGU_STATUS_START. A line that says so follows QEMU's own message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "system/runstate.h"
#include "hw/fugu/machine/machine.h"

/* The signals by which abort() and GLib's fatal errors end a process. */
static const int fatal[] = { SIGABRT, SIGTRAP };

static const char message[] = "fugu: the machine did not start\n";

static bool started;

static void say_and_exit(void)
{
    /* stdio may be in any state, in a signal handler. */
    ssize_t ignored G_GNUC_UNUSED = write(STDERR_FILENO, message,
                                          sizeof(message) - 1);

    _exit(FUGU_STATUS_START);
}

/* Runs after all other exit handlers, because it was registered first. */
static void starting_exit(int status, void *opaque)
{
    if (!started && status == EXIT_FAILURE) {
        fflush(NULL);
        say_and_exit();
    }
}

static void starting_abort(int number)
{
    /* GLib and some places in QEMU abort without a newline. */
    ssize_t ignored G_GNUC_UNUSED = write(STDERR_FILENO, "\n", 1);

    say_and_exit();
}

static void starting_run_state(void *opaque, bool running, RunState state)
{
    if (running && !started) {
        started = true;
        for (unsigned i = 0; i < ARRAY_SIZE(fatal); i++) {
            signal(fatal[i], SIG_DFL);
        }
    }
}

static void starting_init(void)
{
    on_exit(starting_exit, NULL);
    for (unsigned i = 0; i < ARRAY_SIZE(fatal); i++) {
        signal(fatal[i], starting_abort);
    }
    qemu_add_vm_change_state_handler(starting_run_state, NULL);
}

type_init(starting_init);
