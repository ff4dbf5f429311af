"""Messages that interrupt their receiver, one at a time: runs of the programs in tests/paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import SetupError
from .walk import RECEIVER, SENDER, Code, Measured, Walk, cycles, measured, misses

WARM = 20           # messages before the measured ones
WALKED = 3          # messages that are executed step by step
MORE = 5            # messages after these, which must take as long


@dataclass(frozen=True)
class Received:
    """How a message was sent and received, with the cycles of each step."""

    code: Code
    walk: Walk              # at the receiver, from the interrupt on
    sent: Walk              # at the sender, from its function through the launch
    gaps: list[int]         # cycles of each message as the program measures them


def receive(program: str, words: Sequence[str], sender: str, trap: str, *, warm: int = WARM, count: int = 0,
            options: Sequence[str] = (), parameters: Sequence[str] = ()) -> Received:
    """Runs a program to its end, and executes WALKED messages after the first `warm` ones step by step.

    `sender` is the function that contains the launch. `count` is the number of
    all messages. Returns the message with the fewest cache misses: a place of a
    queue, which only some messages use, may collide in the cache with something else.
    SetupError if the messages take different instructions, or not the cycles that the
    program measures.
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
            if _instructions(walk) != _instructions(walks[0]):
                raise SetupError(f"{what}: message {warm + number} took other steps than the first one: "
                                 f"{cycles(walk)} cycles instead of {cycles(walks[0])}.")
            if cycles(walk) != gaps[warm + number]:
                raise SetupError(f"{what}: message {warm + number} took {cycles(walk)} cycles step by step, "
                                 f"and {gaps[warm + number]} by the program's own clock.")
        return Received(machine.code, min(walks, key=misses), sent, gaps)


def own_clock(program: str, words: Sequence[str], count: int, options: Sequence[str] = ()) -> list[int]:
    """The cycles of each message as the program measures them."""
    with measured(program, *words, options=options) as machine:
        machine.run_to(RECEIVER, "exit")
        return machine.words(RECEIVER, "gaps", count)


def _instructions(walk: Walk) -> list[int]:
    return [step.pc for step in walk]


def _send(machine: Measured) -> Walk:
    """Executes the sender from where it is through its launch."""
    code, pc = machine.code, machine.pc(SENDER)
    while not code.is_operation(pc, "LAUNCH"):
        pc += 4
    return machine.walk(SENDER, pc + 4)
