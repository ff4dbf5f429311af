"""Reports of invented numbers, for tests of the report's files and of its page."""

from __future__ import annotations

from fugu.paper import mm, speedup
from fugu.paper._table import Compared, Result
from fugu.paper.runs.extent import FULL
from fugu.paper.runs.figure import Figure, Trials
from fugu.paper.summary.collect import Found, Report
from fugu.paper.summary.parts import PARTS, Part

FIGURES = ("figure7", "figure8", "figure9", "figure10", "schedules")
BROKEN = "switch"           # the part without numbers
ERROR = "./run.sh <b>null</b> ended with status 1:\n& no more"


USUAL = [("barrier", "cycles", (3_000_000, None), (4_000_000,)), ("barrier", "total", (30, 2.5), ())]
# Columns and rows of parts whose pictures need certain ones.
ROWS = {
    "protection": (["soft", "hard"], [("barrier", "percent_of_run_time", (20, 10), (5,))]),
    "rq-solve": (["1", "2", "4"], [("bcspwr05", "polling", (0.4, 0.5, 1.5), ()), ("bcspwr06", "inlined", (0.4, 0.8, 1), ())]),
    "rq-transpose": (["gain", "cycles"], [("a", "messages", (None, 2_000_000), ()), ("a", "loop", (0.5, 1_000_000), ())]),
    "rq-strided": (["messages", "DMA"], [("", "1", (79, 151), ()), ("", "64", (1092, 467), ())]),
    "mbcf": (["hard", "soft"], [("WRITE", "4 bytes", (800, 900), ()), ("WRITE", "1024 bytes", (2000, 2100), ())]),
    "mm": (mm.COLUMNS, [(mm.TITLES[benchmark], f"{interface}: {way}", (100, None, 30, 50, None, 20), ()) for benchmark in mm.BENCHMARKS
                        for interface in mm.INTERFACES for way in mm.WAYS]),
    "shm": (["hard", "soft"], [("cost", "release_a_page", (20_000, 21_000), (25_000,))]),
}


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
    columns, rows = ROWS.get(name, (["soft", "hard"], USUAL))
    result = Compared(f"Title of {name}", columns)
    for group, row, ours, paper in rows:
        result.row(group, row, dict(zip(columns, ours, strict=True)), dict(zip(columns, paper, strict=False)))
    (result.aim if name == "shm" else result.claim)("soft", f"{name} is as in the paper.", "0.75 of it", name != "table6")
    return result


def _speedup() -> Compared:
    result = Compared("Speed-up", [str(nodes) for nodes in speedup.NODES])
    result.row("enum", "cycles", {str(nodes): 1000 // nodes for nodes in speedup.NODES}, {})
    result.row("enum", speedup.ROW, {str(nodes): float(nodes) for nodes in speedup.NODES}, {})
    return result
