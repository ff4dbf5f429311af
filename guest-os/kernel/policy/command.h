/*
 * The command line: the kernel's parameters, then the words of each job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_COMMAND_H
#define GLAZE_COMMAND_H

/*
 * Takes the parameters, makes this node's processes of all jobs, and leaves
 * frames for the server. If that fails, or if there are no jobs, the machine
 * ends.
 */
void jobs_create(void);

/*
 * Ends the machine before any program runs, because the jobs cannot be run.
 * `why` goes to the console; NULL: the reason has been printed. All nodes call
 * this alike, and node 0 acts.
 */
void jobs_refuse(const char *why) __attribute__((noreturn));

#endif /* GLAZE_COMMAND_H */
