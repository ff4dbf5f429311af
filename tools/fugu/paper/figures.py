"""Figures: cycles that sentences of docs/ quote, apart from tables 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SetupError
from ..image.boot_image import PROGRAM
from ._command import run
from ._table import Result
from .steps.interrupts import WARM, own_clock, receive
from .steps.walk import RECEIVER, Code, Walk, cycles, measured
from .table5 import COLUMN, handle

SOFT = ("--atomicity", "soft")
SECTIONS = WARM + 4
MESSAGES = WARM + 8


def main(words: list[str]) -> int:
    """Measures and shows the figures."""
    return run("figures", measure, words)


def measure() -> Result:
    """Measures all figures."""
    result = Result("Figures that docs/ quote, in cycles", [COLUMN])
    received = receive("direct", ["upcall", "0"], "send_0", "MESSAGE")
    trapping = receive("direct", ["float", "0"], "send_0", "MESSAGE")
    before, after = around(trapping.walk)
    entered, left = library(received.code, received.walk)
    opened, closed = section()
    for name, value in (("kernel_before_upcall", before), ("kernel_after_upcall", after),
                        ("library_before_handler", entered), ("library_after_handler", left),
                        ("null_message_of_fpu", cycles(trapping.walk)),
                        *((f"interrupted_{way}_more", interrupting(way) - cycles(received.walk))
                          for way in ("thread", "handler", "described")),
                        ("soft_beginatom", opened), ("soft_endatom", closed),
                        ("soft_handler_from_buffer_more", cycles(handle(0, SOFT)) - cycles(handle(0)))):
        result.row("", name, {COLUMN: value}, {COLUMN: None})
    result.notes = [
        "kernel: from the interrupt to the program's first instruction, and from its last one, a trap, to the "
        "interrupted one, where that has the FPU.",
        "library: from its first instruction to the handler's, and from the handler's end to the interrupted code.",
        "null_message_of_fpu: all of it, where the interrupted code has the FPU.",
        "interrupted: how much longer than of the first thread an interrupt takes of another thread, of a handler, and "
        "while a message is half described (its header alone).",
        f"soft_beginatom, soft_endatom: emulated, no message waits, after {WARM} others.",
    ]
    return result


def around(walk: Walk) -> tuple[int, int]:
    """The kernel's cycles before an upcall, and from the trap that ends it. SetupError if there is no upcall."""
    program = [k for k, step in enumerate(walk) if k and step.pc >= PROGRAM]
    if not program:
        raise SetupError("no instruction of the program was executed between interrupt and return.")
    return cycles(walk[:program[0]]), cycles(walk[program[-1]:])


def interrupting(way: str) -> int:
    """The cycles of a null message that interrupts something other than the first thread."""
    return min(own_clock("direct", [way, "0", str(MESSAGES)], MESSAGES)[WARM:])


def library(code: Code, walk: Walk) -> tuple[int, int]:
    """The library's cycles before a null handler and after it."""
    handler = [k for k, step in enumerate(walk) if code.function(step.pc).startswith("null_")]
    program = [k for k, step in enumerate(walk) if k and step.pc >= PROGRAM]
    return cycles(walk[program[0]:handler[0]]), cycles(walk[handler[-1] + 1:program[-1] + 1])


def section(options: Sequence[str] = SOFT, way: str = "section") -> tuple[int, int]:
    """Cycles for opening and for closing an atomic section, by default with soft atomicity. SetupError.

    The way "library" is that of libraries, which exists with soft atomicity alone.
    """
    with measured("direct", way, "0", str(SECTIONS), options=options) as machine:
        machine.run_to(RECEIVER, f"{way}_open", WARM + 1)
        both = machine.walk(RECEIVER, machine.code.address(f"{way}_close")), \
            machine.walk(RECEIVER, machine.code.address(f"{way}_done"))
        return cycles(both[0]), cycles(both[1])
