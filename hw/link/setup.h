/*
 * The link: makes it, and joins the other processes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_SETUP_H
#define FUGU_LINK_SETUP_H

#include "hw/fugu/machine/machine.h"
#include "hw/fugu/link/link.h"

/*
 * Makes the link of this process. Checks the machine's options for the link,
 * and exits if they are wrong. The link joins the other processes when the
 * machine is complete.
 */
FuguLink *fugu_link_new(FuguMachineState *machine);

#endif /* FUGU_LINK_SETUP_H */
