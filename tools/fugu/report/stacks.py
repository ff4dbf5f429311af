"""The frames on a stack of a process, from its register windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..abi import GLAZE
from .memory import Memory, Missing
from .places import Tables

FRAMES_MOST = 10_000        # of a stack; a longer chain is damaged
STUBS = ("upcall.S", "stub.S")      # the libraries' files with the stubs of upcalls
WINDOW = 64                 # bytes of a register window in memory
LOCAL1, FP, IN7 = 4, 56, 60     # offsets in it


def is_stub(program: Tables, pc: int) -> bool:
    """Whether an address is in the stub of an upcall."""
    found = program.line_at(pc)
    return bool(found) and found[0] in STUBS


def frames(memory: Memory, program: Tables, pc: int, sp: int, windows: Sequence[bytes] = ()) -> Iterator[int]:
    """The pcs of frames, innermost first. The pc of a frame that has called another one is that of the call.

    `windows` are the first frames' register windows; the others are on the stack.
    """
    for k in range(FRAMES_MOST):
        yield pc
        try:
            window = windows[k] if k < len(windows) else memory.read(sp, WINDOW)
        except Missing:
            return
        local1, sp, in7 = (int.from_bytes(window[at:at + 4], "big") for at in (LOCAL1, FP, IN7))
        # The locals of a stub's window have the pc of the interrupted code.
        pc = local1 if is_stub(program, pc) else in7
        if not sp or not GLAZE["PROGRAM"] <= pc < GLAZE["PROGRAM_END"]:
            return
