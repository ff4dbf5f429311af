"""What a run has done: figures, timeline, profile. QEMU observes the run (hw/observe), and the launcher presents it.

    session     runs an observed machine, then writes what the user has asked for
    request     what the user has asked for, from the options
    plan        what QEMU is to observe: a file with marks and functions
    programs    the kernel and the jobs' programs: marks, functions, names of addresses
    symbols     the files with the symbols of a snapshot's programs
    figures     reads what QEMU has counted
    stats       the figures by job and node, for --stats-json
    sharing     what shared memory has cost, by the name of a block
    text        the same as tables, for --stats
    picture     the mesh with loads, jobs and buffers, for --picture
    timeline    the head of a timeline, and the file
    page        a timeline as a page for a browser
    profile     cycles by function: a table, and stacks for flame graphs
    flame       the stacks as a page with a flame graph
    races       --check races: accesses that nothing orders
    proto       protocol buffers, as far as the head of a timeline needs them
    names       names of traps, waits and causes, from the headers
"""
