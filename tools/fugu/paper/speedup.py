"""Speed-up of the paper's programs, on 1 to 64 nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ._command import run_chosen
from ._table import Compared, Number
from .runs.extent import FULL, Extent
from .runs.sweep import Job
from .runs.workloads import job, numbers

NODES = (1, 2, 4, 8, 16)
MANY = 64
# The nodes on which each program is measured. A barrier of one node is nothing.
APPS = {"barnes": NODES, "water": NODES, "lu": NODES, "enum": (*NODES, MANY), "barrier": (*NODES[1:], MANY)}
OPTIONS = ("--atomicity", "soft")
ROW = "speed-up"


def main(words: list[str]) -> int:
    """Measures and shows the table, or the rows of the named programs."""
    return run_chosen("speedup", measure, list(APPS), words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(tuple(APPS), extent).values()


def measure(apps: Sequence[str] = tuple(APPS), extent: Extent = FULL) -> Compared:
    """Runs the programs that have not been run before."""
    jobs = _jobs(apps, extent)
    measured = numbers(list(jobs.values()), extent.fresh)
    result = Compared("Speed-up with soft atomicity, over one node", [str(nodes) for nodes in (*NODES, MANY)])
    for app in apps:
        def of(key: str, app: str = app) -> dict[str, Number]:
            return {str(nodes): measured[jobs[app, nodes]][key] for nodes in APPS[app]}
        cycles = of("cycles")
        result.row(app, "cycles", cycles, {})
        if alone := cycles.get("1"):
            result.row(app, ROW, {nodes: round(alone / (one or 1), 2) for nodes, one in cycles.items()}, {})
        result.row(app, "messages", of("messages"), {})
    return result


def _jobs(apps: Sequence[str], extent: Extent) -> dict[tuple[str, int], Job]:
    return {(app, nodes): job(app, nodes, OPTIONS, extent.small) for app in apps for nodes in APPS[app]}
