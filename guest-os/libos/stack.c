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
#include "library.h"
#include "view.h"

static uint32_t unused = GLAZE_STACKS;  /* first unit that was never taken */
static struct udm_thread *free_units;
static unsigned taken;                  /* units that are in use */

#define UNITS   ((GLAZE_STACKS_END - GLAZE_STACKS) / GLAZE_STACK_SIZE)
#define SPARE   16                      /* no thread is created on the last ones:
                                           they are for handlers that wait */

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
    taken += unit != NULL;
    return unit;
}

struct udm_thread *unit_take_spare(void)
{
    return taken + SPARE < UNITS ? unit_take() : NULL;
}

/*
 * Zeroes the words that are read before they are written. The base frame has
 * no caller.
 */
void unit_clear(struct udm_thread *unit)
{
    struct window *base = (struct window *)((uintptr_t)unit - FRAME);
    struct stub_frame *stub = unit_stub(unit);

    *unit = (struct udm_thread){ 0 };
    base->fp = base->i7 = 0;
    stub->kind = 0;
    stub->extra = 0;
}

void unit_free(struct udm_thread *unit)
{
    unit->next = free_units;
    free_units = unit;
    taken--;
}
