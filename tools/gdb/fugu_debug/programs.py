"""Programs that share addresses: which one a node runs, and whose symbols GDB has.

All programs of Glaze are linked at the same address. GDB cannot have different
symbols at one address for different nodes or times. So if a run has several
programs, GDB has the symbols of one at a time, the program in view, and

- a breakpoint in it gets the condition $_in_program("NAME"), so that other
  programs do not stop there;
- when a node that runs another program stops, GDB prints a note.
"""

from __future__ import annotations

import shlex

import gdb
from fugu.abi import REGS
from fugu.paths import program_name

from .base import attached, node_of, quietly, selection_kept, symbol
from .glaze import Kernel, is_program, kernel_file, running_job, running_program

FILES: list[str] = []           # the files of several programs, the one in view first; empty if there is one program
CONDITION = "$_in_program"


def watch(files: list[str]) -> None:
    """Starts to keep track of programs. Caller must have attached to all nodes. The first file is in view."""
    Job()
    different = dict.fromkeys(files)
    if len(different) < 2:
        return
    FILES[:] = different
    InProgram()
    gdb.events.breakpoint_created.connect(qualify)
    gdb.events.breakpoint_modified.connect(qualify)
    gdb.execute("define hook-stop\npython import fugu_debug.programs; fugu_debug.programs.stopping()\nend")


def in_view() -> str:
    """The name of the program in view."""
    return program_name(FILES[0])


# ---- breakpoints ---------------------------------------------------------------

def qualify(breakpoint: gdb.Breakpoint) -> None:
    """Restricts a breakpoint to the program in view, in addition to the user's condition."""
    if breakpoint.number < 0 or breakpoint.type not in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT):
        return
    condition = breakpoint.condition or ""
    if CONDITION in condition or not any(is_program(place.address or 0) for place in breakpoint.locations):
        return
    mine = f'{CONDITION}("{in_view()}")'
    breakpoint.condition = f"{mine} && ({condition})" if condition else mine


class InProgram(gdb.Function):
    """$_in_program("NAME"): whether the selected frame is code of that program or of the kernel."""

    def __init__(self) -> None:
        super().__init__(CONDITION.removeprefix("$"))

    def invoke(self, name: gdb.Value) -> bool:
        program = running_program() if is_program(gdb.selected_frame().pc()) else None
        return program is None or program.name == name.string()


class Job(gdb.Function):
    """$_job(): the number of the job whose process is current on the selected node, or 0."""

    def __init__(self) -> None:
        super().__init__("_job")

    def invoke(self) -> int:
        return running_job()


# ---- symbols ---------------------------------------------------------------------

class ProgramCommand(gdb.Command):
    """Puts one of several programs in view: fugu program [NAME].

    GDB has the symbols of one program at a time, since all are linked at the
    same address. Breakpoints in other programs are pending meanwhile. Without
    NAME, lists the programs; the star marks the one in view."""

    def __init__(self) -> None:
        super().__init__("fugu program", gdb.COMMAND_FILES)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if not FILES:
            raise gdb.GdbError("The run has no more than one program.")
        names = {program_name(file): file for file in reversed(FILES)}
        if not argument:
            print("\n".join(f"{'*' if name == in_view() else ' '} {name}" for name in sorted(names)))
        elif argument not in names:
            raise gdb.GdbError(f"There is no program {argument}, but: {', '.join(sorted(names))}.")
        elif argument != in_view():
            view(names[argument])

    def complete(self, text: str, word: str) -> list[str]:
        return [name for name in map(program_name, FILES) if name.startswith(text)]


def view(file: str) -> None:
    """Replaces the symbols of the program in view by those of this file, for all attached nodes."""
    with selection_kept(), quietly():
        for thread in attached().values():
            thread.switch()
            gdb.execute(f"remove-symbol-file {shlex.quote(FILES[0])}", to_string=True)
        FILES.remove(file)
        FILES.insert(0, file)
        for thread in attached().values():
            thread.switch()
            gdb.execute(f"add-symbol-file {shlex.quote(file)}", to_string=True)


def stopping() -> None:
    """Before GDB shows a stop: prints a note if the node runs a program other than the one in view."""
    program = running_program()
    if program and program.name != in_view():
        print(f"Node {node_of(gdb.selected_inferior())} runs {program.name} (job {running_job()}), and GDB has the "
              f"symbols of {in_view()}: fugu program {program.name}")


def code_symbol(address: int) -> str:
    """FUNCTION+OFFSET of an address in what the selected node runs, or an empty text."""
    program = running_program() if FILES and is_program(address) else None
    return program.symbol(address) if program and program.name != in_view() else symbol(address)


def handler_symbol(header: int, gid: int, address: int) -> str:
    """The name of the handler of a message with this GID, or an empty text."""
    if FILES and not header & REGS["HDR_KERNEL"] and kernel_file():
        return Kernel().handler(gid, address, False)
    return symbol(address)
