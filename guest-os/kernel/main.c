/*
 * Glaze: an exokernel for a FUGU node. It protects and multiplexes; policy is
 * left to the library operating system and to servers (docs/glaze.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "directory.h"
#include "frames.h"
#include "hardware.h"
#include "job.h"
#include "pager.h"
#include "print.h"
#include "schedule.h"
#include "server.h"
#include "soft.h"
#include "space.h"

int main(void)
{
    soft_init();
    directory_check();
    if (!frames_init() || !process_create_idle() || !space_init()) {
        jobs_refuse("a node's RAM is too small for the kernel");
    }
    write32(NI_K(DIVERT), 1);
    pager_init();
    jobs_create();
    server_init();
    schedule_resume();
}
