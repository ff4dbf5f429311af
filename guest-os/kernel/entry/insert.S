/*
 * Virtual buffering in its steady state: a message goes to the buffer (paper,
 * section 4.2; table 5). The other half, a user's dispose, which drops the
 * oldest message, is in the trap table (fast.h).
 *
 * Both handle only the cases without a decision. extend.c gives the buffer its
 * first page and the next one, where that is simple. C (buffer.c) handles all
 * else: the last message, and pages that are used up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/handler.h"
#include "machine/process.h"
#include "machine/psr.h"
#include "machine/windows.h"
#include "rows.h"

        .section .fast, "ax"
        .global message_insert, message_of_kernel, dispose_slow

/*
 * message_insert: interrupt 11, mismatch-available.
 *
 * On entry:  in T, which may be invalid, traps disabled; %l0 PSR, %l1 and %l2
 *            pc and npc, %l3 the NI's kernel page, %l4 the head's GID.
 * Uses:      %l3 to %l7.
 * Leaves to: pc, with the message in the buffer of the process that it is for.
 *            If that buffer was empty, extend() has seen to it that the user
 *            need not be told. In all other cases to C.
 *
 * The kernel reaches the record through its mapping of the RAM. The words of
 * the record were zero. DMA writes the message's words, and the store that
 * makes the record available comes last.
 */
        CFI_TRAP
        ROW     dispatch_upcall
message_insert:
        ld      [%l3 + FUGU_K_HEAD + FUGU_HEAD_KERNEL], %l5
        tst     %l5
        bne     message_of_kernel
         ld     [%l3 + FUGU_K_HEAD + FUGU_HEAD_BODY], %l6       ! delay slot
        ROW     none
        tst     %l6
        bne     insert_body
         cmp    %l4, GID_MAX            ! delay slot: the next test
        bgu     insert_slow
         sll    %l4, 2, %l4             ! delay slot: index into the table
        set     processes, %l5
        ld      [%l5 + %l4], %l5
        tst     %l5
        be      insert_slow
         nop                            ! delay slot: %l5 might be 0
insert_record:
        ldd     [%l5 + P_INSERT], %l6   ! next slot, end of the page
        cmp     %l6, %l7
        bgeu    insert_late
         st     %l6, [%l3 + FUGU_K_DMA_ADDR]    ! delay slot: harmless
        wr      %l0, %psr               ! PSR: condition codes, which this code
                                        ! needs no more. Three instructions
                                        ! until they hold
insert_head:
        ld      [%l3 + FUGU_K_HEAD + FUGU_HEAD_LENGTH], %l4
        mov     1, %l7
        st      %l7, [%l3 + FUGU_K_DMA_ARM]
        DISPOSE
        st      %l4, [%l6 + FUGU_REC_LENGTH]
        st      %l7, [%l6 + FUGU_REC_AVAILABLE]
        add     %l6, RECORD_SIZE, %l6
        st      %l6, [%l5 + P_INSERT]
        ldd     [%l5 + P_TAIL], %l6     ! this record, and where to note it
        st      %l6, [%l7]
        add     %l6, RECORD_SIZE, %l6
        st      %l6, [%l5 + P_TAIL]
        ld      [%l5 + P_INFO + GLAZE_I_INSERTED], %l6
        inc     %l6
        st      %l6, [%l5 + P_INFO + GLAZE_I_INSERTED]
        .irp    r, 3, 4, 5, 6, 7        ! the message may be for another
        clr     %l\r                    ! process, and this user can enter T
        .endr
        jmp     %l1
         rett   %l2                     ! delay slot of jmp

/*
 * insert_late: a page that is full, or with glaze.buffer-latency any page: then
 * insert_end is 0. The latter takes LATENCY_LEAST + LATENCY_TURN * latency_turns
 * cycles more than without (latency.h).
 *
 * On entry:  %l5 process, %l6 next slot, which the DMA engine has.
 */
insert_late:
        ld      [%l5 + P_LATE_END], %l7
        cmp     %l6, %l7
        bgeu    insert_page
         sethi  %hi(latency_turns), %l7         ! delay slot
        ld      [%l7 + %lo(latency_turns)], %l7
        deccc   %l7
1:      bge     1b
         deccc  %l7                     ! delay slot
        ba      insert_head
         wr     %l0, %psr               ! delay slot: as above

/*
 * insert_page: the newest page of the buffer is full, or the buffer is empty.
 * Calls extend() in the window below T.
 *
 * On entry:  %l5 process.
 * Uses:      also the outs of T, and the window below. They hold words of the
 *            kernel then, and are cleared.
 * Leaves to: insert_record, with a page for the record, and %g6 as extend()
 *            has returned it. To C if a window would have to be spilled first
 *            (the test is that of message_upcall), or if extend() returns 0.
 */
