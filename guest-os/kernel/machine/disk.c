/*
 * The disk.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "machine/hardware.h"
#include "machine/disk.h"

#define DISK(name)      (FUGU_DISK_BASE + FUGU_DISK_##name)

_Static_assert(SECTORS_A_PAGE * FUGU_DISK_SECTOR_SIZE == GLAZE_PAGE, "a page");

uint32_t disk_init(void)
{
    write32(DISK(CONTROL), 1);
    return read32(DISK(SECTORS));
}

void disk_start(bool write, uint32_t sector, uint32_t frame)
{
    write32(DISK(SECTOR), sector);
    write32(DISK(COUNT), SECTORS_A_PAGE);
    write32(DISK(ADDR), frame);
    write32(DISK(COMMAND), write ? FUGU_DISK_WRITE : FUGU_DISK_READ);
}

bool disk_asks(void)
{
    return read32(DISK(STATUS)) & FUGU_DISK_DONE;
}

enum disk_result disk_finish(void)
{
    uint32_t status = read32(DISK(STATUS));

    if (!(status & FUGU_DISK_DONE)) {
        return DISK_WORKS;
    }
    write32(DISK(STATUS), 0);
    return status & FUGU_DISK_ERROR ? DISK_FAILED : DISK_DONE;
}
