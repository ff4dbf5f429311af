/*
 * UDM, User Direct Messaging: messages and atomic sections.
 *
 * The paper's operations (Mackenzie et al., HPCA 1998, section 3) with the
 * prefix udm_. Those that a message passes through are inline and compile to
 * what table 4 counts: two stores and a launch send a null message, one load
 * reads a word of a received one. docs/udm.md is the reference.
 *
 * A wrong use traps where it happens and ends the job with a message that
 * names process, node, pc and cause; nothing here returns an error but where
 * it says so.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_H
#define UDM_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"

/* A message's words: header, handler, and up to this many arguments. */
#define UDM_ARGS_MAX (FUGU_MSG_WORDS - 2)

/*
 * What a message starts at its destination (paper, section 3). It reads its
 * message with udm_arg() and the like, and must udm_dispose() of it before it
 * returns, ends its atomic section or waits; else the job ends with
 * dispose-failure. It runs in an atomic section, on a stack of its own.
 */
typedef void (*udm_handler_t)(void);

#define UDM_INLINE static inline __attribute__((always_inline))

/* ---- Registers -------------------------------------------------------------- */

/*
 * The user page, as a displacement from %g0: no base register. Not volatile
 * accesses of C, since the compiler would be free to make an address of it.
 */
#define UDM_LOAD_(offset, value) \
    asm volatile ("ld [%%g0 + %1], %0" \
                  : "=r" (value) : "i" (FUGU_NI_USER_DISP + (offset)))
#define UDM_STORE_(offset, value) \
    asm volatile ("st %r1, [%%g0 + %0]" \
                  : : "i" (FUGU_NI_USER_DISP + (offset)), \
                      "rJ" ((uint32_t)(value)))

/* Number of this node, from 0. One load. */
UDM_INLINE uint32_t udm_node(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_NODE, value);
    return value;
}

/* How many nodes the machine has. One load. */
UDM_INLINE uint32_t udm_nodes(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_NODES, value);
    return value;
}

/*
 * The node's clock: cycles since the machine began, the same on all nodes but
 * for the skew that a run asks for. One ldd; its own 3 cycles are counted.
 */
UDM_INLINE uint64_t udm_cycles(void)
{
    uint64_t value;

    asm volatile ("ldd [%%g0 + %1], %0"
                  : "=r" (value) : "i" (FUGU_NI_USER_DISP + FUGU_U_CYCLES));
    return value;
}

/* Lower half, for differences: enough for almost three minutes. */
UDM_INLINE uint32_t udm_cycles32(void)
{
    return udm_cycles();
}

/* Words that can be described without waiting, 0 to 16 (section 4.1). */
UDM_INLINE uint32_t udm_space(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_SPACE, value);
    return value;
}

/* The four bits of user atomicity control, FUGU_UAC_* (table 3). */
UDM_INLINE uint32_t udm_uac(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_UAC, value);
    return value;
}

/* ---- Atomic sections (section 3, atomicity model; table 1) ------------------ */

/* With a mask of FUGU_UAC_USER bits that the compiler knows: 1 instruction. */
#define UDM_BEGINATOM(mask) \
    asm volatile (".word %0" \
                  : : "i" (FUGU_INSN(FUGU_OPC_BEGINATOM, mask, 0, 0)) \
                  : "memory")
#define UDM_ENDATOM(mask) \
    asm volatile (".word %0" \
                  : : "i" (FUGU_INSN(FUGU_OPC_ENDATOM, mask, 0, 0)) \
                  : "memory")

/*
 * Opens an atomic section: no handler starts until udm_endatom(). Sections do
 * not nest: the first udm_endatom() closes it. The section may be revoked
 * (section 4.1), of which the program sees nothing but time.
 */
UDM_INLINE void udm_beginatom(void)
{
    UDM_BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE);
}

/*
 * Closes the atomic section, a handler's too: what waits is handled at once.
 * A handler that has not disposed of its message: dispose-failure.
 */
UDM_INLINE void udm_endatom(void)
{
    UDM_ENDATOM(FUGU_UAC_USER);
}

