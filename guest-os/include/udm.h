/*
 * UDM, User Direct Messaging: messages and atomic sections.
 *
 * The operations of the paper (Mackenzie et al., HPCA 1998, section 3), with
 * the prefix udm_. All of them are inline. They compile to the instructions
 * that table 4 of the paper counts: two stores and a launch send a null
 * message, and one load reads a word of a received message. docs/udm.md is
 * the reference. "Section" and "table" below refer to the paper.
 *
 * A program that misuses an operation traps at that instruction. The kernel
 * then ends the job, on all nodes, with a line on the console that names job,
 * node, pc and cause. "Fails with bad-dispose", for example, means that the
 * job ends with that cause. No function returns an error code.
 *
 * On a machine with another network interface (--ni), a program that uses more than
 * atomic sections, clock and node numbers is refused before it starts (note.h).
 *
 * Each node adds one to a number, and passes it on to the next:
 *
 *     #include <stdio.h>
 *     #include "udm.h"
 *
 *     static volatile uint32_t number;
 *
 *     static void on_number(void)             // the handler: runs in an atomic section
 *     {
 *         number = udm_arg(0);
 *         udm_dispose();
 *     }
 *
 *     int main(void)
 *     {
 *         uint32_t node = udm_node(), next = (node + 1) % udm_nodes();
 *
 *         if (node == 0) {
 *             udm_inject(next, on_number, 1);
 *         }
 *         while (number == 0) {
 *             // the handler will change it
 *         }
 *         if (node == 0) {
 *             printf("the number is %lu\n", (unsigned long)number);
 *         } else {
 *             udm_inject(next, on_number, number + 1);
 *         }
 *         return 0;
 *     }
 *
 * On four nodes it prints "the number is 4".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_H
#define UDM_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"
#include "note.h"
#include "operations.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Marks an instruction, a string, that needs FUGU's message part (note.h): for
 * operations.h and the functions here. Errors: none.
 */
#undef NI_NOTED
#define NI_NOTED(instruction) NOTE_NEEDS_MESSAGES(instruction)

/*
 * The most argument words of a message, 14: a message is a header word, a handler
 * word, and 0 to 14 argument words.
 */
#define UDM_ARGS_MAX (FUGU_MSG_WORDS - 2)

/*
 * A handler: the function that a message names, and that runs when the message
 * arrives at its destination (section 3). The handler starts in an atomic
 * section, on a stack for handlers. It reads the message with udm_arg() and
 * the like. It must call udm_dispose() before it returns, ends its atomic
 * section or waits; otherwise the job ends with dispose-failure.
 */
typedef void (*udm_handler_t)(void);

/* How the functions here are declared: always inlined. */
#define UDM_INLINE static inline __attribute__((always_inline))

/* ---- Registers ---------------------------------------------------------- */

/*
 * Access to a register of the NI's user page. The address is a displacement
 * from %g0, so the access takes one instruction and no base register. A
 * volatile access in C would not do: the compiler could load the address into
 * a register first.
 */
#define UDM_LOAD_(offset, value) \
    asm volatile ("ld [%%g0 + %1], %0" \
                  : "=r" (value) : "i" (FUGU_NI_USER_DISP + (offset)))
#define UDM_STORE_(offset, value) \
    asm volatile ("st %r1, [%%g0 + %0]" \
                  : : "i" (FUGU_NI_USER_DISP + (offset)), \
                      "rJ" ((uint32_t)(value)))

/* The same load, of a register that only FUGU's message part has. */
#define UDM_LOAD_NOTED_(offset, value) \
    asm volatile (NI_NOTED("ld [%%g0 + %1], %0") \
                  : "=r" (value) : "i" (FUGU_NI_USER_DISP + (offset)))

/* Returns the number of this node, 0 to udm_nodes() - 1. One load. Errors: none. */
UDM_INLINE uint32_t udm_node(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_NODE, value);
    return value;
}

/* Returns the number of nodes in the machine, 1 to 1024. One load. Errors: none. */
UDM_INLINE uint32_t udm_nodes(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_NODES, value);
    return value;
}

