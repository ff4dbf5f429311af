/*
 * The FUGU network interface: the registers of the user's and the kernel's page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/fugu/dma.h"
#include "hw/fugu/ni/fugu/flags.h"
#include "hw/fugu/ni/fugu/op.h"
#include "hw/fugu/ni/fugu/regs.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/regs.h"
#include "hw/fugu/trace.h"

/* ---- Reading ------------------------------------------------------------ */

static uint32_t space_available(FuguNI *ni, const FuguDescriptor *d)
{
    return MIN(FUGU_MSG_WORDS, fugu_ni_space(ni, d));
}

/* The same for a message with a body. The launch of one waits until the body
 * before it has left the network. */
static uint32_t body_space_available(FuguNI *ni)
{
    return ni->main.bodies_out ? 0 : space_available(ni, &ni->user);
}

static uint32_t window_read(const FuguDescriptor *d, hwaddr offset)
{
    uint32_t i = offset / 4;

    return i < d->length ? d->words[i] : 0;
}

/* @offset is within a receive record. Clears *@ok if no register is there. */
static uint32_t record_read(FuguNI *ni, hwaddr offset, bool *ok)
{
    FuguPacket *head = fugu_ni_message(ni);

    if (offset < FUGU_REC_AVAILABLE) {
        return head ? fugu_message_word(head, offset) : 0;
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

/* @offset is within the head record of the first network. */
static uint32_t head_read(FuguNI *ni, hwaddr offset, bool *ok)
{
    FuguPacket *head = fugu_ni_head(ni);

    switch (offset) {
    case FUGU_HEAD_GID:
        return head ? fugu_ni_gid(head) : 0;
    case FUGU_HEAD_KERNEL:
        return head && head->words[0] & FUGU_HDR_KERNEL;
    case FUGU_HEAD_SOURCE:
        return head ? head->source : 0;
    }
    return fugu_head_read(head, offset, ok);
}

static uint32_t user_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    FuguNI *ni = fugu_ni_of(system);

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
    case FUGU_U_BODY_SPACE:
        return body_space_available(ni);
    case FUGU_U_SB_ADDR:
        return ni->sb_addr;
    case FUGU_U_SB_OFFSET:
        return ni->sb_offset;
    }
    *ok = false;
    return 0;
}

static uint32_t kernel_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    FuguNI *ni = fugu_ni_of(system);

    if (offset < FUGU_K_DESC_LEN) {
        return window_read(&ni->kernel, offset);
    }
    if (offset >= FUGU_K_HEAD && offset < FUGU_K_HEAD + FUGU_HEAD_SIZE) {
        return head_read(ni, offset - FUGU_K_HEAD, ok);
    }
    if (offset >= FUGU_K_USER_OUT && offset < FUGU_K_USER_LEN) {
        return window_read(&ni->user, offset - FUGU_K_USER_OUT);
    }
    switch (offset) {
    case FUGU_K_DESC_LEN:
        return ni->kernel.length;
    case FUGU_K_SPACE:
        return space_available(ni, &ni->kernel);
    case FUGU_K_DIVERT:
        return ni->divert;
    case FUGU_K_USER_LEN:
        return ni->user.length;
    case FUGU_K_DMA_ADDR:
        return ni->dma_addr;
    case FUGU_K_DMA_ARM:
        return ni->dma_armed;
    case FUGU_K_DMA_BODY:
        return ni->dma_body;
    }
    *ok = false;
    return 0;
}

/* ---- Writing ------------------------------------------------------------ */

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
        return fugu_system_leave_wait(&ni->parent_obj, FUGU_WAIT_SPACE);
    }
    if (size == 8) {
        descriptor_put(d, i++, value >> 32);
    }
    descriptor_put(d, i, value);
    d->reserved = MAX(d->reserved, i + 1);
    return MEMTX_OK;
}

static MemTxResult user_write(FuguSystemNI *system, hwaddr offset,
                              unsigned size, uint64_t value)
{
    FuguNI *ni = fugu_ni_of(system);

    if (offset < FUGU_U_DESC_LEN) {
        return window_write(ni, &ni->user, offset, size, value);
    }
    if (size == 4) {
        switch (offset) {
        case FUGU_U_SB_ADDR:
            ni->sb_addr = value;
            return MEMTX_OK;
        case FUGU_U_SB_OFFSET:
            ni->sb_offset = value;
            return MEMTX_OK;
        case FUGU_U_SB_COUNT:
            ni->resolve_count = value;
            return fugu_system_leave_part(system);
        }
    }
    return fugu_system_violation(system, "user", offset);
}

static void user_length_write(FuguNI *ni, uint32_t value)
{
    ni->user.length = MIN(value, FUGU_MSG_WORDS);
    ni->user.reserved = 0;
    memset(&ni->user.words[ni->user.length], 0,
           (FUGU_MSG_WORDS - ni->user.length) * sizeof(ni->user.words[0]));
}

static void divert_write(FuguNI *ni, uint32_t value)
{
    ni->divert = value & 1;
    trace_fugu_ni_control(ni->node->number, FUGU_K_DIVERT, value,
                          fugu_node_time(ni->node));
    fugu_system_update(&ni->parent_obj);
}

/* Stores to the user's window by the kernel: they neither wait nor reserve. */
static void user_window_write(FuguNI *ni, hwaddr offset, unsigned size,
                              uint64_t value)
{
    uint32_t i = (offset - FUGU_K_USER_OUT) / 4;

    if (size == 8) {
        descriptor_put(&ni->user, i++, value >> 32);
    }
    descriptor_put(&ni->user, i, value);
    ni->user.reserved = 0;
}

/* Stores to the registers that are not the kernel's window. */
static MemTxResult __attribute__((noinline))
kernel_register_write(FuguSystemNI *system, hwaddr offset, unsigned size,
                      uint64_t value)
{
    FuguNI *ni = fugu_ni_of(system);

    if (offset >= FUGU_K_USER_OUT && offset < FUGU_K_USER_LEN) {
        user_window_write(ni, offset, size, value);
        return MEMTX_OK;
    }
    if (size == 4) {
        switch (offset) {
        case FUGU_K_DIVERT:
            divert_write(ni, value);
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
        }
    }
    return fugu_system_violation(system, "kernel", offset);
}

static MemTxResult kernel_write(FuguSystemNI *system, hwaddr offset,
                                unsigned size, uint64_t value)
{
    FuguNI *ni = fugu_ni_of(system);

    return offset < FUGU_K_DESC_LEN
           ? window_write(ni, &ni->kernel, offset, size, value)
           : kernel_register_write(system, offset, size, value);
}

/* ---- Methods ------------------------------------------------------------- */

static int resolve_part(FuguSystemNI *system, uintptr_t ra)
{
    FuguNI *ni = fugu_ni_of(system);

    return fugu_dma_storeback(ni, ni->resolve_count, fugu_node_user(ni->node),
                              ra);
}

void fugu_ni_class_init_regs(FuguSystemNIClass *part)
{
    part->user_read = user_read;
    part->kernel_read = kernel_read;
    part->user_write = user_write;
    part->kernel_write = kernel_write;
    part->resolve_part = resolve_part;
}
