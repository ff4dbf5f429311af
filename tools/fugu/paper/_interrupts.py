"""Messages that interrupt their receiver, one at a time, as tests/paper has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import SetupError
from ._walk import RECEIVER, SENDER, Code, Measured, Walk, cycles, measured

WARM = 20           # messages before those that are measured
WALKED = 3          # these are walked through,
MORE = 5            # and these must take as long as they


@dataclass(frozen=True)
class Received:
    """What the n-th message took at its receiver, and how it was sent."""

    code: Code
    walk: Walk              # the interrupt first
    sent: Walk              # from the sender's function on
    gaps: list[int]         # by the program's own clock, for each message


def receive(program: str, words: Sequence[str], sender: str, trap: str, *, warm: int = WARM, count: int = 0,
            options: Sequence[str] = (), parameters: Sequence[str] = ()) -> Received:
    """Runs it, walks through the messages behind `warm`, and lets it finish.

    `sender` is the function that sends, the launch in it. `count` is how many
    messages there are in all. SetupError if the walks differ, or if they are
    not what the program itself has measured.
    """
    count = count or warm + WALKED + MORE
    with measured(program, *words, str(count), options=options, parameters=parameters) as machine:
        machine.run_to(SENDER, sender, warm)
        walks = []
        for _ in range(WALKED):
            machine.run_to(SENDER, sender)
            sent = _send(machine)
            walks.append(machine.walk_interrupt(trap))
        machine.run_to(RECEIVER, "exit")
        gaps = machine.words(RECEIVER, "gaps", count)
        what = " ".join([program, *words])
        for number, walk in enumerate(walks):
            if walk != walks[0]:
                raise SetupError(f"{what}: message {warm + number} went another way than the one before: "
                                 f"{cycles(walk)} cycles instead of {cycles(walks[0])}.")
            if cycles(walk) != gaps[warm + number]:
                raise SetupError(f"{what}: message {warm + number} took {cycles(walk)} cycles step by step, "
                                 f"and {gaps[warm + number]} by the program's own clock.")
        return Received(machine.code, walks[0], sent, gaps)


def own_clock(program: str, words: Sequence[str], count: int, options: Sequence[str] = ()) -> list[int]:
    """What a program measures by itself, for each message."""
    with measured(program, *words, options=options) as machine:
        machine.run_to(RECEIVER, "exit")
        return machine.words(RECEIVER, "gaps", count)


def _send(machine: Measured) -> Walk:
    """From where the sender is, through its launch."""
    code, pc = machine.code, machine.pc(SENDER)
    while not code.is_operation(pc, "LAUNCH"):
        pc += 4
    return machine.walk(SENDER, pc + 4)
