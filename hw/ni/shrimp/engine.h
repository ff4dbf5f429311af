/*
 * The SHRIMP network interface: the engine for deliberate update
 *
 * It sends the words of one command, packet by packet. It reads a packet's words
 * from memory when the bus has had the time for them, and puts the packet into
 * the Outgoing FIFO. So a program that stores to words too early sends what it
 * has stored.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_ENGINE_H
#define FUGU_SHRIMP_ENGINE_H

#include "hw/fugu/ni/shrimp/shrimp.h"

void shrimp_engine_reset(ShrimpNI *ni);

/* Starts the engine, which must be free, at time @at. It sends @words words from
 * @addr on, all in one part of a page that is mapped out. */
void shrimp_engine_start(ShrimpNI *ni, uint32_t addr, uint32_t words,
                         int64_t at);

/* The bus has had the time to read a packet, @at. */
void shrimp_engine_read(ShrimpNI *ni, int64_t at);

/* Packets have left the Outgoing FIFO at time @at: a packet that waits may have
 * room. */
void shrimp_engine_retry(ShrimpNI *ni, int64_t at);

/* The kernel changes where bytes @from to @to of page @page are mapped out: a command
 * that reads from there ends. */
void shrimp_engine_stop(ShrimpNI *ni, uint32_t page, uint32_t from, uint32_t to);

/* Returns the page that the engine reads, or FUGU_SHRIMP_NO_PAGE. */
uint32_t shrimp_engine_page(const ShrimpNI *ni);

/* Returns NULL, or a condition of the engine that does not hold. */
const char *shrimp_engine_check(const ShrimpNI *ni);

extern const VMStateDescription vmstate_shrimp_engine;

#endif /* FUGU_SHRIMP_ENGINE_H */
