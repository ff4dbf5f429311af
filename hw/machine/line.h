/*
 * The line of progress: text at the end of a terminal that goes away again
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINE_H
#define FUGU_LINE_H

#include "hw/fugu/machine/machine.h"

/* Shows @text in place of what the line shows now. */
void fugu_line_show(FuguMachineState *m, const char *text);

/* Clears the line, if it is shown. To be called before anything else is written
 * to the terminal. */
void fugu_line_erase(FuguMachineState *m);
static inline void fugu_line_hide(FuguMachineState *m)
{
    if (m->terminal.progress_shown) {
        fugu_line_erase(m);
    }
}

#endif /* FUGU_LINE_H */
