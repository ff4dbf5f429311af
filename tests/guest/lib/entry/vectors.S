/*
 * The trap table: 256 vectors of four instructions, at address 0.
 *
 * A vector is entered with traps disabled and in a new window, which may be
 * the invalid one, with pc and npc of the interrupted code in %l1 and %l2. The
 * vector passes on the PSR in %l0 and the trap type in %l3.
 */
#include "psr.h"
#include "fugu-regs.h"

        .macro  VECTOR target, tt
        rd      %psr, %l0
        sethi   %hi(\target), %l4
        jmp     %l4 + %lo(\target)
         mov    \tt, %l3                ! delay slot: the trap type
        .endm

        .macro  VECTORS target, from, count
        .set    vector_tt, \from
        .rept   \count
        VECTOR  \target, vector_tt
        .set    vector_tt, vector_tt + 1
        .endr
        .endm

        .section .vectors, "ax"
        .global reset, trap_table
trap_table:
reset:
        ba      start                           ! 00 reset: pc 0 at cycle 0
         nop                                    ! delay slot: not filled
        nop
        nop
        VECTOR  trap_entry, 0x01                ! instruction access: no page
        VECTOR  trap_entry, 0x02                ! illegal instruction
        VECTOR  trap_entry, 0x03                ! privileged instruction
        VECTOR  trap_entry, 0x04                ! floating-point unit disabled
        VECTOR  window_overflow, 0x05           ! save into the invalid window
        VECTOR  window_underflow, 0x06          ! restore into it
        VECTOR  trap_entry, 0x07                ! address not aligned
        VECTOR  trap_entry, 0x08                ! floating-point exception
        VECTOR  trap_entry, 0x09                ! data access: no page, rights
        VECTOR  trap_entry, 0x0a                ! tag overflow
        VECTORS trap_entry, 0x0b, 0x11 - 0x0b   ! (reserved)
        VECTORS trap_entry, 0x11, 5             ! interrupts 1 to 5: unused
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_CONSOLE)
        VECTOR  trap_entry, FUGU_TT_IRQ(7)      ! interrupt 7: unused
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_DISK)
        VECTOR  trap_entry, FUGU_TT_IRQ(9)      ! interrupt 9: unused
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_MESSAGE)
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_MISMATCH)
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT)
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_TIMER)
        VECTOR  trap_entry, FUGU_TT_IRQ(FUGU_IRQ_SECOND)
        VECTOR  trap_entry, FUGU_TT_IRQ(15)     ! interrupt 15: unused
        VECTORS trap_entry, 0x20, 4             ! (reserved)
        VECTOR  trap_entry, 0x24                ! coprocessor disabled
        VECTORS trap_entry, 0x25, 0x60 - 0x25   ! (reserved)
        VECTOR  trap_entry, 0x60                ! (reserved)
        VECTOR  trap_entry, FUGU_TT_DISPOSE_FAILURE
        VECTOR  trap_entry, FUGU_TT_BAD_DISPOSE
        VECTOR  trap_entry, FUGU_TT_ATOMICITY_EXTEND
        VECTOR  trap_entry, FUGU_TT_PROTECTION_VIOLATION
        VECTOR  trap_entry, FUGU_TT_STOREBACK_EXTEND
        VECTORS trap_entry, 0x66, 2             ! (reserved)
        VECTOR  trap_entry, FUGU_TT_DISPOSE_EXTEND
        VECTORS trap_entry, 0x69, 0x80 - 0x69   ! (reserved)
        VECTORS trap_entry, 0x80, 0x80          ! software traps: ta 0 to 127

        .if     . - trap_table - 0x1000
        .error  "the trap table is not 256 vectors long"
        .endif
