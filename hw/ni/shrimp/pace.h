/*
 * The SHRIMP network interface: what is due happens, at its time
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_PACE_H
#define FUGU_SHRIMP_PACE_H

#include "hw/fugu/ni/shrimp/shrimp.h"

/* Makes the events of the way out, in this order in each run, and lets the
 * channel tell of its credits. */
void shrimp_pace_init(ShrimpNI *ni);

/*
 * Does all on the way out that is due by local time: credits, packets that leave
 * the Outgoing FIFO, packets that the engine has read, the open packet. To be
 * called before the processor looks at the interface or changes it.
 */
void shrimp_settle(ShrimpNI *ni);

#endif /* FUGU_SHRIMP_PACE_H */
