/*
 * Glaze: an exokernel for a FUGU node. It protects and multiplexes the node.
 * Policy is left to the library operating system and to servers
 * (docs/glaze.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/latency.h"
#include "delivery/pending.h"
#include "delivery/soft.h"
#include "directory.h"
#include "jobs/command.h"
#include "jobs/dispatch.h"
#include "mbcf/quick/quick_ways.h"
#include "mbcf/wire/packet.h"
#include "ni.h"
#include "paging/pager.h"
#include "paging/water.h"
#include "process/control.h"
#include "process/schedule.h"
#include "space/frames.h"
#include "space/space.h"
#include "store/server.h"

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

/* Not main(): in a debugger that is the program's. */
void kernel_main(void)
{
    soft_init();
    trap_table_init();
    dispatch_init();
    packet_init(message_mbcf);
    directory_check();
    if (!frames_init() || !process_create_idle() || !space_init()) {
        jobs_refuse("a node's RAM is too small for the kernel");
    }
    ni_divert(true);
    pager_init();
    jobs_create();
    latency_init();
    water_init();
    server_init();
    schedule_resume();
}
