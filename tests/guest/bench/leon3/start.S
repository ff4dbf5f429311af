/*
 * The start of a benchmark on QEMU's leon3_generic: a trap table that handles
 * only register windows, a stack, and the end.
 */
#include "psr.h"

#define STACK_TOP       0x40400000      /* 4 MiB of the RAM's 128 */

        .macro  VECTOR target
        rd      %psr, %l0
        sethi   %hi(\target), %l4
        jmp     %l4 + %lo(\target)
         nop                            ! delay slot: not filled
        .endm

        .section .vectors, "ax"
        .global reset
trap_table:
reset:
        ba      start                   ! 00 reset; QEMU starts at the entry
         nop                            ! delay slot: not filled
        nop
        nop
        .rept   4
        VECTOR  stop                    ! 01 to 04
        .endr
        VECTOR  window_overflow         ! 05
        VECTOR  window_underflow        ! 06
        .rept   256 - 7
        VECTOR  stop                    ! 07 to ff: not expected
        .endr

        .section .text
/*
 * start: on entry supervisor mode, traps disabled. Uses everything. Calls
 * main(), then continues at stop.
 */
start:
        set     trap_table, %g1
        wr      %g1, %tbr
        wr      %g0, 1 << 1, %wim       ! WIM: window 1 is invalid
        wr      %g0, PSR_S | PSR_PIL | PSR_EF, %psr     ! PSR: window 0, FPU on
        nop                             ! three instructions until they hold
        nop
        nop
        set     STACK_TOP - FRAME_MIN, %sp
        mov     %g0, %fp
        wr      %g0, PSR_S | PSR_ET | PSR_PIL | PSR_EF, %psr    ! PSR: traps on
        nop
        nop
        nop
        call    main
         nop                            ! delay slot: main has no arguments

/*
 * stop: ends QEMU. With traps disabled, its LEON3 powers off at ta 0.
 */
stop:
        wr      %g0, PSR_S | PSR_PIL | PSR_EF, %psr     ! PSR: traps off
        nop
        nop
        nop
        ta      0
         nop
