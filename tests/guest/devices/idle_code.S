/* op_wait: as the routines in lib/ops.S. */
        .section .text
        .global op_wait
op_wait:
        wr      %g0, %asr19
        retl
         nop                            ! delay slot
