"""Trusted handlers of the M-Machine's messages: certifies them from a program's ELF file (docs/m-machine.md).

    decode      the instructions that a handler may have
    values      numbers between bounds, and addresses by their distance from DestAddr
    codes       condition codes, and what branches tell about registers
    walk        a handler's code: what it writes, how long it is, what it reads
    declared    what a file says of its handlers, and whether that can be
    certify     all of it, for a file
"""
