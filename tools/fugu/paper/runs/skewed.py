"""Programs of table 6 beside the app null, with schedules of different quality (paper, section 5.1).

Figures 7 and 8 are two views of the same runs. The trials of a point have
different seeds, which decide which node gets which part of the skew. Without
skew there is nothing to decide, so one run is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from .extent import FULL, Extent
from .figure import Trials
from .sweep import Job
from .workloads import NODES, WORKLOADS, job, numbers

SKEWS = (0, 1, 2, 5, 10, 20, 30, 40)    # percent of the timeslice
APPS = tuple(WORKLOADS)
SMALL_SLICE = 50_000                    # cycles: small data sets end within a slot of the paper's length

Alone = tuple[str, str]                 # app, atomicity
Beside = tuple[str, str, int]           # app, atomicity, skew


@dataclass(frozen=True)
class Point:
    """The trials of a program at a skew."""

    cycles: Trials              # elapsed
    charged: Trials             # of the job's own slots, and of insertions for it at any time
    share: Trials               # of the messages that took the buffered path
    pages: int                  # most pages of message buffer on a node in any trial


@dataclass(frozen=True)
class Runs:
    """All points: alone by (app, atomicity), beside null by (app, atomicity, skew)."""

    alone: dict[Alone, Point]
    beside: dict[Beside, Point]

    def skews(self) -> list[int]:
        """The skews that were run."""
        return sorted({skew for _, _, skew in self.beside})

    def kinds(self) -> list[str]:
        """The kinds of atomicity, soft first."""
        return list(dict.fromkeys(kind for _, kind in self.alone))


def runs(apps: Sequence[str] = APPS, extent: Extent = FULL) -> Runs:
    """Runs what has not been run before. SetupError."""
    alone, beside = _alone(apps, extent), _beside(apps, extent)
    measured = numbers([*alone.values(), *chain.from_iterable(beside.values())], extent.fresh)
    return Runs({key: _point([one], measured) for key, one in alone.items()},
                {key: _point(trials, measured) for key, trials in beside.items()})


def jobs(extent: Extent) -> Iterable[Job]:
    """All that runs() runs."""
    return chain(_alone(APPS, extent).values(), *_beside(APPS, extent).values())


def _alone(apps: Sequence[str], extent: Extent) -> dict[Alone, Job]:
    return {(app, kind): job(app, NODES, _options(kind, extent), extent.small)
            for app in apps for kind in extent.atomicity}


def _beside(apps: Sequence[str], extent: Extent) -> dict[Beside, list[Job]]:
    return {(app, kind, skew): [_with_null(app, kind, skew, seed, extent)
                                for seed in range(extent.trials if skew else 1)]
            for app in apps for kind in extent.atomicity for skew in extent.points(SKEWS)}


def _options(kind: str, extent: Extent) -> tuple[str, ...]:
    return ("--atomicity", kind, *(("--timeslice", str(SMALL_SLICE)) if extent.small else ()))


def _with_null(app: str, kind: str, skew: int, seed: int, extent: Extent) -> Job:
    """A run beside null, without which the skew has no effect: a job that is alone has no slots."""
    alone = job(app, NODES, (*_options(kind, extent), "--skew", str(skew), "--seed", str(seed)), extent.small)
    return Job(alone.app, (*alone.words, "+", "null", "while-others"), alone.options, alone.work)


def _point(trials: Sequence[Job], measured: dict[Job, dict[str, int | float | None]]) -> Point:
    def of(key: str) -> Trials:
        return Trials.of([measured[one][key] or 0 for one in trials])
    return Point(of("cycles"), of("charged"), of("share_buffered"), int(of("buffer_pages").most))
