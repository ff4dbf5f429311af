/*
 * The SHRIMP network interface: what a packet holds (see packet.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/crc32c.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/shrimp/packet.h"

QEMU_BUILD_BUG_ON(FUGU_NODES_MAX > 1024);       /* fields of 10 bits */
QEMU_BUILD_BUG_ON(SHRIMP_PACKET_MAX > 0x3ff);

static uint32_t first_word(const ShrimpNI *ni, uint32_t node, uint32_t bytes)
{
    uint32_t column = node % ni->mesh_width, row = node / ni->mesh_width;

    return column << 20 | row << 10 | bytes;
}

/* Returns the CRC-32C of all but the third word. */
static uint32_t crc_of(const FuguPacket *p)
{
    uint8_t head[8];

    stl_be_p(head, p->words[0]);
    stl_be_p(head + 4, p->words[1]);
    return crc32c(crc32c(UINT32_MAX, head, sizeof(head)) ^ UINT32_MAX,
                  p->body, p->body_len);
}

FuguPacket *shrimp_packet_new(ShrimpNI *ni, const ShrimpRoute *route,
                              uint32_t from, const uint8_t *data,
                              uint32_t bytes, int64_t issued)
{
    FuguPacket *p = fugu_packet_new(ni->node->machine->parts.hub);
    uint32_t dest = route->dest;

    p->dest = route->node;
    p->from = from;
    p->mode = route->mode;
    p->issued = issued;
    p->length = FUGU_SHRIMP_OVERHEAD;
    p->has_body = true;
    p->body_len = ROUND_UP(dest % 4 + bytes, 4);
    p->body = g_malloc0(p->body_len);
    memcpy(p->body + dest % 4, data, bytes);
    p->words[0] = first_word(ni, route->node, bytes);
    p->words[1] = dest;
    p->words[2] = crc_of(p);
    return p;
}

void shrimp_packet_damage(ShrimpNI *ni, FuguPacket *p, ShrimpDamage damage)
{
    switch (damage) {
    case SHRIMP_DAMAGE_NOTHING:
        break;
    case SHRIMP_DAMAGE_CRC:
        p->body[p->body_len - 1] ^= 1;
        break;
    case SHRIMP_DAMAGE_COORDINATES:
        p->words[0] ^= 1 << 10;
        p->words[2] = crc_of(p);
        break;
    }
}

bool shrimp_packet_is_here(const ShrimpNI *ni, const FuguPacket *p)
{
    uint32_t bytes = shrimp_packet_bytes(p);

    return p->words[0] == first_word(ni, ni->node->number, bytes);
}

/* Another process may have made the packet: nothing is sure of its form but
 * what the limits say. */
bool shrimp_packet_is_whole(const FuguPacket *p)
{
    uint32_t bytes = shrimp_packet_bytes(p), dest = p->words[1];

    return p->length == FUGU_SHRIMP_OVERHEAD && bytes &&
           p->body_len == ROUND_UP(dest % 4 + bytes, 4) &&
           dest % SHRIMP_PAGE + bytes <= SHRIMP_PAGE &&
           p->words[2] == crc_of(p);
}
