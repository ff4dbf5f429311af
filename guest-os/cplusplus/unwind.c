/*
 * How the unwinder of exceptions finds the description of a function's frame: in
 * the table that the linker has sorted (--eh-frame-hdr). libgcc's own way sorts
 * the descriptions when the first exception is thrown, and a handler that throws
 * meanwhile would find them half sorted. The functions here change nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <stdint.h>

/* The linker's table, as "LSB Core, 10.6.2" describes it (program-cplusplus.ld). */
struct row {
    int32_t start;              /* the function, and */
    int32_t description;        /* its FDE: bytes from the table's begin */
};

struct table {
    uint8_t version, pointer_form, count_form, row_form;
    int32_t frames;
    uint32_t count;
    struct row rows[];
};

#define VERSION         1
#define COUNT_FORM      0x03    /* DW_EH_PE_udata4 */
#define ROW_FORM        0x3b    /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

/* A frame's description in .eh_frame, up to the function's length. */
struct description {
    uint32_t length, common;
    uint32_t start, bytes;
};

/* libgcc's struct dwarf_eh_bases. */
struct bases {
    void *text, *data, *function;
};

extern const struct table exception_frames;     /* program-cplusplus.ld */

const struct description *_Unwind_Find_FDE(void *pc, struct bases *bases);

/*
 * Returns the description of the frame of the function in which `pc` lies, and
 * fills in *bases; NULL if the function has none, as C's have none.
 */
const struct description *_Unwind_Find_FDE(void *pc, struct bases *bases)
{
    const struct table *table = &exception_frames;
    uintptr_t begin = (uintptr_t)table;
    int32_t at = (uintptr_t)pc - begin;
    const struct description *found;
    uint32_t low = 0, high;

    if (table->version != VERSION || table->count_form != COUNT_FORM ||
        table->row_form != ROW_FORM) {
        return NULL;            /* no function has a description */
    }
    high = table->count;
    while (low < high) {        /* the rows before low start at `at` or below */
        uint32_t middle = (low + high) / 2;

        if (table->rows[middle].start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    found = (const struct description *)(begin + table->rows[low - 1].description);
    if ((uint32_t)(at - table->rows[low - 1].start) >= found->bytes) {
        return NULL;
    }
    bases->text = bases->data = NULL;
    bases->function = (void *)(begin + table->rows[low - 1].start);
    return found;
}
