/*
 * Console input: bytes with their times, and standard input by parts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/input.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/trace.h"

void fugu_input_update_irq(FuguConsoleInput *in)
{
    fugu_node_set_irq(in->node, FUGU_IRQ_CONSOLE,
                      in->irq_enabled && !fifo8_is_empty(&in->typed));
}

/* Gives a byte to the guest. Caller must have checked that input has room. */
static void type_byte(FuguConsoleInput *in, int64_t time, uint8_t byte)
{
    trace_fugu_console_input(in->node->number, time, byte);
    fifo8_push(&in->typed, byte);
}

/*
 * Gives the guest the bytes of the script whose time has come, and schedules
 * the event for the next one. Bytes for which input has no room wait until the
 * guest has read.
 */
static void type_script(FuguConsoleInput *in)
{
    int64_t now = fugu_node_time(in->node);
    int64_t next = FUGU_NEVER;

    while (in->script_next < in->script->len && !fifo8_is_full(&in->typed)) {
        FuguConsoleByte *b = &g_array_index(in->script, FuguConsoleByte,
                                            in->script_next);

        if (b->time > now) {
            next = b->time;
            break;
        }
        type_byte(in, now, b->byte);
        in->script_next++;
    }
    fugu_event_set(in->node, &in->event, next);
}

static void input_fire(void *opaque)
{
    FuguConsoleInput *in = opaque;

    type_script(in);
    fugu_input_update_irq(in);
}

/* Tells the scheduler, which does not take the lock, that there are bytes for a
 * round to take. */
static void announce(FuguConsoleInput *in)
{
    qatomic_set(&in->host_input, true);
    qatomic_set(&in->node->machine->terminal.input, true);
}

/* ---- What was taken before the run went back ----------------------------- */

static void record(FuguConsoleInput *in, int64_t round, int byte)
{
    FuguConsoleTaken taken = { .round = round, .byte = byte };

    if (in->taken) {
        g_array_insert_val(in->taken, in->taken_next, taken);
        in->taken_next++;
        in->taken_free++;
    }
}

/* Returns what the run has to take again next, or NULL if nothing. */
static const FuguConsoleTaken *to_take_again(const FuguConsoleInput *in)
{
    return in->taken && in->taken_next < in->taken->len
        ? &g_array_index(in->taken, FuguConsoleTaken, in->taken_next) : NULL;
}

/* Returns whether the run has been here before, and takes what it took then. */
static bool takes_again(const FuguConsoleInput *in)
{
    return in->taken && in->taken_next < in->taken_free;
}

/* Takes the next byte of to_take_again(). */
static uint8_t take_next(FuguConsoleInput *in)
{
    uint8_t byte = to_take_again(in)->byte;

    in->taken_next++;
    in->taken_free = MAX(in->taken_free, in->taken_next);
    return byte;
}

/* Returns whether this round took typed bytes before, and takes them again. */
static bool take_round_again(FuguConsoleInput *in, int64_t round)
{
    const FuguConsoleTaken *t = to_take_again(in);

    if (t->byte != FUGU_CONSOLE_ROUND || t->round != round) {
        return false;
    }
    in->taken_next++;
    while ((t = to_take_again(in)) && t->round == round &&
           t->byte != FUGU_CONSOLE_ROUND) {
        type_byte(in, round, t->byte);
        in->taken_next++;
    }
    return true;
}

/*
 * The guest can read the bytes at once: the node's local time is not before
 * the start of the round. The event tells the scheduler that the node may have
 * to run.
 */
void fugu_input_round(FuguConsoleInput *in, int64_t round_start)
{
    BQL_LOCK_GUARD();

    qatomic_set(&in->host_input, false);
    if (takes_again(in)) {
        bool again = take_round_again(in, round_start);

        announce(in);
        if (!again) {
            return;
        }
    } else {
        record(in, round_start, FUGU_CONSOLE_ROUND);
        while (to_take_again(in) && !fifo8_is_full(&in->typed)) {
            g_array_index(in->taken, FuguConsoleTaken,
                          in->taken_next).round = round_start;
            type_byte(in, round_start, take_next(in));
        }
        while (!fifo8_is_empty(&in->host) && !fifo8_is_full(&in->typed)) {
            uint8_t byte = fifo8_pop(&in->host);

            type_byte(in, round_start, byte);
            record(in, round_start, byte);
        }
    }
    fugu_event_set(in->node, &in->event, round_start);
    qemu_chr_fe_accept_input(in->chr);
}

