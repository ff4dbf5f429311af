/*
 * Network interface: bodies of messages, from memory and to memory
 *
 * User-level DMA uses virtual addresses and the rights of the code that starts
 * it. All addresses are translated before any word moves, so that a fault is
 * precise. All words have moved when the instruction completes. The engine
 * takes time: it is busy for a while after the instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "exec/exec-all.h"
#include "system/qtest.h"
#include "tcg/insn-start-words.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/transfer.h"
#include "hw/fugu/ni/fugu/dma.h"
#include "hw/fugu/ni/fugu/flags.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/trace.h"

/* Whether these are whole words, no more than a body has, and do not wrap
 * around the end of the address space. */
static bool range_ok(uint32_t addr, uint32_t len)
{
    return !(addr & 3) && !(len & 3) && len <= FUGU_BODY_MAX &&
           (uint64_t)addr + len <= UINT64_C(1) << 32;
}

/* Under qtest there is no MMU, and addresses are physical. */
static void *qtest_translate(CPUState *cs, uint32_t addr, uint32_t len,
                             MMUAccessType access)
{
    bool write = access == MMU_DATA_STORE;
    hwaddr offset, there = len;
    MemoryRegion *mr;

    RCU_READ_LOCK_GUARD();
    mr = address_space_translate(cs->as, addr, &offset, &there, write,
                                 MEMTXATTRS_UNSPECIFIED);
    if (!memory_access_is_direct(mr, write, MEMTXATTRS_UNSPECIFIED) ||
        there < len) {
        return NULL;
    }
    return qemu_map_ram_ptr(mr->ram_block, offset);
}

/*
 * Translates @len bytes of one page. Returns where they are in this process,
 * or NULL if they are not in memory, and sets *@phys. May leave by longjmp with
 * the fault.
 */
static void *dma_translate(CPUState *cs, uint32_t addr, uint32_t len,
                           MMUAccessType access, uintptr_t ra, hwaddr *phys)
{
    int mmu_idx = cpu_mmu_index(cs, false);
    CPUTLBEntryFull *full;
    void *host;

    if (qtest_enabled()) {
        *phys = addr;
        return qtest_translate(cs, addr, len, access);
    }
    probe_access_full(cpu_env(cs), addr, len, access, mmu_idx, false, &host,
                      &full, ra);
    if (!host) {
        /* A plugin that sees all accesses makes RAM look like a device. */
        probe_access_full_mmu(cpu_env(cs), addr, len, access, mmu_idx, &host,
                              &full);
    }
    *phys = full->phys_addr | (addr & ~TARGET_PAGE_MASK);
    return host;
}

/*
 * Copies between @buf and virtual memory, page by page. With @buf NULL it only
 * checks whether the copy is possible. Returns 0 or a trap type. May leave by
 * longjmp with the fault.
 */
static int dma_copy(FuguNI *ni, uint32_t addr, void *buf, uint32_t len,
                    MMUAccessType access, uintptr_t ra)
{
    CPUState *cs = CPU(&ni->node->cpu);

    while (len) {
        uint32_t chunk = MIN(len, TARGET_PAGE_SIZE -
                                  (addr & ~TARGET_PAGE_MASK));
        hwaddr phys;
        void *host = dma_translate(cs, addr, chunk, access, ra, &phys);

        if (!host) {
            return FUGU_TT_PROTECTION_VIOLATION;    /* a device */
        }
        if (buf && access == MMU_DATA_LOAD) {
            memcpy(buf, host, chunk);
            fugu_transfer_read(ni->node, phys, chunk);
        } else if (buf) {
            memcpy(host, buf, chunk);
            fugu_transfer_wrote(ni->node, phys, chunk);
        }
        buf = buf ? buf + chunk : NULL;
        addr += chunk;
        len -= chunk;
    }
    return 0;
}

int fugu_dma_check(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                   uintptr_t ra)
{
    uint32_t total = 0;

    for (unsigned i = 0; i < pairs; i++) {
        uint32_t len = pair[2 * i + 1];

        if (!range_ok(pair[2 * i], len) || total + len > FUGU_BODY_MAX) {
            return FUGU_TT_PROTECTION_VIOLATION;
        }
        total += len;
    }
    for (unsigned i = 0; i < pairs; i++) {
        int ret = dma_copy(ni, pair[2 * i], NULL, pair[2 * i + 1],
                           MMU_DATA_LOAD, ra);

        if (ret) {
            return ret;
        }
    }
    return 0;
}

/* Tells the observer, if there is one, of the memory that an operation copies. */
static void show(FuguNI *ni, uint32_t addr, uint32_t len, bool stores,
                 uintptr_t ra)
{
    CPUState *cs = CPU(&ni->node->cpu);
    uint64_t data[TARGET_INSN_START_WORDS] = { 0 };

    if (ni->node->seen && !qtest_enabled() &&
        cpu_unwind_state_data(cs, ra, data)) {
        fugu_seen_body(ni->node->seen, data[0], addr, len, stores);
    }
}

