/*
 * qtest commands of this machine: tests of the devices without processors
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_QTEST_H
#define FUGU_QTEST_H

struct FuguMachineState;

/*
 * Registers the commands. To be called once, when the machine is complete.
 * Does nothing without qtest.
 */
void fugu_qtest_init(struct FuguMachineState *machine);

#endif /* FUGU_QTEST_H */
