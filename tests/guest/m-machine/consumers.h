/*
 * Handlers of consumers_code.S that read message words, and what becomes of each.
 *
 * A message has DestAddr, which the handler drops, a word W0, and a word W1. The
 * handler leaves its result, and the word that MsgBody gives next.
 */
#ifndef GUEST_CONSUMERS_H
#define GUEST_CONSUMERS_H

#include <stdint.h>

extern uint32_t scratch[4];             /* 0x81828384, 5 when a message is sent */
void jump_target(void);                 /* goes back to the third instruction */

#define SCRATCH         ((uint32_t)(uintptr_t)scratch)
#define JUMP            ((uint32_t)(uintptr_t)jump_target)

/* Instructions that take W0: name, W0, result. */
#define CONSUMERS(X) \
        X(c_add_rr, 0x7fff0008, 0x7fff123c)     \
        X(c_add_rs2, 0x7fff0008, 0x7fff123c)    \
        X(c_add_twice, 0x7fff0008, 0xfffe0010)  \
        X(c_add_ri, 0x7fff0008, 0x7fff000f)     \
        X(c_mov, 0x7fff0008, 0x7fff0008)        \
        X(c_cmp, 7, 0x1)                        \
        X(c_addx, 0x7fff0008, 0x7fff0009)       \
        X(c_addxcc, 0xffffffff, 0x1)            \
        X(c_subx, 0x7fff0008, 0x7fff0007)       \
        X(c_xorcc, 0x7fff0008, 0x7fff123c)      \
        X(c_andn, 0x7fff0008, 0x7fff0008)       \
        X(c_orn, 0x7fff0008, 0x8000fff7)        \
        X(c_xnor, 0x7fff0008, 0x8000edc3)       \
        X(c_sll, 36, 0x12340)                   \
        X(c_srl, 0x80000010, 0x8000001)         \
        X(c_sra, 0x80000010, 0xf8000001)        \
        X(c_sethi, 5, 0x12345400)               \
        X(c_taddcc, 0x11, 0x1246)               \
        X(c_tsubcctv, 0x5238, 0x4004)           \
        X(c_mulscc, 0x20, 0x1244)               \
        X(c_wry, 0x7fff0008, 0x7fff0008)        \
        X(c_ld, SCRATCH, 0x81828384)            \
        X(c_ld_ri, SCRATCH, 0x5)                \
        X(c_ld_rr, 4, 0x5)                      \
        X(c_ldub, SCRATCH, 0x82)                \
        X(c_lduh, SCRATCH, 0x8384)              \
        X(c_ldsb, SCRATCH, 0xffffff81)          \
        X(c_ldsh, SCRATCH, 0xffff8182)          \
        X(c_ldd, SCRATCH, 0x81828389)           \
        X(c_st_data, 0x7fff0008, 0x7fff0008)    \
        X(c_stb_data, 0x7fff0008, 0x8)          \
        X(c_sth_data, 0x7fff0008, 0x8)          \
        X(c_st_addr, SCRATCH, 0x1234)           \
        X(c_st_both, SCRATCH, SCRATCH)          \
        X(c_std, SCRATCH, 0x4)                  \
        X(c_ldstub, SCRATCH, 0x81)              \
        X(c_swap, SCRATCH, 0x81828384)          \
        X(c_jmpl, JUMP, 0x5)                    \
        X(c_call, 0x7fff0008, 0x7fff0008)       \
        X(c_taken, 0x7fff0008, 0x7fff0008)      \
        X(c_untaken, 0x7fff0008, 0x7fff0009)    \
        X(c_annulled, 0x7fff0008, 0x7fff0008)   \
        X(c_slot_load, SCRATCH, 0x81828384)     \
        X(c_after, 4, 0x5)                      \
        X(c_flush, SCRATCH, 0x6)                \
        X(c_await, 0, 0x8)

/* Types of traps (SPARC V8 manual, table 7-1). */
#define TT_ILLEGAL      0x02
#define TT_PRIVILEGED   0x03
#define TT_FP_DISABLED  0x04
#define TT_ALIGN        0x07
#define TT_TAG          0x0a

/* Instructions that stop the slot, and take nothing: name, W0, type of the trap. */
#define STOPPERS(X) \
        X(f_ld, SCRATCH + 1, TT_ALIGN)     \
        X(f_st, 1, TT_ALIGN)               \
        X(f_ldd, SCRATCH + 4, TT_ALIGN)    \
        X(f_jmpl, 2, TT_ALIGN)             \
        X(f_swap, SCRATCH + 2, TT_ALIGN)   \
        X(f_taddcctv, 1, TT_TAG)           \
        X(f_slot, SCRATCH + 1, TT_ALIGN)   \
        X(i_both, 1, TT_ILLEGAL)           \
        X(i_std, 1, TT_ILLEGAL)            \
        X(i_mov, 1, TT_ILLEGAL)            \
        X(i_same, 1, TT_ILLEGAL)           \
        X(i_head, 1, TT_ILLEGAL)           \
        X(i_sethi, 1, TT_ILLEGAL)          \
        X(i_ld, 1, TT_ILLEGAL)             \
        X(i_ldd, 1, TT_ILLEGAL)            \
        X(i_swap, 1, TT_ILLEGAL)           \
        X(i_rdy, 1, TT_ILLEGAL)            \
        X(i_save, 1, TT_ILLEGAL)           \
        X(i_restore, 1, TT_ILLEGAL)        \
        X(i_ta, 1, TT_ILLEGAL)             \
        X(i_tn, 1, TT_ILLEGAL)             \
        X(i_ldf, SCRATCH, TT_FP_DISABLED)  \
        X(i_fadds, 1, TT_FP_DISABLED)      \
        X(i_fba, 1, TT_FP_DISABLED)        \
        X(i_rdpsr, 1, TT_PRIVILEGED)       \
        X(i_lda, SCRATCH, TT_PRIVILEGED)   \
        X(i_unimp, 1, TT_ILLEGAL)          \
        X(i_dispatch, 1, TT_ILLEGAL)

#endif
