"""Programs that share addresses: which one a node runs, and whose symbols count.

All programs of Glaze are linked at the same address. GDB has the symbols of
all of them, so that breakpoints can be set anywhere, and takes an address for
what the first of these files has there. So where a run has several programs:

- A breakpoint in a program gets the condition $_in_program(N): the node runs
  the program that one of the breakpoint's places at this address belongs to.
- Before a stop is shown, the files are put into another order on each node
  whose program is not the first: the one that it runs comes first.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import gdb

from .base import REGS, attached, quietly, selection_kept, symbol
from .glaze import Kernel, Program, is_program, kernel_file, running_program

CONDITION = "$_in_program"
FILES: list[str] = []           # of programs, where there are several


def watch(files: list[str]) -> None:
    """Called once all is attached."""
    FILES[:] = dict.fromkeys(files)
    if len(FILES) < 2:
        return
    InProgram()
    gdb.events.breakpoint_created.connect(qualify)
    gdb.events.breakpoint_modified.connect(qualify)
    gdb.execute("define hook-stop\npython import fugu_debug.programs; fugu_debug.programs.stopping()\nend")


# ---- breakpoints ---------------------------------------------------------------

def qualify(breakpoint: gdb.Breakpoint) -> None:
    """Restricts it to its own program, whatever other conditions the user sets."""
    if breakpoint.number < 0 or breakpoint.type not in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT):
        return
    condition = breakpoint.condition or ""
    if CONDITION in condition or not any(is_program(place.address or 0) for place in breakpoint.locations):
        return
    mine = f"{CONDITION}({breakpoint.number})"
    breakpoint.condition = f"{mine} && ({condition})" if condition else mine


class InProgram(gdb.Function):
    """$_in_program(N): does the node run the program that breakpoint N means at this address?"""

    def __init__(self) -> None:
        super().__init__(CONDITION.removeprefix("$"))

    def invoke(self, number: gdb.Value) -> bool:
        pc = gdb.selected_frame().pc()
        program = running_program() if is_program(pc) else None
        found = next((b for b in gdb.breakpoints() if b.number == int(number)), None)
        if not program or not found:
            return True
        return (found.location or "").startswith("*") or \
            any(place.address == pc and means(place, program, pc) for place in found.locations)


def means(place: gdb.BreakpointLocation, program: Program, pc: int) -> bool:
    """Is that place of a breakpoint in that program?"""
    function, file = program.function(pc), program.file(pc)
    if function and place.function and re.sub(r"\(.*", "", place.function) == function[0]:
        return True
    source = place.source
    return bool(file and source and Path(source[0]).name == Path(file[0]).name and source[1] == file[1])


# ---- symbols ---------------------------------------------------------------------

def stopping() -> None:
    """Before a stop is shown: each node's program comes first among its symbols."""
    with selection_kept(), quietly():
        for thread in attached().values():
            thread.switch()
            put_first()


def put_first() -> None:
    """Puts the files of the selected inferior into order, if they are not."""
    program = running_program()
    if not program:
        return
    loaded = [o.filename for o in gdb.objfiles() if o.is_valid() and o.filename in FILES]
    mine = next((file for file in loaded if Path(file).stem == program.name), None)
    if not mine or loaded[0] == mine:
        return
    for file in loaded[:loaded.index(mine)]:
        gdb.execute(f"remove-symbol-file {shlex.quote(file)}", to_string=True)
        gdb.execute(f"add-symbol-file {shlex.quote(file)}", to_string=True)


def code_symbol(address: int) -> str:
    """FUNCTION+OFFSET of what the selected node runs, or nothing."""
    program = running_program() if FILES and is_program(address) else None
    return program.symbol(address) if program else symbol(address)


def handler_symbol(header: int, gid: int, address: int) -> str:
    """The name of the handler of a message with this GID."""
    if FILES and not header & REGS["HDR_KERNEL"] and kernel_file():
        return Kernel().handler(gid, address, False)
    return symbol(address)
