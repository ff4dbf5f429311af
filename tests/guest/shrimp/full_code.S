/*
 * Stores in a loop, which an interrupt finds at the store while it waits.
 */
        .section .text
        .balign 32

! On entry: %o0 where to store, %o1 flag. Returns in %o0 how many were stored. The
! next value is in %o2. Uses %o3.
        .global store_until, held_store
store_until:
        clr     %o2
held_store:
        st      %o2, [%o0]
        ld      [%o1], %o3
        cmp     %o3, 0
        be      held_store
         inc    %o2
        retl
         mov    %o2, %o0
