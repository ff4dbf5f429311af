/*
 * Network interface: the registers of the user's and the kernel's page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "system/lockstep.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/timer.h"
#include "hw/fugu/ni/dma.h"
#include "hw/fugu/ni/flags.h"
#include "hw/fugu/ni/op.h"
#include "hw/fugu/ni/regs.h"
#include "hw/fugu/trace.h"

/* ---- Reading ------------------------------------------------------------ */

static uint64_t ni_cycles(FuguNI *ni)
{
    return fugu_node_time(ni->node) + ni->parent_obj.cycle_offset;
}

static uint32_t space_available(FuguNI *ni, const FuguDescriptor *d)
{
    return MIN(FUGU_MSG_WORDS, fugu_ni_space(ni, d));
}

/* The same for a message with a body. The launch of one waits until the body
 * before it has left the network. */
static uint32_t body_space_available(FuguNI *ni)
{
    return ni->channel[FUGU_MAIN_NETWORK].body_out
           ? 0 : space_available(ni, &ni->user);
}

static uint32_t window_read(const FuguDescriptor *d, hwaddr offset)
{
    uint32_t i = offset / 4;

    return i < d->length ? d->words[i] : 0;
}

static uint32_t message_word(const FuguPacket *p, hwaddr offset)
{
    uint32_t i = offset / 4;

    return i < p->length ? p->words[i] : 0;
}

/* @offset is within a receive record. Clears *@ok if no register is there. */
static uint32_t record_read(FuguNI *ni, hwaddr offset, bool *ok)
{
    FuguPacket *head = fugu_ni_message_available(ni)
                       ? fugu_ni_head(ni, FUGU_MAIN_NETWORK) : NULL;

    if (offset < FUGU_REC_AVAILABLE) {
        return head ? message_word(head, offset) : 0;
    }
    switch (offset) {
    case FUGU_REC_AVAILABLE:
        return head != NULL;
    case FUGU_REC_LENGTH:
        return head ? head->length : 0;
    case FUGU_REC_BODY:
        return head ? head->body_len : 0;
    }
    *ok = false;
    return 0;
}

static uint32_t head_read(FuguNI *ni, int network, hwaddr offset, bool *ok)
{
    FuguPacket *head = fugu_ni_head(ni, network);

    if (offset < FUGU_HEAD_PRESENT) {
        return head ? message_word(head, offset) : 0;
    }
    switch (offset) {
    case FUGU_HEAD_PRESENT:
        return head != NULL;
    case FUGU_HEAD_LENGTH:
        return head ? head->length : 0;
    case FUGU_HEAD_BODY:
        return head ? head->body_len : 0;
    }
    if (network == FUGU_MAIN_NETWORK) {
        switch (offset) {
        case FUGU_HEAD_GID:
            return head ? fugu_ni_gid(head) : 0;
        case FUGU_HEAD_KERNEL:
            return head && head->words[0] & FUGU_HDR_KERNEL;
        case FUGU_HEAD_SOURCE:
            return head ? head->source : 0;
        }
    }
    *ok = false;
    return 0;
}

static uint32_t user_page_read(FuguNI *ni, hwaddr offset, bool *ok)
{
    if (offset < FUGU_U_DESC_LEN) {
        return window_read(&ni->user, offset);
    }
    if (offset >= FUGU_U_RECORD && offset < FUGU_U_RECORD + FUGU_REC_SIZE) {
        return record_read(ni, offset - FUGU_U_RECORD, ok);
    }
    switch (offset) {
    case FUGU_U_DESC_LEN:
        return ni->user.length;
    case FUGU_U_SPACE:
        return space_available(ni, &ni->user);
    case FUGU_U_UAC:
        return ni->uac;
    case FUGU_U_NODE:
        return ni->node->number;
    case FUGU_U_NODES:
        return ni->node->machine->options.node_count;
    case FUGU_U_BODY_SPACE:
        return body_space_available(ni);
    case FUGU_U_CYCLES:
        if (!fugu_device_peeked()) {
            ni->cycles_low = ni_cycles(ni);
        }
        return ni_cycles(ni) >> 32;
    case FUGU_U_CYCLES + 4:
        return fugu_device_peeked() ? ni_cycles(ni) : ni->cycles_low;
    case FUGU_U_SB_ADDR:
        return ni->sb_addr;
    case FUGU_U_SB_OFFSET:
        return ni->sb_offset;
    }
    *ok = false;
    return 0;
}

