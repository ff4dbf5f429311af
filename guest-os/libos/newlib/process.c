/*
 * How a process ends: exit, abort, signals and failed assertions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

#define STATUS_ABORT    118     /* the highest status of a job; 119 means that
                                   the kernel has failed */

void (*process_exit)(int status);

void _exit(int status)
{
    if (process_exit) {
        process_exit(status);
    }
    glaze_exit(status);
}

void library_abort(const char *text)
{
    library_abort_at(text, 0);
}

void library_abort_at(const char *text, uint32_t pc)
{
    glaze_abort_at(STATUS_ABORT, text, strlen(text), pc);
}

/* Returns the job's GID: a job is what newlib calls a process. */
pid_t getpid(void)
{
    return glaze_info(GLAZE_I_GID);
}

/*
 * Called by newlib's raise() and abort(). There are no signals: a signal to
 * this process ends the job.
 */
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

/* Called by assert() when it fails. Ends the job; the reason names the line. */
void __assert_func(const char *file, int line, const char *function,
                   const char *expression)
{
    char text[256];

    snprintf(text, sizeof(text), "%s:%d: %s%sassertion failed: %s", file, line,
             function ? function : "", function ? "(): " : "", expression);
    library_abort(text);
}
