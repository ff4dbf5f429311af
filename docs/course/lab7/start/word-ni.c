/*
 * A network interface that sends words. This is the file that you change.
 *
 * The checks build the simulator with this file in place of
 * hw/ni/none/none-ni.c, so --ni none chooses it.
 *
 * At first it has a channel of the network, and no registers: what a program
 * stores into its page is a protection violation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/system/absent.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/device.h"
#include "hw/fugu/ni/system/regs.h"

/* Offsets of the registers in the user's page: word.h has them, too. */
#define SEND    0x00            /* std: the node, and the word for it */
#define THERE   0x08            /* ld: 1 if a word has come, otherwise 0 */
#define WORD    0x0c            /* ld: the word that has come first; 0: none */
#define FROM    0x10            /* ld: the node that sent it */
#define NEXT    0x14            /* st: takes it away, so the next one is there */

/* A packet has two words: a header, with source and GID, and the word. */
#define PACKET_WORDS    2
#define SPACE           8       /* words that a node may have in the network */
#define QUEUE           8       /* words of the input queue */

typedef struct WordNI {
    FuguSystemNI parent_obj;
    FuguChannel main;
} WordNI;

static WordNI *word_ni(FuguSystemNI *system)
{
    return container_of(system, WordNI, parent_obj);
}

/* ---- Registers ------------------------------------------------------------ */

/* A load at @offset, a multiple of 4. Clears *@ok if no register is there. */
static uint32_t user_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    /* Steps 2 to 4. */
    return fugu_absent_user_read(system, offset, ok);
}

/* A store of @size bytes, 4 or 8, at @offset. */
static MemTxResult user_write(FuguSystemNI *system, hwaddr offset,
                              unsigned size, uint64_t value)
{
    /* Steps 1 to 3. */
    return fugu_absent_user_write(system, offset, size, value);
}

/* ---- The device ------------------------------------------------------------ */

static void part_init(FuguSystemNI *system)
{
    fugu_channel_init(system, &word_ni(system)->main, FUGU_MAIN_NETWORK, QUEUE);
}

static void part_reset(FuguSystemNI *system)
{
    fugu_channel_reset(&word_ni(system)->main);
}

static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_MAIN_NETWORK
           ? (FuguNetifLimits) { .space = SPACE, .words = PACKET_WORDS }
           : fugu_system_limits(m, network);
}

/* Step 5: what a snapshot has of the device (FuguNetifClass.state). */

static void word_ni_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->desc = "Network interface that sends words";
    nc->instance_size = sizeof(WordNI);
    nc->number = FUGU_NETIF_NONE;
    nc->limits = netif_limits;
    part->init = part_init;
    part->reset = part_reset;
    part->user_read = user_read;
    part->user_write = user_write;
}

static const TypeInfo word_ni_types[] = {
    {
        .name = FUGU_NETIF_TYPE_NAME("none"),
        .parent = TYPE_FUGU_SYSTEM_NI,
        .instance_size = sizeof(WordNI),
        .class_init = word_ni_class_init,
    },
};

DEFINE_TYPES(word_ni_types)
