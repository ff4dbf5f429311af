"""Figure 10: share of synth's messages that take the buffered path, by the cost of that path."""

from __future__ import annotations

from ._claims import Figure
from ._synth import ATOMICITY, GROUPS, KINDS, SKEW, Setting, shares
from ._table import PAPER, parser, show

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
    found = shares((Setting(kind, how, group, BETWEEN, latency) for kind in ATOMICITY for how in KINDS
                    for group in GROUPS for latency in LATENCIES), small=small, fresh=fresh)
    overhead = PAPER["table5"]["minimum_together"]
    costs = [str(overhead + latency) for latency in LATENCIES]
    result = Figure(f"Figure 10: messages of synth-N that take the buffered path, in percent, with T_betw {BETWEEN} and "
                    f"a skew of {SKEW} %", costs, x="cost of the buffered path, cycles", y="messages buffered, percent")
    for kind in ATOMICITY:
        for how in KINDS:
            for group in GROUPS:
                result.row(f"{kind}, {how}", f"synth-{group}",
                           {cost: found[Setting(kind, how, group, BETWEEN, latency)]
                            for cost, latency in zip(costs, LATENCIES, strict=True)}, {})
    for kind in ATOMICITY:
        for how in KINDS:
            _claims(result, f"{kind}, {how}")
    return result


def _claims(result: Figure, lines: str) -> None:
    ten = result.line(lines, "synth-10")
    result.claim(f"{lines}: synth-10 stays small throughout.", f"{max(ten):.2f} % at most", max(ten) < SMALL_SHARE)
    for group in (100, 1000):
        line = result.line(lines, f"synth-{group}")
        below = [share for cost, share in zip(result.columns, line, strict=True) if int(cost) < BETWEEN]
        result.claim(f"{lines}: synth-{group} stays small while the buffered path costs less than the interval, then "
                     "climbs.", f"{max(below):.2f} % below {BETWEEN} cycles, {line[-1]:.2f} % at {result.columns[-1]}",
                     max(below) < SMALL_SHARE < line[-1])
