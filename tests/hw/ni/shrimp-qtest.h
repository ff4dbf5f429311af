/*
 * Functions that the qtests of the SHRIMP network interface share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_SHRIMP_QTEST_H
#define TESTS_SHRIMP_QTEST_H

#include "../common/fugu-qtest.h"

#define SHRIMP          "network-interface=shrimp,nodes=4,mesh=2x2"
#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION
#define K(reg)          (FUGU_NI_KERNEL_BASE + (reg))
#define U(reg)          (FUGU_NI_USER_BASE + (reg))

#define PAGE            4096
/* The address of byte @offset of page @n of RAM, and its command word. */
#define AT(n, offset)   (FUGU_RAM_BASE + (n) * PAGE + (offset))
#define COMMAND(addr)   ((addr) + FUGU_COMMAND_OFFSET)

/* The default mesh, from node 0 to node @to of 2 x 2, for @words of data. */
#define HOPS(to)        ((to) % 2 + (to) / 2)
#define FLIGHT(to, words) \
    (64 + 2 * HOPS(to) + 4 * (FUGU_SHRIMP_OVERHEAD + (words)))

/* Long enough for any packet to arrive. */
#define ARRIVED         4000

/* Loads a register of the kernel's page; K_PENDING. */
uint32_t shrimp_kernel(QTestState *qts, unsigned node, uint32_t offset);
uint32_t shrimp_pending(QTestState *qts, unsigned node);

/* Fills @words words from @addr on with numbers from @first on, and asserts that
 * they are there. */
void shrimp_fill(QTestState *qts, unsigned node, uint32_t addr, uint32_t words,
                 uint32_t first);
void shrimp_assert_filled(QTestState *qts, unsigned node, uint32_t addr,
                          uint32_t words, uint32_t first);

/* Sets a part of a page's entry: mode @mode, to physical address @dest of node
 * @node, whose low bits are the displacement. Returns the result of the store. */
int shrimp_part(QTestState *qts, unsigned node, uint32_t page, bool upper,
                uint32_t mode, uint32_t to, uint32_t dest);
/* Maps a whole page for deliberate update, and @dest_page there as mapped in. */
void shrimp_map(QTestState *qts, unsigned node, uint32_t page, unsigned to,
                uint32_t dest_page);
void shrimp_split(QTestState *qts, unsigned node, uint32_t page,
                  uint32_t split);
void shrimp_in(QTestState *qts, unsigned node, uint32_t page, uint32_t in);

/* Stores a command. */
int shrimp_command(QTestState *qts, unsigned node, uint32_t addr,
                   uint32_t command);
/* Stores a command that must be possible. */
void shrimp_assert_command(QTestState *qts, unsigned node, uint32_t addr,
                           uint32_t command);
/* Loads the command word of @addr, which must be possible. */
uint32_t shrimp_engine(QTestState *qts, unsigned node, uint32_t addr);

/* Asserts what always holds of interfaces, and between two rounds. */
void shrimp_assert_holds(QTestState *qts);

/* Damages the next packet that leaves the node: "crc" or "coordinates". */
void shrimp_damage(QTestState *qts, unsigned node, const char *what);

#endif /* TESTS_SHRIMP_QTEST_H */
