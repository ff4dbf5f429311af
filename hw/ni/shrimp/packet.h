/*
 * The SHRIMP network interface: what a packet holds
 *
 * A packet is three words and a body. The words: coordinates of the destination
 * with the number of bytes, address there, CRC. The body has the bytes at their
 * places in words: the first and the last word may be partly filled. The fields'
 * places are the interface's own; a guest sees none of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_PACKET_H
#define FUGU_SHRIMP_PACKET_H

#include "hw/fugu/ni/shrimp/nipt.h"

/* Returns a packet with @bytes bytes from @data, which are at physical address
 * @from here, for where @route leads. All of them must be in one page there. The
 * last of them was stored, or the command for them given, at time @issued. */
FuguPacket *shrimp_packet_new(ShrimpNI *ni, const ShrimpRoute *route,
                              uint32_t from, const uint8_t *data,
                              uint32_t bytes, int64_t issued);

/* Makes the receiver find that the packet is wrong, as if the mesh had changed
 * it. */
void shrimp_packet_damage(ShrimpNI *ni, FuguPacket *packet,
                          ShrimpDamage damage);

static inline uint32_t shrimp_packet_bytes(const FuguPacket *p)
{
    return p->words[0] & 0x3ff;
}

static inline uint32_t shrimp_packet_dest(const FuguPacket *p)
{
    return p->words[1];
}

/* Returns the first byte for the destination. */
static inline const uint8_t *shrimp_packet_data(const FuguPacket *p)
{
    return p->body + p->words[1] % 4;
}

/* Returns the words that a packet counts. */
static inline uint32_t shrimp_packet_counted(const FuguPacket *p)
{
    return FUGU_SHRIMP_OVERHEAD + p->body_len / 4;
}

/* Returns the words that the open packet will count, or 0 if there is none. */
static inline uint32_t shrimp_open_words(const ShrimpNI *ni)
{
    const ShrimpOpen *open = &ni->open;

    return open->bytes ? FUGU_SHRIMP_OVERHEAD +
                         DIV_ROUND_UP(open->addr % 4 + open->bytes, 4) : 0;
}

/* Whether its coordinates are those of this node. */
bool shrimp_packet_is_here(const ShrimpNI *ni, const FuguPacket *packet);
/* Whether its CRC is that of its contents, which have the form that
 * shrimp_packet_new() gives them. */
bool shrimp_packet_is_whole(const FuguPacket *packet);

#endif /* FUGU_SHRIMP_PACKET_H */
