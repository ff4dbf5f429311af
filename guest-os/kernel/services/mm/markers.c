/*
 * Markers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-mm.h"
#include "services/mm/markers.h"
#include "services/mm/mm_regs.h"
#include "services/mm/tables.h"

/* An illegal instruction: the handler of a marker. */
extern const char marker_handler[];
asm (".pushsection .text\n"
     "\t.balign 16\n"
     "marker_handler:\n"
     "\tunimp 0\n"
     "\t.popsection");

#define LOG     3               /* log2 of a node's bytes: the least that there are */

/* The segment of markers, and number 0 of GID_NONE's handlers. No word of it is
 * touched. */
static const struct segment nowhere = { .window = MM_WINDOW, .log = LOG };

/* Sends a null message with GID_NONE at a priority. */
static void send_marker(uint32_t node, unsigned priority)
{
    register uint32_t dest asm ("g2") = nowhere.window + (node << LOG);
    register uint32_t handler asm ("g3") = 0;

    write32(NI_K(MM_PRIORITY), priority);
    asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_SEND(0), 0, 2, 3)),
                  "r" (dest), "r" (handler) : "memory");
}

void markers_begin(void)
{
    tables_need(idle, &nowhere, 0, (uint32_t)marker_handler, 0);
}

/*
 * A kernel does not wait for these networks. Of the others that send here, the slot of
 * priority 0 alone goes on while the kernel runs: it may not take the space of
 * priority 1 that has been seen.
 */
bool markers_send(uint32_t node)
{
    bool on = mm_read(NI_K(MM_STATE), 0) == FUGU_MM_SLOT_ON, space;

    if (on) {
        mm_write(NI_K(MM_STATE), 0, FUGU_MM_SLOT_HELD);
    }
    space = mm_read(NI_K(MM_SPACE), 0) >= FUGU_MM_HEAD &&
            mm_read(NI_K(MM_SPACE), 1) >= FUGU_MM_HEAD;
    if (space) {
        ni_set_gid(GID_NONE);
        send_marker(node, 1);
        send_marker(node, 0);   /* the priority of programs */
        ni_set_gid(current->gid);
    }
    if (on) {
        mm_write(NI_K(MM_STATE), 0, FUGU_MM_SLOT_ON);
    }
    return space;
}

bool markers_at(uint32_t pc)
{
    return pc == (uint32_t)marker_handler;
}