/*
 * Returns this node's clock: the cycles since the machine started, at 25 MHz.
 * The clocks of all nodes agree, unless the run has --skew: then each node's
 * clock is ahead by a constant of that node. One ldd; the result includes the 3
 * cycles that the ldd takes. Errors: none.
 */
UDM_INLINE uint64_t udm_cycles(void)
{
    uint64_t value;

    asm volatile ("ldd [%%g0 + %1], %0"
                  : "=r" (value) : "i" (FUGU_NI_USER_DISP + FUGU_U_CYCLES));
    return value;
}

/*
 * Returns the low word of the clock, for differences between two times. The
 * low word wraps around after 2^32 cycles, almost three minutes. Errors: none.
 */
UDM_INLINE uint32_t udm_cycles32(void)
{
    return udm_cycles();
}

/*
 * Returns space-available (section 4.1): the number of words, header and
 * handler included, that the program can describe now without waiting, 0 to
 * 16. One load. Errors: none.
 */
UDM_INLINE uint32_t udm_space(void)
{
    uint32_t value;

    UDM_LOAD_NOTED_(FUGU_U_SPACE, value);
    return value;
}

/*
 * Returns how many words of a message with a body the program can describe now
 * without waiting, the pairs of address and length included: 0 while the
 * previous body of this node is in the network, and udm_space() otherwise. One
 * load. Errors: none.
 */
UDM_INLINE uint32_t udm_body_space(void)
{
    uint32_t value;

    UDM_LOAD_NOTED_(FUGU_U_BODY_SPACE, value);
    return value;
}

/*
 * Returns the four bits of UAC, the user atomicity control register (table
 * 3): an OR of FUGU_UAC_*. One load. Errors: none.
 */
UDM_INLINE uint32_t udm_uac(void)
{
    uint32_t value;

    UDM_LOAD_(FUGU_U_UAC, value);
    return value;
}

/* ---- Atomic sections (section 3, atomicity model; table 1) -------------- */

/*
 * The operations beginatom and endatom of table 1, one instruction each. mask:
 * a constant OR of FUGU_UAC_INTERRUPT_DISABLE and FUGU_UAC_TIMER_FORCE.
 * beginatom sets these bits in UAC, endatom clears them.
 *
 * Errors: UDM_ENDATOM() of interrupt-disable fails with dispose-failure in a handler
 * that has not disposed of its message. A mask that is no constant does not compile.
 */
#define UDM_BEGINATOM(mask) NI_BEGINATOM(mask)
#define UDM_ENDATOM(mask)   NI_ENDATOM(mask)

/*
 * Opens an atomic section: no handler starts until udm_endatom(). Atomic
 * sections do not nest: the first udm_endatom() closes the section. The kernel
 * may revoke the section (section 4.1): the process then continues in buffered
 * mode, still without handlers. The program only notices that this takes time.
 * Errors: none; in an open section it does nothing.
 */
UDM_INLINE void udm_beginatom(void)
{
    UDM_BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE);
}

/*
 * Closes the atomic section that is open, or that of the running handler. If
 * messages wait, their handlers run at once. Without an open section it does
 * nothing.
 *
 * Errors: fails with dispose-failure in a handler that has not disposed of its
 * message.
 */
UDM_INLINE void udm_endatom(void)
{
    UDM_ENDATOM(FUGU_UAC_USER);
}

/* Returns true in an atomic section, and so in a handler. 3 cycles. Errors: none. */
UDM_INLINE bool udm_atomic(void)
{
    return udm_uac() & FUGU_UAC_INTERRUPT_DISABLE;
}

/* ---- Sending: inject (section 3; table 4: 7 cycles, 3 an argument) ------ */

/*
 * Stores word k (0 to 15) of the message that the program is describing. The
 * store waits until the network has space for the word.
 */
#define UDM_OUT_(k, value) UDM_STORE_(FUGU_U_OUT + 4 * (k), value)

/*
 * Describes a message with `count` arguments. `count` is a constant: the
 * compiler drops the stores of the other arguments.
 */
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

