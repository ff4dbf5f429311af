"""One program at many timings: whether what it prints depends on them (docs/debugging.md, races).

    timings     options of the machine that move its cycles, by number
    attempts    runs a program with options, several at a time
    compare     what two runs have printed
    shrink      the fewest options that still make a difference
"""
