"""The pages of --help. The main page is made from the tables of options and commands."""

from __future__ import annotations

import re
import textwrap

from ..options.table import KINDS, OPTIONS, Option
from ..options.types import show_size
from ..run.programs import default
from .command_table import COMMANDS

USAGE = """\
Usage: ./run.sh [OPTIONS] [APP [ARGS] [+ APP [ARGS]]...]
       ./run.sh [OPTIONS] PROGRAM [ARGS]
       ./run.sh COMMAND [...]

Boots a multicomputer of Sparcle nodes with FUGU network interfaces, and runs
APP on every node. + joins several apps that run at the same time. A PROGRAM for
the bare machine runs alone. What is missing is installed and built first.

APP and PROGRAM are names (default: DEFAULT; ./run.sh apps lists them, with
the --ni that each app needs) or paths of your own ELF files. ARGS go to the
program. CYCLES may be 20000, 20_000 or 20K: K, M and G are powers of ten, and
powers of two in a SIZE."""

EXAMPLES = """\
Examples:
  ./run.sh                               eight nodes exchange messages
  ./run.sh --input board.txt ./my.elf board.txt + null
                                         two jobs; the apps can read the file
  ./run.sh --output results ./my.elf < input.txt
                                         node 0's standard input; files that the
                                         app writes are in results/ at the end
  ./run.sh -n 64 --mesh 16x4 ring        sixty-four nodes, on an oblong mesh
  ./run.sh --timeout 10M --digest ./my.elf 3 4
                                         your own program, with arguments
  ./run.sh --label --trace 'fugu_ni_*' --trace-file ni.log ring
                                         traces the interfaces, into a file
  ./run.sh --disk 0=data.img ./my.elf    node 0 has a disk
  ./run.sh -n 64 --processes 4 ring      the same run, split over four processes
  ./run.sh --hosts a:2,b:2 --listen a --secret-file fugu.secret -n 64 ring
                                         ... over two hosts (docs/processes.md)
  ./run.sh --save half.snap@500K ring    saves the machine at a cycle
  ./run.sh --load half.snap              continues from there
  ./run.sh --dry-run -n 4 ring           only shows QEMU's command line
  ./run.sh test -k mesh                  the tests with mesh in their names"""

STATUSES = """\
Exit status:
  0..119  the first non-zero status of a node's program, else 0
  120     another process of the run ended, never connected, or sent bad data
  121     a trace, snapshot, file or the output itself cannot be written, or a
          snapshot not read
  122     the machine did not start: QEMU says why
  123     --check has found a mistake
  124     --timeout reached              2    the command line makes no sense
  125     deadlock: all nodes wait       3    set-up or a build failed
  126     a node is in error mode        127  a mistake in the launcher
  130     Control-C or another signal    141  nothing reads the output any more"""

