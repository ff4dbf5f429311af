"""Races of a few cycles: a program whose rounds meet at every cycle of a window, one after the other.

The program makes the delays itself, in one run: a round takes some thousand cycles, a run of its own a second of
the host's time. It reports which offsets there really were (tests/glaze/races/races.c), so a test can require that
there was no hole, and that what it looks for came before, during and after what happens.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LINE = re.compile(r"^([\w-]+): (\d+) rounds, sent at (-?\d+) to (-?\d+), (\d+) holes, handled (\d+) before, "
                  r"(\d+) during, (\d+) after, (\d+) wrong$", re.MULTILINE)


@dataclass(frozen=True)
class Swept:
    """What such a program says at its end. Offsets are cycles from the beginning of what happens."""

    rounds: int
    first: int
    last: int
    holes: int          # offsets between first and last that no round has tried
    before: int         # rounds in which the handler started before what happens
    during: int
    after: int
    wrong: int


def sweep(machine: Callable[..., Any], program: Path, case: str, first: int, last: int, *more: object,
          **options: Any) -> Swept:
    """Runs a case with every delay from `first` to `last`, in cycles. Fails the test unless each round was right.

    `more`: words behind the case, such as another job. `options`: those of machine().
    """
    result = machine(program, case, first, last, *more, **{"nodes": 2, "timeout": "400M"} | options)
    found = LINE.search(result.stdout)
    assert result.status == 0 and found and found[1] == case, result.report()
    swept = Swept(*map(int, found.groups()[1:]))
    assert swept.rounds == last - first + 1 and swept.wrong == 0, result.report()
    return swept