bool fugu_input_can_wake(const FuguConsoleInput *in)
{
    return in->irq_enabled && in->reads && qemu_chr_fe_backend_open(in->chr);
}

/* Called by the chardev, in the main thread. */
static int input_can_receive(void *opaque)
{
    FuguConsoleInput *in = opaque;

    /* Before a snapshot is loaded, it is not known how much to skip. */
    if (qatomic_read(&in->node->machine->time.held)) {
        return 0;
    }
    return in->skip ? MIN(in->skip, INT_MAX) : fifo8_num_free(&in->host);
}

/* Called by the chardev, in the main thread. */
static void input_receive(void *opaque, const uint8_t *bytes, int count)
{
    FuguConsoleInput *in = opaque;

    in->fresh = false;
    if (in->skip) {
        in->skip -= count;
        return;
    }
    in->received += count;
    fifo8_push_all(&in->host, bytes, count);
    announce(in);
}

uint32_t fugu_input_get(FuguConsoleInput *in)
{
    uint8_t byte;

    if (fifo8_is_empty(&in->typed)) {
        return -1;
    }
    if (fugu_device_peeked()) {
        fifo8_peek_buf(&in->typed, &byte, 1);
        return byte;
    }
    byte = fifo8_pop(&in->typed);
    /* Now input has room for a byte that the host has typed. */
    if (!fifo8_is_empty(&in->host) || to_take_again(in)) {
        announce(in);
    }
    type_script(in);
    fugu_input_update_irq(in);
    return byte;
}

/* ---- Standard input by parts --------------------------------------------- */

/*
 * Takes the next byte of standard input: what was typed, then the rest of the
 * script whatever its times, then what the host has given. Returns -1 if the
 * host has given no byte yet.
 */
static int std_next(FuguConsoleInput *in)
{
    int byte;

    if (!fifo8_is_empty(&in->typed)) {
        byte = fifo8_pop(&in->typed);
        fugu_input_update_irq(in);
        return byte;
    }
    if (in->script_next < in->script->len) {
        byte = g_array_index(in->script, FuguConsoleByte,
                             in->script_next++).byte;
    } else if (to_take_again(in)) {
        if (to_take_again(in)->byte == FUGU_CONSOLE_ROUND) {
            return -1;          /* a later round took what comes next */
        }
        byte = take_next(in);
    } else if (!fifo8_is_empty(&in->host)) {
        byte = fifo8_pop(&in->host);
        record(in, FUGU_NEVER, byte);
        qemu_chr_fe_accept_input(in->chr);
    } else {
        return -1;
    }
    trace_fugu_console_input(in->node->number,
                             in->node->machine->time.round_start, byte);
    return byte;
}

static bool std_has_ended(FuguConsoleInput *in)
{
    return !in->reads || !qemu_chr_fe_backend_open(in->chr);
}

void fugu_input_supply(FuguConsoleInput *in)
{
    FuguConsoleStdin *std = &in->std;

    while (std->asked) {
        int byte = std_next(in);

        if (byte >= 0) {
            fifo8_push(&std->part, byte);
            std->asked = byte != '\n' && !fifo8_is_full(&std->part);
        } else if (std_has_ended(in)) {
            std->asked = false;
            std->ended = true;
        } else {
            return;
        }
    }
}

uint32_t fugu_input_std_get(FuguConsoleInput *in)
{
    FuguConsoleStdin *std = &in->std;
    uint8_t byte;

    if (std->asked) {
        return FUGU_STDIN_NONE;
    }
    if (fifo8_is_empty(&std->part)) {
        return std->ended ? FUGU_STDIN_END : FUGU_STDIN_NONE;
    }
    if (fugu_device_peeked()) {
        fifo8_peek_buf(&std->part, &byte, 1);
        return byte;
    }
    return fifo8_pop(&std->part);
}

