"""The programs of the paper's table 6, and how they are run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...errors import SetupError, UsageError
from ...measured import sections
from ...suggest import did_you_mean
from .._table import PAPER
from .sweep import Job, outputs

TIMES_PAPER = 40        # a run that takes this many times the paper's cycles is ended
NODES = 8               # the paper's


@dataclass(frozen=True)
class Workload:
    """An app, whose measured section has its name."""

    words: tuple[str, ...]      # its arguments for the paper's data set
    small: tuple[str, ...]      # for a data set that takes a second
    runs: int = 1               # how many times the measured part a run takes


WORKLOADS = {
    "barrier": Workload(("10000",), ("100",)),
    "barnes": Workload(("2048", "3"), ("100", "2"), runs=3),
    "water": Workload(("512", "3"), ("64", "2"), runs=3),
    "enum": Workload((), ("5",)),
    "lu": Workload(("250", "10"), ("60", "10")),
}


def job(app: str, nodes: int, options: Sequence[str], small: bool = False) -> Job:
    """A run of a workload on this many nodes."""
    workload = WORKLOADS[app]
    work = NODES * workload.runs * PAPER["table6"][app]["cycles"]
    limit = TIMES_PAPER * work // nodes
    return Job(app, workload.small if small else workload.words,
               ("--nodes", str(nodes), "--timeout", str(limit), *options), work)


def numbers(jobs: Sequence[Job], fresh: bool) -> dict[Job, dict[str, int | float | None]]:
    """What the last measured section of each job has measured; sweep says which ones run. SetupError."""
    found = {}
    for job, output in outputs(jobs, fresh).items():
        measured = sections(output).get(job.app)
        if not measured:
            raise SetupError(f"{job} did not print what it measured:\n{output}")
        found[job] = measured[-1]
    return found


def chosen(names: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """The workloads of these names, in the table's order, or all. UsageError."""
    for name in names:
        if name not in known:
            raise UsageError(f"there is no workload {name}.{did_you_mean(name, known)}\nThere are: {', '.join(known)}.")
    return (name for name in known if not names or name in names)
