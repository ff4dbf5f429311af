/*
 * Glaze: an exokernel for a FUGU node. It protects and multiplexes the node.
 * Policy is left to the library operating system and to servers
 * (docs/glaze.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "command.h"
#include "control.h"
#include "directory.h"
#include "dispatch.h"
#include "frames.h"
#include "ni.h"
#include "pager.h"
#include "pending.h"
#include "schedule.h"
#include "server.h"
#include "soft.h"
#include "space.h"

extern const char soft_trap_table[];

/*
 * A node starts with the trap table of vectors.S. Soft atomicity needs another
 * one.
 */
static void trap_table_init(void)
{
    if (soft) {
        /* The write takes three instructions to hold. None of them traps. */
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
    directory_check();
    if (!frames_init() || !process_create_idle() || !space_init()) {
        jobs_refuse("a node's RAM is too small for the kernel");
    }
    ni_divert(true);
    pager_init();
    jobs_create();
    server_init();
    schedule_resume();
}
