"""Whose memory a watchpoint is about: that of the process which ran when it was set, or that runs the program in view.

Programs have the same virtual addresses. So the machine is told the address space of each watchpoint, and stops for no
store of another job: GDB never hears of it, and compares the values of one variable.
"""

from __future__ import annotations

import gdb

from .base import selected_node
from .stores import variable

KINDS = (gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_READ_WATCHPOINT, gdb.BP_ACCESS_WATCHPOINT)

PLACES: dict[int, tuple[int, int, int, int]] = {}   # node, job, address and bytes, by the watchpoint's number
WAITING: dict[int, tuple[int, gdb.Breakpoint]] = {}  # node and watchpoint, if no process has had the memory yet


def hook() -> None:
    """Starts to look after the user's watchpoints."""
    gdb.events.breakpoint_created.connect(found)
    gdb.events.breakpoint_deleted.connect(gone)
    gdb.events.stop.connect(stopped)


def found(breakpoint: gdb.Breakpoint) -> None:
    """Tells the machine of a new watchpoint, if it is about memory of a process."""
    if breakpoint.number < 0 or breakpoint.type not in KINDS:
        return
    node = selected_node()
    WAITING.pop(breakpoint.number, None)
    try:
        what = variable((breakpoint.expression or "").removeprefix("-location "))
    except (gdb.error, gdb.GdbError):
        WAITING[breakpoint.number] = (node, breakpoint)
        return
    if what.process:
        PLACES[breakpoint.number] = (node, what.process.gid, what.address, what.size)
        tell()


def stopped(event: gdb.StopEvent) -> None:
    """Looks again whose memory it is, where that was not known."""
    for node, breakpoint in list(WAITING.values()):
        if node == selected_node():
            found(breakpoint)


def gone(breakpoint: gdb.Breakpoint) -> None:
    """Takes it back."""
    WAITING.pop(breakpoint.number, None)
    if PLACES.pop(breakpoint.number, None):
        tell()


def tell() -> None:
    """Tells the machine of all watchpoints."""
    text = ",".join(":".join(map(str, place)) for place in PLACES.values())
    said = gdb.execute(f"monitor qom-set /machine/rounds watches {text or 'none'}", to_string=True)
    if said.strip():
        print(f"The watchpoints stop for stores of all jobs: {said.strip()}")
