/*
 * The console of a node (docs/machine.md, "Console")
 *
 * A node with a chardev of its own, "consoleN" for node N, uses that one; all
 * others write to the machine's, whose input goes to node 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONSOLE_H
#define FUGU_CONSOLE_H

#include "chardev/char-fe.h"
#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "qemu/fifo8.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_CONSOLE "fugu-console"
OBJECT_DECLARE_SIMPLE_TYPE(FuguConsole, FUGU_CONSOLE)

/* A longer line is written in pieces, a line each. */
#define FUGU_CONSOLE_LINE_MAX   512
/* Bytes of input that wait for the guest; and for a round to start. */
#define FUGU_CONSOLE_INPUT_MAX  256

/* Bytes that a script types at one node. */
#define FUGU_CONSOLE_SCRIPT_MAX (1 << 24)

/* A byte that a script types at a local time. */
typedef struct FuguConsoleByte {
    int64_t time;
    uint8_t byte;
} FuguConsoleByte;

struct FuguConsole {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the console. */
    FuguNode *node;
    MemoryRegion mmio;
    CharBackend own;            /* used if chr points to it */
    CharBackend *chr;
    bool reads;                 /* chr's input is this node's */
    char *script_file;
    GArray *script;             /* of FuguConsoleByte, by time */

    /* What the guest sees. */
    bool irq_enabled;
    Fifo8 input;                /* can be read now */
    uint32_t script_next;       /* of script, not yet in input */
    FuguEvent event;            /* takes what has come */
    FuguConsoleByte *saved_script;  /* while the machine is saved or loaded */
    int32_t saved_script_len;

    /* The line that is not complete yet. */
    uint8_t line[FUGU_CONSOLE_LINE_MAX];
    uint32_t line_len;
    int64_t line_time;          /* of its first byte */

    /* Under the BQL: what the host has typed and no round has seen. */
    Fifo8 host;
    bool host_input;            /* there is some: a hint for the scheduler,
                                   which may look without the lock */
};

/*
 * A round starts, and what the host has typed so far gets its time. To be
 * called if host_input is set, with the node between two instructions.
 */
void fugu_console_round(FuguConsole *s, int64_t round_start);

/*
 * Whether a node asked to be interrupted by input, and the host can still
 * type some: a machine in which all wait is then not deadlocked. Caller must
 * hold the BQL.
 */
bool fugu_console_can_wake(struct FuguMachineState *machine);

/* Write out an incomplete line: the machine ends. Caller must hold the BQL. */
void fugu_console_flush(FuguConsole *s);

/*
 * Writes to the machine's console. If that fails, the machine ends: with this
 * round. Only in the process that has the console.
 */
void fugu_console_print(struct FuguMachineState *machine, const uint8_t *data,
                        size_t len);

/* Part of its node's. */
extern const VMStateDescription vmstate_fugu_console;

#endif /* FUGU_CONSOLE_H */
