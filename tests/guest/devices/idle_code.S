/* op_wait: the wait instruction, as a routine like those in lib/ops.S. */
        .section .text
        .global op_wait
op_wait:
        wr      %g0, %asr19
        retl
         nop                            ! delay slot: not filled
