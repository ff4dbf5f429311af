"""Which tests a change can affect: `./run.sh test --changed [REV]`.

    command     the command: builds, prints the reasons, names the files of tests
    choose      the rules: from changed files to files of tests, each with a reason
    tests       what a file of tests uses: modules, fixtures, commands, names
    modules     which module of the launcher imports which
    programs    which program was linked from which sources
    changes     what git says has changed
"""
