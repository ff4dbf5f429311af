/*
 * Kinds of network interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/kind.h"
#include "glaze.h"
#include "machine/chores.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/print.h"

static const struct kind kinds[] = {
    {
        .number = FUGU_NETIF_FUGU,
        .messages = true,
        .markers = 1,
        .pages_for = CHORE_MBCF,
        .mode = GLAZE_FAST,
        .record = NI_RECORD,
    }, {
        .number = FUGU_NETIF_NONE,
        .pages_for = CHORE_SHRIMP,
        .mode = GLAZE_MESSAGELESS,
        .record = GLAZE_INFO + GLAZE_I_EMPTY,
    }, {
        .number = FUGU_NETIF_SHRIMP,    /* its own calls: services/shrimp/ */
        .pages_for = CHORE_SHRIMP,
        .mode = GLAZE_MESSAGELESS,
        .record = GLAZE_INFO + GLAZE_I_EMPTY,
    }, {
        .number = FUGU_NETIF_M_MACHINE, /* its own calls: services/mm/ */
        .markers = FUGU_MM_PRIORITIES,
        .mode = GLAZE_MESSAGELESS,
        .record = GLAZE_INFO + GLAZE_I_EMPTY,
    },
};

/* The last word of .data: in .bss fast paths have their places (kernel.ld). */
const struct kind *kind = &kinds[0];

__attribute__((cold)) void kind_init(void)
{
    uint32_t number = read32(CONTROL(NETIF));

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].number == number) {
            kind = &kinds[i];
            return;
        }
    }
    panic("this kernel does not know network interface %u", (unsigned)number);
}
