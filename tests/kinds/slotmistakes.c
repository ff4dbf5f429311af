/*
 * Messages that end their job (slots.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "slots.h"

/* SEND with so many words: 10 are the most. */
#define SEND_WORDS(count, dest, handler) do { \
        register uint32_t g2 asm ("g2") = (dest); \
        register uint32_t g3 asm ("g3") = (handler); \
        asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_SEND(0), count, 2, 3)), \
                      "r" (g2), "r" (g3) : "memory"); \
    } while (0)

static void send_long(unsigned words)
{
    uint32_t dest = mm_at(&all, 1, memory), handler = MM_HANDLER_IP(mm_null);

    switch (words) {
    case 11:
        SEND_WORDS(11, dest, handler);
        break;
    case 12:
        SEND_WORDS(12, dest, handler);
        break;
    case 13:
        SEND_WORDS(13, dest, handler);
        break;
    case 14:
        SEND_WORDS(14, dest, handler);
        break;
    default:
        SEND_WORDS(15, dest, handler);
        break;
    }
}

/* Memory that node 0 alone has. */
static void store_to_nothing(void)
{
    struct mm_shared shared;

    glaze_map(HEAP, PAGE);
    mm_share(&shared, FAR, (void *)HEAP, PAGE);
    mm_send1(mm_at(&shared, 1, (void *)HEAP), MM_HANDLER_IP(mm_store), 1);
}

static void load_at_1(uint32_t address)
{
    mm_send1(mm_at(&all, 1, memory), MM_HANDLER_IP(load_there), address);
}

void mistake(const char *which, const char *number)
{
    uint32_t there = mm_at(&all, 1, memory), word = number ? strtoul(number, NULL, 0) : 0;

    if (strcmp(which, "to") == 0) {
        mm_send0(word, MM_HANDLER_IP(mm_null));
    } else if (strcmp(which, "handler") == 0) {
        mm_send0(there, word);
    } else if (strcmp(which, "text") == 0) {
        mm_send0(there, (uintptr_t)mistake);
    } else if (strcmp(which, "data") == 0) {
        mm_send0(there, (uintptr_t)memory);
    } else if (strcmp(which, "words") == 0) {
        send_long(word);
    } else if (strcmp(which, "extent") == 0) {
        mm_send1(mm_at(&all, 1, memory + 2 * WORDS) - 4, MM_HANDLER_IP(mm_store8), 1);
    } else if (strcmp(which, "ended") == 0) {
        mm_unshare(&all);
        mm_send0(there, MM_HANDLER_IP(mm_null));
    } else if (strcmp(which, "misaligned") == 0) {
        mm_send1(there + 2, MM_HANDLER_IP(mm_store), 1);
    } else if (strcmp(which, "reply") == 0) {
        mm_send3(there, MM_HANDLER_IP(mm_reply), word, MM_HANDLER_IP(mm_store), 1);
    } else if (strcmp(which, "priority") == 0) {
        mm_send3(there, MM_HANDLER_IP(mm_reply), there, MM_HANDLER_IP(mm_reply), 1);
    } else if (strcmp(which, "load") == 0) {
        load_at_1(word);
    } else if (strcmp(which, "nothing") == 0) {
        store_to_nothing();
    } else if (strcmp(which, "register") == 0) {
        *(volatile uint32_t *)(FUGU_NI_KERNEL_BASE + FUGU_K_MM_PRIORITY) = 1;
    }
    for (;;) {                  /* the job ends meanwhile */
    }
}
