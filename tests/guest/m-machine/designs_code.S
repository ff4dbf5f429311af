/*
 * The design space of message interfaces: senders, handlers and ways of dispatch.
 *
 * Everything that differs between the interfaces is in the first macros. Registers
 * are named by number where an operation of the network interface has them.
 */
#include "designs.h"
#include "slots.h"

#define USER(reg)       (FUGU_NI_USER_DISP + (reg))

#define I2      26
#define I4      28
#define L0      16
#define L1      17
#define L2      18
#define L3      19
#define L4      20
#define L5      21
#define L6      22
#define L7      23

! ---- Words of messages, by interface ---------------------------------------------

! Copies register \reg to word \i of the message buffer; \last: FUGU_MM_LAST, or 0.
        .macro  PUT i, reg, last=0
#if IN_MEMORY
        .if     \last
        st      %r\reg, [%g0 + USER(FUGU_U_MM_PUT_LAST) + 4 * (\i)]
        .else
        st      %r\reg, [%g0 + USER(FUGU_U_MM_PUT) + 4 * (\i)]
        .endif
#else
        .word   FUGU_INSN(FUGU_OPC_PUT, 0, \reg, (\i) | \last)
#endif
        .endm

! The main context: the next handler, or 0, and the next word, of priority \priority.
        .macro  MAIN_HEAD reg, priority
#if IN_MEMORY
        ld      [%g0 + USER(FUGU_U_MM_HEAD) + 8 * \priority], %r\reg
#else
        .word   FUGU_INSN(FUGU_OPC_GET, \reg, 0, \priority << 1 | FUGU_MM_GET_HEAD)
#endif
        .endm

        .macro  MAIN_BODY reg, priority
#if IN_MEMORY
        ld      [%g0 + USER(FUGU_U_MM_BODY) + 8 * \priority], %r\reg
#else
        .word   FUGU_INSN(FUGU_OPC_GET, \reg, 0, \priority << 1)
#endif
        .endm

! A slot: the next word, in a register.
        .macro  SLOT_BODY reg, priority
#if IN_MEMORY
        ld      [%g0 + USER(FUGU_U_MM_BODY) + 8 * \priority], %r\reg
#else
        mov     MSGBODY, %r\reg
#endif
        .endm

! A slot: goes to the next message's handler.
        .macro  SLOT_NEXT priority
#if DESIGN == M_MACHINE
        jmp     MSGHEAD
#elif IN_MEMORY
        ld      [%g0 + USER(FUGU_U_MM_HEAD) + 8 * \priority], %g1
        jmp     %g1
#else
        mov     MSGHEAD, %g1
        jmp     %g1
#endif
         nop
        .endm

! ---- Handlers: in a slot (\main = 0) or called by the main context ------------------

! The next word, in a register.
        .macro  BODY main, reg, priority
        .if     \main
        MAIN_BODY \reg, \priority
        .else
        SLOT_BODY \reg, \priority
        .endif
        .endm

! Stores the next word at %l4 + \offset.
        .macro  STORE_BODY main, offset, priority
#if DESIGN == M_MACHINE
        .if     \main == 0
        st      MSGBODY, [%l4 + \offset]
        .exitm
        .endif
#endif
        BODY    \main, L5, \priority
        st      %l5, [%l4 + \offset]
        .endm

! The end of a handler; \more: another message is expected.
        .macro  DONE main, priority, more=0
        .if     \main == 0
        SLOT_NEXT \priority
        .elseif \more
        jmp     %l7 + 8
         nop
        .else
        jmp     %l7 + 8 + MORE_BYTES
         nop
        .endif
        .endm

! The time at which this begins, in the word \name.
        .macro  STAMP name
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %g2
        sub     %g3, 3, %g3
        sethi   %hi(\name), %g2
        st      %g3, [%g2 + %lo(\name)]
        .endm

! Sends an empty message to the address in %l4. HandlerIP is REPLY.
        .macro  SEND_REPLY
        mov     REPLY, %g1
#if DESIGN == M_MACHINE
        SEND(0, L4, G1, 0)
#else
        PUT     0, L4
        PUT     1, G1, FUGU_MM_LAST
#endif
        .endm

