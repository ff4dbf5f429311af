/*
 * What a kernel does in place of hard atomicity, piece by piece, as
 * docs/soft-kernel.md has it; timed by itself.
 */
#include "psr.h"
#include "ni_asm.h"
#include "softcost.h"

/* The cycle timer as a displacement from the NI's kernel page. */
#define TIMER(offset)   (FUGU_TIMER_BASE - FUGU_NI_KERNEL_BASE + (offset))

/* A beginatom or endatom of a constant, without op and mask, in place. */
#define SHAPE(opc)      ((FUGU_INSN(opc, 0, 0, 0) << 7) & 0xffffffff)

        .macro  BEGIN name
        .align  16
        .global \name
\name:
        ldd     [%g0 + CYCLES], %o2
        .endm

        .macro  END
        ldd     [%g0 + CYCLES], %o4
        retl
         sub    %o5, %o3, %o0           ! delay slot: the result
        .endm

        .section .text

/*
 * c_*(): a piece of the way into a handler, or out of it, between two reads
 * of the clock. Executed twice: the second time all lines are in the cache.
 *
 * On entry:  called from C in kernel mode, interrupts masked, the user's
 *            message at the head.
 * Uses:      %o0 to %o5, %g1 to %g4.
 * Leaves to: its caller, cycles in %o0, or 0 if it would leave the fast path.
 */

/* Is the head this process's? Its K_HEAD has the GID in a word of its own. */
        BEGIN   c_gid_check
        sethi   %hi(FUGU_NI_KERNEL_BASE), %g2
        ld      [%g2 + FUGU_K_HEAD + FUGU_HEAD_GID], %g3
        ld      [%g2 + FUGU_K_GID], %g4
        cmp     %g3, %g4
        bne     slow
         sethi  %hi(softcost_process), %g1      ! delay slot: for what follows
        END

/* Fast mode, no atomic section, nothing held? One word says it all. */
        BEGIN   c_mode_test
        sethi   %hi(softcost_process), %g1
        ld      [%g1 + P_MODE], %g3
        tst     %g3
        bne     slow
         nop                            ! delay slot: the next piece's first
        END

/* The handler's bound: the cycle timer's, until the handler's end. */
        BEGIN   c_timer_setup
        sethi   %hi(softcost_process), %g1
        sethi   %hi(FUGU_NI_KERNEL_BASE), %g2
        ldd     [%g2 + TIMER(FUGU_TIMER_NOW)], %o0
        ld      [%g1 + P_TIMEOUT], %g3
        addcc   %o1, %g3, %o1
        addx    %o0, 0, %o0
        std     %o0, [%g2 + TIMER(FUGU_TIMER_COMPARE)]
        END

/* The quantum's end is what the timer waits for again. */
        BEGIN   c_timer_cleanup
        sethi   %hi(softcost_process), %g1
        sethi   %hi(FUGU_NI_KERNEL_BASE), %g2
        ldd     [%g1 + P_QUANTUM], %o0
        std     %o0, [%g2 + TIMER(FUGU_TIMER_COMPARE)]
        END

slow:   retl
         mov    0, %o0                  ! delay slot: the result

/*
 * e_*(): P_COUNT operations that the vector below emulates.
 *
 * On entry, uses, leaves to: as above, with %g1 for the trap table.
 */
        .macro  EMULATED name, operation
        .align  16
        .global \name
\name:
        rd      %tbr, %g1
        sethi   %hi(softcost_table), %g2
        wr      %g2, %tbr               ! TBR: for this piece alone
        nop
        nop
        nop
        ldd     [%g0 + CYCLES], %o2
        .rept   P_COUNT
        \operation
        .endr
        ldd     [%g0 + CYCLES], %o4
        andn    %g1, 0xff0, %g1
        wr      %g1, %tbr               ! TBR: as it was; the type is not ours
        nop
        nop
        nop
        retl
         sub    %o5, %o3, %o0           ! delay slot: the result
        .endm

        EMULATED e_beginatom, BEGINATOM(FUGU_UAC_USER)
        EMULATED e_endatom, ENDATOM(FUGU_UAC_USER)

/*
 * emulate: beginatom and endatom of a constant.
 *
 * On entry:  from the vector: %l0 PSR, %l1 pc, %l2 npc, traps disabled;
 *            %l4 the instruction.
 * Uses:      the trap window's locals.
 * Leaves to: npc; to emulate_slow for whatever it does not know.
 */
emulate:
        sll     %l4, 7, %l5             ! without op and mask
        sethi   %hi(SHAPE(FUGU_OPC_BEGINATOM)), %l7
        ld      [%l6 + P_UAC], %l3
        srl     %l4, 25, %l4            ! the mask, and op above it
        cmp     %l5, %l7
        be      1f
         and    %l4, FUGU_UAC_USER, %l4 ! delay slot: both need it
        sethi   %hi(SHAPE(FUGU_OPC_ENDATOM)), %l7
        cmp     %l5, %l7
        bne     emulate_slow
         andcc  %l3, FUGU_UAC_ATOMICITY_EXTEND, %g0     ! delay slot: wanted
        bne     emulate_slow                            ! if it was endatom
         andn   %l3, %l4, %l3           ! delay slot: endatom
        ba      2f
         st     %l3, [%l6 + P_UAC]
1:      or      %l3, %l4, %l3           ! beginatom
        st      %l3, [%l6 + P_UAC]
2:      wr      %l0, %psr               ! PSR: the condition codes
        nop
        nop
        nop
        jmp     %l2
         rett   %l2 + 4
emulate_slow:
        unimp   0                       ! error mode: a test would not pass

        .align  4096
softcost_table:
        .org    softcost_table + 16 * TT_CP_DISABLED
        rd      %psr, %l0
        ld      [%l1], %l4
        ba      emulate
         sethi  %hi(softcost_process), %l6      ! delay slot: for emulate
        .org    softcost_table + 4096

        .section .bss
        .global softcost_process
        .align  1024                    ! so that %lo of it is 0
softcost_process:
        .skip   P_SIZE
