"""How many processes a run has if the user does not say it: docs/processes.md has the rule, and what it was made from."""

from __future__ import annotations

import sys

from ..host import capacity
from ..options.table import PROCESSES_MAX
from .parse import Run

# Nodes that a process must have, so that no program that was measured is slower than in one process.
NODES_EACH = 128

# With these options a run has one process.
ALONE = {
    "save": "a machine is saved in one process",
    "load": "a machine is loaded in one process",
    "trace": "the lines of a trace have one order in one process",
    "trace-file": "the lines of a trace have one order in one process",
    "qemu-arg": "what --qemu-arg does may be for one process",
}


def choose(run: Run) -> None:
    """Sets the number of processes, if neither the user nor another option has.

    Says so on standard error if the number is not 1, or if the user has asked for `auto`.
    """
    if run.options.keys() & {"processes", "hosts", "join"}:
        return
    count, why = _chosen(run)
    if count > 1:
        run.options["processes"] = count
    if count > 1 or run.auto:
        print(f"fugu: {count} process{'es' * (count > 1)}: {why}", file=sys.stderr, flush=True)


def _chosen(run: Run) -> tuple[int, str]:
    """The number of processes, and why it is this one."""
    for key, why in ALONE.items():
        if key in run.options:
            return 1, why
    cores, nodes = capacity.cores(), run.value("nodes")
    if cores == 1:
        return 1, "there is one core for this run"
    most = min(nodes // NODES_EACH, PROCESSES_MAX)
    if most < 2:
        return 1, f"with less than {2 * NODES_EACH} nodes, several may be slower"
    idle = min(cores, capacity.idle_cores())
    if idle < 2:
        return 1, "other work keeps the cores busy"
    return min(most, idle), f"{nodes} nodes, {idle} idle cores (--processes 1 turns this off)"
