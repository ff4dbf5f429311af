/*
 * Plays any bytes as a sequence of actions on the network interfaces
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_NI_PLAY_H
#define TESTS_NI_PLAY_H

#include "ni-model.h"

/* Arguments of the machine to play on, which must have been reset. */
#define NI_PLAY_ARGS "-drive if=none,id=disk0,driver=null-co,size=64k," \
                     "read-zeroes=on"

/*
 * Plays @data, and compares the machine with the model after each action. Ends
 * the program with a message if they differ.
 */
void ni_play(QTestState *qts, const uint8_t *data, size_t size);

#endif /* TESTS_NI_PLAY_H */
