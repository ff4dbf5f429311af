"""Figure 7: share of the messages that take the buffered path, by the scheduler's skew."""

from __future__ import annotations

from collections.abc import Sequence

from ._command import run_chosen
from .runs import skewed
from .runs.extent import FULL, Extent
from .runs.figure import Figure, correlation
from .runs.skewed import APPS, Runs

PAGES = 7               # the paper: fewer physical pages than this for buffers, on each node in each run
CONSTANT = 2.0          # about constant: the largest share at skews from 5 % is less than this many times the smallest
FROM = 5                # percent: below, no program is affected by the skew alone
LINEAR = 0.97           # correlation
RARE = ("The program sends rarely: a window of 5 % (25,000 cycles) is not much longer than its T_betw, and often passes "
        "without a message. The share grows until the window is much longer.")
WHY = {"lu": RARE, "water": RARE}


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    return run_chosen("figure7", measure, APPS, words)


def measure(apps: Sequence[str] = APPS, extent: Extent = FULL) -> Figure:
    """Runs the programs that have not been run before."""
    return figure(skewed.runs(apps, extent), apps)


def figure(runs: Runs, apps: Sequence[str]) -> Figure:
    """The figure of these runs."""
    skews = runs.skews()
    result = Figure("Figure 7: messages that take the buffered path, beside null", [str(skew) for skew in skews],
                    x="skew, % of the timeslice", y="messages buffered, %")
    for kind in runs.kinds():
        for app in apps:
            result.curve(kind, app, {skew: runs.beside[app, kind, skew].share.times(100) for skew in skews})
    for kind in runs.kinds():
        for app in apps:
            _claim(result, kind, app, skews)
        pages = max(point.pages for (_, one, _), point in runs.beside.items() if one == kind)
        result.claim(kind, f"A node needs less than {PAGES} physical pages for buffers, in any run.",
                     f"{pages} at most", pages < PAGES)
    return result


def _claim(result: Figure, kind: str, app: str, skews: Sequence[int]) -> None:
    shares = result.line(kind, app)
    if app == "enum":
        fit = correlation(skews, shares)
        result.claim(kind, f"{app}: the share is linear in the skew.", f"correlation {fit:.3f}", fit >= LINEAR)
    else:
        later = [share for skew, share in zip(skews, shares, strict=True) if skew >= FROM]
        result.claim(kind, f"{app}: the share is about constant in the skew.",
                     f"{min(later):.2f} to {max(later):.2f} % from {FROM} % on", max(later) <= CONSTANT * min(later),
                     WHY.get(app, ""))
