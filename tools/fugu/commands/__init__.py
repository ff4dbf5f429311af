"""What a command line asks for: one module for each command, with main(words) -> exit status.

    run             a plain run, which has no name: becomes QEMU
    anl             runs a makefile of a program with ANL macros
    apps            lists what can be run
    bench           runs benchmarks (fugu.bench)
    cc              becomes the cross compiler
    certify         says what trusted handlers do, or why they are refused
    clean           removes what was built
    debug           runs QEMU under GDB
    paper           measures the paper's tables and figures (fugu.paper)
    lab             copies what a lab of the course begins with, or checks it (fugu.lab)
    reference       prints the entries of names in docs/reference, or makes its pages (fugu.reference)
    vary            runs a program at many timings
    profile         runs a program, and shows where its cycles go
    setup           brings all up, and remembers the user's own parts
    sweep           carries out the runs of a table (fugu.sweep)
    test            builds everything, runs pytest
    trace           lists the machine's trace events
    _anl            sources with ANL macros, as cc and anl compile them
    _cplusplus      which words of cc have parts in C++
    _repair         what compilers of their time took, and GCC refuses
    _globals        a program's variables: in shared memory, or watched
    _measurements   what bench and paper share
"""