static uint32_t kernel_page_read(FuguNI *ni, hwaddr offset, bool *ok)
{
    if (offset < FUGU_K_DESC_LEN) {
        return window_read(&ni->kernel, offset);
    }
    if (offset >= FUGU_K_HEAD && offset < FUGU_K_HEAD + FUGU_HEAD_SIZE) {
        return head_read(ni, FUGU_MAIN_NETWORK, offset - FUGU_K_HEAD, ok);
    }
    if (offset >= FUGU_K_USER_OUT && offset < FUGU_K_USER_LEN) {
        return window_read(&ni->user, offset - FUGU_K_USER_OUT);
    }
    if (offset >= FUGU_K_SECOND_OUT && offset < FUGU_K_SECOND_LAUNCH) {
        return ni->second.words[(offset - FUGU_K_SECOND_OUT) / 4];
    }
    if (offset >= FUGU_K_SECOND_HEAD && offset < FUGU_K_SECOND_DISPOSE) {
        return head_read(ni, FUGU_SECOND_NETWORK,
                         offset - FUGU_K_SECOND_HEAD, ok);
    }
    switch (offset) {
    case FUGU_K_DESC_LEN:
        return ni->kernel.length;
    case FUGU_K_SPACE:
        return space_available(ni, &ni->kernel);
    case FUGU_K_UAC:
        return ni->uac;
    case FUGU_K_GID:
        return ni->gid;
    case FUGU_K_DIVERT:
        return ni->divert;
    case FUGU_K_TIMEOUT:
        return ni->timeout;
    case FUGU_K_TIMER:
        return fugu_ni_timer_left(ni, fugu_node_time(ni->node));
    case FUGU_K_PENDING:
        if (ni->node->seen) {
            fugu_seen_asked(ni->node->seen, fugu_node_time(ni->node));
        }
        return fugu_ni_pending(ni);
    case FUGU_K_OFFSET:
        return ni->parent_obj.cycle_offset >> 32;
    case FUGU_K_OFFSET + 4:
        return ni->parent_obj.cycle_offset;
    case FUGU_K_USER_LEN:
        return ni->user.length;
    case FUGU_K_DMA_ADDR:
        return ni->dma_addr;
    case FUGU_K_DMA_ARM:
        return ni->dma_armed;
    case FUGU_K_DMA_BODY:
        return ni->dma_body;
    case FUGU_K_SECOND_SPACE:
        return MIN(FUGU_MSG_WORDS, ni->channel[FUGU_SECOND_NETWORK].space);
    }
    *ok = false;
    return 0;
}

/* ---- Writing ------------------------------------------------------------ */

/* A handler must not longjmp, so it leaves the trap to fugu_ni_resolve(). */
static MemTxResult leave_trap(FuguNI *ni, int tt)
{
    ni->resolve = FUGU_RESOLVE_TRAP;
    ni->resolve_tt = tt;
    return SPARCLE_TX_RESOLVE;
}

static MemTxResult leave_wait(FuguNI *ni, FuguWait why)
{
    ni->resolve = FUGU_RESOLVE_WAIT;
    ni->resolve_wait = why;
    return SPARCLE_TX_RESOLVE;
}

static MemTxResult leave_result(FuguNI *ni, int tt)
{
    if (tt == SPARCLE_WAIT) {
        return leave_wait(ni, ni->node->wait);
    }
    return tt ? leave_trap(ni, tt) : MEMTX_OK;
}

static void descriptor_put(FuguDescriptor *d, uint32_t i, uint32_t value)
{
    for (; d->length < i; d->length++) {
        d->words[d->length] = 0;
    }
    d->words[i] = value;
    d->length = MAX(d->length, i + 1);
}

/* A store to a window: reserves source space for the words, or waits for it. */
static MemTxResult window_write(FuguNI *ni, FuguDescriptor *d, hwaddr offset,
                                unsigned size, uint64_t value)
{
    uint32_t i = offset / 4;

    if (space_available(ni, d) < i + size / 4) {
        return leave_wait(ni, FUGU_WAIT_SPACE);
    }
    if (size == 8) {
        descriptor_put(d, i++, value >> 32);
    }
    descriptor_put(d, i, value);
    d->reserved = MAX(d->reserved, i + 1);
    return MEMTX_OK;
}

static MemTxResult user_page_write(FuguNI *ni, hwaddr offset, uint32_t value)
{
    switch (offset) {
    case FUGU_U_SB_ADDR:
        ni->sb_addr = value;
        return MEMTX_OK;
    case FUGU_U_SB_OFFSET:
        ni->sb_offset = value;
        return MEMTX_OK;
    case FUGU_U_SB_COUNT:
        ni->resolve = FUGU_RESOLVE_STOREBACK;
        ni->resolve_count = value;
        return SPARCLE_TX_RESOLVE;
    }
    return leave_trap(ni, FUGU_TT_PROTECTION_VIOLATION);
}

