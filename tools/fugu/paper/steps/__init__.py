"""Machines that are executed step by step, for cycles of the kernel's paths.

    walk        runs a machine step by step, with the cycles of each instruction
    interrupts  messages that interrupt their receiver, one at a time
"""
