/*
 * The line of progress: text at the end of a terminal that goes away again
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <sys/ioctl.h>
#include "hw/fugu/machine/line.h"

#define ERASE   "\r\033[K"
#define COLUMNS 80              /* of a terminal that does not say */

static unsigned columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col
           ? size.ws_col : COLUMNS;
}

/* The line is of no importance: if it cannot be written, nothing is lost. */
static void line_put(const char *text)
{
    ssize_t ignored G_GNUC_UNUSED = write(STDERR_FILENO, text, strlen(text));
}

void fugu_line_erase(FuguMachineState *m)
{
    line_put(ERASE);
    m->terminal.progress_shown = false;
}

void fugu_line_show(FuguMachineState *m, const char *text)
{
    g_autofree char *line = g_strdup_printf(ERASE "%.*s", columns() - 1, text);

    line_put(line);
    m->terminal.progress_shown = true;
}
