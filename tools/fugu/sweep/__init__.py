"""Sweeps: many runs from a table of parameters, and one table of their results.

    table       reads FILE: from cells to the runs that they ask for
    plan        what each run boots, a key of everything that decides its result
    workflow    Snakemake, which carries out the runs that are missing
    carry_out   one run, on this host or on one of a cluster
    results     the table of results
    __main__    what Snakemake starts for each run

Snakefile is the workflow. profiles/ has a folder for each kind of cluster.
"""