bool fugu_input_wants_part(const FuguConsoleInput *in)
{
    return !in->std.asked && !in->std.ended && fifo8_is_empty(&in->std.part);
}

void fugu_input_ask(FuguConsoleInput *in)
{
    in->std.asked = true;
    in->std.round = in->node->machine->time.round_start;
    in->node->machine->terminal.asked = true;
}

/* ---- Going back ---------------------------------------------------------- */

void fugu_input_record(FuguConsoleInput *in)
{
    in->taken = g_array_new(false, false, sizeof(FuguConsoleTaken));
}

/* Moves the bytes that no round has taken. */
static void move_host(FuguConsoleInput *in, GByteArray *to)
{
    while (!fifo8_is_empty(&in->host)) {
        uint8_t byte = fifo8_pop(&in->host);

        g_byte_array_append(to, &byte, 1);
    }
}

void fugu_input_before_load(FuguConsoleInput *in, GByteArray *kept)
{
    move_host(in, kept);
    in->kept_received = in->received;
    in->kept_skip = in->skip;
}

void fugu_input_after_load(FuguConsoleInput *in, const GByteArray *kept,
                           uint32_t next)
{
    fifo8_reset(&in->host);
    fifo8_push_all(&in->host, kept->data, kept->len);
    in->taken_next = next;
    in->received = in->kept_received;
    in->skip = in->kept_skip;
    if (kept->len || to_take_again(in)) {
        announce(in);
    }
}

void fugu_input_forget(FuguConsoleInput *in)
{
    uint32_t bytes = in->taken_next;

    for (uint32_t i = in->taken_next; i < in->taken->len; i++) {
        FuguConsoleTaken t = g_array_index(in->taken, FuguConsoleTaken, i);

        if (t.byte != FUGU_CONSOLE_ROUND) {
            t.round = FUGU_NEVER;
            g_array_index(in->taken, FuguConsoleTaken, bytes++) = t;
        }
    }
    g_array_set_size(in->taken, bytes);
    in->taken_free = in->taken_next;
    if (to_take_again(in)) {
        announce(in);
    }
}

/* ---- State -------------------------------------------------------------- */

/*
 * A machine that has gone back has bytes of the host that it takes later: the
 * record of them is no part of its state. A machine that loads the state has
 * to get them from the host, and with them those that follow.
 */
static void hold_later(FuguConsoleInput *in)
{
    in->unsaved = 0;
    if (!to_take_again(in)) {
        return;
    }
    for (uint32_t i = in->taken_next; i < in->taken->len; i++) {
        in->unsaved += g_array_index(in->taken, FuguConsoleTaken, i).byte !=
                       FUGU_CONSOLE_ROUND;
    }
    in->held = g_byte_array_new();
    move_host(in, in->held);
    in->unsaved += in->held->len;
    in->received -= in->unsaved;
}

static void give_back_later(FuguConsoleInput *in)
{
    if (in->held) {
        in->received += in->unsaved;
        fifo8_push_all(&in->host, in->held->data, in->held->len);
        g_clear_pointer(&in->held, g_byte_array_unref);
    }
}

static int input_pre_save(void *opaque)
{
    FuguConsoleInput *in = opaque;

    hold_later(in);
    in->saved_script = (FuguConsoleByte *)in->script->data;
    in->saved_script_len = in->script->len;
    return 0;
}

static int input_post_save(void *opaque)
{
    FuguConsoleInput *in = opaque;

    in->saved_script = NULL;
    give_back_later(in);
    return 0;
}

static int input_pre_load(void *opaque)
{
    FuguConsoleInput *in = opaque;

    in->saved_script = NULL;
    return 0;
}

static bool fifo_valid(const Fifo8 *fifo)
{
    return fifo->head < fifo->capacity && fifo->num <= fifo->capacity;
}

