"""Figure 7: share of the messages that take the buffered path, by the scheduler's skew."""

from __future__ import annotations

from collections.abc import Sequence

from ._command import run_chosen
from .runs import skewed
from .runs.extent import FULL, Extent
from .runs.figure import Figure, correlation
from .runs.skewed import APPS, BUFFERING, TIMESLICE, Runs
from .runs.workloads import NODES

PAGES = 7               # the paper: fewer physical pages than this for buffers, on each node in each run
CONSTANT = 2.0          # about constant: the largest at skews from 5 % is less than this many times the smallest
FROM = 5                # percent: below, no program is affected by the skew alone
LINEAR = 0.97           # correlation
RECORD = 80             # bytes of a message of enum in the buffer
PERCENT, BOUNDARY = "messages buffered, %", "messages buffered for each boundary of two slots and node"


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
                    x="skew, % of the timeslice", y=PERCENT)
    for kind in runs.kinds():
        for app in apps:
            result.curve(kind, app, {skew: runs.beside[app, kind, skew].share.times(100) for skew in skews})
    for kind in runs.kinds():
        result.other_axis[boundary(kind)] = BOUNDARY
        for app in apps:
            result.curve(boundary(kind), app, {skew: runs.beside[app, kind, skew].boundary for skew in skews})
    for kind in runs.kinds():
        for app in apps:
            _claim(result, runs, kind, app)
        _pages(result, runs, kind, apps)
    result.notes.append("A boundary is the end of a slot: a run that is slower crosses more of them.")
    return result


def boundary(kind: str) -> str:
    """The panel of messages for each boundary, of a kind of atomicity."""
    return f"{kind}, each boundary"


def _claim(result: Figure, runs: Runs, kind: str, app: str) -> None:
    skews = runs.skews()
    shares = result.line(kind, app)
    if app == "enum":
        fit = correlation(skews, shares)
        result.claim(kind, f"{app}: the share is linear in the skew (correlation at least {LINEAR}).", f"{fit:.3f}",
                     fit >= LINEAR)
        return
    limit = f"from {FROM} % on, the most less than {CONSTANT:g} times the least"
    for text, numbers, unit in ((f"{app}: the share is about constant in the skew ({limit}).", shares, " %"),
                                (f"{app}: the number for each boundary of two slots and node is about constant (as above).",
                                 result.line(boundary(kind), app), "")):
        later = [number for skew, number in zip(skews, numbers, strict=True) if skew >= FROM]
        result.claim(kind, text, f"{min(later):.2f} to {max(later):.2f}{unit}", max(later) <= CONSTANT * min(later),
                     _rare(runs, kind, app))


def _rare(runs: Runs, kind: str, app: str) -> str:
    """Why a program's share grows with the skew: how seldom one node sends to a certain other one."""
    certain = runs.alone[app, kind].between * (NODES - 1)
    first, last = (TIMESLICE * skew / 100 / 3 for skew in (FROM, runs.skews()[-1]))
    return (f"The slots of two nodes are a third of the skew apart in the mean: {first:,.0f} cycles with {FROM} %, "
            f"{last:,.0f} with {runs.skews()[-1]} %. A node of {app} sends to a certain other one every "
            f"{certain:,.0f} cycles, so only the wider windows see as many messages as can be outstanding "
            f"({kind} atomicity).") if certain > first else \
        (f"The slots of two nodes are a third of the skew apart in the mean: {first:,.0f} cycles with {FROM} %. In so short "
         f"a window, fewer messages of {app} are under way than can be ({kind} atomicity).")


def _pages(result: Figure, runs: Runs, kind: str, apps: Sequence[str]) -> None:
    found = {app: max(point.pages for (one, its, _), point in runs.beside.items() if (one, its) == (app, kind))
             for app in apps}
    seeds = ""
    if runs.seeds and (BUFFERING[0] in apps and kind == BUFFERING[1]):
        app = BUFFERING[0]
        found[app] = max(found[app], *runs.seeds)
        seeds = (f"; {len(runs.seeds)} seeds of {app} at {runs.skews()[-1]} %: "
                 f"{' '.join(map(str, runs.seeds))}")
    most = max(found, key=lambda app: found[app])
    result.claim(kind, f"A node needs less than {PAGES} physical pages for buffers, in any run.",
                 f"{found[most]} at most, of {most}{seeds}", found[most] < PAGES,
                 f"A message of {most} takes {RECORD} bytes of the buffer here, with its header; the paper does not say "
                 "how many it takes there.")
