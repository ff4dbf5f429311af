"""Figure 10: share of synth's messages that take the buffered path, by the cost of that path."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from . import table5
from ._command import run_programs
from .runs import synth
from .runs.extent import FULL, Extent
from .runs.figure import Figure
from .runs.sweep import Job
from .runs.synth import GROUPS, SKEW, SMALL_SHARE, Setting, knee, lines

BETWEEN = 275           # T_betw
LATENCIES = (0, 50, 100, 200, 300, 500, 800, 1200)      # cycles added to an insertion
MANY = 5.0              # times SMALL_SHARE: the line has climbed


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    return run_programs("figure10", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the figure needs."""
    return (job for setting in _settings(extent) for job in synth.jobs(setting, extent))


def measure(extent: Extent = FULL) -> Figure:
    """Runs synth for the settings that have not been run before."""
    found = synth.shares(_settings(extent), extent)
    costs = {_buffered() + latency: latency for latency in extent.points(LATENCIES)}
    result = Figure(f"Figure 10: messages of synth-N that take the buffered path, with T_betw {BETWEEN} and a skew of "
                    f"{SKEW} %", [str(cost) for cost in costs], x="cost of the buffered path, cycles",
                    y="messages buffered, %")
    for line in lines(extent):
        for group in GROUPS:
            result.curve(", ".join(line), f"synth-{group}",
                         {cost: found[Setting(*line, group, BETWEEN, latency)] for cost, latency in costs.items()})
    for line in lines(extent):
        _claims(result, ", ".join(line))
    return result


def _settings(extent: Extent) -> list[Setting]:
    return [Setting(*line, group, BETWEEN, latency) for line in lines(extent) for group in GROUPS
            for latency in extent.points(LATENCIES)]


@functools.cache
def _buffered() -> int:
    """Cycles of the buffered path without latency: to put a null message into the buffer and to take it out."""
    row = next(row for row in table5.measure().rows if row["row"] == "minimum_together")
    return int(row["ours"][table5.COLUMN])


def _claims(result: Figure, panel: str) -> None:
    ten = result.line(panel, "synth-10")
    result.claim(panel, f"synth-10 stays small throughout (at most {SMALL_SHARE:g} %).", f"{max(ten):.2f} % at most",
                 max(ten) <= SMALL_SHARE, synth.why(panel))
    costs = [int(cost) for cost in result.columns]
    for group in (100, 1000):
        line = result.line(panel, f"synth-{group}")
        place = knee(costs, line)
        result.claim(panel, f"synth-{group} stays small while the buffered path costs less than the interval "
                     f"({BETWEEN} cycles), then climbs (above {MANY * SMALL_SHARE:g} %).",
                     f"{_small(place, costs)}, {max(line):.2f} % at most",
                     place is not None and place[1] >= BETWEEN and place[0] != place[1] and max(line) > MANY * SMALL_SHARE,
                     synth.why(panel))


def _small(place: tuple[int, int] | None, costs: list[int]) -> str:
    """Up to which cost a line is small."""
    if place is None:
        return f"small up to {costs[-1]}"
    return f"small up to {place[0]}, not at {place[1]}" if place[0] != place[1] else f"not small at {place[0]}"