PAGES = {
    "apps": """\
Usage: ./run.sh apps [NAME...]

Lists the apps (apps/), with what they do, the kinds of network interface (--ni)
that they run with and how they are used, and the programs for the bare machine
(tests/guest/). With names, only these apps.""",
    "cc": """\
Usage: ./run.sh cc [GCC ARGS] FILE.c|FILE.cc... -o NAME.elf

Compiles and links your own program for the operating system: sparc-elf-gcc
with the options, headers (udm.h) and libraries of the programs here. -c, -S
and -E work as usual. Then ./run.sh ./NAME.elf runs the program. The first
source in C++ (.cc, .cpp, .cxx) builds the compiler for it (docs/cpp.md).

  --anl                expand the ANL macros of FILE.C and of *.H beside it,
                       and compile as C of 1989 (docs/anl.md)""",
    "certify": """\
Usage: ./run.sh certify NAME|FILE.elf...

Proves what the trusted handlers of programs do, those for messages of the
M-Machine (--ni m-machine), from the instructions in their files: which memory
a handler may write, the instructions of its longest path, the words of a
message that it reads, and how often each branch backward is taken at most. A
handler that breaks a rule is refused: one line says which instruction breaks
which rule. The exit status is 0 if all are certified, otherwise 2.
docs/m-machine.md has the rules, and an example.""",
    "anl": """\
Usage: ./run.sh anl make [MAKE ARGS]
       ./run.sh anl COMMAND [ARGS]

Builds a program that was written for shared memory with the ANL macros
(SPLASH-2 and the like) by its own makefile. cc, gcc, ar, ranlib and m4 are ours,
and MACROS names our macros. Options for other compilers are left out, with one
warning. docs/anl.md goes through an example.""",
    "setup": """\
Usage: ./run.sh setup [--qemu-source DIR] [--toolchain PREFIX] [--forget]
       ./run.sh setup --key

Installs, fetches and builds everything that is needed. Any other command does
the same when something is missing. An interrupted set-up continues where it
stopped.

  --qemu-source DIR    use this QEMU 10.0 source tree (copied, never changed)
  --toolchain PREFIX   use the sparc-elf toolchain in PREFIX/bin, with newlib
  --forget             forget the two above
  --key                only print a key of what the cache would contain, for a
                       CI that keeps it from run to run (docs/ci.md)

Tree and toolchain are remembered. FUGU_QEMU_SRC and FUGU_TOOLCHAIN do the same for one run.
docs/setup.md says where everything is put, and what to do when set-up fails.""",
    "test": """\
Usage: ./run.sh test [--long] [-k EXPR] [PYTEST ARGS]
       ./run.sh test --changed[=REV] [--long] [-k EXPR] [PYTEST ARGS]
       ./run.sh test --coverage [PYTEST ARGS]
       ./run.sh test --mutants [N] [--area AREA] [--seed S] [--seconds S] [--nops]

Builds everything and runs the tests, as many at once as there are cores.
The last line is "N passed, N failed".

  --long               also run tests that take minutes, fuzzing, and QEMU for ARM hosts
  --fuzz-time SECONDS  how long each target is fuzzed with --long (default 120)
  --timings A-B        the numbers of the timings that tests go through which try
                       several (docs/testing.md), such as 17 or 100-199
  -k EXPR              only run tests whose names match (see pytest)
  --costs N            print the processor time of each folder, and of the N tests that
                       took most
  --changed[=REV]      only run what may be affected by what differs from HEAD, or from
                       REV: prints which files of tests that are, and why

  --coverage           note which lines each test reaches, in a copy of the checkout,
                       and write pages that show those that none does; with --page
                       alone, only write the pages
  --mutants [N]        make N small mistakes (30), one at a time, and print those that
                       no test notices; it takes what --coverage has noted
  --area AREA          only mistakes in hw, kernel, libraries or tools
  --seed S             which mistakes are drawn (1)
  --seconds S          processor time of the tests of a mistake (60); eight run always
  --nops               in place of mistakes, instructions that do nothing: prints tests
                       that depend on where code lies""",
    "debug": """\
Usage: ./run.sh debug [OPTIONS] [APP [ARGS] [+ ...]]

Boots the machine under GDB, stopped before its first instruction. Every node
is an inferior with one thread. When one node stops, all nodes stop. Debugging
does not change the run. OPTIONS are those of a run, and

  --attach NODES       the nodes to debug, such as 0,5,60-63; needed with more
                       than 32 nodes. The others run and stop with them
  --history SIZE       memory for going back; 0 for none (default 512M)
  --stdin FILE         the program's standard input (default: none; GDB owns the
                       terminal)
  --gdb-arg ARG        another argument for GDB (repeatable)

In GDB, "help fugu" lists the commands for the machine, such as "fugu nodes".
Scripts: ./run.sh debug --gdb-arg=-batch --gdb-arg=-x --gdb-arg=FILE ring
The exit status is the machine's if that has ended, otherwise GDB's.
docs/debugging.md goes through an example, docs/going-back.md backward.""",
    "profile": """\
Usage: ./run.sh profile [OPTIONS] [APP [ARGS] [+ ...]]

Runs APP, and prints where its virtual time has gone: the functions of programs
and kernel that took most cycles, on all nodes and on each. The cycles add up to
the run. Profiling does not change the run. OPTIONS are those of a run, and

  --stacks FILE        write the callers of each function too, through upcalls
                       and traps: folded stacks, one a line, for the usual
                       viewers of flame graphs
  --flame FILE.html    the same as a page with a flame graph, which needs no
                       network: the viewer speedscope, which is fetched once

docs/observing.md says how to read them.""",
    "vary": """\
Usage: ./run.sh vary [OPTIONS] APP [ARGS] [+ ...]

Runs APP once as it is, and then on machines whose cycles differ: other times of
the cache and the network, shorter sections, a job beside it. What it prints has
to be the same each time, with the lines in any order, and so has its status.
Of the first timing that differs, vary finds the fewest options that matter, and
prints the command that shows the difference, and the one that debugs it. A run
that takes 20 times the cycles of the plain one is ended. OPTIONS are those of a
run, and what they say is not varied. Further options:

  --runs N             how many timings (default 50)
  --first K            the number of the first timing (default 1); a timing's
                       number always means the same
  --ordered            the order of the lines counts, too
  --no-numbers         numbers in the output do not count, such as cycles
  --ignore REGEX       lines that REGEX matches do not count (repeatable)

The exit status is 0 if all are the same, and 1 if one differs.
docs/races.md has an example.""",
    "reference": """\
Usage: ./run.sh reference
       ./run.sh reference NAME...
       ./run.sh reference --make

Prints what docs/reference says of functions, macros, types and constants that a
program may use: the header, the declaration, parameters with their ranges,
results and errors. Without a name, lists the headers.

  --make               make docs/reference anew, from the comments of the headers
                       in guest-os/include; needs ctags-universal""",
    "lab": """\
Usage: ./run.sh lab
       ./run.sh lab N [--to DIR]
       ./run.sh lab N check [FOLDER]

The course, docs/course/README.md. Without a number, lists its labs. With one,
copies what lab N begins with into FOLDER, never over a file that is there, and
says what to read. With check, builds and runs the program in FOLDER, and prints
a line for each check: "ok", or "no" with what was seen and where to read.
FOLDER is lab-N, in this directory, unless you name another one.

  --to DIR             where the copy goes

The exit status of a check is 0 if all hold, and 1 if one does not.""",
    "trace": """\
Usage: ./run.sh trace [PATTERN...]

Lists the machine's trace events, with the text of their lines: names in
capitals stand for numbers. With patterns, such as 'fugu_ni_*', only these.

  --list               the same: list the events

./run.sh --trace PATTERN APP traces the events of a run. PATTERN may also be for
events of QEMU itself.""",
    "bench": """\
Usage: ./run.sh bench [NAME [ARGS]]

Builds everything and runs one benchmark, or all of them.

  --list               only list the benchmarks
  NAME --help          the options of one of them""",
    "sweep": """\
Usage: ./run.sh sweep [OPTIONS] FILE

Carries out the runs that FILE asks for, and makes one table of their results,
DIR/results.csv. FILE is CSV. Its first line names the columns: app, arguments,
options, trials, and options of a run without dashes. | separates alternatives,
{trial} is the number of the trial:

  app,         arguments,                   nodes,  trials
  lu,          60 10,                       4|8,    1
  ./my.elf,    --seed {trial} 3 | 4,        8,      3

A run that fails is a row with its reason. The same command again carries out
only what is missing or has changed.

  --output DIR         where results are kept (default: FILE's name and
                       -results, in this directory)
  --cores N            cores of this host to use (default: all)
  --limit SECONDS      end a run after so much host time (default 3600)
  --profile NAME       slurm, or a folder with a profile of Snakemake: run on a
                       cluster
  --snakemake-arg ARG  another argument for Snakemake (repeatable)
  --fresh              carry out all runs again
  --dry-run            only print the command of each run

The exit status is 0 if all runs ended with 0, otherwise 1. docs/sweeps.md
describes the columns of both tables.""",
    "paper": """\
Usage: ./run.sh paper [--quick|--small] [--output DIR] [--no-page] [--fresh]
       ./run.sh paper NAME [ARGS]

Measures what the paper measures. Without a NAME, makes a report of all tables
and figures: a page with the paper's claims and whether they hold for our
numbers, the same as JSON, and the numbers as CSV. Runs are kept in the cache,
so that a report that was interrupted continues where it stopped.

  --quick              one trial, soft atomicity, every second point
  --small              small data sets: a try that takes a minute, and is not
                       comparable with the paper
  --output DIR         where the report goes (default: build/paper)
  --no-page            JSON and CSV alone: needs no matplotlib
  --fresh              run what has been run before, too

  --list               only list the tables and figures
  NAME --help          the options of one of them
  --update-docs        measure all, and write them to tests/paper and docs/
  --json FILE          after NAME: the numbers as JSON; - for standard output
  --csv FILE           after NAME: the numbers as CSV, one a line
  --markdown           after NAME: the table as in docs/paper.md
  APP...               after table6, speedup, figure7 and figure8: some of their
                       programs

docs/paper.md says how they are measured, and why they differ.""",
    "clean": """\
Usage: ./run.sh clean [--cache [--yes]]

Removes the checkout's build directory.

  --cache              also remove the cache: QEMU, toolchain, downloads,
                       Python tools
  --yes                do not ask""",
    "man": """\
Usage: ./run.sh man

Prints the manual page. To read it: ./run.sh man | man -l -""",
    "completion": """\
Usage: ./run.sh completion bash

Prints a script by which bash completes commands, options, the names of programs
and files. In ~/.bashrc: source <(/path/to/run.sh completion bash)""",
}


