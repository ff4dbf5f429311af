/*
 * Accesses in places where an upcall may lose something: in delay slots, of every
 * width, with FPU registers. Each function takes the address of a view.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define FRAME   96

        .section .text
        .global in_taken_branch, in_annulled_branch, in_call, in_return
        .global load_double, store_double, swaps, load_fp, store_fp

/* A load in the delay slot of a branch: returns the word, or 0 if the branch is
 * not taken. */
in_taken_branch:
        mov     1, %o2
        tst     %o2
        bne     1f
         ld     [%o0], %o1              ! delay slot
        mov     0, %o1
1:      retl
         mov    %o1, %o0

/* A branch with the annul bit, taken: its delay slot loads. */
in_annulled_branch:
        mov     1, %o2
        tst     %o2
        bne,a   1f
         ld     [%o0], %o1
        mov     0, %o1
1:      retl
         mov    %o1, %o0

in_call:
        save    %sp, -FRAME, %sp
        call    twice
         ld     [%i0], %o0              ! delay slot: the argument
        ret
         restore %g0, %o0, %o0

twice:  retl
         add    %o0, %o0, %o0

in_return:
        retl
         ld     [%o0], %o0              ! delay slot

/* Two words: returns their sum. */
load_double:
        ldd     [%o0], %o2
        retl
         add    %o2, %o3, %o0

/* Stores %o1 and %o1 + 1. */
store_double:
        mov     %o1, %o2
        add     %o1, 1, %o3
        retl
         std    %o2, [%o0]              ! delay slot

/* Exchanges %o1 with the word, and returns the word. */
swaps:
        swap    [%o0], %o1
        retl
         mov    %o1, %o0

/* The double at the address, plus the double at %o1, goes to the double at %o2.
 * %f0 is loaded before the access. */
load_fp:
        ldd     [%o1], %f0
        ldd     [%o0], %f2
        faddd   %f0, %f2, %f4
        retl
         std    %f4, [%o2]

/* The double at %o1, twice, goes to the address. */
store_fp:
        ldd     [%o1], %f0
        faddd   %f0, %f0, %f2
        retl
         std    %f2, [%o0]              ! delay slot
