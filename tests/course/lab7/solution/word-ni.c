/*
 * A network interface that sends words.
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

/* Returns the first word for the job that the processor works for, or NULL. */
static const FuguPacket *message(FuguSystemNI *system)
{
    const FuguPacket *head = QTAILQ_FIRST(&word_ni(system)->main.queue);

    return head && head->words[0] >> FUGU_HDR_GID_SHIFT == system->gid ? head
                                                                       : NULL;
}

static uint32_t user_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    const FuguPacket *head = message(system);

    switch (offset) {
    case THERE:
        return head != NULL;
    case WORD:
        return head ? head->words[1] : 0;
    case FROM:
        return head ? head->source : 0;
    }
    return fugu_absent_user_read(system, offset, ok);
}

static MemTxResult send_word(FuguSystemNI *system, uint32_t to, uint32_t word)
{
    FuguChannel *main = &word_ni(system)->main;
    FuguNode *node = system->node;
    FuguPacket *p;

    if (to >= node->machine->options.node_count) {
        return fugu_system_violation(system, "user", SEND);
    }
    if (main->space < PACKET_WORDS) {
        return fugu_system_leave_wait(system, FUGU_WAIT_SPACE);
    }
    p = fugu_packet_new(node->machine->parts.hub);
    p->dest = to;
    p->length = PACKET_WORDS;
    p->words[0] = system->gid << FUGU_HDR_GID_SHIFT | node->number;
    p->words[1] = word;
    fugu_meter_sent(&node->meter, system->gid, false, 0);
    fugu_channel_send(main, p, fugu_node_time(node), true);
    return MEMTX_OK;
}

static MemTxResult user_write(FuguSystemNI *system, hwaddr offset,
                              unsigned size, uint64_t value)
{
    if (offset == SEND && size == 8) {
        return send_word(system, value >> 32, value);
    }
    if (offset == NEXT && size == 4) {
        if (!message(system)) {
            return fugu_system_violation(system, "user", offset);
        }
        fugu_channel_drop_head(&word_ni(system)->main, true);
        fugu_meter_received(&system->node->meter);
        return MEMTX_OK;
    }
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

static const VMStateDescription vmstate_word_ni = {
    .name = "word-ni",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(parent_obj, WordNI, 1, vmstate_fugu_system_ni,
                       FuguSystemNI),
        VMSTATE_STRUCT(main, WordNI, 1, vmstate_fugu_channel, FuguChannel),
        VMSTATE_END_OF_LIST()
    }
};

static void word_ni_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->desc = "Network interface that sends words";
    nc->instance_size = sizeof(WordNI);
    nc->number = FUGU_NETIF_NONE;
    nc->state = &vmstate_word_ni;
    nc->limits = netif_limits;
    part->init = part_init;
    part->reset = part_reset;
    part->message = message;
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
