/*
 * The network interface, as the kernel's C code uses it. No other C file of
 * the kernel reads or writes its registers, which docs/machine.md describes.
 *
 * The assembly uses the registers directly, because each cycle counts there:
 * table.h, insert.S, receive.S, vectors.S and soft_vectors.S in entry/, and
 * message.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_NI_H
#define GLAZE_NI_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/hardware.h"
#include "operations.h"

/* Addresses of registers: in the kernel page, in the user page. */
#define NI_K(name)      (FUGU_NI_KERNEL_BASE + FUGU_K_##name)
#define NI_U(name)      (FUGU_NI_USER_BASE + FUGU_U_##name)
#define NI_HEAD(name)   (NI_K(HEAD) + FUGU_HEAD_##name)
#define NI_SECOND(name) (NI_K(SECOND_HEAD) + FUGU_HEAD_##name)

static inline uint32_t ni_node(void)
{
    return read32(NI_U(NODE));
}

static inline uint32_t ni_nodes(void)
{
    return read32(NI_U(NODES));
}

/* ---- First network: the head message ------------------------------------ */

static inline bool ni_head_present(void)
{
    return read32(NI_HEAD(PRESENT));
}

/* Is the head a message to a kernel? */
static inline bool ni_head_of_kernel(void)
{
    return read32(NI_HEAD(KERNEL));
}

static inline uint32_t ni_head_gid(void)
{
    return read32(NI_HEAD(GID));
}

static inline uint32_t ni_head_source(void)
{
    return read32(NI_HEAD(SOURCE));
}

/* Returns the length in words, header and handler included. */
static inline uint32_t ni_head_length(void)
{
    return read32(NI_HEAD(LENGTH));
}

static inline uint32_t ni_head_word(uint32_t k)
{
    return read32(NI_HEAD(WORDS) + 4 * k);
}

/* Returns the bytes of the body, or 0 if the message has no body. */
static inline uint32_t ni_head_body(void)
{
    return read32(NI_HEAD(BODY));
}

/*
 * ni_store_words() makes the next ni_dispose() store the head's words at a
 * physical address, and its body where ni_store_body() has said.
 */
static inline void ni_store_words(uint32_t to)
{
    write32(NI_K(DMA_ADDR), to);
    write32(NI_K(DMA_ARM), 1);
}

static inline void ni_store_body(uint32_t to)
{
    write32(NI_K(DMA_BODY), to);
}

/*
 * Stores bytes of the head's body, from an offset on, at a physical address: the
 * kernel maps all RAM where it is. The caller restores the user's SB_ADDR and
 * SB_OFFSET.
 */
static inline void ni_storeback(uint32_t to, uint32_t offset, uint32_t bytes)
{
    write32(NI_U(SB_ADDR), to);
    write32(NI_U(SB_OFFSET), offset);
    write32(NI_U(SB_COUNT), bytes);
}

/* Disposes of the head message. */
static inline void ni_dispose(void)
{
    NI_DISPOSE();
}

/* ---- First network: sending --------------------------------------------- */

/* Returns how many words fit into the first network now. */
static inline uint32_t ni_space(void)
{
    return read32(NI_K(SPACE));
}

/* The same for a message with a body: 0 while the node's last body is on its
 * way. */
static inline uint32_t ni_body_space(void)
{
    return read32(NI_U(BODY_SPACE));
}

/* Writes word k of the kernel's next message. */
static inline void ni_out(uint32_t k, uint32_t word)
{
    write32(NI_K(OUT) + 4 * k, word);
}

/* Sends the two words in the kernel's output window. */
static inline void ni_launch_null(void)
{
    NI_LAUNCH(2, 0);
}

/* ---- Who gets messages, and for how long they may wait ------------------ */

/* Returns the interrupts that are pending: FUGU_PEND_*. */
static inline uint32_t ni_pending(void)
{
    return read32(NI_K(PENDING));
}

/* Sets or clears divert-mode, in which the kernel takes every message. */
static inline void ni_divert(bool divert)
{
    write32(NI_K(DIVERT), divert);
}

/* Reads and writes UAC, the user-atomicity-control register. */
static inline uint32_t ni_uac(void)
{
    return read32(NI_K(UAC));
}

