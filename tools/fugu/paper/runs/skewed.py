"""Programs of table 6 beside the app null, with schedules of different quality (paper, section 5.1).

Figures 7 and 8 are two views of the same runs. Each number is the mean of three
trials with different seeds, which decide which node gets which part of the skew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .claims import mean
from .sweep import Job
from .workloads import NODES, WORKLOADS, job, numbers

SKEWS = (0, 1, 2, 5, 10, 20, 30, 40)    # percent of the timeslice
TRIALS = 3
ATOMICITY = ("soft", "hard")            # the paper's section 5 has soft atomicity
APPS = tuple(WORKLOADS)
SMALL_SLICE = 50_000                    # cycles: small data sets end within a slot of the paper's length


@dataclass(frozen=True)
class Point:
    """Means of the trials of a program at a skew."""

    cycles: float               # elapsed
    charged: float              # of the job's own slots, and of insertions for it at any time
    share: float                # of the messages that took the buffered path
    pages: int                  # most pages of message buffer on a node in any trial


@dataclass(frozen=True)
class Runs:
    """All points: alone by (app, atomicity), beside null by (app, atomicity, skew)."""

    alone: dict[tuple[str, str], Point]
    beside: dict[tuple[str, str, int], Point]


def runs(apps: Sequence[str] = APPS, *, small: bool = False, fresh: bool = False) -> Runs:
    """Runs what has not been run before. SetupError."""
    alone = {(app, kind): [job(app, NODES, _options(kind, small), small)] for app in apps for kind in ATOMICITY}
    beside = {(app, kind, skew): [_beside(app, kind, skew, seed, small) for seed in range(1 if small or not skew else TRIALS)]
              for app in apps for kind in ATOMICITY for skew in SKEWS}
    measured = numbers([one for trials in (*alone.values(), *beside.values()) for one in trials], fresh)
    return Runs({key: _point(trials, measured) for key, trials in alone.items()},
                {key: _point(trials, measured) for key, trials in beside.items()})


def _options(kind: str, small: bool) -> tuple[str, ...]:
    return ("--atomicity", kind, *(("--timeslice", str(SMALL_SLICE)) if small else ()))


def _beside(app: str, kind: str, skew: int, seed: int, small: bool) -> Job:
    """A run beside null, without which the skew has no effect: a job that is alone has no slots."""
    alone = job(app, NODES, (*_options(kind, small), "--skew", str(skew), "--seed", str(seed)), small)
    return Job(alone.app, (*alone.words, "+", "null", "while-others"), alone.options, 2 * alone.work)


def _point(trials: Sequence[Job], measured: dict[Job, dict[str, int | float | None]]) -> Point:
    found = [measured[one] for one in trials]

    def of(key: str) -> list[float]:
        return [one[key] or 0 for one in found]
    return Point(mean(of("cycles")), mean(of("charged")), mean(of("share_buffered")), int(max(of("buffer_pages"))))
