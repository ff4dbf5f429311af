/*
 * The system part of a network interface: the registers of both pages
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "system/lockstep.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/timer.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/op.h"
#include "hw/fugu/ni/system/regs.h"
#include "hw/fugu/trace.h"

/* ---- Reading ------------------------------------------------------------ */

static uint64_t system_cycles(FuguSystemNI *ni)
{
    return fugu_node_time(ni->node) + ni->parent_obj.cycle_offset;
}

uint32_t fugu_head_read(const FuguPacket *head, hwaddr offset, bool *ok)
{
    if (offset < FUGU_HEAD_PRESENT) {
        return head ? fugu_message_word(head, offset) : 0;
    }
    switch (offset) {
    case FUGU_HEAD_PRESENT:
        return head != NULL;
    case FUGU_HEAD_LENGTH:
        return head ? head->length : 0;
    case FUGU_HEAD_BODY:
        return head ? head->body_len : 0;
    }
    *ok = false;
    return 0;
}

static uint32_t user_page_read(FuguSystemNI *ni, hwaddr offset, bool *ok)
{
    switch (offset) {
    case FUGU_U_UAC:
        return ni->uac;
    case FUGU_U_NODE:
        return ni->node->number;
    case FUGU_U_NODES:
        return ni->node->machine->options.node_count;
    case FUGU_U_CYCLES:
        if (!fugu_device_peeked()) {
            ni->cycles_low = system_cycles(ni);
        }
        return system_cycles(ni) >> 32;
    case FUGU_U_CYCLES + 4:
        return fugu_device_peeked() ? system_cycles(ni) : ni->cycles_low;
    }
    return ni->part->user_read(ni, offset, ok);
}

static bool is_second_window(hwaddr offset)
{
    return offset >= FUGU_K_SECOND_OUT && offset < FUGU_K_SECOND_LAUNCH;
}

static uint32_t kernel_page_read(FuguSystemNI *ni, hwaddr offset, bool *ok)
{
    if (is_second_window(offset)) {
        return ni->second_window[(offset - FUGU_K_SECOND_OUT) / 4];
    }
    if (offset >= FUGU_K_SECOND_HEAD && offset < FUGU_K_SECOND_DISPOSE) {
        return fugu_head_read(QTAILQ_FIRST(&ni->second.queue),
                              offset - FUGU_K_SECOND_HEAD, ok);
    }
    switch (offset) {
    case FUGU_K_UAC:
        return ni->uac;
    case FUGU_K_GID:
        return ni->gid;
    case FUGU_K_TIMEOUT:
        return ni->timeout;
    case FUGU_K_TIMER:
        return fugu_system_timer_left(ni, fugu_node_time(ni->node));
    case FUGU_K_PENDING:
        if (!fugu_device_peeked()) {
            ni->part->settle(ni);
        }
        if (ni->node->seen) {
            fugu_seen_asked(ni->node->seen, fugu_node_time(ni->node));
        }
        return fugu_system_pending(ni);
    case FUGU_K_OFFSET:
        return ni->parent_obj.cycle_offset >> 32;
    case FUGU_K_OFFSET + 4:
        return ni->parent_obj.cycle_offset;
    case FUGU_K_SECOND_SPACE:
        return MIN(FUGU_MSG_WORDS, ni->second.space);
    case FUGU_K_SECOND_LAUNCH:
    case FUGU_K_SECOND_DISPOSE:
        *ok = false;
        return 0;
    }
    return ni->part->kernel_read(ni, offset, ok);
}

/* ---- Writing ------------------------------------------------------------ */

MemTxResult fugu_system_leave_trap(FuguSystemNI *ni, int tt)
{
    ni->resolve = FUGU_RESOLVE_TRAP;
    ni->resolve_tt = tt;
    return SPARCLE_TX_RESOLVE;
}

MemTxResult fugu_system_leave_wait(FuguSystemNI *ni, FuguWait why)
{
    ni->resolve = FUGU_RESOLVE_WAIT;
    ni->resolve_wait = why;
    return SPARCLE_TX_RESOLVE;
}

MemTxResult fugu_system_leave_part(FuguSystemNI *ni)
{
    ni->resolve = FUGU_RESOLVE_PART;
    return SPARCLE_TX_RESOLVE;
}

MemTxResult fugu_system_violation(FuguSystemNI *ni, const char *page,
                                  hwaddr offset)
{
    qemu_log_mask(LOG_GUEST_ERROR, "fugu-ni %u: no access to %s page at "
                  "0x%03" HWADDR_PRIx "\n", ni->node->number, page, offset);
    return fugu_system_leave_trap(ni, FUGU_TT_PROTECTION_VIOLATION);
}

void fugu_system_load_waits(FuguSystemNI *ni, FuguWait why, bool *ok)
{
    fugu_system_leave_wait(ni, why);
    ni->load_waits = true;
    *ok = false;
}

/* A load has given nothing. */
static MemTxResult no_load(FuguSystemNI *ni, const char *page, hwaddr offset)
{
    if (ni->load_waits) {
        ni->load_waits = false;
        return SPARCLE_TX_RESOLVE;
    }
    return fugu_system_violation(ni, page, offset);
}

