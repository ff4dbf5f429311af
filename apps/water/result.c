/*
 * The result: a file with the energies, and a line for each molecule.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "water.h"

/* Returns whether nine numbers could be written. */
static bool write_nine(FILE *file, double numbers[ATOMS][AXES], double unit,
                       const char *end)
{
    for (unsigned atom = 0; atom < ATOMS; atom++) {
        for (unsigned axis = 0; axis < AXES; axis++) {
            if (fprintf(file, "%a ", numbers[atom][axis] / unit) < 0) {
                return false;
            }
        }
    }
    return fputs(end, file) >= 0;
}

static bool write_molecule(FILE *file, struct molecule *molecule)
{
    bool written;

    rgn_start_read(molecule);
    written = write_nine(file, molecule->motion[0], 1, "") &&
              write_nine(file, molecule->motion[1], TIME_STEP, "\n");
    rgn_end_read(molecule);
    return written;
}

bool result_write(const char *name, const struct energies *energies)
{
    FILE *file = fopen(name, "w");
    bool written = file && fprintf(file, "%a %a %a\n", energies->kinetic,
                                   energies->inside, energies->between) > 0;

    for (uint32_t i = 0; i < molecules && written; i++) {
        written = write_molecule(file, molecule_at(i));
    }
    if (!written || fclose(file)) {
        fprintf(stderr, "water: %s cannot be written: %s\n", name,
                strerror(errno));
        written = false;
    }
    return written;
}
