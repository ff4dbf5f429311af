"""How long the runs that are left will take, by those that have ended.

A cycle of one program takes the host longer than a cycle of another: in one all
nodes compute, in the other most of them wait. So each program has a rate of its
own, alone and beside another job.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Work(Protocol):
    """A run of a program with an amount of work (sweep.Job)."""

    @property
    def app(self) -> str: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def work(self) -> int: ...


def seconds_left(ended: Mapping[Any, float], running: Mapping[Any, float], waiting: Iterable[Any], cores: int) -> float:
    """Seconds until all runs have ended, so many at a time. `ended` has the seconds that runs took, at least one;
    `running`, those for which runs have been going on."""
    rates = _Rates(ended)
    need = [max(0.0, rates.of(job) * job.work - so_far) for job, so_far in running.items()]
    need += [rates.of(job) * job.work for job in waiting]
    return max(sum(need) / cores, max(need, default=0.0))


class _Rates:
    """Seconds for a unit of work."""

    def __init__(self, ended: Mapping[Any, float]) -> None:
        self.sums: dict[Any, list[float]] = {}
        for job, seconds in ended.items():
            for kind in _kinds(job):
                both = self.sums.setdefault(kind, [0.0, 0.0])
                both[0] += seconds
                both[1] += job.work

    def of(self, job: Work) -> float:
        """The rate of runs like this one, of the program in any way, or of all runs that have ended."""
        seconds, work = next(self.sums[kind] for kind in _kinds(job) if kind in self.sums)
        return seconds / work


def _kinds(job: Work) -> Iterable[Any]:
    """What a run is like, the closest first."""
    return (job.app, "+" in job.words), job.app, None
