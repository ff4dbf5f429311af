/*
 * What sharing memory has cost the processes of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_REPORT_H
#define SHM_REPORT_H

#include "shm.h"

/* Replaces the statistics of this node by what has been added since then. */
void shm_report_since(struct shm_statistics *then);

/* Prints a line for each process, from its statistics. */
void shm_report_print(const char *app, const struct shm_statistics *of,
                      int processes);

#endif /* SHM_REPORT_H */
