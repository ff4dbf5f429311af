"""Figure 8: run time beside null, by the scheduler's skew."""

from __future__ import annotations

from collections.abc import Sequence

from ._command import run_chosen
from .runs import skewed
from .runs.extent import FULL, Extent
from .runs.figure import Figure
from .runs.skewed import APPS, STAGGER, STAGGERED, STARTS, Runs

TWICE = 0.01            # at zero skew within 1 % of twice the run time alone
INVERSE = 0.1           # of the inverse of the overlap
FLAT = 1.15             # almost flat
TIMES = ("cycles", "charged")       # the paper's claims are judged by the first one, elapsed time


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    return run_chosen("figure8", measure, APPS, words)


def measure(apps: Sequence[str] = APPS, extent: Extent = FULL) -> Figure:
    """Runs the programs that have not been run before."""
    return figure(skewed.runs(apps, extent), apps)


def figure(runs: Runs, apps: Sequence[str]) -> Figure:
    """The figure of these runs."""
    skews = runs.skews()
    result = Figure("Figure 8: run time beside null, over that without skew", [str(skew) for skew in skews],
                    x="skew, % of the timeslice", y="run time over that without skew")
    for kind in runs.kinds():
        for time in TIMES:
            for app in apps:
                base = getattr(runs.beside[app, kind, 0], time).mean
                result.curve(panel(kind, time), app, {skew: getattr(runs.beside[app, kind, skew], time).times(1 / base)
                                                      for skew in skews})
    for kind in runs.kinds():
        _claims(result, runs, kind, apps)
    result.notes.append("elapsed: cycles from the beginning to the end of the measured part. charged: cycles of the "
                        "program's own slots in it, and of insertions for the program at any time.")
    result.notes.append(f"Without skew, a program begins at {STARTS} places of its slot, and the mean counts: null's share "
                        "of a run is a whole number of slots.")
    if STAGGERED in apps:
        result.notes.append(
            f"{STAGGERED.capitalize()} begins with a random delay of up to {STAGGER:,} cycles on each node, alone too. "
            "Alone without it, all nodes do the same in the same cycle: " + ", ".join(
                f"{kind} {cycles:,.0f} cycles instead of {runs.alone[STAGGERED, kind].cycles.mean:,.0f}"
                for kind, cycles in runs.in_step.items()) + ".")
    return result


def panel(kind: str, time: str) -> str:
    """The panel of a kind of atomicity and of time."""
    return f"{kind}, {'elapsed' if time == TIMES[0] else time}"


def _steps(runs: Runs, kind: str) -> str:
    """What the order of the nodes is worth: barrier's cycles, by how its nodes come to it."""
    alone, beside = runs.alone[STAGGERED, kind].cycles.mean, runs.beside[STAGGERED, kind, 0].cycles.mean
    return (f": {beside / 2e6:.2f} million cycles, {alone / 1e6:.2f} alone, and {runs.in_step[kind] / 1e6:.2f} alone in step. "
            "Each slot ends with messages under way, and begins on all nodes together, which is nearer to being in step")


def _claims(result: Figure, runs: Runs, kind: str, apps: Sequence[str]) -> None:
    for app in apps:
        alone, beside = runs.alone[app, kind], runs.beside[app, kind, 0]
        twice = beside.cycles.mean / alone.cycles.mean
        own = beside.charged.mean / alone.charged.mean
        result.claim(kind, f"{app}: without skew within {100 * TWICE:.0f} % of twice the run time alone.",
                     f"{twice:.4f} times ({beside.cycles.least / alone.cycles.mean:.4f} to "
                     f"{beside.cycles.most / alone.cycles.mean:.4f})", abs(twice / 2 - 1) <= TWICE,
                     f"With {kind} atomicity, the program's own slots and insertions for it are {own:.4f} times its time "
                     f"alone{_steps(runs, kind) if app == STAGGERED else ''}.")
    skews = runs.skews()
    slow = {app: result.line(panel(kind, TIMES[0]), app) for app in apps}
    if "barrier" in apps:
        against = [ours * (1 - skew / 100) for skew, ours in zip(skews, slow["barrier"], strict=True)]
        result.claim(kind, "barrier: slows down almost exactly as the inverse of the overlap that the skew leaves (within "
                     f"{100 * INVERSE:.0f} %).", f"{min(against):.3f} to {max(against):.3f} of it",
                     all(abs(one - 1) <= INVERSE for one in against),
                     f"With {kind} atomicity, the run without skew is shorter than out of step{_steps(runs, kind)}. "
                     "Skew ends that.")
    if "enum" in apps:
        result.claim(kind, f"enum: almost flat (at most {FLAT:g}).", f"{max(slow['enum']):.3f} at most",
                     max(slow["enum"]) <= FLAT)
    between = [app for app in apps if app not in ("barrier", "enum")]
    if "barrier" in apps and "enum" in apps and between:
        last = {app: line[-1] for app, line in slow.items()}
        result.claim(kind, f"{', '.join(between)}: in between.",
                     ", ".join(f"{app} {last[app]:.3f}" for app in apps) + f" at {skews[-1]} %",
                     all(last["enum"] <= last[app] <= last["barrier"] for app in between))