/* FuguNode saves the interrupt line and the event. */
static int input_post_load(void *opaque, int version_id)
{
    FuguConsoleInput *in = opaque;

    g_array_set_size(in->script, 0);
    g_array_append_vals(in->script, in->saved_script, in->saved_script_len);
    g_clear_pointer(&in->saved_script, g_free);
    if (in->script_next > in->script->len || !fifo_valid(&in->std.part) ||
        !fifo_valid(&in->typed) || !fifo_valid(&in->host)) {
        return -EINVAL;
    }
    if (!fifo8_is_empty(&in->host)) {
        announce(in);
    }
    in->node->machine->terminal.asked |= in->std.asked;
    /*
     * The host gives the whole input again. A user does not type it again. What
     * this QEMU has had of its input does not come again, whatever is loaded.
     */
    if (in->fresh) {
        in->skip = isatty(STDIN_FILENO) ? 0 : in->received;
    }
    return 0;
}

static bool script_fits(void *opaque, int version_id)
{
    FuguConsoleInput *in = opaque;

    return in->saved_script_len >= 0 &&
           in->saved_script_len <= FUGU_CONSOLE_SCRIPT_MAX;
}

static const VMStateDescription vmstate_console_byte = {
    .name = "fugu-console/byte",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(time, FuguConsoleByte),
        VMSTATE_UINT8(byte, FuguConsoleByte),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_console_input = {
    .name = "fugu-console/input",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = input_pre_save,
    .post_save = input_post_save,
    .pre_load = input_pre_load,
    .post_load = input_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(irq_enabled, FuguConsoleInput),
        VMSTATE_FIFO8(typed, FuguConsoleInput),
        VMSTATE_FIFO8(host, FuguConsoleInput),
        VMSTATE_INT32(saved_script_len, FuguConsoleInput),
        VMSTATE_VALIDATE("length of the script", script_fits),
        VMSTATE_STRUCT_VARRAY_ALLOC(saved_script, FuguConsoleInput,
                                    saved_script_len, 1, vmstate_console_byte,
                                    FuguConsoleByte),
        VMSTATE_UINT32(script_next, FuguConsoleInput),
        VMSTATE_FIFO8(std.part, FuguConsoleInput),
        VMSTATE_BOOL(std.asked, FuguConsoleInput),
        VMSTATE_BOOL(std.ended, FuguConsoleInput),
        VMSTATE_INT64(std.round, FuguConsoleInput),
        VMSTATE_UINT64(received, FuguConsoleInput),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Begin and end ------------------------------------------------------- */

void fugu_input_reset(FuguConsoleInput *in)
{
    in->irq_enabled = false;
    fifo8_reset(&in->typed);
    fifo8_reset(&in->std.part);
    in->std.asked = in->std.ended = false;
    in->script_next = 0;
    fugu_event_set(in->node, &in->event,
                   in->script->len ?
                   g_array_index(in->script, FuguConsoleByte, 0).time :
                   FUGU_NEVER);
    fugu_input_update_irq(in);
}

void fugu_input_realize(FuguConsoleInput *in)
{
    fugu_event_init(in->node, &in->event, input_fire, in);
    if (in->reads) {
        qemu_chr_fe_set_handlers(in->chr, input_can_receive, input_receive,
                                 NULL, NULL, in, NULL, true);
    }
}

void fugu_input_init(FuguConsoleInput *in)
{
    fifo8_create(&in->typed, FUGU_CONSOLE_INPUT_MAX);
    fifo8_create(&in->host, FUGU_CONSOLE_INPUT_MAX);
    fifo8_create(&in->std.part, FUGU_CONSOLE_INPUT_MAX);
    in->fresh = true;
    in->script = g_array_new(false, false, sizeof(FuguConsoleByte));
}

void fugu_input_finalize(FuguConsoleInput *in)
{
    fifo8_destroy(&in->typed);
    fifo8_destroy(&in->host);
    fifo8_destroy(&in->std.part);
    g_array_unref(in->script);
}
