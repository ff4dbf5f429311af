"""A run of the machine, from the command line to the processes that carry it out.

    parse           from words to a checked `Run`
    programs        from a program's name to its ELF file
    kinds           which programs run with which kind of network interface
    jobs            the jobs of a run: apps with their arguments
    orders          two runs, with the order of writes and without: --check order
    partition       several processes: which nodes each one has, on which host it runs
    automatic       how many processes a run has if the user does not say it
    tasks           what srun and mpirun say to the tasks that they start
    meeting         where these tasks learn the hub's address and the secret
    snapshot        heads of snapshot files, for --load and --save
    terminals       which standard files are terminals
    writable        files to be written: whether they can be
    trace           trace events, for --trace and --trace-file
    ready           builds what a run needs, makes its boot image
    qemu_command    QEMU's command line
    peers           starts the processes of a run
    monitor         QEMU with a stub and a monitor, for debuggers and scripts
    rsp             a client of QEMU's GDB stub
"""