/* Is this in an atomic section? 3 cycles. */
UDM_INLINE bool udm_atomic(void)
{
    return udm_uac() & FUGU_UAC_INTERRUPT_DISABLE;
}

/* ---- Sending: inject (section 3; table 4: 7 cycles, 3 an argument) ----------- */

#define UDM_LAUNCH_(words, pieces) \
    asm volatile (".word %0" \
                  : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, words, 0, pieces)) \
                  : "memory")

/* Word k of the message that is being described; waits for space for it. */
#define UDM_OUT_(k, value) UDM_STORE_(FUGU_U_OUT + 4 * (k), value)

/* `count` is a constant; what it leaves out costs nothing. */
UDM_INLINE void udm_describe_(unsigned count, uint32_t node,
                              udm_handler_t handler,
                              uint32_t a0, uint32_t a1, uint32_t a2,
                              uint32_t a3, uint32_t a4, uint32_t a5,
                              uint32_t a6, uint32_t a7, uint32_t a8,
                              uint32_t a9, uint32_t a10, uint32_t a11,
                              uint32_t a12, uint32_t a13)
{
    UDM_OUT_(0, node);
    UDM_OUT_(1, (uintptr_t)handler);
#define UDM_ARG_(k) do { if (count > (k)) UDM_OUT_(2 + (k), a##k); } while (0)
    UDM_ARG_(0);  UDM_ARG_(1);  UDM_ARG_(2);  UDM_ARG_(3);  UDM_ARG_(4);
    UDM_ARG_(5);  UDM_ARG_(6);  UDM_ARG_(7);  UDM_ARG_(8);  UDM_ARG_(9);
    UDM_ARG_(10); UDM_ARG_(11); UDM_ARG_(12); UDM_ARG_(13);
#undef UDM_ARG_
}

/* Number of arguments, 0 to 14; more, up to 20, are an error that names
 * udm_at_most_14. */
#define UDM_COUNT_(...) \
    UDM_PICK_(_, ##__VA_ARGS__, udm_at_most_14, udm_at_most_14, \
              udm_at_most_14, udm_at_most_14, udm_at_most_14, \
              udm_at_most_14, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define UDM_PICK_(_, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, \
                  a13, a14, a15, a16, a17, a18, a19, count, ...) count

#define UDM_PAD_(count, node, handler, a0, a1, a2, a3, a4, a5, a6, a7, a8, \
                 a9, a10, a11, a12, a13, ...) \
    udm_describe_(count, node, handler, a0, a1, a2, a3, a4, a5, a6, a7, a8, \
                  a9, a10, a11, a12, a13)
#define UDM_DESCRIBE_(node, handler, ...) \
    UDM_PAD_(UDM_COUNT_(__VA_ARGS__), node, handler, ##__VA_ARGS__, \
             0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/*
 * udm_inject(node, handler, word...): sends a message with 0 to 14 words of
 * arguments; `handler` (udm_handler_t) runs on that node. Waits until the
 * network takes it. Never fails; a node that does not exist is a
 * protection-violation. Words are uint32_t: cast pointers.
 */
#define udm_inject(node, handler, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, ##__VA_ARGS__); \
        UDM_LAUNCH_(2 + UDM_COUNT_(__VA_ARGS__), 0); \
    } while (0)

/*
 * udm_injectc(node, handler, word...): the same, but false at once, and
 * nothing sent, if the network cannot take it now; else true. Outside of
 * atomic sections a handler may send in between, and it then waits after all.
 */
#define udm_injectc(node, handler, ...) \
    ({ \
        bool udm_space_ = udm_space() >= 2 + UDM_COUNT_(__VA_ARGS__); \
        if (udm_space_) { \
            udm_inject(node, handler, ##__VA_ARGS__); \
        } \
        udm_space_; \
    })

/*
 * udm_inject_body(node, handler, address, bytes, word...): with a body, copied
 * from memory when it is launched; up to 12 words. `address` (a pointer or a
 * number) and `bytes` are multiples of 4, bytes at most FUGU_BODY_MAX; else
 * protection-violation. A launch with a body waits until the one before has
 * left the network.
 */
#define udm_inject_body(node, handler, address, bytes, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, \
                      __VA_ARGS__ __VA_OPT__(,) (uintptr_t)(address), bytes); \
        UDM_LAUNCH_(4 + UDM_COUNT_(__VA_ARGS__), 1); \
    } while (0)

