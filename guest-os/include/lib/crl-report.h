/*
 * Prints what the regions of a program cost (crl.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CRL_REPORT_H
#define CRL_REPORT_H

#include <stdint.h>

#include "crl.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Adds up the statistics of all nodes. Node 0 prints a line for each kind of
 * call that was used:
 *
 *      crl lu: start_read 8123 hits, 1289 misses, 0.0312 of all cycles
 *
 * The share is that of the misses in `cycles` on all nodes; `cycles` are those
 * of the section in which the statistics were made (udm-measure.h); 0 makes all
 * shares 0. All nodes call this function. `name` is one word. `statistics` are this
 * node's, of crl_statistics().
 *
 * Errors: those of udm_reduce_all_int().
 */
void crl_report(const char *name, const struct crl_statistics *statistics,
                uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif
