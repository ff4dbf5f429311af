"""Names frames in backtraces: those that GDB takes for signal handlers are traps and upcalls."""

from __future__ import annotations

from collections.abc import Iterator

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


class Interruptions:
    """The frame filter that names interruptions. `disable frame-filter global fugu` turns it off."""

    name = "fugu"
    priority = 100
    enabled = True

    def __init__(self) -> None:
        gdb.frame_filters[self.name] = self

    def filter(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        """The same frames, with interruptions decorated."""
        for frame in frames:
            kind = frame.inferior_frame().type()
            yield Interruption(frame) if kind == gdb.SIGTRAMP_FRAME else frame
