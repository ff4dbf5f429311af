/*
 * Handlers that read message words by each class of instruction.
 *
 * Body: DestAddr, which is dropped, a word W0 and a word W1. A handler leaves its
 * result in %l4, and the next word, W1 if the instruction has popped one, in %l5.
 */
#include "slots.h"

#define CASE(name)                      \
        .balign 32;                     \
        .global name;                   \
name:   mov     MSGBODY, %g0;           \
        set     scratch, %l1;           \
        set     0x1234, %l0;            \
        clr     %l4

#define END                             \
        mov     MSGBODY, %l5;           \
        ba      finish;                 \
         nop

        .section .text
        .balign 32
        .global slot_code
slot_code:
        NEXT_MESSAGE

finish: set     result, %l1
        st      %l4, [%l1]
        st      %l5, [%l1 + 4]
        mov     1, %l4
        st      %l4, [%l1 + 8]
        NEXT_MESSAGE

CASE(c_add_rr)
        add     MSGBODY, %l0, %l4
        END

CASE(c_add_rs2)
        add     %l0, MSGBODY, %l4
        END

CASE(c_add_twice)
        add     MSGBODY, MSGBODY, %l4
        END

CASE(c_add_ri)
        add     MSGBODY, 7, %l4
        END

CASE(c_mov)
        mov     MSGBODY, %l4
        END

CASE(c_cmp)
        cmp     MSGBODY, 7
        bne     1f
         nop
        mov     1, %l4
1:
        END

CASE(c_addx)
        subcc   %g0, 1, %g0
        addx    MSGBODY, 0, %l4
        END

CASE(c_addxcc)
        subcc   %g0, 1, %g0
        addxcc  MSGBODY, %g0, %l4
        addx    %l4, 0, %l4
        END

CASE(c_subx)
        subcc   %g0, 1, %g0
        subx    MSGBODY, 0, %l4
        END

CASE(c_xorcc)
        xorcc   MSGBODY, %l0, %l4
        END

CASE(c_andn)
        andn    MSGBODY, %l0, %l4
        END

CASE(c_orn)
        orn     %l0, MSGBODY, %l4
        END

CASE(c_xnor)
        xnor    MSGBODY, %l0, %l4
        END

CASE(c_sll)
        sll     %l0, MSGBODY, %l4
        END

CASE(c_srl)
        srl     MSGBODY, 4, %l4
        END

CASE(c_sra)
        sra     MSGBODY, 4, %l4
        END

CASE(c_sethi)
        sethi   %hi(0x12345400), %l4
        mov     MSGBODY, %g0
        END

CASE(c_taddcc)
        taddcc  MSGBODY, %l0, %l4
        bvc     1f
         nop
        inc     %l4
1:
        END

CASE(c_tsubcctv)
        tsubcctv MSGBODY, %l0, %l4
        END

CASE(c_mulscc)
        wr      %g0, 1, %y
        andcc   %g0, %g0, %g0
        mulscc  MSGBODY, %l0, %l4
        END

CASE(c_wry)
        wr      MSGBODY, 0, %y
        rd      %y, %l4
        END

CASE(c_ld)
        ld      [MSGBODY], %l4
        END

CASE(c_ld_ri)
        ld      [MSGBODY + 4], %l4
        END

CASE(c_ld_rr)
        ld      [%l1 + MSGBODY], %l4
        END

CASE(c_ldub)
        ldub    [MSGBODY + 1], %l4
        END

CASE(c_lduh)
        lduh    [MSGBODY + 2], %l4
        END

CASE(c_ldsb)
        ldsb    [MSGBODY], %l4
        END

CASE(c_ldsh)
        ldsh    [MSGBODY], %l4
        END

CASE(c_ldd)
        ldd     [MSGBODY], %l2
        add     %l2, %l3, %l4
        END

CASE(c_st_data)
        st      MSGBODY, [%l1]
        ld      [%l1], %l4
        END

CASE(c_stb_data)
        stb     MSGBODY, [%l1]
        ldub    [%l1], %l4
        END

CASE(c_sth_data)
        sth     MSGBODY, [%l1]
        lduh    [%l1], %l4
        END

CASE(c_st_addr)
        st      %l0, [MSGBODY]
        ld      [%l1], %l4
        END

