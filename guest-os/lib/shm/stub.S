/*
 * Stubs of upcalls, and switches of the first thread's stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "window.h"

/* Frames: room for %g4, or for struct interrupted (carry.h) */
#define KEEP            (FRAME + 8)
#define KEEP_CODE       (FRAME + 56)
#define CODE_PC         FRAME
#define CODE_NPC        (FRAME + 4)
#define CODE_GLOBAL(n)  (FRAME + 4 + 4 * (n))
#define CODE_OUT(n)     (FRAME + 24 + 4 * (n))

        .cfi_sections .debug_frame

/*
 * An upcall calls a C function with the upcall's %o0 and %o1, the interrupted pc and
 * the interrupted PSR. The function runs on the interrupted code's stack, below its
 * last frame. That is safe: the kernel has spilled no window since the upcall, so
 * nothing has been stored at the old %sp.
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc of the interrupted code; in UAC
 *            interrupt-disable is set.
 * Uses:      %l3 to %l6 for %g1 to %g3 and y, and a word of its frame for %g4. A
 *            debugger finds the interrupted code's values there (GDB's numbers of
 *            registers: 1 to 4 are globals, 16 to 22 %l0 to %l6, 64 is y, 65 the PSR,
 *            68 and 69 are pc and npc).
 * Leaves to: the interrupted code at %l1 and %l2.
 *
 * UPCALL_BEGIN keep, g4: makes a frame of `keep` bytes, with %g4 at `g4`, and keeps
 * the other globals.
 * UPCALL_CALL function, UPCALL_END g4: calls the function, and leaves.
 */
        .macro  UPCALL_BEGIN keep, g4
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_register 65, 16
        .cfi_register 68, 17
        .cfi_register 69, 18
        sub     %fp, \keep, %sp
        st      %g4, [%sp + \g4]
        .cfi_offset 4, \g4 - (\keep)
        mov     %g1, %l3
        .cfi_register 1, 19
        mov     %g2, %l4
        .cfi_register 2, 20
        mov     %g3, %l5
        .cfi_register 3, 21
        rd      %y, %l6
        .cfi_register 64, 22
        .endm

        .macro  UPCALL_CALL function
        mov     %l0, %o3
        call    \function
         mov    %l1, %o2                ! delay slot
        .endm

        .macro  UPCALL_END g4
        ld      [%sp + \g4], %g4
        mov     %l3, %g1
        mov     %l4, %g2
        mov     %l5, %g3
        wr      %l6, %y
        ta      GLAZE_TRAP_RETURN
        .cfi_endproc
        .endm

        .section .text
        .global shm_fault_stub, shm_alarm_stub, shm_run, shm_run_end, shm_switch

/*
 * A fault. The function may do the interrupted code's store: it finds the code in a
 * struct interrupted (carry.h), as its fifth argument, and says there where it goes on.
 */
shm_fault_stub:
        UPCALL_BEGIN KEEP_CODE, CODE_GLOBAL(4)
        st      %l1, [%sp + CODE_PC]
        st      %l2, [%sp + CODE_NPC]
        st      %g1, [%sp + CODE_GLOBAL(1)]
        st      %g2, [%sp + CODE_GLOBAL(2)]
        st      %g3, [%sp + CODE_GLOBAL(3)]
        std     %i0, [%sp + CODE_OUT(0)]
        std     %i2, [%sp + CODE_OUT(2)]
        std     %i4, [%sp + CODE_OUT(4)]
        std     %i6, [%sp + CODE_OUT(6)]
        add     %sp, CODE_PC, %o4
        UPCALL_CALL shm_fault
        ld      [%sp + CODE_PC], %l1
        ld      [%sp + CODE_NPC], %l2
        UPCALL_END CODE_GLOBAL(4)

/* An alarm. */
shm_alarm_stub:
        UPCALL_BEGIN KEEP, FRAME
        UPCALL_CALL shm_alarm
        UPCALL_END FRAME

/*
 * shm_switch(sp, function): calls the function on another stack; it does not
 * return.
 */
        .cfi_startproc
        .cfi_undefined 15
shm_switch:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %sp
        mov     %g0, %fp
        mov     %g0, %i7
        jmpl    %o1, %o7
         nop                            ! delay slot
        ta      GLAZE_TRAP_BREAK        ! not reached
        .cfi_endproc

/*
 * shm_run(sp, function, argument): calls the function on another stack. Returns
 * when it returns, or when shm_run_end() is called in it.
 */
        .cfi_startproc
shm_run:
        save    %sp, -FRAME, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        ta      GLAZE_TRAP_FLUSH
        set     run_sp, %o3
        st      %sp, [%o3]
        WINDOW_STORE %sp
        mov     %i2, %o0
        mov     %i0, %sp
        jmpl    %i1, %o7
         nop                            ! delay slot
        ba,a    1f
        .cfi_endproc

shm_run_end:
        .cfi_startproc
        .cfi_undefined 15
1:      ta      GLAZE_TRAP_FLUSH
        set     run_sp, %o3
        ld      [%o3], %sp
        WINDOW_LOAD %sp                 ! of shm_run()
        ret
         restore
        .cfi_endproc

        .section .bss
        .align  4
run_sp: .skip   4
