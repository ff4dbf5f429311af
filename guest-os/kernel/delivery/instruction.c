/*
 * Decodes instructions (SPARC V8 manual, appendix B; for the network
 * interface's operations docs/machine.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/instruction.h"
#include "delivery/fpu.h"
#include "memory/memory.h"

#define OP(i)           ((i) >> 30)
#define RD(i)           ((i) >> 25 & 0x1f)
#define OP3(i)          ((i) >> 19 & 0x3f)
#define RS1(i)          ((i) >> 14 & 0x1f)
#define RS2(i)          ((i) & 0x1f)
#define IMMEDIATE(i)    ((i) >> 13 & 1)
#define SIMM13(i)       ((int32_t)((i) << 19) >> 19)

#define OP_MEMORY       3
#define OP3_STF         0x24    /* stores of an FP register, and of the FSR */
#define OP3_STFSR       0x25

/* An operation of the network interface: CPop1. */
#define OPERATION_MASK  0xc1f80000
#define OPC(i)          ((i) >> 5 & 0x1ff)

static uint32_t fetch(struct process *p)
{
    uint32_t word = 0;

    memory_read(p, &word, p->registers.pc, sizeof(word));
    return word;
}

static uint32_t value(const struct registers *r, unsigned number)
{
    unsigned k = number & 7;

    switch (number >> 3) {
    case 0:
        return k ? r->g[k - 1] : 0;
    case 1:
        return r->out[k];
    case 2:
        return r->window[0].local[k];
    default:
        return r->window[0].in[k];
    }
}

static uint32_t address_of(const struct registers *r, uint32_t i)
{
    return value(r, RS1(i)) +
           (IMMEDIATE(i) ? (uint32_t)SIMM13(i) : value(r, RS2(i)));
}

uint32_t instruction_address(struct process *p)
{
    uint32_t i = fetch(p);

    return OP(i) == OP_MEMORY ? address_of(&p->registers, i) : 0;
}

uint32_t instruction_stored(struct process *p)
{
    uint32_t i = fetch(p);

    switch (OP3(i)) {
    case OP3_STF:
        return fpu_register(RD(i));
    case OP3_STFSR:
        return fpu_status();
    default:
        return value(&p->registers, RD(i));
    }
}

uint32_t instruction_operation(struct process *p)
{
    uint32_t i = fetch(p);

    return (i & OPERATION_MASK) == FUGU_INSN(0, 0, 0, 0) ? OPC(i) : 0;
}

uint32_t instruction_mask(struct process *p)
{
    uint32_t i = fetch(p);

    return RD(i) | value(&p->registers, RS1(i));
}
