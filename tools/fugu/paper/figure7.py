"""Figure 7: share of the messages that take the buffered path, by the scheduler's skew."""

from __future__ import annotations

from collections.abc import Sequence

from ._table import parser, show
from .runs import skewed
from .runs.claims import Figure, correlation
from .runs.skewed import APPS, ATOMICITY, SKEWS, Runs

PAGES = 7               # the paper: fewer physical pages than this for buffers, on each node in each run
CONSTANT = 2.0          # about constant: the largest share at skews from 5 % is less than this many times the smallest
FROM = 5                # percent: below, no program is affected by the skew alone
LINEAR = 0.97           # correlation


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    reader = parser("figure7")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(fresh=given.fresh), given)
    return 0


def measure(apps: Sequence[str] = APPS, *, small: bool = False, fresh: bool = False) -> Figure:
    """Runs the programs, with the paper's data sets or with small ones."""
    return figure(skewed.runs(apps, small=small, fresh=fresh), apps)


def figure(runs: Runs, apps: Sequence[str]) -> Figure:
    """The figure of these runs."""
    result = Figure("Figure 7: messages that take the buffered path, in percent, beside null",
                    [str(skew) for skew in SKEWS], x="skew, percent of the timeslice", y="messages buffered, percent")
    for kind in ATOMICITY:
        for app in apps:
            result.row(app, kind, {str(skew): round(100 * runs.beside[app, kind, skew].share, 3) for skew in SKEWS}, {})
    for kind in ATOMICITY:
        for app in apps:
            shares = result.line(app, kind)
            if app == "enum":
                fit = correlation(SKEWS, shares)
                result.claim(f"{app}, {kind}: the share is linear in the skew.", f"correlation {fit:.3f}", fit >= LINEAR)
            else:
                later = [share for skew, share in zip(SKEWS, shares, strict=True) if skew >= FROM]
                result.claim(f"{app}, {kind}: the share is about constant in the skew.",
                             f"{min(later):.2f} to {max(later):.2f} % from {FROM} % on",
                             max(later) <= CONSTANT * min(later))
        pages = max(point.pages for (_, one, _), point in runs.beside.items() if one == kind)
        result.claim(f"{kind}: a node needs less than {PAGES} physical pages for buffers, in any run.", f"{pages}",
                     pages < PAGES)
    return result
