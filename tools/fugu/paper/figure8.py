"""Figure 8: run time beside null, by the scheduler's skew."""

from __future__ import annotations

from collections.abc import Sequence

from ._table import parser, show
from .runs import skewed
from .runs.claims import Figure
from .runs.skewed import APPS, ATOMICITY, SKEWS, Runs

TWICE = 0.01            # at zero skew within 1 % of twice the run time alone
INVERSE = 0.1           # of the inverse of the overlap
FLAT = 1.15             # almost flat


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    reader = parser("figure8")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(fresh=given.fresh), given)
    return 0


def measure(apps: Sequence[str] = APPS, *, small: bool = False, fresh: bool = False) -> Figure:
    """Runs the programs, with the paper's data sets or with small ones."""
    return figure(skewed.runs(apps, small=small, fresh=fresh), apps)


def figure(runs: Runs, apps: Sequence[str]) -> Figure:
    """The figure of these runs."""
    result = Figure("Figure 8: run time beside null, over that without skew", [str(skew) for skew in SKEWS],
                    x="skew, percent of the timeslice", y="run time over that without skew")
    for kind in ATOMICITY:
        for app in apps:
            points = [runs.beside[app, kind, skew] for skew in SKEWS]
            result.row(app, f"{kind}, elapsed", _over(points, points[0].cycles, "cycles"), {})
            result.row(app, f"{kind}, charged", _over(points, points[0].charged, "charged"), {})
    for kind in ATOMICITY:
        _claims(result, runs, kind, apps)
    return result


def _over(points: Sequence[skewed.Point], base: float, what: str) -> dict[str, float]:
    return {str(skew): round(getattr(point, what) / base, 4) for skew, point in zip(SKEWS, points, strict=True)}


def _claims(result: Figure, runs: Runs, kind: str, apps: Sequence[str]) -> None:
    for app in apps:
        twice = runs.beside[app, kind, 0].cycles / runs.alone[app, kind].cycles
        result.claim(f"{app}, {kind}: without skew within 1 % of twice the run time alone.", f"{twice:.4f} times",
                     abs(twice / 2 - 1) <= TWICE)
    slow = {app: result.line(app, f"{kind}, elapsed") for app in apps}
    if "barrier" in apps:
        against = [ours * (1 - skew / 100) for skew, ours in zip(SKEWS, slow["barrier"], strict=True)]
        result.claim(f"barrier, {kind}: slows down almost exactly as the inverse of the overlap that the skew leaves.",
                     f"{min(against):.3f} to {max(against):.3f} of it",
                     all(abs(one - 1) <= INVERSE for one in against))
    if "enum" in apps:
        result.claim(f"enum, {kind}: almost flat.", f"{max(slow['enum']):.3f} at most", max(slow["enum"]) <= FLAT)
    if "barrier" in apps and "enum" in apps:
        last = {app: line[-1] for app, line in slow.items()}
        between = [app for app in apps if app not in ("barrier", "enum")]
        result.claim(f"{', '.join(between)}, {kind}: in between.",
                     ", ".join(f"{app} {last[app]:.3f}" for app in apps) + f" at {SKEWS[-1]} %",
                     all(last["enum"] <= last[app] <= last["barrier"] for app in between))
