/*
 * The end of a process, in good order or not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

#define STATUS_ABORT    118     /* beyond what a program ends with by itself,
                                   and within the 119 that a run can say */

void _exit(int status)
{
    glaze_exit(status);
}

void library_abort(const char *text)
{
    glaze_abort(STATUS_ABORT, text, strlen(text));
}

/* The job is what newlib calls a process: its GID. */
pid_t getpid(void)
{
    return glaze_info(GLAZE_I_GID);
}

/* What raise() and abort() come down to: there are no signals. */
int kill(pid_t pid, int signal)
{
    char text[32];

    if (pid != getpid()) {
        errno = ESRCH;
        return -1;
    }
    if (signal == SIGABRT) {
        library_abort("abort() was called");
    }
    snprintf(text, sizeof(text), "signal %d was raised", signal);
    library_abort(text);
}

/* assert() has failed. */
void __assert_func(const char *file, int line, const char *function,
                   const char *expression)
{
    char text[256];

    snprintf(text, sizeof(text), "%s:%d: %s%sassertion failed: %s", file, line,
             function ? function : "", function ? "(): " : "", expression);
    library_abort(text);
}
