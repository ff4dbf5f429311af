"""Speed-up of the programs that share regions, on 1 to 16 nodes."""

from __future__ import annotations

from collections.abc import Sequence

from ._table import Compared, Number, parser, show
from .runs.workloads import WORKLOADS, chosen, job, numbers

NODES = (1, 2, 4, 8, 16)
APPS = [app for app, workload in WORKLOADS.items() if workload.scales]
OPTIONS = ("--atomicity", "soft")


def main(words: list[str]) -> int:
    """Measures and shows the table, or the rows of the named programs."""
    reader = parser("speedup")
    reader.add_argument("apps", nargs="*", metavar="APP", help=f"of {', '.join(APPS)} (default: all)")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(list(chosen(given.apps, APPS)), fresh=given.fresh), given)
    return 0


def measure(apps: Sequence[str] = tuple(APPS), *, small: bool = False, fresh: bool = False) -> Compared:
    """Measures these programs, with the paper's data sets or with small ones."""
    jobs = {(app, nodes): job(app, nodes, OPTIONS, small) for app in apps for nodes in NODES}
    measured = numbers(list(jobs.values()), fresh)
    result = Compared("Speed-up with soft atomicity, over one node", [str(nodes) for nodes in NODES])
    for app in apps:
        cycles: dict[str, Number] = {str(nodes): measured[jobs[app, nodes]]["cycles"] for nodes in NODES}
        result.row(app, "cycles", cycles, {})
        gain = {nodes: round((cycles["1"] or 0) / (one or 1), 2) for nodes, one in cycles.items()}
        result.row(app, "speed-up", gain, {})
        result.row(app, "messages", {str(nodes): measured[jobs[app, nodes]]["messages"] for nodes in NODES}, {})
    return result
