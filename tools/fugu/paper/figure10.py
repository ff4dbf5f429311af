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
from .runs.synth import GROUPS, SKEW, Setting, lines

BETWEEN = 275           # T_betw
LATENCIES = (0, 50, 100, 200, 300, 500, 800, 1200)      # cycles added to an insertion
SMALL_SHARE = 5.0       # percent: what counts as a small share


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
    result.claim(panel, "synth-10 stays small throughout.", f"{max(ten):.2f} % at most", max(ten) < SMALL_SHARE)
    for group in (100, 1000):
        line = result.line(panel, f"synth-{group}")
        below = [share for cost, share in zip(result.columns, line, strict=True) if int(cost) < BETWEEN]
        result.claim(panel, f"synth-{group} stays small while the buffered path costs less than the interval, then "
                     "climbs.", f"{max(below):.2f} % below {BETWEEN} cycles, {line[-1]:.2f} % at {result.columns[-1]}",
                     max(below) < SMALL_SHARE < line[-1], synth.why(panel))