/*
 * The number of arguments, 0 to 14. With 15 to 20 arguments the program does
 * not compile, and the error names udm_at_most_14.
 */
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
 * udm_inject(node, handler, word...): sends a message to `node`, where `handler`
 * runs in the process of the same job. Waits until the network takes the message.
 * Section 3, inject.
 *
 *   node     destination, 0 to udm_nodes() - 1; may be this node
 *   handler  udm_handler_t: a function of this program, which all nodes have at the
 *            same address
 *   word...  0 to 14 arguments, each a uint32_t: cast pointers
 *
 * Errors: fails with protection-violation if the node does not exist. More than 14
 * words do not compile. An address that is no function makes the receiving node's
 * process fail.
 */
#define udm_inject(node, handler, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, ##__VA_ARGS__); \
        NI_LAUNCH(2 + UDM_COUNT_(__VA_ARGS__), 0); \
    } while (0)

/*
 * udm_injectc(node, handler, word...) -> bool: as udm_inject(), if the network has
 * space for the whole message now. Returns true if it has sent the message,
 * and false if there was no space. Outside of an atomic section a handler may
 * take the space after udm_injectc() has looked: then udm_injectc() waits, as
 * udm_inject() does. Section 3, injectc.
 *
 *   node, handler, word...  as for udm_inject()
 *
 * Errors: those of udm_inject(), if there is space.
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
 * UDM_WORD_ stores word `k` of an array, counted from 1, after `first` words.
 * UDM_DESCRIBE_WORDS_ stores words `count` to 1, the last one first. So the
 * program waits for space once, and jumps once.
 */
#define UDM_WORD_(first, words, k) \
    case k: \
        if ((first) + (k) <= FUGU_MSG_WORDS) { \
            UDM_OUT_((first) + (k) - 1, (words)[(k) - 1]); \
        } \
        __attribute__((fallthrough))
#define UDM_DESCRIBE_WORDS_(first, words, count) \
    switch (count) { \
        UDM_WORD_(first, words, 14); UDM_WORD_(first, words, 13); \
        UDM_WORD_(first, words, 12); UDM_WORD_(first, words, 11); \
        UDM_WORD_(first, words, 10); UDM_WORD_(first, words, 9); \
        UDM_WORD_(first, words, 8); UDM_WORD_(first, words, 7); \
        UDM_WORD_(first, words, 6); UDM_WORD_(first, words, 5); \
        UDM_WORD_(first, words, 4); UDM_WORD_(first, words, 3); \
        UDM_WORD_(first, words, 2); UDM_WORD_(first, words, 1); \
    case 0: \
        break; \
    default:                    /* the launch fails */ \
        count = UDM_ARGS_MAX + 1; \
    }

/*
 * udm_inject_words(node, handler, words, count, word...): as udm_inject(), for
 * a number of words that is known only at run time. The arguments of the
 * message are the words of the call, and then `count` words from the array
 * `words`. Some 12 cycles more than udm_inject(), and 5 for each word of the array.
 *
 *   node, handler  as for udm_inject()
 *   words          const uint32_t *: an array, not read if `count` is 0
 *   count          how many of them, 0 to 14 with those of the call
 *   word...        the first arguments, 0 to 14
 *
 * Errors: fails with protection-violation if these are more than 14 words in all, or
 * if the node does not exist.
 */