insert_page:
        rd      %wim, %l3
        add     %l3, %l3, %l4
        or      %l3, %l4, %l4
        srl     %l4, %l0, %l4
        andcc   %l4, 0x101, %g0
        bne     insert_slow
         mov    %g1, %l3                ! delay slot
        .cfi_register 1, CFI_TRAP_L + 3
        mov     %g2, %l4
        .cfi_register 2, CFI_TRAP_L + 4
        mov     %g3, %l6
        mov     %g4, %l7
        CFI_GLOBALS 3, 4
        mov     %g6, %o1
        set     kernel_stack_top - FRAME_MIN, %sp
        call    extend
         mov    %l5, %o0                ! delay slot: the process
        mov     %l3, %g1
        mov     %l4, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        CFI_GLOBALS_LIVE
        orcc    %o0, %g0, %l4
        save
        WINDOW_CLEAR i
        WINDOW_CLEAR l
        WINDOW_CLEAR o
        restore
        be      insert_slow
         sethi  %hi(FUGU_NI_KERNEL_BASE), %l3   ! delay slot
        ba      insert_record
         mov    %l4, %g6                ! delay slot

/*
 * insert_body: the same for a message with a body, if the page of the newest
 * body has room for it.
 *
 * On entry:  as message_insert; %l6 bytes of the body; condition codes: %l4
 *            compared to GID_MAX.
 * Leaves to: insert_head, with %l6 the record's physical address.
 */
insert_body:
        bgu     insert_slow
         sll    %l4, 2, %l4             ! delay slot: index into the table
        set     processes, %l5
        ld      [%l5 + %l4], %l5
        tst     %l5
        be      insert_slow
         add    %l6, 7, %l4             ! delay slot
        andn    %l4, 7, %l4             ! bytes of the page, a multiple of 8
        ldd     [%l5 + P_BODY], %l6     ! where it goes, and to physical
        add     %l6, %l7, %l7
        st      %l7, [%l3 + FUGU_K_DMA_BODY]    ! harmless
        neg     %l6
        and     %l6, GLAZE_PAGE - 1, %l6        ! room; 0: no frame
        cmp     %l4, %l6
        bgu     insert_slow
         nop                            ! delay slot
        ldd     [%l5 + P_INSERT], %l6   ! next slot, end of the page
        cmp     %l6, %l7
        bgeu    insert_slow
         st     %l6, [%l3 + FUGU_K_DMA_ADDR]    ! delay slot: harmless
        ld      [%l5 + P_BODY], %l7
        wr      %l0, %psr               ! PSR: condition codes. Three
                                        ! instructions until they hold
        st      %l7, [%l6 + RECORD_BODY]
        add     %l7, %l4, %l7
        st      %l7, [%l5 + P_BODY]
        ld      [%l3 + FUGU_K_HEAD + FUGU_HEAD_BODY], %l4
        ba      insert_head
         st     %l4, [%l6 + FUGU_REC_BODY]      ! delay slot

insert_slow:
        ba      trap_slow
         mov    FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), %l3     ! delay slot

/*
 * message_of_kernel: runs the handler of a message from another kernel (table
 * 4, "FUGU kernel mode").
 *
 * On entry:  as message_insert.
 * Uses:      %l4 to %l7.
 * Leaves to: the handler, then to pc. The handler's address needs no check:
 *            all nodes run the same image of the kernel.
 *
 * A handler may use %g1 to %g4. It may call no function, because the window
 * below may not be free. It disposes of its message and leaves to %l3 + 8; or
 * to %l3 - MESSAGE_TO_C, which is insert_slow.
 */
        ROW     dispatch_upcall
message_of_kernel:
        ld      [%l3 + FUGU_K_HEAD + FUGU_HEAD_WORDS + 4], %l3
        ROW     register_save
        mov     %g1, %l4
        mov     %g2, %l5
        mov     %g3, %l6
        ROW     dispatch_upcall
        .if     . - insert_slow - MESSAGE_TO_C
        .error  "MESSAGE_TO_C is wrong"
        .endif
        jmpl    %l3, %l3
        ROW     register_save
         mov    %g4, %l7                ! delay slot
        CFI_GLOBALS
        ROW     register_restore
        wr      %l0, %psr               ! PSR: condition codes. Three
                                        ! instructions until they hold
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        jmp     %l1
         rett   %l2                     ! delay slot of jmp
        ROW     none

/* C handles a dispose after which the head is not simply the next record. */
        CFI_GLOBALS_LIVE
dispose_slow:
        ba      trap_slow
         mov    FUGU_TT_DISPOSE_EXTEND, %l3     ! delay slot
        .cfi_endproc
