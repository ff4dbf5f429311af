"""Programs of table 6 beside the app null, with schedules of different quality (paper, section 5.1).

Figures 7 and 8 are two views of the same runs. The trials of a point have
different seeds, which decide which node gets which part of the skew, and start
at different times in the slot: null's share of a run is a whole number of
slots, and only the mean over the starts is that of the paper. Without skew,
the starts alone make the trials.

Barrier begins with a random delay on each node (--stagger). Alone and without
it, all nodes go through the barriers in the same cycle, as only an exact
simulator lets them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from .extent import FULL, TRIALS, Extent
from .figure import Trials
from .sweep import Job
from .workloads import NODES, WORKLOADS, job, numbers

SKEWS = (0, 1, 2, 5, 10, 20, 30, 40)    # percent of the timeslice
APPS = tuple(WORKLOADS)
TIMESLICE = 500_000                     # cycles, the paper's
SMALL_SLICE = 50_000                    # cycles: small data sets end within a slot of the paper's length
STARTS = 5                              # without skew: at so many places of a slot, equally far apart
STAGGERED = "barrier"                   # alone, with as many seeds as STARTS
STAGGER = 2000                          # cycles, at most
BUFFERING = ("enum", "hard")            # the program that needs the most buffer
SEEDS = 10                              # of it, at the largest skew

Alone = tuple[str, str]                 # app, atomicity
Beside = tuple[str, str, int]           # app, atomicity, skew


@dataclass(frozen=True)
class Point:
    """The trials of a program at a skew."""

    cycles: Trials              # elapsed
    charged: Trials             # of the job's own slots, and of insertions for it at any time
    share: Trials               # of the messages that took the buffered path
    pages: int                  # most pages of message buffer on a node in any trial
    boundary: Trials = Trials(0, 0, 0)      # messages buffered for each boundary of two slots and node
    between: float = 0.0        # mean cycles between two messages of a node


@dataclass(frozen=True)
class Runs:
    """All points: alone by (app, atomicity), beside null by (app, atomicity, skew)."""

    alone: dict[Alone, Point]
    beside: dict[Beside, Point]
    in_step: dict[str, float]   # cycles of STAGGERED alone without the delay, by atomicity
    seeds: tuple[int, ...] = () # pages of BUFFERING at the largest skew, by seed

    def skews(self) -> list[int]:
        """The skews that were run."""
        return sorted({skew for _, _, skew in self.beside})

    def kinds(self) -> list[str]:
        """The kinds of atomicity, soft first."""
        return list(dict.fromkeys(kind for _, kind in self.alone))


def runs(apps: Sequence[str] = APPS, extent: Extent = FULL) -> Runs:
    """Runs what has not been run before. SetupError."""
    alone, beside, in_step, seeds = _alone(apps, extent), _beside(apps, extent), _in_step(extent), _seeds(apps, extent)
    measured = numbers([*chain(*alone.values(), *beside.values()), *in_step.values(), *seeds], extent.fresh)
    return Runs({key: _point(trials, measured, extent) for key, trials in alone.items()},
                {key: _point(trials, measured, extent) for key, trials in beside.items()},
                {kind: measured[one]["cycles"] or 0 for kind, one in in_step.items()},
                tuple(int(measured[one]["buffer_pages"] or 0) for one in seeds))


def jobs(extent: Extent) -> Iterable[Job]:
    """All that runs() runs."""
    return chain(*_alone(APPS, extent).values(), *_beside(APPS, extent).values(), _in_step(extent).values(),
                 _seeds(APPS, extent))


def slice_of(extent: Extent) -> int:
    """Cycles of a slot."""
    return SMALL_SLICE if extent.small else TIMESLICE


def _alone(apps: Sequence[str], extent: Extent) -> dict[Alone, list[Job]]:
    return {(app, kind): [_job(app, (), kind, extent, seed) for seed in range(STARTS if app == STAGGERED else 1)]
            for app in apps for kind in extent.atomicity}


def _in_step(extent: Extent) -> dict[str, Job]:
    return {kind: job(STAGGERED, NODES, _options(kind, extent), extent.small) for kind in extent.atomicity}


def _beside(apps: Sequence[str], extent: Extent) -> dict[Beside, list[Job]]:
    return {(app, kind, skew): [_with_null(app, kind, skew, *trial, extent)
                                for trial in (_trials(extent) if skew else _starts(extent))]
            for app in apps for kind in extent.atomicity for skew in extent.points(SKEWS)}


def _trials(extent: Extent) -> list[tuple[int, int]]:
    """Seed and start of each trial."""
    return [(trial, trial * slice_of(extent) // TRIALS) for trial in range(extent.trials)]


def _starts(extent: Extent) -> list[tuple[int, int]]:
    return [(start, start * slice_of(extent) // STARTS) for start in range(1 if extent.small else STARTS)]


def _seeds(apps: Sequence[str], extent: Extent) -> list[Job]:
    app, kind = BUFFERING
    if app not in apps or kind not in extent.atomicity or extent.trials < TRIALS:
        return []
    return [_with_null(app, kind, SKEWS[-1], seed, seed % TRIALS * slice_of(extent) // TRIALS, extent)
            for seed in range(SEEDS)]


def _options(kind: str, extent: Extent) -> tuple[str, ...]:
    return ("--atomicity", kind, *(("--timeslice", str(SMALL_SLICE)) if extent.small else ()))


def _job(app: str, options: Sequence[str], kind: str, extent: Extent, seed: int, words: Sequence[str] = ()) -> Job:
    one = job(app, NODES, (*_options(kind, extent), *options), extent.small)
    stagger = ("--stagger", str(STAGGER), "--seed", str(seed + 1)) if app == STAGGERED else ()
    return Job(one.app, (*stagger, *words, *one.words), one.options, one.work)


def _with_null(app: str, kind: str, skew: int, seed: int, start: int, extent: Extent) -> Job:
    """A run beside null, without which the skew has no effect: a job that is alone has no slots.

    The program computes for `start` cycles of its own before it begins.
    """
    after = ("--after", str(start)) if start else ()
    one = _job(app, ("--skew", str(skew), "--seed", str(seed if skew else 0)), kind, extent, seed, after)
    return Job(one.app, (*one.words, "+", "null", "while-others"), one.options, one.work)


def _point(trials: Sequence[Job], measured: dict[Job, dict[str, int | float | None]], extent: Extent) -> Point:
    def of(key: str) -> Trials:
        return Trials.of([measured[one][key] or 0 for one in trials])
    boundaries = [(measured[one]["cycles"] or 0) / slice_of(extent) for one in trials]
    return Point(of("cycles"), of("charged"), of("share_buffered"), int(of("buffer_pages").most),
                 Trials.of([(measured[one]["buffered"] or 0) / NODES / many
                            for one, many in zip(trials, boundaries, strict=True)]), of("t_betw").mean)
