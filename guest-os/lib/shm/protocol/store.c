/*
 * A store of interrupted code: what it stores, and where.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "carry.h"

#define OP3_ST          4
#define OP3_STB         5
#define OP3_STH         6
#define OP3_STD         7

/* Returns a register of the interrupted code. */
static uint32_t get(const struct interrupted *code, uint32_t r)
{
    uint32_t value;

    if (r == 0) {
        return 0;
    }
    if (r <= 4) {
        return code->global[r - 1];
    }
    if (r >= 8 && r < 16) {
        return code->out[r - 8];
    }
    if (r >= 16) {
        asm volatile ("ta %0" : : "i" (GLAZE_TRAP_FLUSH) : "memory");
        return ((const uint32_t *)code->out[6])[r - 16];
    }
    if (r == 5) {
        asm volatile ("mov %%g5, %0" : "=r" (value));
    } else if (r == 6) {
        asm volatile ("mov %%g6, %0" : "=r" (value));
    } else {
        asm volatile ("mov %%g7, %0" : "=r" (value));
    }
    return value;
}

bool store_decode(uint32_t number, const struct interrupted *code,
                  struct store *s)
{
    static const uint8_t sizes[] = {
        [OP3_ST] = 4, [OP3_STB] = 1, [OP3_STH] = 2, [OP3_STD] = 8,
    };
    uint32_t insn = *(const uint32_t *)code->pc, op3 = insn >> 19 & 63;
    uint32_t rd = insn >> 25 & 31, address, size, value, k;

    if (insn >> 30 != 3 || op3 < OP3_ST || op3 > OP3_STD) {
        return false;
    }
    address = get(code, insn >> 14 & 31) +
              (insn & 1 << 13 ? (uint32_t)((int32_t)(insn << 19) >> 19)
                              : get(code, insn & 31));
    size = sizes[op3];
    if (page_number(address) != number || address % size) {
        return false;
    }
    k = address % GLAZE_PAGE / 4;
    value = get(code, rd);
    s->words = 1;
    if (size < 4) {
        uint32_t low = 4 - size - address % 4;  /* bytes below, in the word */

        s->place[0] = PLACE(number, k, ((1u << size) - 1) << low);
        s->value[0] = value << 8 * low;
    } else {
        s->place[0] = PLACE(number, k, 15);
        s->value[0] = value;
    }
    if (size == 8) {
        s->words = 2;
        s->place[1] = PLACE(number, k + 1, 15);
        s->value[1] = get(code, rd + 1);
    }
    return true;
}
