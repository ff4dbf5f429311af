"""The launcher, which run.sh starts: set-up, build, boot, test, bench.

Packages, from the highest to the lowest; none imports from one above it:

    cli         the command line: which command, --help, how errors are reported
    commands    one module for each command, and the plain run
    mutants     mistakes at random, and whether the tests notice them
    cover       which lines the tests reach
    affected    which tests a change can affect
    vary        one program at many timings
    reference   the pages on the guest's libraries, from their headers
    lab         the labs of the course, and their checks
    api         machines in Python scripts
    paper       the paper's tables and figures, one module each
    bench       benchmarks, one module each
    observe     figures, timeline and profile of a run
    sweep       many runs from a table, by Snakemake
    run         a run: its program and jobs, processes, QEMU's command line
    build       set-up: brings QEMU, toolchain and guest programs up to date
    report      what the report of the machine's end says of the guest's programs
    options     the options of a run: the table, their values
    image       what QEMU boots: ELF files, line tables, boot images
    host        this host: packages, commands, disk, progress

Modules that every package may import, the highest first:

    measured    what measured sections of a program have printed
    suggest     "did you mean"
    abi         the numbers of C headers
    paths       checkout, build directory, cache
    errors      what can go wrong, and the exit statuses

A package that a command does not need is not imported when that command runs.
"""

VERSION = "0.1"
