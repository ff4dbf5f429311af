/*
 * A page at the address of views (shown.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "shown.h"

#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

extern const char rights_stub[];
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc);

volatile uint32_t shown_upcalls;
static uint32_t shown;

static void show(void)
{
    const struct glaze_view view = { (uintptr_t)SHOWN | GLAZE_VIEW_READ, shown };

    if (glaze_view(&view, 1)) {
        abort();
    }
}

/* Called by the stub, at an access to the view that was taken away. */
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc)
{
    (void)address;
    (void)pc;
    shown_upcalls++;
    show();
    return word;
}

void shown_begin(uint32_t page)
{
    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)rights_stub;
    shown = page;
    show();
}
