/*
 * The node's devices and the MMU for C: typed accesses, no policy. The network
 * interface has another header: ni.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_HARDWARE_H
#define GLAZE_HARDWARE_H

#include <stdint.h>

#include "machine/psr.h"
#include "fugu-regs.h"

static inline uint32_t read32(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void write32(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static inline uint64_t read64(uint32_t address)
{
    return *(volatile uint64_t *)address;
}

static inline void write64(uint32_t address, uint64_t value)
{
    *(volatile uint64_t *)address = value;
}

/* Waits until an interrupt is pending, masked or not. Takes no interrupt. */
static inline void wait_for_interrupt(void)
{
    asm volatile ("wr %%g0, %%asr19" : : : "memory");
}

static inline uint32_t mmu_read(uint32_t reg)
{
    uint32_t value;

    asm volatile ("lda [%1] %2, %0"
                  : "=r" (value) : "r" (reg), "i" (ASI_MMU) : "memory");
    return value;
}

static inline void mmu_write(uint32_t reg, uint32_t value)
{
    asm volatile ("sta %0, [%1] %2"
                  : : "r" (value), "r" (reg), "i" (ASI_MMU) : "memory");
}

/* Makes the MMU forget a page of the current context, or everything. */
static inline void mmu_flush(uint32_t what)
{
    asm volatile ("sta %%g0, [%0] %1"
                  : : "r" (what), "i" (ASI_PROBE) : "memory");
}

/* Address of a register of node control. */
#define CONTROL(name)   (FUGU_CONTROL_BASE + FUGU_CONTROL_##name)

/* Ends the machine, with all nodes. */
static inline void machine_stop(uint32_t status)
{
    write32(CONTROL(STOP), status);
}

/* ---- The counters of a GID on this node ---------------------------------- */

/* Returns counter k (FUGU_METER_*) of a GID. */
static inline uint64_t meter_read(uint32_t gid, unsigned k)
{
    write32(CONTROL(GID), gid);
    return read64(CONTROL(METER) + 8 * k);
}

/* Sets all counters of a GID to 0. */
static inline void meter_clear(uint32_t gid)
{
    write32(CONTROL(GID), gid);
    write32(CONTROL(CLEAR), 0);
}

/* Returns local time plus the cycle-offset. All nodes' schedulers go by it. */
static inline uint64_t now(void)
{
    return read64(FUGU_TIMER_BASE + FUGU_TIMER_NOW);
}

/* Returns the earlier of two times, or the smaller of two numbers of cycles. */
static inline uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif /* GLAZE_HARDWARE_H */