/* The same, the body in two pieces, the second behind the first; 10 words. */
#define udm_inject_body2(node, handler, address, bytes, address2, bytes2, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, \
                      __VA_ARGS__ __VA_OPT__(,) (uintptr_t)(address), bytes, \
                      (uintptr_t)(address2), bytes2); \
        UDM_LAUNCH_(6 + UDM_COUNT_(__VA_ARGS__), 2); \
    } while (0)

/* ---- Receiving: peek, extract (section 3; section 4.3) ------------------------ */

/*
 * Word at an offset of the receive record. %g6 may point elsewhere after any
 * instruction, so each access is this one instruction: no copy of %g6, no
 * address made of it.
 */
UDM_INLINE uint32_t udm_record_(uint32_t offset)
{
    uint32_t value;

    asm volatile ("ld [%%g6 + %1], %0" : "=r" (value) : "rI" (offset));
    return value;
}

/* Does a message wait to be extracted? In atomic sections; outside of them
 * its handler starts instead. 2 cycles. */
UDM_INLINE bool udm_available(void)
{
    return udm_record_(FUGU_REC_AVAILABLE);
}

/* Word k of the message, 0 to 15: header, handler, arguments. 0 beyond its
 * end, and without a message. Does not extract it. 2 cycles. */
UDM_INLINE uint32_t udm_peek(unsigned k)
{
    return udm_record_(FUGU_REC_WINDOW + 4 * k);
}

/* Argument k, 0 to 13. */
UDM_INLINE uint32_t udm_arg(unsigned k)
{
    return udm_peek(2 + k);
}

/* The handler that the message names. */
UDM_INLINE udm_handler_t udm_handler(void)
{
    return (udm_handler_t)(uintptr_t)udm_peek(1);
}

/* The node that sent it: the hardware's word, not the sender's. */
UDM_INLINE uint32_t udm_source(void)
{
    return udm_peek(0) & FUGU_HDR_NODE_MASK;
}

/* Its length in words, header and handler included, the body not. */
UDM_INLINE uint32_t udm_length(void)
{
    return udm_record_(FUGU_REC_LENGTH);
}

/* Length of its body in bytes; 0: it has none. */
UDM_INLINE uint32_t udm_body_length(void)
{
    return udm_record_(FUGU_REC_BODY);
}

/* Frees the message; the next one, if any, can be seen at once. Without a
 * message: bad-dispose. 1 cycle from the network. */
UDM_INLINE void udm_dispose(void)
{
    asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0))
                  : "memory");
}

/*
 * extract: up to `max` words of the message, header first, into `words`, then
 * udm_dispose(). Its length in words is the result. In atomic sections.
 */
UDM_INLINE uint32_t udm_extract(uint32_t *words, unsigned max)
{
    uint32_t length = udm_length();

    for (unsigned k = 0; k < length && k < max; k++) {
        words[k] = udm_peek(k);
    }
    udm_dispose();
    return length;
}

/*
 * Copies `bytes` of the message's body, from byte `offset` of it on, to
 * memory, before the message is disposed of. In pieces, twice or never, as
 * one likes. Multiples of 4, within the body; else protection-violation.
 */
UDM_INLINE void udm_storeback(void *address, uint32_t offset, uint32_t bytes)
{
    UDM_STORE_(FUGU_U_SB_ADDR, (uintptr_t)address);
    UDM_STORE_(FUGU_U_SB_OFFSET, offset);
    asm volatile ("st %r1, [%%g0 + %0]"
                  : : "i" (FUGU_NI_USER_DISP + FUGU_U_SB_COUNT), "rJ" (bytes)
                  : "memory");
}

/*
 * Calls the handler of the next message, if there is one, as part of the
 * caller's atomic section, which must be open; true if there was. The handler
 * disposes of it.
 */
UDM_INLINE bool udm_poll(void)
{
    if (!udm_available()) {
        return false;
    }
    udm_handler()();
    return true;
}

#endif /* UDM_H */