void fugu_dma_gather(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                     FuguPacket *packet, uintptr_t ra)
{
    uint8_t *to;

    for (unsigned i = 0; i < pairs; i++) {
        packet->body_len += pair[2 * i + 1];
    }
    packet->has_body = true;
    packet->body = to = g_malloc(MAX(packet->body_len, 4));
    for (unsigned i = 0; i < pairs; i++) {
        dma_copy(ni, pair[2 * i], to, pair[2 * i + 1], MMU_DATA_LOAD, ra);
        show(ni, pair[2 * i], pair[2 * i + 1], false, ra);
        to += pair[2 * i + 1];
    }
}

static void dma_start(FuguNI *ni, uint32_t words)
{
    ni->dma_until = fugu_node_time(ni->node) +
                    (int64_t)words * ni->node->machine->options.dma_word;
    fugu_event_set(ni->node, &ni->dma_event, ni->dma_until);
}

static bool dma_busy(FuguNI *ni)
{
    return ni->dma_until > fugu_node_time(ni->node);
}

int fugu_dma_storeback(FuguNI *ni, uint32_t count, bool user, uintptr_t ra)
{
    FuguPacket *head = fugu_ni_head(ni);
    int ret;

    if (user && ni->divert) {
        return FUGU_TT_STOREBACK_EXTEND;
    }
    if (user ? !fugu_ni_message(ni) : !head) {
        return FUGU_TT_BAD_DISPOSE;
    }
    if (!range_ok(ni->sb_addr, count) || (ni->sb_offset & 3) ||
        ni->sb_offset > head->body_len ||
        count > head->body_len - ni->sb_offset) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    ret = dma_copy(ni, ni->sb_addr, NULL, count, MMU_DATA_STORE, ra);
    if (ret) {
        return ret;
    }
    if (dma_busy(ni)) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_DMA);
    }
    if (count) {
        dma_copy(ni, ni->sb_addr, head->body + ni->sb_offset, count,
                 MMU_DATA_STORE, ra);
        show(ni, ni->sb_addr, count, true, ra);
    }
    trace_fugu_ni_storeback(ni->node->number, ni->sb_addr, ni->sb_offset,
                            count, fugu_node_time(ni->node));
    dma_start(ni, count / 4);
    return 0;
}

/* Whether @len bytes at a physical address lie in the node's RAM. */
static bool is_ram(FuguNI *ni, uint32_t addr, uint32_t len)
{
    uint32_t offset = addr - FUGU_RAM_BASE;

    return addr >= FUGU_RAM_BASE && offset <= ni->node->ram_size &&
           len <= ni->node->ram_size - offset;
}

/* Whether the DMA can write there. If not, logs the guest's mistake. */
static bool can_write(FuguNI *ni, uint32_t addr, uint32_t len)
{
    if (is_ram(ni, addr, len)) {
        return true;
    }
    qemu_log_mask(LOG_GUEST_ERROR, "fugu-ni %u: DMA of %u bytes to 0x%08x, "
                  "not RAM\n", ni->node->number, len, addr);
    return false;
}

static void dma_write(FuguNI *ni, uint32_t addr, const void *buf, uint32_t len)
{
    address_space_write(CPU(&ni->node->cpu)->as, addr, MEMTXATTRS_UNSPECIFIED,
                        buf, len);
    fugu_transfer_wrote(ni->node, addr, len);
}

int fugu_dma_store_head(FuguNI *ni, FuguPacket *head)
{
    uint32_t bytes = head->length * 4;
    uint32_t body = ni->dma_body ? ni->dma_body : ni->dma_addr + bytes;
    uint32_t words[FUGU_MSG_WORDS];

    if (!can_write(ni, ni->dma_addr, bytes) ||
        (head->body_len && !can_write(ni, body, head->body_len))) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    if (dma_busy(ni)) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_DMA);
    }
    for (unsigned i = 0; i < head->length; i++) {
        words[i] = cpu_to_be32(head->words[i]);
    }
    dma_write(ni, ni->dma_addr, words, bytes);
    if (head->body_len) {
        dma_write(ni, body, head->body, head->body_len);
    }
    trace_fugu_ni_dma_head(ni->node->number, ni->dma_addr,
                           bytes + head->body_len, fugu_node_time(ni->node));
    ni->dma_armed = false;
    dma_start(ni, (bytes + head->body_len) / 4);
    return 0;
}

static void dma_done(void *opaque)
{
    FuguNI *ni = opaque;

    ni->dma_hides = false;
    fugu_system_update(&ni->parent_obj);
}

void fugu_dma_init(FuguNI *ni)
{
    fugu_event_init(ni->node, &ni->dma_event, dma_done, ni);
}