! What an interface without a GTLB leaves to software: finds node and local address of
! the DestAddr in \dest, and checks them and the handler's extent.
        .macro  TRANSLATE dest
        sethi   %hi(soft_segment), %g2
        or      %g2, %lo(soft_segment), %g2
        ld      [%g2 + SOFT_BASE], %g3
        sub     %r\dest, %g3, %g3
        ld      [%g2 + SOFT_LOG], %g4
        srl     %g3, %g4, %g5                   ! node
        ld      [%g2 + SOFT_NODES], %g1
        cmp     %g5, %g1
        bgeu    forged
         sll    %g5, %g4, %g5
        sub     %g3, %g5, %g3                   ! offset
        mov     1, %g1
        sll     %g1, %g4, %g1
        sub     %g1, %g3, %g1
        ld      [%g2 + SOFT_EXTENT], %g4
        cmp     %g4, %g1
        bgu     forged
         ld     [%g2 + SOFT_LOCAL], %g4
        add     %g4, %g3, %g4                   ! local address
        .endm

! All handlers of one kind; with \begins, the first one of blockwrite stamps its begin.
! Names are handlers_PREFIX, at the places of their numbers.
        .macro  HANDLERS_OF prefix, main, stamps, soft, begins=0
        .balign 32
\prefix\()_request:
#if DESIGN == M_MACHINE
        .if     \main == 0 && \soft == 0
        mov     REPLY, %g1
        mov     MSGBODY, %g0                    ! DestAddr
        SEND(0, G7, G1, 0)
        SLOT_NEXT 0
        .else
        BODY    \main, L4, 0
        BODY    \main, L4, 0
        .if     \soft
        TRANSLATE L4
        .endif
        SEND_REPLY
        DONE    \main, 0
        .endif
#else
        BODY    \main, L4, 0
        BODY    \main, L4, 0
        .if     \soft
        TRANSLATE L4
        .endif
        SEND_REPLY
        DONE    \main, 0
#endif
        .balign 32
\prefix\()_reply:
        .if     \stamps
        STAMP   ended
        .endif
        DONE    \main, 1
        .balign 32
\prefix\()_spawn:
        BODY    \main, L4, 0
        .set    offset, 0
        .rept   8
        STORE_BODY \main, offset, 0
        .set    offset, offset + 4
        .endr
        mov     1, %l5
        st      %l5, [%l4 + THREAD_READY]
        .if     \stamps
        STAMP   ended
        .endif
        DONE    \main, 0
        .balign 32
\prefix\()_first:
        .if     \begins
        STAMP   begun
        .endif
        ! falls through
\prefix\()_block:
        BODY    \main, L4, 0
        .set    offset, 0
        .rept   BLOCK_BODY
        STORE_BODY \main, offset, 0
        .set    offset, offset + 4
        .endr
        DONE    \main, 0, 1
        .balign 32
\prefix\()_last:
        BODY    \main, L4, 0
        .set    offset, 0
        .rept   BLOCK_TAIL
        STORE_BODY \main, offset, 0
        .set    offset, offset + 4
        .endr
        .if     \stamps
        STAMP   ended
        .endif
        DONE    \main, 0
        .endm

        .macro  TABLE_OF prefix
        .word   \prefix\()_request, \prefix\()_reply, \prefix\()_spawn
        .word   \prefix\()_block, \prefix\()_first, \prefix\()_last
        .endm

        .set    MORE_BYTES, 32

        .section .text
        .balign 32
        .global slot_code_0, slot_code_1
slot_code_0:
        SLOT_NEXT 0
slot_code_1:
        SLOT_NEXT 1
forged: ta      0

        HANDLERS_OF slot, 0, 0, 0
        HANDLERS_OF slot_stamped, 0, 1, 0
        HANDLERS_OF slot_soft, 0, 0, 1
        HANDLERS_OF slot_soft_stamped, 0, 1, 1
        HANDLERS_OF main, 1, 0, 0
        HANDLERS_OF main_stamped, 1, 1, 0
        HANDLERS_OF main_soft, 1, 0, 1
        HANDLERS_OF main_soft_stamped, 1, 1, 1
        HANDLERS_OF slot_begins, 0, 0, 0, 1
        HANDLERS_OF main_begins, 1, 0, 0, 1

        .section .data
        .balign 32
