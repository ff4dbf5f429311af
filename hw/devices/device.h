/*
 * What the register pages of timer, console, disk and node control share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_DEVICE_H
#define FUGU_DEVICE_H

#include "qemu/log.h"
#include "exec/memory.h"
#include "hw/core/cpu.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/node/node.h"

/*
 * The device gets every access whole, of 1 to 8 bytes. A device refuses byte
 * accesses with a log entry; the memory core would make them bus errors. A
 * device needs ldd and std whole; the memory core would split them in two.
 */
#define FUGU_DEVICE_OPS(r, w) {                                         \
    .read = (r),                                                        \
    .write = (w),                                                       \
    .endianness = DEVICE_BIG_ENDIAN,                                    \
    .valid = { .min_access_size = 1, .max_access_size = 8 },            \
    .impl = { .min_access_size = 1, .max_access_size = 8 },             \
}

/*
 * Returns true if a load comes from a debugger or monitor and not from a
 * processor. Such a load must not change any state.
 */
static inline bool fugu_device_peeked(void)
{
    return !current_cpu;
}

/*
 * Log an access that the device does not support, as an error of the guest.
 * Such a load returns 0, and such a store does nothing.
 */
static inline uint64_t fugu_device_bad_read(FuguNode *node, const char *device,
                                            hwaddr offset, unsigned size)
{
    qemu_log_mask(LOG_GUEST_ERROR, "%s: node %u: bad load of %u bytes at "
                  "0x%03x\n", device, node->number, size, (unsigned)offset);
    return 0;
}

static inline void fugu_device_bad_write(FuguNode *node, const char *device,
                                         hwaddr offset, unsigned size,
                                         uint64_t value)
{
    qemu_log_mask(LOG_GUEST_ERROR, "%s: node %u: bad store of %u bytes at "
                  "0x%03x, value 0x%" PRIx64 "\n", device, node->number, size,
                  (unsigned)offset, value);
}

#endif /* FUGU_DEVICE_H */
