"""What the paper measures, measured here: one module for each table or figure.

    table4          cycles to send and to receive a null message
    table5          cycles to put messages into the buffer and to take them out
    table6          cycles and messages of the paper's programs
    protection      share of the programs' run time that protection costs
    figure7         messages that take the buffered path, by the skew
    figure8         run time beside null, by the skew
    figure9         messages of synth that take the buffered path, by the interval
    figure10        the same, by the cost of that path
    speedup         of the programs, on 1 to 64 nodes
    crl             cycles of operations on regions
    mbcf            latencies and bandwidths of commands on other tasks' memory
    shrimp          instructions of SHRIMP's primitives, latency and bandwidth of updates
    mm              the M-Machine's design space: latency and occupancy of five interfaces by ways of dispatch
    policies        run time of programs whose pages with SHRIMP's mappings stay in memory, or go out
    schedules       run time of SHRIMP's and UDM's programs beside another job, by the skew
    shm             cycles of shared memory, and speed-ups
    switch          cycles of a process switch
    rq              cycles of remote queues
    figures         other cycles that docs/ quote, instruction by instruction
    quoted          and of whole programs
    steps           machines that are executed step by step
    runs            runs of whole programs
    queues          the experiments of the paper on Remote Queues
    summary         all of them in one report: page, JSON, CSV
    _command        the command line that all of them share
    _table          ours beside the paper's, as text and as JSON
    _docs           writes our numbers into docs/

Each table has main(words) -> exit status, and its docstring's first line says
what it shows. docs/paper.md says how it is measured.
"""
