/*
 * The FUGU network interface for C: its registers, and the four operations
 * that are instructions.
 *
 * Accesses to the user page use a displacement from %g0, so that the compiler
 * needs no base register: ni_out(0, h) is one store.
 */
#ifndef GUEST_NI_H
#define GUEST_NI_H

#include <stdbool.h>
#include <stdint.h>

#include "fugu-regs.h"
#include "machine.h"

/* Programs leave a note with each launch and dispose, as UDM's do. */
#define NOTE_WHOSE              "messages"
#include "note.h"
#undef NI_NOTED
#define NI_NOTED(instruction)   NOTE_NEEDS_MESSAGES(instruction)
#include "operations.h"

/* ---- Operations ---------------------------------------------------------- */

static inline void ni_dispose(void)
{
    NI_DISPOSE();
}

/* launch with a number of words that is known only at run time, in %o0. */
#define NI_O0 8         /* %o0 as the field of an instruction */

static inline void ni_launch(uint32_t words)
{
    register uint32_t n asm ("o0") = words;

    asm volatile (NI_NOTED(".word %0")
                  : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, 0, NI_O0, 0)), "r" (n)
                  : "memory");
}

/* ---- User page ----------------------------------------------------------- */

#define NI_U(offset) REG((uint32_t)FUGU_NI_USER_BASE + (offset))

/* Word k of the message that is being described. */
static inline void ni_out(unsigned k, uint32_t word)
{
    NI_U(FUGU_U_OUT + 4 * k) = word;
}

static inline uint32_t ni_out_read(unsigned k)
{
    return NI_U(FUGU_U_OUT + 4 * k);
}

/* Word k of the received message. */
static inline uint32_t ni_in(unsigned k)
{
    return NI_U(FUGU_U_RECORD + FUGU_REC_WINDOW + 4 * k);
}

static inline bool ni_available(void)
{
    return NI_U(FUGU_U_RECORD + FUGU_REC_AVAILABLE);
}

static inline uint32_t ni_length(void)
{
    return NI_U(FUGU_U_RECORD + FUGU_REC_LENGTH);
}

static inline uint32_t ni_body(void)
{
    return NI_U(FUGU_U_RECORD + FUGU_REC_BODY);
}

static inline uint32_t ni_descriptor_length(void)
{
    return NI_U(FUGU_U_DESC_LEN);
}

static inline uint32_t ni_space(void)
{
    return NI_U(FUGU_U_SPACE);
}

static inline uint32_t ni_uac(void)
{
    return NI_U(FUGU_U_UAC);
}

static inline uint32_t ni_node(void)
{
    return NI_U(FUGU_U_NODE);
}

static inline uint32_t ni_nodes(void)
{
    return NI_U(FUGU_U_NODES);
}

/* ---- Kernel page --------------------------------------------------------- */

#define NI_K(offset) REG(FUGU_NI_KERNEL_BASE + (offset))

static inline void ni_kernel_out(unsigned k, uint32_t word)
{
    NI_K(FUGU_K_OUT + 4 * k) = word;
}

static inline uint32_t ni_kernel_space(void)
{
    return NI_K(FUGU_K_SPACE);
}

static inline bool ni_head_present(void)
{
    return NI_K(FUGU_K_HEAD + FUGU_HEAD_PRESENT);
}

/* Word k of the head message, of any job. */
static inline uint32_t ni_head(unsigned k)
{
    return NI_K(FUGU_K_HEAD + FUGU_HEAD_WORDS + 4 * k);
}

/* ---- Header word --------------------------------------------------------- */

static inline uint32_t header_gid(uint32_t header)
{
    return (header & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
}

static inline uint32_t header_node(uint32_t header)
{
    return header & FUGU_HDR_NODE_MASK;
}

#endif
