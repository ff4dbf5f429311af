/*
 * The floating-point unit: guest-os/kernel/delivery/fpu.c, and the library's part
 * (guest-os/libos/handler.c).
 *
 * A handler begins with the FPU off. When the handler uses the FPU and the
 * interrupted code has values there, the kernel puts these values aside, in an
 * area of the process's upcall page, and brings them back at the upcall's end.
 * The area holds the values of one context. So the library takes them from
 * there when another handler interrupts this one, and when a thread runs
 * before this handler has ended.
 *
 * p is the running process and c its running context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* ---- Kernel -------------------------------------------------------------- */

/* The trap of c's first instruction for the FPU. */
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

/* An upcall ends in C: the code that it interrupted finds its values again. */
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

/* The values of context x, which has been interrupted, go to its frame. */
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

/* context_restore(): x goes on, with the values that lie in its frame. */
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

/* Context x calls a routine, or ends: it wants no value back. */
inline fp_lose(x)
{
    fpu[p] = (uses[x] -> DEAD : fpu[p]);
    uses[x] = 0
}
