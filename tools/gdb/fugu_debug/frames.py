"""Names frames in backtraces: those that GDB takes for signal handlers are traps and upcalls.

In assembly without debug information, such as the compiler's division, GDB names the nearest label. Frames there get the
routine's name, as in a profile.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from fugu.observe.programs import Program
from gdb.FrameDecorator import FrameDecorator

import gdb

from .glaze import is_program
from .programs import code_symbol


# The stubs of upcalls by the functions that they begin with. All others are of messages.
UPCALLS = {"fault_stub": "page fault upcall", "mbcf_signal_stub": "signal upcall", "shm_alarm_stub": "alarm upcall",
           "shm_fault_stub": "rights upcall"}
MESSAGE = "message upcall"


def upcall(pc: int) -> str:
    """The kind of upcall whose stub has a pc."""
    return UPCALLS.get(code_symbol(pc).partition("+")[0], MESSAGE)


def label(frame: gdb.Frame) -> str:
    """The name of an interruption: an upcall to a stub, or a trap at a place in the kernel."""
    what = upcall(frame.pc()) if is_program(frame.pc()) else "trap"
    return f"<{what}: {code_symbol(frame.pc()).partition('+')[0] or '?'}>"


class Interruption(FrameDecorator):
    """The frame of a stub, or of the kernel's code for a trap."""

    def function(self) -> str:
        """The name that GDB prints instead of <signal handler called>."""
        return label(self.inferior_frame())

    def line(self) -> int | None:
        """The line of the source, which GDB leaves out for signal handlers."""
        return self.inferior_frame().find_sal().line or None


@cache
def routines(file: str) -> Program:
    """The routines of an ELF file."""
    return Program("", file)


class Routine(FrameDecorator):
    """A frame in a routine without debug information."""

    def function(self) -> str:
        """The routine's name. GDB's, if no file has it."""
        pc = self.inferior_frame().pc()
        for objfile in gdb.objfiles():
            if objfile.is_valid() and (program := routines(objfile.filename or "")).has_code(pc):
                return program.function(pc)
        return super().function()


class Interruptions:
    """The frame filter that names interruptions and routines. `disable frame-filter global fugu` turns it off."""

    name = "fugu"
    priority = 100
    enabled = True

    def __init__(self) -> None:
        gdb.frame_filters[self.name] = self

    def filter(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        """The same frames, with interruptions and routines decorated."""
        for frame in frames:
            here = frame.inferior_frame()
            if here.type() == gdb.SIGTRAMP_FRAME:
                yield Interruption(frame)
            else:
                yield frame if here.function() else Routine(frame)
