"""Programs that do at random what a library allows: on which machines they run, and how their answer is read.

The tests of each library say how its program is started, and what its answer must hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from machine_runs import Result, long_rounds

# A job beside the program, which ends when that has.
BESIDE = ("+", "null", "while-others")
FEW = 4                 # pages of a node's own that the program visits: all of them have room

on_other_machines = pytest.mark.parametrize(
    "options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, long_rounds(2),
                {"atomicity": "soft", "atomicity_timeout": 300}],
    ids=["soft", "short", "split", "soft-short"])
with_hard_and_soft_atomicity = pytest.mark.parametrize("atomicity", ["hard", "soft"])


def numbers(result: Result, line: str) -> list[int]:
    """The numbers in the line, a regular expression, with which a run that was right ends."""
    found = re.search(f"^{line}$", result.stdout, re.MULTILINE)
    assert found, result.report()
    return [int(number) for number in found.groups()]


@dataclass
class Machine:
    """What a long run gets: pages of each node's own, words after the program's, options of the machine."""

    pages: int = FEW
    words: tuple[object, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


def long_machine(seed: int, pages: int, ram: str, disk: Any, plain: dict[str, Any] | None = None,
                 short: dict[str, Any] | None = None, switch: bool = False) -> Machine:
    """The machine for a seed. In turn: as it is, beside another job, revoked all the time, with little memory.

    Each second four are soft. `plain` and `short` are more options for the first and the third; `switch`: each second
    one of those with little memory has that word. The first seed is a multiple of 100.
    """
    beside = {"timeslice": 20_000 + 500 * (seed % 100)}
    machine = [Machine(options=plain or {}), Machine(words=BESIDE, options=beside),
               Machine(options={"atomicity_timeout": 300} | (short or {})),
               Machine(pages, ("switch",) * (switch and seed % 8 < 4), {"ram": ram, "disk": [f"0={disk(32768)}"]})][seed % 4]
    machine.options |= {"timeout": "200G", "host_timeout": 600, "atomicity": "soft" if seed // 4 % 2 else "hard"}
    return machine
