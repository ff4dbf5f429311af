"""The table of commands, and the words that may become commands."""

# What each command does, for --help. fugu.commands has a module of the same
# name with main(words) -> status, which is imported when the command is called.
# The modules of ABOUT_WORDS are in fugu.cli.
COMMANDS = {
    "apps": "list the apps and the programs for the bare machine",
    "cc": "compile your own program for the operating system",
    "certify": "prove what a program's trusted handlers do",
    "anl": "build a shared-memory program by its own makefile",
    "setup": "install, fetch and build everything that is needed",
    "debug": "run a program under GDB, all nodes at once",
    "trace": "list the events that --trace can name",
    "profile": "run a program, and show where its virtual time goes",
    "vary": "run a program at many timings, and show the first that differs",
    "reference": "say what there is on a function of the libraries",
    "lab": "begin a lab of the course, or check what you have made",
    "test": "build everything and run the tests",
    "bench": "run the benchmarks",
    "sweep": "run what a table asks for, and collect the results",
    "paper": "measure what the paper measures, and compare",
    "clean": "remove what was built",
    "man": "print the manual page",
    "completion": "print a script by which bash completes the words",
}
ABOUT_WORDS = {"man", "completion"}

# Words that may become commands. A program cannot have such a name.
RESERVED = {"snapshot", "help", "run"}
