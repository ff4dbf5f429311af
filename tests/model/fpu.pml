/*
 * The floating-point unit: guest-os/kernel/delivery/fpu.c, and the library's
 * part (guest-os/libos/handler.c).
 *
 * A handler begins with the FPU off. If the handler uses the FPU and the
 * interrupted code has values there, the kernel saves these values in an area
 * of the process's upcall page. The kernel restores the values at the upcall's
 * end. The area holds the values of one context. So the library moves them
 * from there when another handler interrupts this one, and when a thread runs
 * before this handler has ended.
 *
 * p is the running process and c its running context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* ---- Kernel -------------------------------------------------------------- */

/* The trap of c's first FPU instruction. */
inline fpu_use()
{
    if
    :: uses[below[c]] && aside[p] == 0 && KEEP(FPU_PUTS_ASIDE) ->
        aside[p] = fpu[p];
        uac = (KEEP(FPU_SETS_AE) -> uac | AE : uac)
    :: else
    fi;
    uses[c] = 1;
    fpu[p] = c
}

/* An upcall ends in C: the interrupted code gets its values back. */
inline fpu_upcall_end()
{
    if
    :: aside[p] != 0 && KEEP(RETURN_LOADS_FPU) ->
        fpu[p] = aside[p];
        aside[p] = 0
    :: else
    fi
}

/* ---- Library ------------------------------------------------------------- */

inline forget_aside()
{
    aside[p] = 0;
    excused[p] = 1
}

/* Keeps the values of the interrupted context x in its frame. */
inline fp_keep(x)
{
    if
    :: !uses[x]
    :: uses[x] && (kept[x] == 0 || !KEEP(KEEP_ONCE)) ->
        kept[x] = (aside[p] != 0 && KEEP(KEEP_TAKES_ASIDE) -> aside[p]
                                                          : fpu[p]);
        forget_aside()
    :: uses[x] && kept[x] != 0 && KEEP(KEEP_ONCE) ->
        if
        :: KEEP(KEEP_FORGETS_ASIDE) -> forget_aside()
        :: else
        fi
    fi
}

/* context_restore(): x continues, with the values from its frame. */
inline fp_restore(x)
{
    if
    :: kept[x] != 0 ->
        if
        :: KEEP(RESTORE_FORGETS_ASIDE) -> forget_aside()
        :: else
        fi;
        fpu[p] = kept[x];
        kept[x] = 0
    :: else
    fi
}

/* Context x calls a routine, or ends: it needs none of its values any more. */
inline fp_lose(x)
{
    fpu[p] = (uses[x] -> DEAD : fpu[p]);
    uses[x] = 0
}
