"""Start and end: fugu connect, and the message when the machine ends."""

from __future__ import annotations

import ctypes
import json
import re
import shlex
from contextlib import suppress
from pathlib import Path

import gdb
from fugu.abi import GLAZE, PROCESS
from fugu.paths import program_name

from . import faults, programs
from .base import USER_PAGE, Page, attached, local_time, node_of, quietly, selection_kept
from .glaze import kernel_file


def flush_lines() -> None:
    """Makes GDB's standard output line-buffered, as it is on a terminal.

    Into a pipe or a file, GDB would write 4 KiB at a time. GDB's output would come after later lines of the machine,
    and be cut where the buffer was full.
    """
    line_buffered = 1           # _IOLBF of the C library
    library = ctypes.CDLL(None)
    library.setvbuf(ctypes.c_void_p.in_dll(library, "stdout"), None, line_buffered, ctypes.c_size_t(0))


class Connect(gdb.Command):
    """Attaches to the nodes of a waiting machine: fugu connect TARGET NODES [APP.elf...].

    TARGET is that of "target extended-remote": localhost:1234, or the path of
    a UNIX socket. NODES are numbers and ranges: 0-7, or 0,5,60-63. With apps,
    GDB must have been started on the kernel; the apps' symbols are added."""

    def __init__(self) -> None:
        super().__init__("fugu connect", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        if len(words) < 2 or not re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", words[1]):
            raise gdb.GdbError("Usage: fugu connect TARGET NODES, such as fugu connect localhost:1234 0-7")
        kernel = gdb.current_progspace().filename
        if not kernel:
            raise gdb.GdbError("Name the program first: file PROGRAM.elf")
        nodes: set[int] = set()
        for part in words[1].split(","):
            first, _, last = part.partition("-")
            nodes.update(range(int(first), int(last or first) + 1))
        with quietly():
            connect(words[0], [kernel, *words[2:]], sorted(nodes))
        banner(words[2:] or [kernel])


def connect(target: str, symbols: list[str], nodes: list[int]) -> None:
    """Attaches to these nodes. Node k is process k + 1, an inferior with one thread.

    GDB must have the first file of `symbols` already."""
    # All nodes of the machine run together, whichever one GDB resumes.
    gdb.execute("set schedule-multiple on")
    for quiet in ("inferior-events", "thread-events"):
        gdb.execute(f"set print {quiet} off")
    # GDB reads call frame information of 32-bit SPARC only for such systems.
    gdb.execute("set osabi GNU/Linux")
    gdb.execute("set max-value-size unlimited")         # large arrays and structures are printed in parts
    gdb.execute(f"target extended-remote {target}", to_string=True)
    first = gdb.selected_inferior()     # the stub attaches its first process by itself
    apps = symbols[1:2]                 # only the first one is in view
    add_symbols(apps)
    for node in nodes:
        if node != node_of(first):
            attach(node, symbols[0], apps)
    if node_of(first) not in nodes:
        gdb.execute(f"detach inferiors {first.num}", to_string=True)
        gdb.execute(f"remove-inferiors {first.num}", to_string=True)
    for node, thread in attached().items():
        thread.name = f"node {node}"
    attached()[min(attached())].switch()
    # GDB swallows the first stop of the node that it has attached to by `target`, unless a command for that node has
    # been resumed: it waits for ever if another node is selected. No step at all is such a command.
    gdb.execute("stepi 0", to_string=True)
    if kernel_file():
        # main() is the program's; the library calls it.
        gdb.execute("set backtrace past-main on")
        saved_windows()
        programs.watch(symbols[1:])
        faults.watch()
    with suppress(gdb.error):           # `break LINE` and `list` are about the file of main(), as they are elsewhere
        gdb.execute("list main", to_string=True)


def saved_windows() -> None:
    """Tells the stub where Glaze keeps a user's windows while the kernel runs C code."""
    places = (PROCESS["P_WINDOWS"], PROCESS["P_OUT"] + 4 * 6, PROCESS["P_WINDOW"])
    text = ",".join(f"0x{GLAZE['PROCESS'] + place:x}" for place in places)
    said = gdb.execute(f"monitor qom-set /machine/rounds saved-windows {text}", to_string=True)
    if said.strip():
        raise gdb.GdbError(f"This QEMU is not of this checkout: {said.strip()}")


def attach(node: int, kernel: str, apps: list[str]) -> None:
    """Makes an inferior for a node, attaches it and selects it."""
    known = {inferior.num for inferior in gdb.inferiors()}
    gdb.execute(f"add-inferior -exec {shlex.quote(kernel)}", to_string=True)
    number = next(inferior.num for inferior in gdb.inferiors() if inferior.num not in known)
    gdb.execute(f"inferior {number}", to_string=True)
    add_symbols(apps)
    gdb.execute(f"attach {node + 1}", to_string=True)


def add_symbols(files: list[str]) -> None:
    """Gives the selected inferior the symbols of apps, at the addresses that they are linked at."""
    for file in files:
        gdb.execute(f"add-symbol-file {shlex.quote(file)}", to_string=True)


class Kill(gdb.Command):
    """Ends the machine, with all its nodes: kill."""

    def __init__(self) -> None:
        super().__init__("kill", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument:
            raise gdb.GdbError("kill takes no arguments: it ends the whole machine.")
        if not attached():
            raise gdb.GdbError("There is no machine.")
        with quietly():
            for command in ("monitor quit", "disconnect"):
                with suppress(gdb.error):           # the machine may end before it answers
                    gdb.execute(command, to_string=True)
        print("The machine is ended, with all its nodes. \"quit\" leaves.")


class Start(gdb.Command):
    """Not for a machine, which has started: continue runs it."""

    def __init__(self, name: str) -> None:
        super().__init__(name, gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if attached():
            raise gdb.GdbError("The machine has started already: \"continue\" runs it, and \"fugu goto 0\" goes back to "
                               "its beginning.")
        raise gdb.GdbError("There is no machine: ./run.sh debug starts one.")


def banner(names: list[str]) -> None:
    """Prints what the user should know at the start."""
    with selection_kept():
        count = Page(USER_PAGE)["U_NODES"]
        time = local_time()
    here = len(attached())
    which = "all attached" if here == count else f"{here} of them attached"
    when = f"at cycle {time}" if time else "before their first instruction"
    what = " + ".join(program_name(name) for name in names)
    print(f"{what} on {count} node{'s' if count > 1 else ''}, {which}, stopped {when}.\n"
          "Node K is the thread \"node K\". Where one stops all do, and nothing that is done here changes the run.\n"
          "  break FUNCTION, continue    stop where any node gets there; Control-C stops anywhere\n"
          "  fugu nodes, fugu ni         what the nodes do, and a network interface; help fugu")
    if programs.FILES:
        print("  fugu program NAME           GDB has the symbols of one program at a time, "
              f"now of {programs.in_view()}")


def stopped(event: gdb.StopEvent) -> None:
    """When GDB stops because the machine has ended, prints how."""
    if getattr(event, "stop_signal", "") != "SIGQUIT":
        return
    with suppress(gdb.error, ValueError):
        said = json.loads(gdb.execute("monitor qom-get /machine/rounds state", to_string=True))
        print(f"The machine has {said}. All of it can still be looked at; \"quit\" leaves.")


def exiting(event: object) -> None:
    """Disconnects when GDB ends. Otherwise GDB would detach, and the nodes would run until QEMU is ended."""
    with suppress(gdb.error):
        gdb.execute("disconnect", to_string=True)
