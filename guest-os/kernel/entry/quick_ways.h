/*
 * The ways to quick_packet() and quick_call(), and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUICK_WAYS_H
#define GLAZE_QUICK_WAYS_H

/* The handler of packets: what packet_init() gets. */
void message_mbcf(void);

#endif /* GLAZE_QUICK_WAYS_H */
