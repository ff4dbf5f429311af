/*
 * spin_turns(turns): ten instructions a turn, three of which access memory.
 *
 * On entry:  turns in %o0; 0 means for ever.
 * Uses:      %o0 to %o5, a word of its caller's frame.
 * Leaves to: its caller, after that number of turns.
 */
        .section .text
        .global spin_turns
        .align  16
spin_turns:
        mov     %g0, %o1
1:      ld      [%sp + 92], %o2         ! a word of the caller's frame that
        add     %o2, 1, %o2             ! a callee may use
        st      %o2, [%sp + 92]
        add     %o1, %o2, %o1
        xor     %o1, %o0, %o3
        sll     %o3, 3, %o4
        ldub    [%sp + 92], %o5
        subcc   %o0, 1, %o0             ! 0 wraps and makes 2^32 turns,
        bne     1b                      ! practically for ever
         add    %o4, %o5, %o4           ! delay slot: one of the ten
        retl
         nop