static void user_length_write(FuguNI *ni, uint32_t value)
{
    ni->user.length = MIN(value, FUGU_MSG_WORDS);
    ni->user.reserved = 0;
    memset(&ni->user.words[ni->user.length], 0,
           (FUGU_MSG_WORDS - ni->user.length) * sizeof(ni->user.words[0]));
}

/* Whether this register exists only with hard atomicity. With soft atomicity it
 * reads as 0 and ignores writes. */
static bool is_of_hard_atomicity(hwaddr offset)
{
    return offset == FUGU_K_TIMEOUT || offset == FUGU_K_TIMER;
}

static MemTxResult kernel_page_write(FuguNI *ni, hwaddr offset, uint32_t value)
{
    if (is_of_hard_atomicity(offset) && fugu_ni_soft(ni)) {
        return MEMTX_OK;
    }
    if (offset >= FUGU_K_USER_OUT && offset < FUGU_K_USER_LEN) {
        descriptor_put(&ni->user, (offset - FUGU_K_USER_OUT) / 4, value);
        ni->user.reserved = 0;
        return MEMTX_OK;
    }
    if (offset >= FUGU_K_SECOND_OUT && offset < FUGU_K_SECOND_LAUNCH) {
        ni->second.words[(offset - FUGU_K_SECOND_OUT) / 4] = value;
        return MEMTX_OK;
    }
    switch (offset) {
    case FUGU_K_UAC:
        if (!(ni->uac & FUGU_UAC_INTERRUPT_DISABLE)) {
            ni->atomic_since = FUGU_NEVER;
        }
        ni->uac = value & FUGU_UAC_ALL;
        break;
    case FUGU_K_GID:
        ni->gid = value & FUGU_GID_MAX;
        if (ni->node->seen) {
            fugu_seen_serve(ni->node->seen, fugu_node_time(ni->node), ni->gid);
        }
        fugu_meter_serve(&ni->node->meter, fugu_node_time(ni->node), ni->gid);
        break;
    case FUGU_K_DIVERT:
        ni->divert = value & 1;
        break;
    case FUGU_K_TIMEOUT:
        fugu_ni_update_timer(ni);
        if (ni->timeout == 0) {
            ni->timer_left = value;     /* the timer was off */
        }
        ni->timeout = value;
        break;
    case FUGU_K_TIMER:
        ni->timer_left = value;
        ni->timer_mark = fugu_node_time(ni->node);
        break;
    case FUGU_K_OFFSET:
        ni->offset_high = value;
        return MEMTX_OK;
    case FUGU_K_OFFSET + 4:
        ni->parent_obj.cycle_offset = ((uint64_t)ni->offset_high << 32) | value;
        fugu_timer_offset_changed(ni->node->timer);
        return MEMTX_OK;
    case FUGU_K_USER_LEN:
        user_length_write(ni, value);
        return MEMTX_OK;
    case FUGU_K_DMA_ADDR:
        ni->dma_addr = value & ~3;
        return MEMTX_OK;
    case FUGU_K_DMA_ARM:
        ni->dma_armed = value & 1;
        return MEMTX_OK;
    case FUGU_K_DMA_BODY:
        ni->dma_body = value & ~3;
        return MEMTX_OK;
    case FUGU_K_SECOND_LAUNCH:
        return leave_result(ni, fugu_ni_launch_second(ni, value));
    case FUGU_K_SECOND_DISPOSE:
        return leave_result(ni, fugu_ni_dispose_second(ni));
    default:
        return leave_trap(ni, FUGU_TT_PROTECTION_VIOLATION);
    }
    trace_fugu_ni_control(ni->node->number, offset, value,
                          fugu_node_time(ni->node));
    fugu_ni_update(ni);
    return MEMTX_OK;
}

int fugu_ni_resolve(FuguNI *ni, uintptr_t ra)
{
    switch (ni->resolve) {
    case FUGU_RESOLVE_TRAP:
        return ni->resolve_tt;
    case FUGU_RESOLVE_WAIT:
        return fugu_ni_wait(ni, ni->resolve_wait);
    case FUGU_RESOLVE_STOREBACK:
        return fugu_dma_storeback(ni, ni->resolve_count,
                                  fugu_node_user(ni->node), ra);
    }
    g_assert_not_reached();
}

/* ---- Pages -------------------------------------------------------------- */

/* Whether the access has the size of a word or double word, and is aligned. */
static bool access_ok(hwaddr offset, unsigned size)
{
    return size >= 4 && !(offset & (size - 1));
}

