"""Runs and measures everything that the report shows."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from ...errors import FuguError
from ...host import capacity
from .._table import AIM, Claim, Result
from ..runs import sweep
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job
from .parts import PARTS, Part


@dataclass(frozen=True)
class Found:
    """A part of the report: its numbers, or why there are none."""

    part: Part
    result: Result | None
    error: str = ""
    seconds: float = 0.0        # of the host, for the part's runs; runs that parts share count for each
    judged: bool = True         # whether the runs are those that the paper's claims are about

    @property
    def claims(self) -> list[Claim]:
        """The claims that were judged."""
        return self.result.claims if self.result and self.judged else []

    @property
    def hold(self) -> int:
        """How many of them hold."""
        return sum(claim.holds for claim in self.claims)


@dataclass(frozen=True)
class Score:
    """How many claims of a paper hold, or how many aims of this project are met (AIM)."""

    of: str
    hold: int
    all: int

    def __str__(self) -> str:
        if self.of == AIM:
            return f"{self.hold} of {self.all} aims of this project are met"
        return f"{self.hold} of {self.all} claims of {self.of} hold"


@dataclass(frozen=True)
class Report:
    """Everything that the report shows."""

    extent: Extent
    parts: list[Found]
    ran: int                    # runs of programs that were made for this report
    runs: int                   # all runs that it uses
    run_seconds: float          # of the host, for all of these, one after the other
    seconds: float              # that this report took
    cores: int

    @property
    def scores(self) -> list[Score]:
        """How many claims of each paper hold, in the order of the parts, and how many aims are met, at the end."""
        found: dict[str, list[bool]] = {}
        for claim in chain.from_iterable(found.claims for found in self.parts):
            found.setdefault(claim.of, []).append(claim.holds)
        return [Score(of, sum(holds), len(holds)) for of, holds in sorted(found.items(), key=lambda one: one[0] == AIM)]

    @property
    def missing(self) -> list[Found]:
        """The parts without numbers."""
        return [found for found in self.parts if found.result is None]


def collect(extent: Extent, parts: Sequence[Part] = PARTS) -> Report:
    """Measures all parts. One that fails does not keep the others from being shown.

    All runs of programs are made together: several parts share runs, and no core waits for the last run of a part.
    """
    start = time.monotonic()
    jobs = {part.name: list(dict.fromkeys(part.jobs(extent))) for part in parts}
    tried = sweep.attempt(chain.from_iterable(jobs.values()), extent.fresh)
    kept = extent.again(False)
    found = [_measure(part, kept, [said(tried.failures[job]) for job in jobs[part.name] if job in tried.failures],
                      sum(tried.seconds.get(job, 0) for job in jobs[part.name]), _judged(part, jobs[part.name]))
             for part in parts]
    return Report(extent, found, tried.ran, len(tried.seconds) + len(tried.failures), sum(tried.seconds.values()),
                  time.monotonic() - start, capacity.jobs())


def _judged(part: Part, jobs: Sequence[Job]) -> bool:
    """Whether a part's runs are those that its claims are about: of the paper's sizes, and all of them if it needs all."""
    whole = set(part.jobs(FULL))
    return whole == set(jobs) if part.needs_all else whole.issuperset(jobs)


def _measure(part: Part, extent: Extent, failures: Sequence[str], seconds: float, judged: bool) -> Found:
    if failures:
        more = f"\n{len(failures) - 1} more of its runs failed." if len(failures) > 1 else ""
        return Found(part, None, failures[0] + more, seconds)
    try:
        result = part.measure(extent)
        result.json(), result.csv()         # the report's files need both
    except Exception as error:              # a fault of one part's must not cost the others their numbers
        return Found(part, None, said(error), seconds)
    return Found(part, result, "", seconds, judged)


def said(error: Exception) -> str:
    """What went wrong: the message of an error that has one for users, or where it comes from."""
    if isinstance(error, FuguError):
        return str(error)
    return "".join(traceback.format_exception(error)).rstrip()
