/*
 * The kernel's parameters: words of the command line, glaze.NAME=NUMBER, in
 * front of the first job.
 *
 *   glaze.timeslice    cycles of a slot of the round-robin, at least 1000
 *   glaze.timeout      atomicity-timeout: user cycles for which an atomic
 *                      section may hold up a message, at least 1
 *   glaze.low-water    overflow control (overflow.h): percent of the frames
 *   glaze.high-water   that are free; a low-water mark of 0 turns it off
 *   glaze.ping         1: programs may send null messages to other kernels
 *                      (PING), for those that measure them; 0: they may not
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PARAMETER_H
#define GLAZE_PARAMETER_H

/*
 * Takes the parameters off the front. The rest; 0 after a wrong one, which
 * has been complained of on node 0.
 */
const char *parameters_take(const char *words);

#endif /* GLAZE_PARAMETER_H */
