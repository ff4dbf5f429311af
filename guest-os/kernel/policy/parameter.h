/*
 * The kernel's parameters: words of the command line before the first job,
 * glaze.NAME=NUMBER.
 *
 *   glaze.timeslice    cycles of a slot of the round-robin, at least 1000
 *   glaze.timeout      atomicity-timeout: cycles for which an atomic
 *                      section may hold up a message, at least 1
 *   glaze.low-water    water marks of overflow control (water.h), in percent
 *   glaze.high-water   of all frames; a low-water mark of 0 turns it off
 *   glaze.skew         largest difference between the clocks of two nodes, in
 *                      percent of a slot (skew.h), at most 100
 *   glaze.seed         which node gets which part of the skew
 *   glaze.shm-order    GLAZE_ORDER_*, for the library of shared memory
 *   glaze.shm-visits   whether that library visits processes
 *   glaze.buffer-latency  cycles that an insertion into a buffer takes more
 *                      (latency.h), for experiments
 *   glaze.shrimp-paging  SHRIMP_PIN: mapped pages stay in memory, or SHRIMP_SHOOT_DOWN
 *                      (services/shrimp/state.h)
 *   glaze.ping         1: programs may send null messages to other kernels
 *                      (PING), in order to measure them; 0: they may not
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PARAMETER_H
#define GLAZE_PARAMETER_H

/*
 * Sets the parameters at the front of the command line. Returns the rest of
 * the line; NULL after a wrong parameter, which node 0 reports.
 */
const char *parameters_take(const char *words);

#endif /* GLAZE_PARAMETER_H */