! By the main context, software's translation, stamps.
        .global handler_tables
handler_tables:
        TABLE_OF slot
        TABLE_OF slot_stamped
        TABLE_OF slot_soft
        TABLE_OF slot_soft_stamped
        TABLE_OF main
        TABLE_OF main_stamped
        TABLE_OF main_soft
        TABLE_OF main_soft_stamped
        TABLE_OF slot_begins
        TABLE_OF main_begins
        .global begun, ended, sent, soft_segment
begun:  .word   0
ended:  .word   0
sent:   .word   0
        .balign 8
soft_segment:
        .word   0, 0, 0, 0, 0
        .balign 32
context_area:
        .skip   128

! ---- The main context takes messages ----------------------------------------------

! Calls the handler in %l3, and those of messages that follow. With \hits, a message
! that is expected has come when the handler looks for it; otherwise it comes just
! after each look, which is then at the other, empty queue.
        .macro  SERVE hits, priority
2:      jmpl    %l3, %l7
         nop
3:      ! another message is expected
        .if     \hits
4:      MAIN_HEAD L3, \priority
        tst     %l3
        be      4b
         nop
        ba      2b
         nop
        .else
        MAIN_HEAD L3, (1 - \priority)
        tst     %l3
        bne     2b
         nop
        ba      5f
         nop
        .endif
        .skip   MORE_BYTES - (. - 3b)
        .if     \hits
        MAIN_HEAD L3, \priority
        .else
        MAIN_HEAD L3, (1 - \priority)
        .endif
        tst     %l3
        bne     2b
         nop
5:
        .endm

! The program that messages displace: %i1 rounds of POLL_CYCLES, from %i0 in the sled
! on. Its live registers are %l0 to %l3.
        .macro  PROGRAM name, polls, hits, priority
        .section .text
        .balign 32
        .global \name
\name:
        save    %sp, -112, %sp
        jmp     %i0
         nop
        .global \name\()_sled
\name\()_sled:
        .rept   SLED / 2                ! 2 cycles; 1 from the last nop on
        ba      . + 12                  ! no straight code, for whose end slots wait
         nop
        nop
        .endr
6:      mov     INNER, %l2
7:      subcc   %l2, 1, %l2
        bne     7b
         nop
        .rept   FILLER
        nop
        .endr
        .if     \polls
        MAIN_HEAD L3, \priority
        tst     %l3
        bne     9f
         nop
        .else
        .rept   POLL_COST
        nop
        .endr
        .endif
8:      subcc   %i1, 1, %i1
        bne     6b
         nop
        ret
         restore
        .if     \polls
9:      std     %l0, [%sp + 96]
        std     %l2, [%sp + 104]
        SERVE   \hits, \priority
        ldd     [%sp + 96], %l0
        ba      8b
         ldd    [%sp + 104], %l2
        .endif
        .endm

#if IN_MEMORY
        .set    POLL_COST, 5
#else
        .set    POLL_COST, 4
#endif
        .set    INNER, 29
        .set    FILLER, 9 - POLL_COST

        PROGRAM compute, 0, 0, 0
        PROGRAM poll_0_hit, 1, 1, 0
        PROGRAM poll_1_hit, 1, 1, 1
        PROGRAM poll_0_miss, 1, 0, 0
        PROGRAM poll_1_miss, 1, 0, 1

! A program that waits for the timer's interrupt, which is masked, without using the
! processor.
        .balign 32
        .global asleep, asleep_sled
asleep:
        save    %sp, -96, %sp
        wr      %g0, %asr19
        ret
         restore
        .set    asleep_sled, asleep         ! it has none

! Interrupts. The vector has left PSR, pc and npc in %l0 to %l2. \swaps: all 32
! registers are stored, and loaded at the end; else Sparcle's window is the frame.
        .macro  INTERRUPT name, swaps, hits, priority
        .section .text
        .balign 32
        .global \name
