/*
 * The SHRIMP network interface: automatic update (see automatic.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "exec/cputlb.h"
#include "system/tcg.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/automatic.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/pace.h"
#include "hw/fugu/ni/shrimp/packet.h"
#include "hw/fugu/ni/system/flags.h"

/* A page of the paper is cached write-through as soon as it is mapped out, so the
 * stores to all such pages come here. */
static bool is_snooped(FuguNetif *obj, uint32_t addr)
{
    ShrimpNI *ni = (ShrimpNI *)obj;
    uint32_t page;

    return shrimp_nipt_page(&ni->nipt, addr, &page) &&
           shrimp_nipt_is_out(&ni->nipt, page);
}

static bool is_automatic(const ShrimpRoute *route)
{
    return route->mode == FUGU_NIPT_SINGLE || route->mode == FUGU_NIPT_BLOCKED;
}

/* The bus takes a doubleword at a time: a block of 32 bytes is four. A doubleword
 * fits any packet, and no part begins inside of it. */
#define BUS             8u              /* bytes */

/* Returns the words that a store adds to those of the FIFO and the open packet. */
static uint32_t words_of(const ShrimpNI *ni, uint32_t addr, uint32_t size)
{
    uint32_t words = 0, bytes, begun = ni->open.addr % 4 + ni->open.bytes;

    if (shrimp_merge_takes(ni, addr, size)) {
        return DIV_ROUND_UP(begun + size, 4) - DIV_ROUND_UP(begun, 4);
    }
    for (; size; addr += bytes, size -= bytes) {
        ShrimpRoute route = shrimp_nipt_route(&ni->nipt, addr);

        bytes = MIN(size, BUS);
        if (is_automatic(&route)) {
            words += FUGU_SHRIMP_OVERHEAD + DIV_ROUND_UP(bytes, 4);
        }
    }
    return words;
}

/* A store that would overflow the Outgoing FIFO waits on the bus. An interrupt that
 * has just come is taken before: the processor tries again without a wait. */
static bool may_store(FuguNetif *obj, uint32_t addr, unsigned size)
{
    ShrimpNI *ni = (ShrimpNI *)obj;
    uint32_t interrupts = ni->node->interrupts;

    shrimp_settle(ni);
    if (ni->out.words + shrimp_open_words(ni) + words_of(ni, addr, size) <=
        FUGU_SHRIMP_FIFO) {
        return true;
    }
    if (!(ni->node->interrupts & ~interrupts)) {
        fugu_node_wait(ni->node, FUGU_WAIT_OUTGOING);
    }
    return false;
}

/* The bus holds the processor after the interface has seen the store. */
static void take_bus(ShrimpNI *ni, uint32_t times)
{
    CPU(&ni->node->cpu)->neg.cycles_left -=
        times * ni->node->machine->options.write_through;
}

static void stored(FuguNetif *obj, uint32_t addr, const uint8_t *data,
                   unsigned size)
{
    ShrimpNI *ni = (ShrimpNI *)obj;
    int64_t now = fugu_node_time(ni->node);
    uint32_t bytes, times = DIV_ROUND_UP(size, BUS);

    for (; size; addr += bytes, data += bytes, size -= bytes) {
        ShrimpRoute route = shrimp_nipt_route(&ni->nipt, addr);

        bytes = MIN(size, BUS);
        if (route.mode == FUGU_NIPT_BLOCKED) {
            shrimp_merge_store(ni, addr, data, bytes, now);
        } else if (route.mode == FUGU_NIPT_SINGLE) {
            shrimp_merge_close(ni, now);
            shrimp_out_put(ni, shrimp_packet_new(ni, &route, addr, data, bytes,
                                                 now), now);
        }
    }
    shrimp_engine_retry(ni, now);       /* the open packet may have left */
    fugu_system_update(&ni->parent_obj);
    take_bus(ni, times);
}

/* The entries of the TLB say which stores are snooped. Without TCG there are
 * none. */
void shrimp_automatic_changed(ShrimpNI *ni)
{
    if (tcg_enabled()) {
        tlb_flush(CPU(&ni->node->cpu));
    }
}

void shrimp_class_init_automatic(FuguNetifClass *nc)
{
    nc->is_snooped = is_snooped;
    nc->may_store = may_store;
    nc->stored = stored;
}
