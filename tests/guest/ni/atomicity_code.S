/*
 * User code whose cycles the atomicity timer counts: three for each turn of a
 * loop.
 *
 * All are leaf routines that return to their caller. An interrupt is taken at
 * the end of a turn; %o0 then has the number of turns that remain.
 */
#include "ni_asm.h"
#include "turns.h"

        .section .text
        .global spin_user, spin_section, spin_dispose_spin

/* spin_user(turns): on entry turns in %o0, uses %o0. */
        .align  16
spin_user:
        TURNS   %o0
        retl
         nop

/* spin_section(turns): spin_user in an atomic section with timer-force. */
        .align  16
spin_section:
        BEGINATOM(FUGU_UAC_TIMER_FORCE)
        TURNS   %o0
        ENDATOM(FUGU_UAC_TIMER_FORCE)
        retl
         nop

/*
 * spin_dispose_spin(turns): on entry, %o0 has the turns before a dispose in
 * the upper half and the turns after it in the lower half; uses %o1, %o2.
 */
        .align  16
spin_dispose_spin:
        srl     %o0, 16, %o1
        sll     %o0, 16, %o2
        srl     %o2, 16, %o2
        TURNS   %o1
        DISPOSE
        TURNS   %o2
        retl
         nop
