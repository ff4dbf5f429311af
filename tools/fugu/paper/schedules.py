"""Run time of programs of two interfaces beside another job, with and without gang scheduling, by the skew.

SHRIMP needs no gang scheduling for protection: an update for a process that does
not run goes to its memory (SHRIMP paper, section 4). UDM buffers such messages.
What a schedule costs is therefore the wait for others' slots, in both.

The other job is null, which takes all of its slots, or the same program again,
which uses the same interface. Programs check what they receive, so a run that
loses anything fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import SetupError
from ..measured import sections
from ._command import run_programs
from .runs.extent import FULL, Extent
from .runs.figure import Figure, Trials
from .runs.skewed import STAGGER
from .runs.sweep import Job, outputs

NODES = 8
SKEWS = (0, 10, 20, 30, 40)             # percent of the timeslice
SCHEDULERS = {"gang scheduler": (), "no gang scheduler": ("--scheduler", "none")}
NULL, ITSELF = OTHERS = ("beside null", "beside itself")
LIMIT = "4G"            # cycles
WORK = 20_000_000       # cycles of all nodes, about
TIMESLICE = 100_000     # cycles: programs of some million cycles then have as many slots as the paper's have of its own
SAME_WITHIN = 0.05      # a share of run time: a slot more or less
CYCLES = re.compile(r"nodes(?: to all others)?: (\d+) cycles")   # of a program without a measured section


@dataclass(frozen=True)
class Program:
    """An app on a kind of network interface, with words that give it some tens of slots, or few."""

    ni: str
    app: str
    words: tuple[str, ...]
    small: tuple[str, ...]


STAGGERED = ("--stagger", str(STAGGER))         # barrier begins out of step, as in figures 7 and 8
PROGRAMS = {
    "barrier, UDM": Program("fugu", "barrier", (*STAGGERED, "2500"), (*STAGGERED, "200")),
    "barrier, SHRIMP": Program("shrimp", "barrier", (*STAGGERED, "2500"), (*STAGGERED, "200")),
    "nxall, SHRIMP": Program("shrimp", "nxall", ("64", "120"), ("16", "20")),
    "nxring, SHRIMP": Program("shrimp", "nxring", ("256", "300"), ("16", "20")),
}
SAME = ("barrier, UDM", "barrier, SHRIMP")      # one program on both kinds


def main(words: list[str]) -> int:
    """Measures and shows the numbers."""
    return run_programs("schedules", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the figure needs."""
    return dict.fromkeys(one for trials in _trials(extent).values() for one in trials)


def measure(extent: Extent = FULL) -> Figure:
    """Runs what has not been run before. SetupError."""
    trials = _trials(extent)
    found = outputs(list(jobs(extent)), extent.fresh)
    took = {one: _cycles(one, output) for one, output in found.items()}
    alone = {name: sum(took[one] for one in trials[name, "", "", 0]) / len(trials[name, "", "", 0]) for name in PROGRAMS}
    skews = extent.points(SKEWS)
    result = Figure("Programs beside another job, with and without gang scheduling", [str(skew) for skew in skews],
                    x="skew, % of the timeslice", y="run time, times that alone", source="")
    for other in OTHERS:
        for scheduler in SCHEDULERS:
            for name in PROGRAMS:
                result.curve(_panel(other, scheduler), name,
                             {skew: Trials.of([took[one] / alone[name] for one in trials[name, other, scheduler, skew]])
                              for skew in skews})
    for other in OTHERS:
        _judge(result, other)
    result.notes = ["Each program checks what it has received: nothing was lost in any of these runs.",
                    "Alone, barrier begins out of step (--stagger)."]
    return result


def _panel(other: str, scheduler: str) -> str:
    return f"{other}, {scheduler}"


def _judge(result: Figure, other: str) -> None:
    gang, none = panels = [_panel(other, scheduler) for scheduler in SCHEDULERS]
    for panel in panels:
        udm, shrimp = (result.line(panel, name) for name in SAME)
        for what, ours, theirs in (("Without skew, the other job", shrimp[0], udm[0]),
                                   (f"A skew of {result.columns[-1]} %", shrimp[-1] / shrimp[0], udm[-1] / udm[0])):
            result.aim(panel, f"{what} slows barrier down no more with SHRIMP's interface than with UDM (within {SAME_WITHIN:.0%}).",
                       f"{ours:.2f} and {theirs:.2f} times", ours <= (1 + SAME_WITHIN) * theirs)
    most = {name: max(without / with_ for with_, without in zip(result.line(gang, name), result.line(none, name), strict=True))
            for name in PROGRAMS}
    worst = max(most, key=lambda name: most[name])
    result.aim(none, f"Programs take no longer without a gang scheduler (within {SAME_WITHIN:.0%}).",
               f"{most[worst]:.2f} times at most, {worst.partition(',')[0]}", most[worst] <= 1 + SAME_WITHIN)


# ---- runs ---------------------------------------------------------------------------------

Key = tuple[str, str, str, int]         # program, other job, scheduler, skew; alone: the name and nothing else


def _trials(extent: Extent) -> dict[Key, list[Job]]:
    found: dict[Key, list[Job]] = {}
    for name, program in PROGRAMS.items():
        found[name, "", "", 0] = [_job(program, extent, seed, (), None) for seed in _seeds(extent, name in SAME)]
        for other in OTHERS:
            for scheduler, options in SCHEDULERS.items():
                for skew in extent.points(SKEWS):
                    found[name, other, scheduler, skew] = [
                        _job(program, extent, seed, (*options, "--skew", str(skew)), other)
                        for seed in _seeds(extent, bool(skew) or name in SAME)]
    return found


def _seeds(extent: Extent, many: bool) -> Sequence[int]:
    """Seeds of the skew, and of barrier's random delays."""
    return range(1, extent.trials + 1 if many else 2)


def _job(program: Program, extent: Extent, seed: int, options: tuple[str, ...], other: str | None) -> Job:
    random = ("--seed", str(seed)) if program.app == "barrier" else ()
    words = (*random, *(program.small if extent.small else program.words))
    beside = {None: (), NULL: ("+", "null", "while-others"), ITSELF: ("+", program.app, *words)}[other]
    skewed = ("--seed", str(seed)) if "--skew" in options else ()
    return Job(program.app, (*words, *beside),
               ("--ni", program.ni, "--nodes", str(NODES), "--timeslice", str(TIMESLICE), "--timeout", LIMIT, *options, *skewed), WORK)


def _cycles(job: Job, output: str) -> float:
    """The cycles that the program says it took; of two, the slower one's. SetupError."""
    measured = [one["cycles"] for one in sections(output).get(job.app, [])]
    found = [float(one) for one in measured if one] or [float(one) for one in CYCLES.findall(output)]
    if not found:
        raise SetupError(f"{job} did not print its cycles:\n{output}")
    return max(found)
