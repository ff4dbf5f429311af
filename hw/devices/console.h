/*
 * The console of a node (docs/machine.md, "Console")
 *
 * Node N uses the chardev "consoleN" if there is one. All other nodes write to
 * the machine's chardev, and input from that one goes to node 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONSOLE_H
#define FUGU_CONSOLE_H

#include "chardev/char-fe.h"
#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/input.h"
#include "hw/fugu/devices/output.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_CONSOLE "fugu-console"
OBJECT_DECLARE_SIMPLE_TYPE(FuguConsole, FUGU_CONSOLE)

struct FuguConsole {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the console. */
    FuguNode *node;
    MemoryRegion mmio;
    CharBackend own;            /* the backend of "consoleN", if it exists */
    char *script_file;

    FuguConsoleInput input;
    FuguConsoleOutput output;
};

/*
 * Gives the nodes that have asked for standard input in an earlier round their
 * next part, if the host has it. Returns false if such a node still waits. The
 * machine stands still until this function returns true. Takes the BQL.
 */
bool fugu_console_supply(struct FuguMachineState *machine);

/*
 * Returns true if some node has enabled the interrupt for input, and the host
 * can still type input for it. A machine in which all nodes wait is not
 * deadlocked then. Caller must hold the BQL.
 */
bool fugu_console_can_wake(struct FuguMachineState *machine);

/* Writes the incomplete lines of all consoles. Takes the BQL. */
void fugu_console_flush_all(struct FuguMachineState *machine);

/* Saved as part of the node's state. */
extern const VMStateDescription vmstate_fugu_console;

#endif /* FUGU_CONSOLE_H */