CASE(c_st_both)
        st      MSGBODY, [MSGBODY]
        ld      [%l1], %l4
        END

CASE(c_std)
        mov     3, %l2
        mov     4, %l3
        std     %l2, [MSGBODY]
        ld      [%l1 + 4], %l4
        END

CASE(c_ldstub)
        ldstub  [MSGBODY], %l4
        END

CASE(c_swap)
        mov     9, %l4
        swap    [MSGBODY], %l4
        END

CASE(c_jmpl)
        jmpl    MSGBODY, %o7
         mov     5, %l4
        mov     77, %l4
        END

CASE(c_call)
        call    1f
         mov     MSGBODY, %l4
        mov     77, %l4
1:
        END

CASE(c_taken)
        cmp     %g0, 0
        be      1f
         mov     MSGBODY, %l4
        mov     77, %l4
1:
        END

CASE(c_untaken)
        cmp     %g0, 1
        be      1f
         mov     MSGBODY, %l4
        inc     %l4
1:
        END

CASE(c_annulled)
        cmp     %g0, 1
        be,a    1f
         mov     MSGBODY, %l4
        mov     MSGBODY, %l4
1:
        END

CASE(c_slot_load)
        cmp     %g0, 0
        be      1f
         ld      [MSGBODY], %l4
        mov     77, %l4
1:
        END

CASE(c_after)
        subcc   MSGBODY, 9, %l4
        bg      1f
         nop
        neg     %l4
1:
        END

CASE(c_flush)
        flush   MSGBODY
        mov     6, %l4
        END

CASE(c_await)
        .word   FUGU_INSN(FUGU_OPC_AWAIT, 0, G7, 0)
        mov     8, %l4
        END


        .balign 32
        .global jump_target
jump_target:
        jmp     %o7 + 12
         nop

! Where %l4 is 1, the handler has gone on behind what should have stopped it.
CASE(f_ld)
        ld      [MSGBODY], %l4
        END

CASE(f_st)
        st      MSGBODY, [%l1 + 1]
        END

CASE(f_ldd)
        ldd     [MSGBODY], %l2
        END

CASE(f_jmpl)
        jmpl    MSGBODY, %o7
         nop
        END

CASE(f_swap)
        swap    [MSGBODY], %l4
        END

CASE(f_taddcctv)
        taddcctv MSGBODY, %l0, %l4
        END

CASE(f_slot)
        cmp     %g0, 0
        be      1f
         ld      [MSGBODY], %l4
1:
        END

CASE(i_both)
        add     MSGBODY, MSGHEAD, %l4
        END

CASE(i_std)
        .word   0xcc3c4000
        END

CASE(i_mov)
        mov     1, MSGBODY
        END

CASE(i_same)
        add     MSGBODY, 1, MSGBODY
        END

CASE(i_head)
        mov     1, MSGHEAD
        END

CASE(i_sethi)
        sethi   1, MSGHEAD
        END

CASE(i_ld)
        ld      [%l1], MSGBODY
        END

CASE(i_ldd)
        .word   0xcc1c4000
        END

CASE(i_swap)
        swap    [%l1], MSGBODY
        END

CASE(i_rdy)
        rd      %y, MSGBODY
        END

CASE(i_save)
        save    %sp, 0, %sp
        END

CASE(i_restore)
        restore
        END

CASE(i_ta)
        ta      0
        END

CASE(i_tn)
        tn      0
        END

CASE(i_ldf)
        ld      [MSGBODY], %f0
        END

CASE(i_fadds)
        fadds   %f0, %f1, %f2
        END

CASE(i_fba)
        fba     1f
         nop
1:
        END

CASE(i_rdpsr)
        rd      %psr, %l4
        END

CASE(i_lda)
        lda     [MSGBODY] 10, %l4
        END

CASE(i_unimp)
        unimp   0
        END

CASE(i_dispatch)
        jmp     MSGHEAD
         mov     1, %l4
        END


! %o0 DestAddr, %o1 HandlerIP, %o2 W0, %o3 W1
        .global send_two
send_two:
        save    %sp, -96, %sp
        mov     %i2, %l0
        mov     %i3, %l1
        SEND(2, I0, I1, 0)
        ret
         restore