def page(command: str | None = None) -> str:
    """The page of a command, or the main one."""
    if command:
        return PAGES[command]
    commands = "\n".join(f"  {name:<10} {what}" for name, what in COMMANDS.items())
    parts = [USAGE.replace("DEFAULT", default()), "Commands (each has its own --help):\n" + commands]
    for group in dict.fromkeys(option.group for option in OPTIONS):
        lines = [_line(option) for option in OPTIONS if option.group == group]
        parts.append("\n".join([f"{group}:", *lines]))
    parts[-1] += "\n" + _row("--help, --version", "")
    return "\n\n".join([*parts, EXAMPLES, STATUSES])


def show(text: str) -> None:
    """Prints a long text. Each line is written at once: a line that cannot be written stays in the buffer, so that main()
    sees why, which it would not for a text longer than the buffer."""
    for line in text.splitlines():
        print(line, flush=True)


def options_of(command: str) -> list[tuple[str, str]]:
    """The options that a command's page explains, with the name of their value; empty if they have none."""
    return re.findall(r"^  (--?[\w-]+)(?: (\S+))?(?=  |$)", PAGES[command], re.MULTILINE)


def _line(option: Option) -> str:
    names = ", ".join(option.names) + (f" {option.metavar}" if option.metavar else "")
    return _row(names, explained(option))


def explained(option: Option) -> str:
    """An option's help, with its default, and the kinds of network interface that have it if others do not."""
    notes = [f"default {_show(option)}"] if option.parse and option.default is not None else []
    if option.kinds != KINDS:
        notes.append(f"only with --ni {'|'.join(option.kinds)}")
    return (option.help + (f" ({'; '.join(notes)})" if notes else "")).lstrip()


def _row(names: str, text: str) -> str:
    lines = textwrap.wrap(text, 54) or [""]
    if len(names) > 23:
        lines = ["", *lines]
    head = f"  {names:<23} {lines[0]}".rstrip()
    return "\n".join([head, *(" " * 26 + line for line in lines[1:])])


def _show(option: Option) -> str:
    if isinstance(option.default, bool):
        return "on" if option.default else "off"
    return show_size(option.default) if option.metavar == "SIZE" else str(option.default)
