/*
 * Glaze: an exokernel for a FUGU node. It protects and multiplexes the node.
 * Policy is left to the library operating system and to servers
 * (docs/glaze.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/latency.h"
#include "machine/pending.h"
#include "delivery/soft.h"
#include "machine/directory.h"
#include "machine/kind.h"
#include "policy/command.h"
#include "policy/dispatch.h"
#include "entry/quick_ways.h"
#include "entry/table_in_ram.h"
#include "services/mbcf/packet.h"
#include "services/shrimp/maps.h"
#include "services/mm/message_slots.h"
#include "machine/ni.h"
#include "policy/pager.h"
#include "memory/water.h"
#include "delivery/control.h"
#include "policy/schedule.h"
#include "memory/frames.h"
#include "memory/space.h"
#include "buffer/server.h"

extern const char soft_trap_table[];

/*
 * A node starts with the trap table of vectors.S. Soft atomicity needs another
 * one.
 */
static void trap_table_init(void)
{
    if (soft) {
        /* The write may take effect up to three instructions later. None of
         * these instructions traps. */
        asm volatile ("wr %0, %%tbr\n\tnop\n\tnop\n\tnop"
                      : : "r" (soft_trap_table));
    }
}

/* Finds out which machine this is. In .text.rare, with the code that is used little
 * (kernel.ld): `cold` would move kernel_main() as well. */
static __attribute__((noinline, section(".text.rare"))) void machine_init(void)
{
    kind_init();
    soft_init();
}

/* Not main(): in a debugger that is the program's. */
void kernel_main(void)
{
    machine_init();
    trap_table_init();
    dispatch_init();
    packet_init(message_mbcf);
    directory_check();
    if (!frames_init() || !process_create_idle() || !space_init() ||
        !table_in_ram_init() || !maps_init()) {
        jobs_refuse("a node's RAM is too small for the kernel");
    }
    ni_divert(true);
    message_slots_init();
    pager_init();
    jobs_create();
    latency_init();
    water_init();
    server_init();
    schedule_resume();
}