\name:
        .if     \swaps
        sethi   %hi(context_area), %l4
        or      %l4, %lo(context_area), %l4
        std     %g0, [%l4]
        std     %g2, [%l4 + 8]
        std     %g4, [%l4 + 16]
        std     %g6, [%l4 + 24]
        std     %o0, [%l4 + 32]
        std     %o2, [%l4 + 40]
        std     %o4, [%l4 + 48]
        std     %o6, [%l4 + 56]
        std     %l0, [%l4 + 64]
        std     %l2, [%l4 + 72]
        std     %l4, [%l4 + 80]
        std     %l6, [%l4 + 88]
        std     %i0, [%l4 + 96]
        std     %i2, [%l4 + 104]
        std     %i4, [%l4 + 112]
        std     %i6, [%l4 + 120]
        .endif
        MAIN_HEAD L3, \priority
        SERVE   \hits, \priority
        .if     \swaps
        sethi   %hi(context_area), %l4
        or      %l4, %lo(context_area), %l4
        ldd     [%l4 + 120], %i6
        ldd     [%l4 + 112], %i4
        ldd     [%l4 + 104], %i2
        ldd     [%l4 + 96], %i0
        ldd     [%l4 + 88], %l6
        ldd     [%l4 + 72], %l2
        ldd     [%l4 + 64], %l0
        ldd     [%l4 + 56], %o6
        ldd     [%l4 + 48], %o4
        ldd     [%l4 + 40], %o2
        ldd     [%l4 + 32], %o0
        ldd     [%l4 + 24], %g6
        ldd     [%l4 + 16], %g4
        ldd     [%l4 + 8], %g2
        ldd     [%l4], %g0
        ldd     [%l4 + 80], %l4
        .endif
        wr      %l0, %psr
        nop
        nop
        nop
        jmp     %l1
         rett   %l2
        .endm

        INTERRUPT swap_0_hit, 1, 1, 0
        INTERRUPT swap_1_hit, 1, 1, 1
        INTERRUPT swap_0_miss, 1, 0, 0
        INTERRUPT swap_1_miss, 1, 0, 1
        INTERRUPT window_0_hit, 0, 1, 0
        INTERRUPT window_1_hit, 0, 1, 1
        INTERRUPT window_0_miss, 0, 0, 0
        INTERRUPT window_1_miss, 0, 0, 1

! ---- Senders: %o0 DestAddr at each node, %o1 its node's size, %o2 the return address ---

        .macro  SENDER name, stamps
        .balign 32
        .global \name
\name:
        save    %sp, -96, %sp
        .if     \stamps
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %g2
        .endif
        .endm

        .macro  SENT stamps
        .if     \stamps
        sethi   %hi(sent), %g2
        st      %g3, [%g2 + %lo(sent)]
        .endif
        ret
         restore
        .endm

        .macro  SEND_PING name, stamps, soft
        SENDER  \name, \stamps
        .if     \soft
        mov     %g3, %i5
        TRANSLATE I0
        mov     %i5, %g3
        .endif
#if DESIGN == M_MACHINE
        mov     %i2, %l0
        mov     REQUEST, %l2
        SEND(1, I0, L2, 0)
#else
        PUT     0, I0
        mov     REQUEST, %l2
        PUT     1, L2
        PUT     2, I2, FUGU_MM_LAST
#endif
        SENT    \stamps
        .endm

! The arguments of a thread: four that stay, and four that are made for each message.
        .macro  STAYING
        sethi   %hi(arguments), %i3
        or      %i3, %lo(arguments), %i3
#if DESIGN == M_MACHINE
        ldd     [%i3], %l0
        ldd     [%i3 + 8], %l2
#else
#if STREAMS
        PUT     0, I0
#endif
        PUT     1, I4
        ldd     [%i3], %l0
        PUT     2, L0
        PUT     3, L1
        ldd     [%i3 + 8], %l2
        PUT     4, L2
        PUT     5, L3
#endif
        .endm

! Makes the four, sends the message.
        .macro  MAKE_AND_SEND
#if DESIGN == M_MACHINE
        add     %l0, %i0, %l4
        add     %l1, %i0, %l5
        add     %l2, %i0, %l6
        add     %l3, %i0, %l7
        SEND(8, I0, I4, 0)
#else
        add     %l0, %i0, %l4
        PUT     6, L4
        add     %l1, %i0, %l5
        PUT     7, L5
        add     %l2, %i0, %l6
#if BUFFERS
        PUT     0, I0
