/*
 * Console output: whole lines, so that the lines of several nodes do not mix
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONSOLE_OUTPUT_H
#define FUGU_CONSOLE_OUTPUT_H

#include "chardev/char-fe.h"
#include "migration/vmstate.h"
#include "hw/fugu/node/node.h"

/* Bytes of a line. The rest of a longer line goes out separately. */
#define FUGU_CONSOLE_LINE_MAX   512

/* Output that has not gone out yet: a line that is not complete. */
typedef struct FuguConsoleLine {
    uint8_t bytes[FUGU_CONSOLE_LINE_MAX];
    uint32_t len;
    int64_t time;               /* when the guest wrote its first byte, */
    uint32_t job;               /* and for which job (machine/netif.h) */
    /* Bytes of all lines before this one, and of those that have gone out.
     * With a history, the first goes back and the second does not, so that no
     * byte goes out twice. */
    uint64_t before, printed;
} FuguConsoleLine;

/* The output of a node. The console sets node and chr. */
typedef struct FuguConsoleOutput {
    FuguNode *node;
    CharBackend *chr;           /* the node's own, or the machine's backend */
    FuguConsoleLine out, error;
} FuguConsoleOutput;

/* Takes a byte of the guest, for standard error if @error is set. */
void fugu_output_put(FuguConsoleOutput *o, bool error, uint8_t byte);

/* Writes the incomplete lines, if there are any. Caller must hold the BQL. */
void fugu_output_flush(FuguConsoleOutput *o);

/*
 * Writes to the machine's chardev, or to standard error if @error is set. If
 * that fails, the machine ends with this round. Only for the process that has
 * the machine's chardev, the hub.
 */
void fugu_output_print(struct FuguMachineState *machine, bool error,
                       const uint8_t *data, size_t len);

/* Saved as part of the console's state. */
extern const VMStateDescription vmstate_fugu_console_output;

#endif /* FUGU_CONSOLE_OUTPUT_H */
