"""The command line.

    main            takes a command line, calls its command, tells errors
    command_table   the commands, and words that may become commands
    help            the pages of --help
    man             ./run.sh man: the manual page
    output          standard output, which remembers that it could not be written
    completion      ./run.sh completion: how a shell completes the words
"""
