"""Instructions of message-passing primitives, executed step by step (tests/paper/shrimp/primitives.c)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...errors import SetupError
from ..steps.walk import RECEIVER, SENDER, Code, Measured, Walk, measured

OPTIONS = ("--ni", "shrimp")
WARM, WALKED = 2, 3         # turns before those that are measured, and these
COPIES = "wait for a message, prepare to copy, clear nbytes"       # the row around a loop, which does not count


@dataclass(frozen=True)
class Side:
    """What one end executes: pieces of code, each from a label to another one."""

    name: str
    pieces: tuple[tuple[str, str], ...] = ()


# The primitives of table 1, in the order in which the program executes them.
PRIMITIVES = {
    "single buffering": (Side("single_send", (("wait", "waited"), ("set", "done"))),
                         Side("single_receive", (("wait", "waited"), ("clear", "done")))),
    "single buffering + copy": (Side("single_send", (("wait", "waited"), ("set", "done"))),
                                Side("copied_receive", (("wait", "done"),))),
    "double buffering (case 1)": (Side("double1_send", (("swap", "done"),)), Side("double1_receive", (("swap", "done"),))),
    "double buffering (case 2)": (Side("double2_send", (("set", "done"),)),
                                  Side("double2_receive", (("wait", "waited"), ("clear", "done")))),
    "double buffering (case 3)": (Side("double3_send", (("wait", "waited"), ("set", "done"))),
                                  Side("double3_receive", (("wait", "waited"), ("clear", "done")))),
    "deliberate-update transfer": (Side("deliberate_send", (("start", "started"), ("check", "done"))),
                                   Side("deliberate_receive")),
    "csend and crecv": (Side("nx_send", (("call", "done"),)), Side("nx_receive", (("call", "done"),))),
}
Counts = dict[str, int]         # instructions by their purpose


def counted() -> dict[str, tuple[Counts, Counts]]:
    """For each primitive the instructions of source and destination. SetupError if they differ from turn to turn."""
    found = {}
    with measured("shrimp-primitives", options=OPTIONS) as machine:
        for name, sides in PRIMITIVES.items():
            machine.run_to(RECEIVER, sides[1].name)
            walks = [tuple(_walk(machine, node, side) for node, side in zip((SENDER, RECEIVER), sides, strict=True))
                     for _ in range(WARM + WALKED)][WARM:]
            counts = [tuple(_count(machine.code, walk) for walk in both) for both in walks]
            if any(one != counts[0] for one in counts):
                raise SetupError(f"{name} does not take the same instructions in each turn: {counts}.")
            found[name] = counts[0][0], counts[0][1]
    return found


def _walk(machine: Measured, node: int, side: Side) -> Walk:
    walk: Walk = []
    for begin, end in side.pieces:
        machine.run_to(node, f"{side.name}_{begin}")
        walk += machine.walk(node, machine.code.address(f"{side.name}_{end}"))
    return walk


def _count(code: Code, walk: Walk) -> Counts:
    """The instructions of each row, in the order in which they come."""
    rows: Counter[str] = Counter()
    times = Counter(step.pc for step in walk)
    for step in walk:
        row = code.row(step.pc)
        if row != COPIES or times[step.pc] == 1:
            rows[row] += 1
    return dict(rows)
