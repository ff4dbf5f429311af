/*
 * The registers of a message part that a kind does not have
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/system/absent.h"
#include "hw/fugu/ni/system/regs.h"

/* Registers from @first to the one before @end. */
typedef struct Registers {
    hwaddr first, end;
} Registers;

static bool is_in(hwaddr offset, const Registers *range, size_t ranges)
{
    for (size_t i = 0; i < ranges; i++) {
        if (offset >= range[i].first && offset < range[i].end) {
            return true;
        }
    }
    return false;
}

static bool is_user_register(hwaddr offset)
{
    static const Registers readable[] = {
        { FUGU_U_OUT, FUGU_U_UAC },     /* window, its length, space */
        { FUGU_U_BODY_SPACE, FUGU_U_BODY_SPACE + 4 },
        { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_SIZE },
        { FUGU_U_SB_ADDR, FUGU_U_SB_COUNT },
    };

    return is_in(offset, readable, ARRAY_SIZE(readable));
}

static bool is_kernel_register(hwaddr offset)
{
    static const Registers registers[] = {
        { FUGU_K_OUT, FUGU_K_UAC },     /* window, its length, space */
        { FUGU_K_DIVERT, FUGU_K_DIVERT + 4 },
        { FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SIZE },
        { FUGU_K_USER_OUT, FUGU_K_USER_LEN + 4 },
        { FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY + 4 },
    };

    return is_in(offset, registers, ARRAY_SIZE(registers));
}

uint32_t fugu_absent_user_read(FuguSystemNI *ni, hwaddr offset, bool *ok)
{
    *ok = is_user_register(offset);
    return 0;
}

uint32_t fugu_absent_kernel_read(FuguSystemNI *ni, hwaddr offset, bool *ok)
{
    *ok = is_kernel_register(offset);
    return 0;
}

MemTxResult fugu_absent_user_write(FuguSystemNI *ni, hwaddr offset,
                                   unsigned size, uint64_t value)
{
    static const Registers ignored[] = {
        { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_SIZE },
        { FUGU_U_SB_ADDR, FUGU_U_SB_COUNT },
    };

    return size == 4 && is_in(offset, ignored, ARRAY_SIZE(ignored))
           ? MEMTX_OK : fugu_system_violation(ni, "user", offset);
}

/* An std is allowed where the FUGU interface has a window. */
MemTxResult fugu_absent_kernel_write(FuguSystemNI *ni, hwaddr offset,
                                     unsigned size, uint64_t value)
{
    static const Registers windows[] = {
        { FUGU_K_OUT, FUGU_K_DESC_LEN },
        { FUGU_K_USER_OUT, FUGU_K_USER_LEN },
    };

    return (size == 4 ? is_kernel_register(offset)
                      : is_in(offset, windows, ARRAY_SIZE(windows)))
           ? MEMTX_OK : fugu_system_violation(ni, "kernel", offset);
}