static inline void ni_set_uac(uint32_t uac)
{
    write32(NI_K(UAC), uac);
}

/* Sets the cycles that the atomicity timer starts from; 0 turns it off. */
static inline void ni_set_timeout(uint32_t cycles)
{
    write32(NI_K(TIMEOUT), cycles);
}

/* Bits of UAC of which one at least is set in an atomic section or handler. */
#define NI_SECTION      (FUGU_UAC_USER | FUGU_UAC_DISPOSE_PENDING)

/* Sets the cycle-offset: cycles that the node's clock is ahead of local time. */
static inline void ni_set_offset(int64_t cycles)
{
    write32(NI_K(OFFSET), (uint64_t)cycles >> 32);
    write32(NI_K(OFFSET) + 4, cycles);
}

/* Returns the low word of the cycle-offset. */
static inline uint32_t ni_offset(void)
{
    return read32(NI_K(OFFSET) + 4);
}

/* ---- The current process's view ----------------------------------------- */

/* The record in which the user reads the head message in fast mode. */
#define NI_RECORD       NI_U(RECORD)

/* Does the record hold a message? */
static inline bool ni_user_has_message(void)
{
    return read32(NI_RECORD + FUGU_REC_AVAILABLE);
}

/* Where the user's storeback goes, and the first byte of the body for it. */
static inline uint32_t ni_user_storeback(void)
{
    return read32(NI_U(SB_ADDR));
}

static inline uint32_t ni_user_storeback_offset(void)
{
    return read32(NI_U(SB_OFFSET));
}

static inline void ni_set_user_storeback(uint32_t address, uint32_t offset)
{
    write32(NI_U(SB_ADDR), address);
    write32(NI_U(SB_OFFSET), offset);
}

/* The registers of a process that does not run. */
struct ni_state {
    uint32_t uac;
    uint32_t descriptor_length;
    uint32_t descriptor[FUGU_MSG_WORDS];
    uint32_t storeback_address;
    uint32_t storeback_offset;
};

/* Drops the words that the user has described so far. */
static inline void ni_forget(void)
{
    write32(NI_K(USER_LEN), 0);
}

static inline void ni_save(struct ni_state *ni)
{
    ni->uac = ni_uac();
    ni->descriptor_length = read32(NI_K(USER_LEN));
    for (uint32_t i = 0; i < ni->descriptor_length; i++) {
        ni->descriptor[i] = read32(NI_K(USER_OUT) + 4 * i);
    }
    ni->storeback_address = ni_user_storeback();
    ni->storeback_offset = ni_user_storeback_offset();
    ni_forget();
}

static inline void ni_load(const struct ni_state *ni)
{
    for (uint32_t i = 0; i < ni->descriptor_length; i++) {
        write32(NI_K(USER_OUT) + 4 * i, ni->descriptor[i]);
    }
    write32(NI_K(USER_LEN), ni->descriptor_length);
    ni_set_user_storeback(ni->storeback_address, ni->storeback_offset);
    ni_set_uac(ni->uac);
}

/* Sets the GID of the messages that the current process takes. */
static inline void ni_set_gid(uint32_t gid)
{
    write32(NI_K(GID), gid);
}

/* ---- Second network ----------------------------------------------------- */

static inline bool ni_second_present(void)
{
    return read32(NI_SECOND(PRESENT));
}

static inline uint32_t ni_second_length(void)
{
    return read32(NI_SECOND(LENGTH));
}

static inline uint32_t ni_second_word(uint32_t k)
{
    return read32(NI_SECOND(WORDS) + 4 * k);
}

static inline void ni_second_dispose(void)
{
    write32(NI_K(SECOND_DISPOSE), 0);
}

/* Returns how many words fit into the second network now. */
static inline uint32_t ni_second_space(void)
{
    return read32(NI_K(SECOND_SPACE));
}

/* Writes word k of the message that ni_second_launch() sends. */
static inline void ni_second_out(uint32_t k, uint32_t word)
{
    write32(NI_K(SECOND_OUT) + 4 * k, word);
}

static inline void ni_second_launch(uint32_t words)
{
    write32(NI_K(SECOND_LAUNCH), words);
}

#endif /* GLAZE_NI_H */