#define udm_inject_words(node, handler, words, count, ...) \
    do { \
        const uint32_t *udm_words_ = (words); \
        uint32_t udm_more_ = (count); \
        UDM_DESCRIBE_(node, handler, ##__VA_ARGS__); \
        UDM_DESCRIBE_WORDS_(2 + UDM_COUNT_(__VA_ARGS__), udm_words_, \
                            udm_more_); \
        NI_LAUNCH_MORE(2 + UDM_COUNT_(__VA_ARGS__), udm_more_); \
    } while (0)

/*
 * udm_injectc_words(node, handler, words, count, word...) -> bool:
 * udm_inject_words() under the condition of udm_injectc(), with the same
 * parameters. Returns true if it has sent the message.
 *
 * Errors: those of udm_inject_words(); more than 14 words fail also without space.
 */
#define udm_injectc_words(node, handler, words, count, ...) \
    ({ \
        uint32_t udm_all_ = (count) + 2 + UDM_COUNT_(__VA_ARGS__); \
        bool udm_space_ = udm_all_ > FUGU_MSG_WORDS || \
                          udm_space() >= udm_all_; \
        if (udm_space_) { \
            udm_inject_words(node, handler, words, \
                             udm_all_ - 2 - UDM_COUNT_(__VA_ARGS__), \
                             ##__VA_ARGS__); \
        } \
        udm_space_; \
    })

/*
 * udm_inject_body(node, handler, address, bytes, word...): sends a message
 * with a body, which the launch copies from memory. A node has one body in the
 * network at a time: the launch waits until the previous body has left the network.
 *
 *   node, handler  as for udm_inject()
 *   address        of the body, a pointer or a number: a multiple of 4
 *   bytes          of the body: a multiple of 4, 0 to FUGU_BODY_MAX (4096)
 *   word...        0 to 12 arguments
 *
 * Errors: fails with protection-violation if address or bytes are others, or the node
 * does not exist; with a memory fault if the program cannot read the body.
 */
#define udm_inject_body(node, handler, address, bytes, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, \
                      __VA_ARGS__ __VA_OPT__(,) (uintptr_t)(address), bytes); \
        NI_LAUNCH(4 + UDM_COUNT_(__VA_ARGS__), 1); \
    } while (0)

/*
 * udm_inject_body2(node, handler, address, bytes, address2, bytes2, word...):
 * as udm_inject_body(), but the body consists of two pieces of memory, one
 * after the other, `bytes` at `address` and `bytes2` at `address2`, and there are 0 to
 * 10 argument words. FUGU_BODY_MAX is the limit for both pieces together.
 *
 * Errors: those of udm_inject_body(), for each piece.
 */
#define udm_inject_body2(node, handler, address, bytes, address2, bytes2, ...) \
    do { \
        UDM_DESCRIBE_(node, handler, \
                      __VA_ARGS__ __VA_OPT__(,) (uintptr_t)(address), bytes, \
                      (uintptr_t)(address2), bytes2); \
        NI_LAUNCH(6 + UDM_COUNT_(__VA_ARGS__), 2); \
    } while (0)

/*
 * udm_injectc_body(node, handler, address, bytes, word...) -> bool and
 * udm_injectc_body2(node, handler, address, bytes, address2, bytes2, word...) -> bool:
 * as udm_inject_body() and udm_inject_body2(), if the launch need not wait.
 * Return true if they have sent the message; false, with nothing sent, if the network
 * has no space for the whole message now, or if the previous body of this node is
 * still in the network. Outside of an atomic section they may wait all the same: see
 * udm_injectc().
 *
 * Errors: those of udm_inject_body(), if there is space.
 */
