"""Figure 9: share of synth's messages that take the buffered path, by the interval between sends."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ._command import run_programs
from ._table import PAPER
from .runs import synth
from .runs.extent import FULL, Extent
from .runs.figure import Figure
from .runs.sweep import Job
from .runs.synth import GROUPS, HAND, SKEW, SMALL_SHARE, Setting, knee, lines

NOISE = 0.1             # points by which lines differ that are the same: what some boundaries of a run's 40 make
INTERVALS = (100, 200, 275, 350, 450, 550, 700, 1000, 1500, 2000)


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    return run_programs("figure9", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the figure needs."""
    return (job for setting in _settings(extent) for job in synth.jobs(setting, extent))


def measure(extent: Extent = FULL) -> Figure:
    """Runs synth for the settings that have not been run before."""
    found = synth.shares(_settings(extent), extent)
    intervals = extent.points(INTERVALS)
    result = Figure(f"Figure 9: messages of synth-N that take the buffered path, with a skew of {SKEW} %",
                    [str(between) for between in intervals], x="T_betw, cycles", y="messages buffered, %")
    for line in lines(extent):
        for group in GROUPS:
            result.curve(", ".join(line), f"synth-{group}",
                         {between: found[Setting(*line, group, between)] for between in intervals})
    for line in lines(extent):
        _claims(result, ", ".join(line), intervals)
    return result


def _settings(extent: Extent) -> list[Setting]:
    return [Setting(*line, group, between) for line in lines(extent) for group in GROUPS
            for between in extent.points(INTERVALS)]


def _claims(result: Figure, panel: str, intervals: tuple[int, ...]) -> None:
    enough = HAND + PAPER["table5"]["minimum_together"]
    ours = {group: result.line(panel, f"synth-{group}") for group in GROUPS}
    beyond = [max(share for between, share in zip(intervals, line, strict=True) if between > enough)
              for line in ours.values()]
    result.claim(panel, f"A small share (at most {SMALL_SHARE:g} %) for every N once T_betw > T_hand + buffering overhead "
                 f"({enough} cycles).", f"{max(beyond):.2f} % at most; {_knees(ours, intervals)}",
                 max(beyond) <= SMALL_SHARE, synth.why(panel))
    spreads = [result.spread(panel, f"synth-{group}") for group in GROUPS]
    ordered = sum(all(few[0] <= many[1] + NOISE for few, many in pairwise(place)) for place in zip(*spreads, strict=True))
    result.claim(panel, "The share falls as N falls, as far as the spread of the trials can tell "
                 f"(and {NOISE:g} points).",
                 f"at {ordered} of {len(intervals)} intervals", ordered == len(intervals), synth.why(panel))


def _knees(ours: dict[int, list[float]], intervals: tuple[int, ...]) -> str:
    """Where each line becomes small for good, as the interval grows."""
    found = {group: knee(intervals[::-1], line[::-1]) for group, line in ours.items()}
    texts = [f"synth-{group} {'below' if places[0] > places[1] else 'up to'} {places[0]}"
             for group, places in found.items() if places]
    return f"above {SMALL_SHARE:g} %: " + ", ".join(texts) if texts else f"above {SMALL_SHARE:g} % nowhere"
