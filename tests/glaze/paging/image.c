/*
 * A page of initialized data is touched first when it takes the kernel longest: no free
 * frame is clean, and the page needs a table, for which the kernel needs another frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP            0x20000000
#define TABLES          0x30000000
#define UNIT            0x40000         /* bytes for which there is one table */
#define A_FRAME         16              /* tables */
#define LEAVES          2               /* frames */
#define WORDS           (2 * UNIT / 4)  /* so that a whole unit is among them */

static volatile uint32_t data[WORDS] = { [0 ... WORDS - 1] = 7 };

static uint32_t frames_free(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.frames_free;
}

/* Takes nearly all frames, writes to them, and gives them back. */
static void make_dirty(void)
{
    uint32_t pages = frames_free();

    glaze_map(HEAP, pages * GLAZE_PAGE);
    for (uint32_t k = 0; k < pages && frames_free() > LEAVES; k++) {
        *(volatile uint32_t *)(HEAP + k * GLAZE_PAGE) = 1;
    }
    glaze_unmap(HEAP, pages * GLAZE_PAGE);
}

/* Makes tables until a frame is full of them. */
static void make_tables(void)
{
    uint32_t free, k = 0;

    do {
        free = frames_free();
        glaze_map(TABLES + k++ * UNIT, GLAZE_PAGE);
    } while (frames_free() == free || k == 1);
    for (uint32_t last = k + A_FRAME - 1; k < last; k++) {
        glaze_map(TABLES + k * UNIT, GLAZE_PAGE);
    }
}

int main(void)
{
    uint32_t unit = ((uint32_t)data + UNIT - 1) & -UNIT, before;

    make_dirty();
    make_tables();
    before = frames_free();
    printf("image: %u\n", (unsigned)*(volatile uint32_t *)unit);
    printf("image: %u frames\n", (unsigned)(before - frames_free()));
    return 0;
}
