"""Figures: cycles that sentences of docs/ quote, apart from tables 4 and 5."""

from __future__ import annotations

from ..errors import SetupError
from ..image.boot_image import PROGRAM
from ._interrupts import WARM, receive
from ._table import Result, run
from ._walk import RECEIVER, Walk, cycles, measured
from .table5 import COLUMN, handle

SOFT = ("--atomicity", "soft")
SECTIONS = WARM + 4


def main(words: list[str]) -> int:
    """Measures and shows the figures."""
    return run("figures", measure, words)


def measure() -> Result:
    """Measures all figures."""
    result = Result("Figures that docs/ quote, in cycles", [COLUMN])
    before, after = around(receive("direct", ["upcall", "0"], "send_0", "MESSAGE").walk)
    opened, closed = section()
    for name, value in (("kernel_before_upcall", before), ("kernel_after_upcall", after),
                        ("soft_beginatom", opened), ("soft_endatom", closed),
                        ("soft_handler_from_buffer_more", cycles(handle(0, SOFT)) - cycles(handle(0)))):
        result.row("", name, {COLUMN: value}, {COLUMN: None})
    result.notes = [
        "kernel: from the interrupt to the program's first instruction, and from its last one, a trap, to the "
        "interrupted one.",
        f"soft_beginatom, soft_endatom: emulated, no message waits, after {WARM} others.",
    ]
    return result


def around(walk: Walk) -> tuple[int, int]:
    """The kernel's cycles before an upcall, and from the trap that ends it. SetupError if there is no upcall."""
    program = [k for k, step in enumerate(walk) if k and step.pc >= PROGRAM]
    if not program:
        raise SetupError("no instruction of the program was executed between interrupt and return.")
    return cycles(walk[:program[0]]), cycles(walk[program[-1]:])


def section() -> tuple[int, int]:
    """Cycles for opening and for closing an atomic section with soft atomicity. SetupError."""
    with measured("direct", "section", "0", str(SECTIONS), options=SOFT) as machine:
        machine.run_to(RECEIVER, "section_open", WARM + 1)
        both = machine.walk(RECEIVER, machine.code.address("section_close")), \
            machine.walk(RECEIVER, machine.code.address("section_done"))
        return cycles(both[0]), cycles(both[1])