#endif
        PUT     8, L6
        add     %l3, %i0, %l7
        PUT     9, L7, FUGU_MM_LAST
#endif
        .endm

        .macro  SEND_RPC name, stamps
        SENDER  \name, \stamps
        mov     SPAWN, %i4
        STAYING
        MAKE_AND_SEND
        SENT    \stamps
        .endm

! To the eight nodes behind this one. A stream has to be written again, word by word.
        .macro  SEND_ALL name, stamps
        SENDER  \name, \stamps
        mov     SPAWN, %i4
        STAYING
        MAKE_AND_SEND
        .rept   7
        add     %i0, %i1, %i0
#if STREAMS
        PUT     0, I0
        PUT     1, I4
        PUT     2, L0
        PUT     3, L1
        PUT     4, L2
        PUT     5, L3
#endif
        MAKE_AND_SEND
        .endr
        SENT    \stamps
        .endm

! One message of blockwrite: words from %i3 on, which advances, to DestAddr %i0, with
! the handler in %i4.
        .macro  SEND_WORDS words
#if DESIGN == M_MACHINE
        ldd     [%i3], %l0
        ldd     [%i3 + 8], %l2
        .if     \words == BLOCK_BODY
        ldd     [%i3 + 16], %l4
        ldd     [%i3 + 24], %l6
        ldd     [%i3 + 32], %i0
        .endif
        SEND(\words, O0, O1, 0)
#else
        ldd     [%i3], %l0
        PUT     0, O0
        PUT     1, O1
        PUT     2, L0
        PUT     3, L1
        ldd     [%i3 + 8], %l2
        PUT     4, L2
        .if     \words == BLOCK_TAIL
        PUT     5, L3, FUGU_MM_LAST
        .else
        PUT     5, L3
        ldd     [%i3 + 16], %l4
        PUT     6, L4
        PUT     7, L5
        ldd     [%i3 + 24], %l6
        PUT     8, L6
        PUT     9, L7
        ldd     [%i3 + 32], %l4
        PUT     10, L4
        PUT     11, L5, FUGU_MM_LAST
        .endif
#endif
        .endm

        .macro  SEND_BLOCK name, stamps
        SENDER  \name, \stamps
        mov     %i0, %o0
        sethi   %hi(source_words), %i3
        or      %i3, %lo(source_words), %i3
        mov     BLOCK_FIRST, %o1
        SEND_WORDS BLOCK_BODY
        mov     BLOCK, %o1
        mov     BLOCK_WORDS / BLOCK_BODY - 1, %o2
1:      add     %i3, 4 * BLOCK_BODY, %i3
        add     %o0, 4 * BLOCK_BODY, %o0
        SEND_WORDS BLOCK_BODY
        subcc   %o2, 1, %o2
        bne     1b
         nop
        add     %i3, 4 * BLOCK_BODY, %i3
        add     %o0, 4 * BLOCK_BODY, %o0
        mov     BLOCK_LAST, %o1
        SEND_WORDS BLOCK_TAIL
        SENT    \stamps
        .endm

        .section .text
        SEND_PING send_ping, 0, 0
        SEND_PING send_ping_stamped, 1, 0
        SEND_PING send_soft, 0, 1
        SEND_PING send_soft_stamped, 1, 1
        SEND_RPC send_rpc, 0
        SEND_RPC send_rpc_stamped, 1
        SEND_ALL send_all, 0
        SEND_ALL send_all_stamped, 1
        SEND_BLOCK send_block, 0
        SEND_BLOCK send_block_stamped, 1

        .balign 32
        .global send_nothing
send_nothing:
        save    %sp, -96, %sp
        ret
         restore

! On entry: %o0 sender, %o1 program, %o2 its place in the sled, %o3 rounds, %o4 address
! of the senders' three arguments. Sends, and goes on with the program.
        .balign 32
        .global send_and_go_on
send_and_go_on:
        save    %sp, -96, %sp
        ld      [%i4], %o0
        ld      [%i4 + 4], %o1
        jmpl    %i0, %o7
         ld     [%i4 + 8], %o2
        mov     %i2, %o0
        jmpl    %i1, %o7
         mov    %i3, %o1
        ret
         restore
