"""Frames in backtraces: what GDB takes for signal handlers are traps and upcalls."""

from __future__ import annotations

from collections.abc import Iterator

from gdb.FrameDecorator import FrameDecorator

import gdb

from .glaze import is_program
from .programs import code_symbol


def label(frame: gdb.Frame) -> str:
    """What an interruption is called: message upcall to a stub, or trap at a place of the kernel's."""
    what = "message upcall" if is_program(frame.pc()) else "trap"
    return f"<{what}: {code_symbol(frame.pc()).partition('+')[0] or '?'}>"


class Interruption(FrameDecorator):
    """The frame of a stub or of a trap's way through the kernel."""

    def function(self) -> str:
        """Its name, where GDB would say <signal handler called>."""
        return label(self.inferior_frame())

    def line(self) -> int | None:
        """It has one."""
        return self.inferior_frame().find_sal().line or None


class Interruptions:
    """Names them in `backtrace`, for `disable frame-filter global fugu` to turn off."""

    name = "fugu"
    priority = 100
    enabled = True

    def __init__(self) -> None:
        gdb.frame_filters[self.name] = self

    def filter(self, frames: Iterator[FrameDecorator]) -> Iterator[FrameDecorator]:
        """The same frames, these among them decorated."""
        for frame in frames:
            kind = frame.inferior_frame().type()
            yield Interruption(frame) if kind == gdb.SIGTRAMP_FRAME else frame
