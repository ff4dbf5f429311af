"""Benchmarks of `./run.sh bench`, one module each.

    back        what going back costs
    digest      whether runs come out the same, however the host runs them
    messages    messages a second of host time
    processes   what a round costs a machine of several processes
    rounds      host time of a round, for nodes that wait and nodes that run
    scale       a thousand nodes: time, memory, start-up
    speed       guest instructions a second, against stock QEMU
    start       from ./run.sh to the first line of output
    timeline    what a timeline costs
    updates     snooped stores a second of host time
    _runs       runs of the machine, and what they took
    _samples    medians, and figures that cannot be measured
    _table      tables of results
    _words      numbers on the command line
    bare.c      processes that only meet: the yardstick of `processes`

A benchmark has a docstring, whose first line says what it measures, and
main(words) -> exit status or None (0). The words are those after its name on
the command line. A benchmark's environment has the paths that the tests have: FUGU_QEMU, FUGU_GUEST_DIR and so on
(docs/setup.md). A benchmark can import `rich`.
"""
