/*
 * What the pages of timer, console, disk and node control have in common
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
 * Every access reaches the device whole: a byte, because it is refused there
 * with a log entry, where the memory core would make it a bus error; an ldd
 * or std, because as two words it could not act as one.
 */
#define FUGU_DEVICE_OPS(r, w) {                                         \
    .read = (r),                                                        \
    .write = (w),                                                       \
    .endianness = DEVICE_BIG_ENDIAN,                                    \
    .valid = { .min_access_size = 1, .max_access_size = 8 },            \
    .impl = { .min_access_size = 1, .max_access_size = 8 },             \
}

/*
 * Whether a load is no processor's, but a look from outside (debugger,
 * monitor), which must leave everything as it is.
 */
static inline bool fugu_device_peeked(void)
{
    return !current_cpu;
}

/* The guest's mistake: a load gives 0, a store does nothing. */
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
