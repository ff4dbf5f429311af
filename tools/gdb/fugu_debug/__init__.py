"""The part of ./run.sh debug that runs in GDB. ../fugu.py registers the commands.

    base        registers, nodes, physical memory, tables
    nodes       fugu nodes: what all nodes do
    ni          fugu ni: a network interface
    flight      fugu flight: messages that no node has taken yet
    history     fugu when, fugu goto, fugu who-wrote: going back
    updates     fugu maps, fugu fifos, fugu engine: SHRIMP's network interface
    contexts    fugu contexts: the M-Machine's message slots
    origins     fugu origin: back to who has sent something
    stores      whose memory a store is to
    glaze       what the kernel on a node knows: processes, programs, memory
    processes   fugu processes, fugu buffer
    threads     fugu threads: the library's threads and handlers
    programs    programs that share addresses: whose symbols GDB has
    breakpoints conditions on several nodes, functions that the kernel has too
    watches     whose memory a watchpoint is about
    faults      stops before a job ends for a mistake
    stepping    next and step through upcalls and traps
    frames      backtraces through traps and upcalls
    start       fugu connect, and the messages when the machine stops
    libraries   commands for what programs may link
"""