static MemTxResult leave_result(FuguSystemNI *ni, int tt)
{
    if (tt == SPARCLE_WAIT) {
        return fugu_system_leave_wait(ni, ni->node->wait);
    }
    return tt ? fugu_system_leave_trap(ni, tt) : MEMTX_OK;
}

/* Whether this register exists only with hard atomicity. With soft atomicity it
 * reads as 0 and ignores writes. */
static bool is_of_hard_atomicity(hwaddr offset)
{
    return offset == FUGU_K_TIMEOUT || offset == FUGU_K_TIMER;
}

static void gid_write(FuguSystemNI *ni, uint32_t value)
{
    int64_t now = fugu_node_time(ni->node);

    ni->gid = value & FUGU_GID_MAX;
    if (ni->node->seen) {
        fugu_seen_serve(ni->node->seen, now, ni->gid);
    }
    fugu_meter_serve(&ni->node->meter, now, ni->gid);
}

static MemTxResult kernel_page_write(FuguSystemNI *ni, hwaddr offset,
                                     uint32_t value)
{
    if (is_of_hard_atomicity(offset) && ni->soft) {
        return MEMTX_OK;
    }
    if (is_second_window(offset)) {
        ni->second_window[(offset - FUGU_K_SECOND_OUT) / 4] = value;
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
        gid_write(ni, value);
        break;
    case FUGU_K_TIMEOUT:
        fugu_system_update_timer(ni);
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
    case FUGU_K_SECOND_LAUNCH:
        return leave_result(ni, fugu_system_launch_second(ni, value));
    case FUGU_K_SECOND_DISPOSE:
        return leave_result(ni, fugu_system_dispose_second(ni));
    default:
        return ni->part->kernel_write(ni, offset, 4, value);
    }
    trace_fugu_ni_control(ni->node->number, offset, value,
                          fugu_node_time(ni->node));
    fugu_system_update(ni);
    return MEMTX_OK;
}

int fugu_system_resolve(FuguSystemNI *ni, uintptr_t ra)
{
    switch (ni->resolve) {
    case FUGU_RESOLVE_TRAP:
        return ni->resolve_tt;
    case FUGU_RESOLVE_WAIT:
        return fugu_system_wait(ni, ni->resolve_wait);
    case FUGU_RESOLVE_PART:
        return ni->part->resolve_part(ni, ra);
    }
    g_assert_not_reached();
}

/* ---- Pages -------------------------------------------------------------- */

/* Whether the access has the size of a word or double word, and is aligned. */
static bool access_ok(hwaddr offset, unsigned size)
{
    return size >= 4 && !(offset & (size - 1));
}

static MemTxResult user_read(void *opaque, hwaddr offset, uint64_t *data,
                             unsigned size, MemTxAttrs attrs)
{
    FuguSystemNI *ni = opaque;
    bool ok = access_ok(offset, size);

    if (ok) {
        *data = user_page_read(ni, offset, &ok);
    }
    if (ok && size == 8) {
        *data = (*data << 32) | user_page_read(ni, offset + 4, &ok);
    }
    return ok ? MEMTX_OK : no_load(ni, "user", offset);
}

/* The registers of the user's page that every kind has are read-only. */
static MemTxResult user_write(void *opaque, hwaddr offset, uint64_t data,
                              unsigned size, MemTxAttrs attrs)
{
    FuguSystemNI *ni = opaque;

    return access_ok(offset, size)
           ? ni->part->user_write(ni, offset, size, data)
           : fugu_system_violation(ni, "user", offset);
}

static MemTxResult kernel_read(void *opaque, hwaddr offset, uint64_t *data,
                               unsigned size, MemTxAttrs attrs)
{
    FuguSystemNI *ni = opaque;
    bool ok = access_ok(offset, size) && !fugu_node_user(ni->node);

    if (ok) {
        *data = kernel_page_read(ni, offset, &ok);
    }
    if (ok && size == 8) {
        *data = (*data << 32) | kernel_page_read(ni, offset + 4, &ok);
    }
    return ok ? MEMTX_OK : no_load(ni, "kernel", offset);
}

/* Apart from kernel_write(), so that stores to a window, the first registers of
 * the page, need not save registers of the host for it. */
static MemTxResult __attribute__((noinline))
kernel_register_write(FuguSystemNI *ni, hwaddr offset, unsigned size,
                      uint64_t data)
{
    if (size == 4) {
        return kernel_page_write(ni, offset, data);
    }
    /*
     * std is allowed to two words of a window, or to a 64-bit register. With
     * two other registers, the first store could take effect and the second
     * one trap.
     */
    if (is_second_window(offset) || offset == FUGU_K_OFFSET) {
        kernel_page_write(ni, offset, data >> 32);
        return kernel_page_write(ni, offset + 4, data);
    }
    return ni->part->kernel_write(ni, offset, size, data);
}

static MemTxResult kernel_write(void *opaque, hwaddr offset, uint64_t data,
                                unsigned size, MemTxAttrs attrs)
{
    FuguSystemNI *ni = opaque;

    if (!access_ok(offset, size) || fugu_node_user(ni->node)) {
        return fugu_system_violation(ni, "kernel", offset);
    }
    return offset < FUGU_K_UAC
           ? ni->part->kernel_write(ni, offset, size, data)
           : kernel_register_write(ni, offset, size, data);
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
void fugu_system_init_pages(FuguSystemNI *ni)
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
