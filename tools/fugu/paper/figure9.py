"""Figure 9: share of synth's messages that take the buffered path, by the interval between sends."""

from __future__ import annotations

from ._table import PAPER, parser, show
from .runs.claims import Figure
from .runs.synth import ATOMICITY, GROUPS, HAND, KINDS, SKEW, Setting, shares

INTERVALS = (100, 200, 275, 350, 450, 550, 700, 1000, 1500, 2000)
SMALL_SHARE = 5.0       # percent: what counts as a small share


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    reader = parser("figure9")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(fresh=given.fresh), given)
    return 0


def measure(*, small: bool = False, fresh: bool = False) -> Figure:
    """Runs synth, for 20 slots a point or for short ones."""
    lines = [(kind, how) for kind in ATOMICITY for how in KINDS][:1 if small else None]
    found = shares((Setting(*line, group, between) for line in lines for group in GROUPS for between in INTERVALS),
                   small=small, fresh=fresh)
    result = Figure(f"Figure 9: messages of synth-N that take the buffered path, in percent, with a skew of {SKEW} %",
                    [str(between) for between in INTERVALS], x="T_betw, cycles", y="messages buffered, percent")
    for line in lines:
        for group in GROUPS:
            result.row(", ".join(line), f"synth-{group}",
                       {str(between): found[Setting(*line, group, between)] for between in INTERVALS}, {})
    for line in lines:
        _claims(result, ", ".join(line))
    return result


def _claims(result: Figure, lines: str) -> None:
    enough = HAND + PAPER["table5"]["minimum_together"]
    ours = {group: result.line(lines, f"synth-{group}") for group in GROUPS}
    beyond = [max(share for between, share in zip(INTERVALS, line, strict=True) if between > enough)
              for line in ours.values()]
    result.claim(f"{lines}: a small share for every N once T_betw > T_hand + buffering overhead ({enough} cycles).",
                 f"{max(beyond):.2f} % at most", max(beyond) < SMALL_SHARE)
    ordered = sum(a <= b <= c for a, b, c in zip(*ours.values(), strict=True))
    result.claim(f"{lines}: the share falls as N falls.", f"at {ordered} of {len(INTERVALS)} intervals",
                 ordered == len(INTERVALS))
