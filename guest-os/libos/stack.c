/*
 * Stack units. unit_take() takes a unit that has been freed, or if there is
 * none, the first unit that was never taken.
 *
 * The kernel maps the pages of a unit on demand, except the lowest one. So a
 * thread that uses up its stack causes a fault, and does not reach the next
 * unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "library.h"
#include "view.h"

static uint32_t unused = GLAZE_STACKS;  /* first unit that was never taken */
static struct udm_thread *free_units;

const struct library_view library_view
    __attribute__((section(".view"), used)) = {
    .first_thread = (uint32_t)&first_thread,
    .unused = (uint32_t)&unused,
    .free_units = (uint32_t)&free_units,
    .next = offsetof(struct udm_thread, next),
    .done = offsetof(struct udm_thread, done),
    .ready = offsetof(struct udm_thread, ready),
    .start = offsetof(struct udm_thread, start),
};

struct udm_thread *unit_take(void)
{
    struct udm_thread *unit = free_units;

    if (unit) {
        free_units = unit->next;
    } else if (unused < GLAZE_STACKS_END) {
        unit = unit_of(unused);
        unused += GLAZE_STACK_SIZE;
    }
    return unit;
}

void unit_clear(struct udm_thread *unit)
{
    memset(unit_stub(unit), 0, GLAZE_PAGE -
           ((uintptr_t)unit_stub(unit) & (GLAZE_PAGE - 1)));
}

void unit_free(struct udm_thread *unit)
{
    unit->next = free_units;
    free_units = unit;
}
