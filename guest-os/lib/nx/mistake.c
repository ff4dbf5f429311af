/*
 * Mistakes end the job, with status 118 and a line that names the call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>

#include "library.h"
#include "nx-state.h"

void nx_mistake(const char *call, const char *format, ...)
{
    char text[160];
    va_list arguments;
    int length = snprintf(text, sizeof(text), "%s: ", call);

    va_start(arguments, format);
    vsnprintf(text + length, sizeof(text) - length, format, arguments);
    va_end(arguments);
    library_abort(text);
}
