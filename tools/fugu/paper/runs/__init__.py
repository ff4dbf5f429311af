"""Runs of whole programs, for the paper's section 5.

    extent      how much is run: everything, part of it, small data sets
    sweep       runs of programs: several at a time, kept in the cache
    estimate    how long the runs that are left will take
    workloads   the programs of table 6
    skewed      runs beside null, for figures 7 and 8
    synth       runs of synth, for figures 9 and 10
    transcripts output that pages quote, compared and written anew
    sessions    sessions of GDB that pages show, the same
    figure      lines over an x axis, and statistics of their points
"""
