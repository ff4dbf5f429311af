/*
 * Which files of the node a process has open (see opened.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/hardware.h"
#include "services/opened.h"

#define FILES(name)     (FUGU_FILES_BASE + FUGU_FILES_##name)

/* Returns whether the machine has done the command. */
static bool command(uint32_t id, uint32_t number)
{
    write32(FILES(ID), id);
    write32(FILES(COMMAND), number);
    return read32(FILES(RESULT)) == 0;
}

int32_t opened_add(struct process *p, uint32_t id)
{
    if (p->files_open == GLAZE_OPEN_MAX) {
        return -EMFILE;
    }
    if (!command(id, FUGU_FILES_OPEN)) {
        return -EBADF;
    }
    p->file[p->files_open++] = id;
    return 0;
}

int32_t opened_remove(struct process *p, uint32_t id)
{
    for (uint32_t i = 0; i < p->files_open; i++) {
        if (p->file[i] == id) {
            p->file[i] = p->file[--p->files_open];
            command(id, FUGU_FILES_CLOSE);
            return 0;
        }
    }
    return -EBADF;
}

void opened_remove_all(struct process *p)
{
    while (p->files_open) {
        command(p->file[--p->files_open], FUGU_FILES_CLOSE);
    }
}
