/*
 * Any bytes, played as a sequence of actions on the network interfaces
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_NI_PLAY_H
#define TESTS_NI_PLAY_H

#include "ni-model.h"

/* Arguments of the machine to play on, and it has to be as after a reset. */
#define NI_PLAY_ARGS "-drive if=none,id=disk0,driver=null-co,size=64k," \
                     "read-zeroes=on"

/*
 * Plays them, holding the machine against the model at each step. Ends the
 * program with a message when they differ.
 */
void ni_play(QTestState *qts, const uint8_t *data, size_t size);

#endif /* TESTS_NI_PLAY_H */