#define udm_injectc_body(node, handler, address, bytes, ...) \
    ({ \
        bool udm_space_ = udm_body_space() >= 4 + UDM_COUNT_(__VA_ARGS__); \
        if (udm_space_) { \
            udm_inject_body(node, handler, address, bytes, ##__VA_ARGS__); \
        } \
        udm_space_; \
    })
#define udm_injectc_body2(node, handler, address, bytes, address2, bytes2, \
                          ...) \
    ({ \
        bool udm_space_ = udm_body_space() >= 6 + UDM_COUNT_(__VA_ARGS__); \
        if (udm_space_) { \
            udm_inject_body2(node, handler, address, bytes, address2, bytes2, \
                             ##__VA_ARGS__); \
        } \
        udm_space_; \
    })

/* ---- Receiving: peek, extract (section 3; section 4.3) ------------------ */

/*
 * Returns the word at an offset of the receive record, the structure that
 * shows the current message (FUGU_REC_*). %g6 points at the record. The kernel
 * may change %g6 between any two instructions. So each access has to be a
 * single load from %g6: the compiler must neither copy %g6 nor compute an
 * address from it first.
 */
UDM_INLINE uint32_t udm_record_(uint32_t offset)
{
    uint32_t value;

    asm volatile (NI_NOTED("ld [%%g6 + %1], %0")
                  : "=r" (value) : "rI" (offset));
    return value;
}

/*
 * Returns true if a message is there to be read. For atomic sections: outside
 * of one the message starts its handler instead. 2 cycles. Errors: none.
 */
UDM_INLINE bool udm_available(void)
{
    return udm_record_(FUGU_REC_AVAILABLE);
}

/*
 * Returns word k of the current message: header, handler, then the
 * arguments. Returns 0 beyond the end of the message, or if there is no
 * message. The message stays (section 3, peek). 2 cycles.
 *
 *   k  0 to 15; it is not checked
 *
 * Errors: none.
 */
UDM_INLINE uint32_t udm_peek(unsigned k)
{
    return udm_record_(FUGU_REC_WINDOW + 4 * k);
}

/*
 * Returns argument k (0 to 13) of the current message, as udm_peek() does.
 * Errors: none; 0 if the message has no such argument.
 */
UDM_INLINE uint32_t udm_arg(unsigned k)
{
    return udm_peek(2 + k);
}

/* Returns the handler that the current message names, or NULL. Errors: none. */
UDM_INLINE udm_handler_t udm_handler(void)
{
    return (udm_handler_t)(uintptr_t)udm_peek(1);
}

/*
 * Returns the number of the node that sent the current message. The hardware
 * has written it into the header: a sender cannot forge it. Errors: none; 0 if there
 * is no message.
 */
UDM_INLINE uint32_t udm_source(void)
{
    return udm_peek(0) & FUGU_HDR_NODE_MASK;
}

/*
 * Returns the length of the current message in words, with header and handler
 * but without the body: 2 to 16, or 0 if there is no message. Errors: none.
 */
UDM_INLINE uint32_t udm_length(void)
{
    return udm_record_(FUGU_REC_LENGTH);
}

/* Returns the bytes of the message's body, 0 to 4096; 0 without one. Errors: none. */
UDM_INLINE uint32_t udm_body_length(void)
{
    return udm_record_(FUGU_REC_BODY);
}

/*
 * Frees the current message. If another one waits, it becomes the current
 * message at once. 1 cycle for a message from the network; a message from the
 * buffer costs a trap.
 *
 * Errors: fails with bad-dispose if there is no message.
 */
UDM_INLINE void udm_dispose(void)
{
    NI_DISPOSE();
}

/*
 * Copies up to `max` words of the current message, header first, to `words`,
 * and disposes of the message. Returns the length of the message in words, 2 to 16,
 * which may exceed `max`. The caller must be in an atomic section, and a
 * message must be there. Section 3, extract.
 *
 * Errors: those of udm_dispose().
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
 * Copies `bytes` bytes of the current message's body, from byte `offset` of
 * the body on, to `address`. To be called before udm_dispose(); a program may
 * copy the body in several pieces, or copy a piece twice or never. All three
 * arguments must be multiples of 4, and the piece must lie within the body.
 *
 * Errors: otherwise fails with protection-violation; with bad-dispose if there is no
 * message; with a memory fault if the program cannot write there.
 */
UDM_INLINE void udm_storeback(void *address, uint32_t offset, uint32_t bytes)
{
    UDM_STORE_(FUGU_U_SB_ADDR, (uintptr_t)address);
    UDM_STORE_(FUGU_U_SB_OFFSET, offset);
    asm volatile (NI_NOTED("st %r1, [%%g0 + %0]")
                  : : "i" (FUGU_NI_USER_DISP + FUGU_U_SB_COUNT), "rJ" (bytes)
                  : "memory");
}

/*
 * If a message waits, calls its handler and returns true; otherwise returns
 * false. The caller must be in an atomic section. The handler runs as a part
 * of that section, as a plain function call, and disposes of the message.
 * Errors: those of the handler.
 */
UDM_INLINE bool udm_poll(void)
{
    if (!udm_available()) {
        return false;
    }
    udm_handler()();
    return true;
}

#ifdef __cplusplus
}
#endif

#endif /* UDM_H */
