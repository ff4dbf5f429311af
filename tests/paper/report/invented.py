"""Reports of invented numbers, for tests of the report's files and of its page."""

from __future__ import annotations

from fugu.paper import speedup
from fugu.paper._table import Compared, Result
from fugu.paper.runs.extent import FULL
from fugu.paper.runs.figure import Figure, Trials
from fugu.paper.summary.collect import Found, Report
from fugu.paper.summary.parts import PARTS, Part

FIGURES = ("figure7", "figure8", "figure9", "figure10")
BROKEN = "switch"           # the part without numbers
ERROR = "./run.sh <b>null</b> ended with status 1:\n& no more"


def report() -> Report:
    """All parts: figures, tables, one that was not measured; claims that hold and claims that do not."""
    return Report(FULL, [_found(part) for part in PARTS], ran=3, runs=7, run_seconds=100.0, seconds=60.0, cores=2)


def _found(part: Part) -> Found:
    if part.name == BROKEN:
        return Found(part, None, ERROR)
    if part.name in FIGURES:
        return Found(part, _figure(part.name), seconds=10.0)
    return Found(part, _speedup() if part.name == "speedup" else _table(part.name), seconds=5.0)


def _figure(name: str) -> Figure:
    result = Figure(f"Title of {name}", ["0", "10", "40"], x="skew, %", y="share, %", notes=[f"A note of {name}."])
    for height, panel in ((1, "soft, elapsed"), (5, "hard, elapsed")):
        for factor, line in enumerate(("barrier", "enum"), start=1):
            slope = height * factor
            result.curve(panel, line, {x: Trials.of([slope * x, slope * x + 1]) for x in (0, 10, 40)})
        result.claim(panel, f"{name} is <so>.", "7 & more", panel == "soft, elapsed", "It is not.")
    return result


def _table(name: str) -> Result:
    result = Compared(f"Title of {name}", ["soft", "hard"])
    result.row("barrier", "cycles", {"soft": 3_000_000, "hard": None}, {"soft": 4_000_000})
    result.row("barrier", "total", {"soft": 30, "hard": 2.5}, {})
    result.claim("soft", f"{name} is as in the paper.", "0.75 of it", name != "table6")
    return result


def _speedup() -> Compared:
    result = Compared("Speed-up", [str(nodes) for nodes in speedup.NODES])
    result.row("enum", "cycles", {str(nodes): 1000 // nodes for nodes in speedup.NODES}, {})
    result.row("enum", speedup.ROW, {str(nodes): float(nodes) for nodes in speedup.NODES}, {})
    return result
