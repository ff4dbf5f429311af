/*
 * Single instructions to run under guard (ops.h).
 *
 * All are leaf routines with their operand in %o0 on entry. They use the
 * registers that are named here, and return to their caller.
 */
#include "ni_asm.h"

        .macro  OP name
        .global \name
\name:
        .endm

        .macro  DONE
        retl
         nop                            ! delay slot: empty, so that the
        .endm                           ! instruction under test stands alone

        .section .text
        OP      op_launch
        LAUNCH_O0
        DONE
        OP      op_launch_d1
        LAUNCH_O0_D1
        DONE
        OP      op_launch_d2
        LAUNCH_O0_D2
        DONE
        OP      op_dispose
        DISPOSE
        DONE
        OP      op_beginatom
        BEGINATOM_O0
        DONE
        OP      op_endatom
        ENDATOM_O0
        DONE

        OP      op_load                 ! result in %o0
        ld      [%o0], %o0
        DONE
        OP      op_load_double          ! result in %o2 and %o3
        ldd     [%o0], %o2
        DONE
        OP      op_load_byte            ! result in %o0
        ldub    [%o0], %o0
        DONE
        OP      op_store
        st      %g0, [%o0]
        DONE
        OP      op_store_double         ! stores %g0 and %g1
        std     %g0, [%o0]
        DONE
        OP      op_store_byte
        stb     %g0, [%o0]
        DONE

        OP      op_load_float           ! result in %f0
        ld      [%o0], %f0
        DONE
        OP      op_load_float_double    ! result in %f0 and %f1
        ldd     [%o0], %f0
        DONE
        OP      op_store_float
        st      %f0, [%o0]
        DONE
        OP      op_store_float_double
        std     %f0, [%o0]
        DONE
        OP      op_swap                 ! swaps memory with %g0
        swap    [%o0], %g0
        DONE
        OP      op_ldstub
        ldstub  [%o0], %g0
        DONE

        OP      op_store_value          ! uses %o2, %o3
        ldd     [%o0], %o2
        .global op_store_value_pc
op_store_value_pc:
        st      %o3, [%o2]
        DONE

        OP      op_nothing
        DONE
