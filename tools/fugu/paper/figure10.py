"""Figure 10: share of synth's messages that take the buffered path, by the cost of that path."""

from __future__ import annotations

import functools

from . import table5
from ._table import parser, show
from .runs.claims import Figure
from .runs.synth import ATOMICITY, GROUPS, KINDS, SKEW, Setting, shares

BETWEEN = 275           # T_betw
LATENCIES = (0, 50, 100, 200, 300, 500, 800, 1200)      # cycles added to an insertion
SMALL_SHARE = 5.0       # percent: what counts as a small share


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    reader = parser("figure10")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(fresh=given.fresh), given)
    return 0


def measure(*, small: bool = False, fresh: bool = False) -> Figure:
    """Runs synth, for 20 slots a point or for short ones."""
    lines = [(kind, how) for kind in ATOMICITY for how in KINDS][:1 if small else None]
    found = shares((Setting(*line, group, BETWEEN, latency) for line in lines for group in GROUPS
                    for latency in LATENCIES), small=small, fresh=fresh)
    costs = [str(_buffered() + latency) for latency in LATENCIES]
    result = Figure(f"Figure 10: messages of synth-N that take the buffered path, in percent, with T_betw {BETWEEN} and "
                    f"a skew of {SKEW} %", costs, x="cost of the buffered path, cycles", y="messages buffered, percent")
    for line in lines:
        for group in GROUPS:
            result.row(", ".join(line), f"synth-{group}",
                       {cost: found[Setting(*line, group, BETWEEN, latency)]
                        for cost, latency in zip(costs, LATENCIES, strict=True)}, {})
    for line in lines:
        _claims(result, ", ".join(line))
    return result


@functools.cache
def _buffered() -> int:
    """Cycles of the buffered path without latency: to put a null message into the buffer and to take it out."""
    row = next(row for row in table5.measure().rows if row["row"] == "minimum_together")
    return int(row["ours"][table5.COLUMN])


def _claims(result: Figure, lines: str) -> None:
    ten = result.line(lines, "synth-10")
    result.claim(f"{lines}: synth-10 stays small throughout.", f"{max(ten):.2f} % at most", max(ten) < SMALL_SHARE)
    for group in (100, 1000):
        line = result.line(lines, f"synth-{group}")
        below = [share for cost, share in zip(result.columns, line, strict=True) if int(cost) < BETWEEN]
        result.claim(f"{lines}: synth-{group} stays small while the buffered path costs less than the interval, then "
                     "climbs.", f"{max(below):.2f} % below {BETWEEN} cycles, {line[-1]:.2f} % at {result.columns[-1]}",
                     max(below) < SMALL_SHARE < line[-1])
