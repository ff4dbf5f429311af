/*
 * Console input: bytes with their times, and standard input by parts
 *
 * A run must not depend on the moment at which the host typed a byte. So each
 * byte of input has a time. A script gives bytes with their times. A byte from
 * the chardev gets the start of the next round as its time, and is traced, so
 * that the trace of one run can serve as the script of another.
 *
 * Standard input by parts needs no times: the guest asks for a part, and the
 * machine stands still until the host has given it. A part ends with a newline,
 * with FUGU_CONSOLE_INPUT_MAX bytes, or with the input, so parts depend on the
 * bytes alone, and not on how the host delivers them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONSOLE_INPUT_H
#define FUGU_CONSOLE_INPUT_H

#include "chardev/char-fe.h"
#include "migration/vmstate.h"
#include "qemu/fifo8.h"
#include "hw/fugu/devices/script.h"
#include "hw/fugu/node/node.h"

/* Capacity of FuguConsoleInput.typed and of FuguConsoleInput.host, in bytes. */
#define FUGU_CONSOLE_INPUT_MAX  256

/* Standard input, as the guest reads it by parts (FUGU_CONSOLE_STDIN). */
typedef struct FuguConsoleStdin {
    Fifo8 part;                 /* what the guest has not read of the part */
    bool asked;                 /* the guest waits for the next part */
    bool ended;                 /* there is no next part */
    int64_t round;              /* start of the round in which it asked */
} FuguConsoleStdin;

/* A byte that the guest got from the host; or a round that took typed bytes,
 * which precedes these bytes. */
typedef struct FuguConsoleTaken {
    int64_t round;              /* FUGU_NEVER: a byte of standard input */
    int byte;                   /* FUGU_CONSOLE_ROUND: the round */
} FuguConsoleTaken;

#define FUGU_CONSOLE_ROUND  (-1)

typedef struct FuguConsoleInput {
    /* Wiring: the console sets node, chr and reads. */
    FuguNode *node;
    CharBackend *chr;           /* the node's own, or the machine's backend */
    bool reads;                 /* this node gets chr's input */
    GArray *script;             /* elements are FuguConsoleByte, sorted by
                                   time */

    /* What the guest sees. */
    bool irq_enabled;
    Fifo8 typed;                /* bytes that the guest can read now */
    uint32_t script_next;       /* index of the first byte of the script that
                                   is not in typed yet */
    FuguEvent event;            /* moves bytes from the script to typed */
    FuguConsoleByte *saved_script;  /* valid while the machine is saved or
                                       loaded */
    int32_t saved_script_len;
    FuguConsoleStdin std;

    /* Input from the host that no round has taken yet. Under the BQL. */
    Fifo8 host;
    bool host_input;            /* true if `host` may hold bytes: a hint that
                                   the scheduler reads without the lock */
    uint64_t received;          /* bytes that the host has given so far */
    uint64_t skip;              /* of the bytes that the host gives next, how
                                   many the saved run has had already */
    bool fresh;                 /* this QEMU has had no byte of the host yet */

    /* What rounds have taken of the host's input: NULL without a history. */
    GArray *taken;              /* elements are FuguConsoleTaken */
    uint32_t taken_next;        /* less than its length: a run that has gone
                                   back takes these again, at the same times */
    uint32_t taken_free;        /* those from here on have no times any more:
                                   the run is another one since. At most the
                                   length */
    uint64_t unsaved;           /* while the state is saved: bytes that the host
                                   gives again when the state is loaded */
    GByteArray *held;           /* of these, those of `host` */
    uint64_t kept_received, kept_skip;      /* while a state is loaded */
} FuguConsoleInput;

void fugu_input_init(FuguConsoleInput *in);
void fugu_input_finalize(FuguConsoleInput *in);

/* Begins to receive from the chardev, if the node gets its input. Caller must
 * have set the wiring. */
void fugu_input_realize(FuguConsoleInput *in);

/* Forgets all input, and begins the script again. */
void fugu_input_reset(FuguConsoleInput *in);

/* Sets the interrupt line. Caller has changed irq_enabled. */
void fugu_input_update_irq(FuguConsoleInput *in);

/* Takes the next byte of input. Returns the byte, or -1 if no byte is there. */
uint32_t fugu_input_get(FuguConsoleInput *in);

/*
 * Moves the bytes that the host has typed so far to the input of the guest,
 * with the start of this round as their time. The scheduler calls this when a
 * round starts and host_input is set. The node's processor must be between two
 * instructions. Takes the BQL.
 */
void fugu_input_round(FuguConsoleInput *in, int64_t round_start);

/* Returns true if the guest has enabled the interrupt for input, and the host
 * can still type input for it. */
bool fugu_input_can_wake(const FuguConsoleInput *in);

/* ---- Going back ---------------------------------------------------------- */

/* Starts to record what rounds take of the host's input. */
void fugu_input_record(FuguConsoleInput *in);

/*
 * Put the input back to where it had taken @next elements. Call
 * fugu_input_before_load() before the console's state of that time is loaded,
 * and fugu_input_after_load() after that. Bytes that no round has taken yet stay
 * where they are.
 */
void fugu_input_before_load(FuguConsoleInput *in, GByteArray *kept);
void fugu_input_after_load(FuguConsoleInput *in, const GByteArray *kept,
                           uint32_t next);

/* The run is not the one that it was: what was taken later than now is there
 * to be taken, in the same order, at any time. */
void fugu_input_forget(FuguConsoleInput *in);

/* ---- Standard input by parts -------------------------------------------- */

/* Returns true if the guest has to wait for the host when it asks now. */
bool fugu_input_wants_part(const FuguConsoleInput *in);

/* The guest asks for the next part. Caller must have checked that it wants
 * one. */
void fugu_input_ask(FuguConsoleInput *in);

/* Adds the bytes that are there to the part that the guest has asked for. */
void fugu_input_supply(FuguConsoleInput *in);

/* Takes the next byte of the part. Returns FUGU_STDIN_NONE if no part has been
 * asked for or it is not there yet, FUGU_STDIN_END at the end of the input. */
uint32_t fugu_input_std_get(FuguConsoleInput *in);

/* Saved as part of the console's state. */
extern const VMStateDescription vmstate_fugu_console_input;

#endif /* FUGU_CONSOLE_INPUT_H */
