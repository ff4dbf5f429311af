"""Programs that share addresses: which one a node runs, and whose symbols GDB has.

All programs of Glaze are linked at the same address, and GDB cannot be told
that an address is one thing on this node and another on that one, or now and
later. So where a run has several programs, GDB has the symbols of one at a
time, the one in view, and

- a breakpoint in it gets the condition $_in_program("NAME"), so that no other
  program stops there by accident;
- a stop of a node that runs another one says so.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import gdb
from fugu.abi import REGS

from .base import attached, node_of, quietly, selection_kept, symbol
from .glaze import Kernel, is_program, kernel_file, running_job, running_program

FILES: list[str] = []           # of the programs, where there are several; the one in view first
CONDITION = "$_in_program"


def watch(files: list[str]) -> None:
    """Called once all is attached; the first of several is in view."""
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
    return Path(FILES[0]).stem


# ---- breakpoints ---------------------------------------------------------------

def qualify(breakpoint: gdb.Breakpoint) -> None:
    """Restricts it to the program in view, whatever other conditions the user sets."""
    if breakpoint.number < 0 or breakpoint.type not in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT):
        return
    condition = breakpoint.condition or ""
    if CONDITION in condition or not any(is_program(place.address or 0) for place in breakpoint.locations):
        return
    mine = f'{CONDITION}("{in_view()}")'
    breakpoint.condition = f"{mine} && ({condition})" if condition else mine


class InProgram(gdb.Function):
    """$_in_program("NAME"): is the code of that program, or of the kernel?"""

    def __init__(self) -> None:
        super().__init__(CONDITION.removeprefix("$"))

    def invoke(self, name: gdb.Value) -> bool:
        program = running_program() if is_program(gdb.selected_frame().pc()) else None
        return program is None or program.name == name.string()


class Job(gdb.Function):
    """$_job(): the number of the job whose process is current on the selected node; 0 if there is none."""

    def __init__(self) -> None:
        super().__init__("_job")

    def invoke(self) -> int:
        return running_job()


# ---- symbols ---------------------------------------------------------------------

class ProgramCommand(gdb.Command):
    """Puts a program in view, where a run has several: fugu program [NAME].

    GDB has the symbols of one program at a time, since all are linked at the
    same address. Breakpoints in another one are pending meanwhile. Without
    NAME: which ones there are; the star marks the one in view."""

    def __init__(self) -> None:
        super().__init__("fugu program", gdb.COMMAND_FILES)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if not FILES:
            raise gdb.GdbError("The run has no more than one program.")
        names = {Path(file).stem: file for file in FILES}
        if not argument:
            print("\n".join(f"{'*' if name == in_view() else ' '} {name}" for name in sorted(names)))
        elif argument not in names:
            raise gdb.GdbError(f"There is no program {argument}, but: {', '.join(sorted(names))}.")
        elif argument != in_view():
            view(names[argument])

    def complete(self, text: str, word: str) -> list[str]:
        return [Path(file).stem for file in FILES if Path(file).stem.startswith(text)]


def view(file: str) -> None:
    """Gives the attached nodes the symbols of this program in place of those in view."""
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
    """Before a stop is shown: whose code it is, if not that of the program in view."""
    program = running_program()
    if program and program.name != in_view():
        print(f"Node {node_of(gdb.selected_inferior())} runs {program.name} (job {running_job()}), and GDB has the "
              f"symbols of {in_view()}: fugu program {program.name}")


def code_symbol(address: int) -> str:
    """FUNCTION+OFFSET of what the selected node runs, or nothing."""
    program = running_program() if FILES and is_program(address) else None
    return program.symbol(address) if program and program.name != in_view() else symbol(address)


def handler_symbol(header: int, gid: int, address: int) -> str:
    """The name of the handler of a message with this GID."""
    if FILES and not header & REGS["HDR_KERNEL"] and kernel_file():
        return Kernel().handler(gid, address, False)
    return symbol(address)