static MemTxResult violation(FuguNI *ni, const char *page, hwaddr offset)
{
    qemu_log_mask(LOG_GUEST_ERROR, "fugu-ni %u: no access to %s page at "
                  "0x%03" HWADDR_PRIx "\n", ni->node->number, page, offset);
    return leave_trap(ni, FUGU_TT_PROTECTION_VIOLATION);
}

static MemTxResult user_read(void *opaque, hwaddr offset, uint64_t *data,
                             unsigned size, MemTxAttrs attrs)
{
    FuguNI *ni = opaque;
    bool ok = access_ok(offset, size);

    if (ok) {
        *data = user_page_read(ni, offset, &ok);
    }
    if (ok && size == 8) {
        *data = (*data << 32) | user_page_read(ni, offset + 4, &ok);
    }
    return ok ? MEMTX_OK : violation(ni, "user", offset);
}

/*
 * Whether std is allowed: to two words of a window, or to a 64-bit register.
 * With two other registers, the first store could take effect and the second
 * one trap.
 */
static bool kernel_pair(hwaddr offset)
{
    return (offset >= FUGU_K_USER_OUT && offset < FUGU_K_USER_LEN) ||
           (offset >= FUGU_K_SECOND_OUT && offset < FUGU_K_SECOND_LAUNCH) ||
           offset == FUGU_K_OFFSET;
}

static MemTxResult user_write(void *opaque, hwaddr offset, uint64_t data,
                              unsigned size, MemTxAttrs attrs)
{
    FuguNI *ni = opaque;

    if (!access_ok(offset, size) ||
        (size == 8 && offset >= FUGU_U_DESC_LEN)) {
        return violation(ni, "user", offset);
    }
    return offset < FUGU_U_DESC_LEN
           ? window_write(ni, &ni->user, offset, size, data)
           : user_page_write(ni, offset, data);
}

static MemTxResult kernel_read(void *opaque, hwaddr offset, uint64_t *data,
                               unsigned size, MemTxAttrs attrs)
{
    FuguNI *ni = opaque;
    bool ok = access_ok(offset, size) && !fugu_node_user(ni->node);

    if (ok) {
        *data = kernel_page_read(ni, offset, &ok);
    }
    if (ok && size == 8) {
        *data = (*data << 32) | kernel_page_read(ni, offset + 4, &ok);
    }
    return ok ? MEMTX_OK : violation(ni, "kernel", offset);
}

static MemTxResult kernel_write(void *opaque, hwaddr offset, uint64_t data,
                                unsigned size, MemTxAttrs attrs)
{
    FuguNI *ni = opaque;

    if (!access_ok(offset, size) || fugu_node_user(ni->node)) {
        return violation(ni, "kernel", offset);
    }
    if (offset < FUGU_K_DESC_LEN) {
        return window_write(ni, &ni->kernel, offset, size, data);
    }
    if (size == 4) {
        return kernel_page_write(ni, offset, data);
    }
    if (!kernel_pair(offset)) {
        return violation(ni, "kernel", offset);
    }
    kernel_page_write(ni, offset, data >> 32);
    return kernel_page_write(ni, offset + 4, data);
}

#define NI_PAGE_OPS(READ, WRITE) {                              \
    .read_with_attrs = READ,                                    \
    .write_with_attrs = WRITE,                                  \
    .endianness = DEVICE_BIG_ENDIAN,                            \
    .valid = { .min_access_size = 1, .max_access_size = 8 },    \
    .impl = { .min_access_size = 1, .max_access_size = 8 },     \
}

static const MemoryRegionOps user_page_ops = NI_PAGE_OPS(user_read, user_write);
static const MemoryRegionOps kernel_page_ops =
    NI_PAGE_OPS(kernel_read, kernel_write);

/*
 * No other thread uses what the handlers use while the machine runs, so they
 * need no lock. What they request of the processor takes it.
 */
void fugu_ni_init_pages(FuguNI *ni)
{
    lockstep_set_direct(&user_page_ops);
    lockstep_set_direct(&kernel_page_ops);
    memory_region_init_io(&ni->user_page, OBJECT(ni), &user_page_ops, ni,
                          "fugu-ni-user", FUGU_DEVICE_PAGE);
    memory_region_init_io(&ni->kernel_page, OBJECT(ni), &kernel_page_ops, ni,
                          "fugu-ni-kernel", FUGU_DEVICE_PAGE);
    memory_region_add_subregion(&ni->node->root, FUGU_NI_USER_BASE,
                                &ni->user_page);
    memory_region_add_subregion(&ni->node->root, FUGU_NI_KERNEL_BASE,
                                &ni->kernel_page);
}
