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
#include "qemu/fifo8.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_CONSOLE "fugu-console"
OBJECT_DECLARE_SIMPLE_TYPE(FuguConsole, FUGU_CONSOLE)

/* Bytes of a line. The rest of a longer line goes out separately. */
#define FUGU_CONSOLE_LINE_MAX   512
/* Capacity of FuguConsole.input and of FuguConsole.host, in bytes. */
#define FUGU_CONSOLE_INPUT_MAX  256

/* Most bytes that a script types at one node. */
#define FUGU_CONSOLE_SCRIPT_MAX (1 << 24)

/* A byte that a script types when the node's local time is @time. */
typedef struct FuguConsoleByte {
    int64_t time;
    uint8_t byte;
} FuguConsoleByte;

/* Output that has not gone out yet: a line that is not complete. */
typedef struct FuguConsoleLine {
    uint8_t bytes[FUGU_CONSOLE_LINE_MAX];
    uint32_t len;
    int64_t time;               /* when the guest wrote its first byte */
} FuguConsoleLine;

/* Standard input, as the guest reads it by parts (FUGU_CONSOLE_STDIN). */
typedef struct FuguConsoleStdin {
    Fifo8 part;                 /* what the guest has not read of the part */
    bool asked;                 /* the guest waits for the next part */
    bool ended;                 /* there is no next part */
    int64_t round;              /* start of the round in which it asked */
} FuguConsoleStdin;

struct FuguConsole {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the console. */
    FuguNode *node;
    MemoryRegion mmio;
    CharBackend own;            /* the backend of "consoleN", if it exists */
    CharBackend *chr;           /* &own, or the machine's backend */
    bool reads;                 /* this node gets chr's input */
    char *script_file;
    GArray *script;             /* elements are FuguConsoleByte, sorted by
                                   time */

    /* What the guest sees. */
    bool irq_enabled;
    Fifo8 input;                /* bytes that the guest can read now */
    uint32_t script_next;       /* index of the first byte of the script that
                                   is not in input yet */
    FuguEvent event;            /* moves bytes from the script to input */
    FuguConsoleByte *saved_script;  /* valid while the machine is saved or
                                       loaded */
    int32_t saved_script_len;

    FuguConsoleStdin std;
    FuguConsoleLine out, error;

    /* Input from the host that no round has taken yet. Under the BQL. */
    Fifo8 host;
    bool host_input;            /* true if `host` may hold bytes: a hint that
                                   the scheduler reads without the lock */
    uint64_t received;          /* bytes that the host has given so far */
    uint64_t skip;              /* of the bytes that the host gives next, how
                                   many the saved run has had already */
    bool fresh;                 /* this QEMU has had no byte of the host yet */
};

/*
 * Moves the bytes that the host has typed so far to the input of the guest,
 * with the start of this round as their time. The scheduler calls this when a
 * round starts and host_input is set. The node's processor must be between two
 * instructions.
 */
void fugu_console_round(FuguConsole *s, int64_t round_start);

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

/*
 * Writes the incomplete lines, if there are any, because the machine ends or is
 * reset, or the guest asks for input. Caller must hold the BQL.
 */
void fugu_console_flush(FuguConsole *s);
/* The same for the consoles of all nodes. Takes the BQL. */
void fugu_console_flush_all(struct FuguMachineState *machine);

/*
 * Writes to the machine's chardev, or to standard error if @error is set. If
 * that fails, the machine ends with this round. Only for the process that has
 * the machine's chardev, the hub.
 */
void fugu_console_print(struct FuguMachineState *machine, bool error,
                        const uint8_t *data, size_t len);

/* Saved as part of the node's state. */
extern const VMStateDescription vmstate_fugu_console;

#endif /* FUGU_CONSOLE_H */
