"""The app synth beside null, as in the paper's section 5.2: figures 9 and 10 are two views of such runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import SetupError
from ...measured import sections
from .extent import FULL, Extent
from .figure import Trials
from .sweep import Job, outputs

NODES = 4
SKEW = 1                # percent
GROUPS = (10, 100, 1000)        # N
HAND = 290              # T_hand, cycles
SLOTS = 20              # of synth, for each point
TIMESLICE = 500_000
# What an interval is: the sender's own time, time since the last request, or time by the clock, which goes on while
# null has its slots. By the clock, T_betw below T_hand cannot be kept up.
KINDS = ("compute", "since", "elapsed")
# A small share, in percent. A message that comes while its receiver has no slot is buffered anyway: those are not more
# than the skew's share of a slot. What is beyond came while its receiver was still emptying the buffer.
SMALL_SHARE = float(SKEW)
# Why claims fail for a kind of interval.
WHY = {
    "compute": "A node gets a reply for each request that it sends. While it empties its buffer both take the buffered path, "
               "so each interval has twice its cost.",
    "elapsed": "Elapsed intervals go on while null has its slots. Each slot of synth begins with the requests that fell "
               "due meanwhile, one right after the other, faster than their receivers can handle them.",
    "since": "The clock runs on while a node handles requests of others. So it sends the next one right after them, and "
             "a node that is late is sent more than it can handle.",
}
LIMIT = 20              # a run that takes this many times its slots is ended


@dataclass(frozen=True)
class Setting:
    """A point: synth-N, its mean interval, what it is, and cycles that an insertion takes more."""

    atomicity: str
    kind: str
    group: int
    between: int
    latency: int = 0


def lines(extent: Extent) -> list[tuple[str, str]]:
    """Atomicity and kind of interval of each panel of a figure."""
    return [(atomicity, kind) for atomicity in extent.atomicity for kind in KINDS]


def shares(settings: Iterable[Setting], extent: Extent = FULL) -> dict[Setting, Trials]:
    """The percentage of the messages that took the buffered path. SetupError."""
    trials = {setting: jobs(setting, extent) for setting in settings}
    found = outputs([one for some in trials.values() for one in some], extent.fresh)
    return {setting: Trials.of([_share(one, found[one]) for one in some]) for setting, some in trials.items()}


def jobs(setting: Setting, extent: Extent) -> list[Job]:
    """The trials of a point, each of so many messages that synth takes about its slots."""
    return [_job(setting, seed, extent.small) for seed in range(1, extent.trials + 1)]


def why(panel: str) -> str:
    """Why claims about a panel's lines do not hold, as far as that is known."""
    return WHY.get(panel.rpartition(", ")[2], "")


def knee(places: Sequence[int], shares: Sequence[float]) -> tuple[int, int] | None:
    """The two places between which a line that begins small leaves SMALL_SHARE, the first time; None: it never does.

    The first of them is the second one if the line begins above it.
    """
    for number, share in enumerate(shares):
        if share > SMALL_SHARE:
            return places[max(number - 1, 0)], places[number]
    return None


def _job(setting: Setting, seed: int, small: bool) -> Job:
    timeslice = TIMESLICE // 10 if small else TIMESLICE
    cycles = SLOTS * timeslice
    messages = max(cycles // (setting.between + HAND), setting.group)
    words = ("--messages", str(messages), "--hand", str(HAND), "--interval", setting.kind, "--seed", str(seed),
             str(setting.group), str(setting.between), "+", "null", "while-others")
    options = ("--nodes", str(NODES), "--atomicity", setting.atomicity, "--timeslice", str(timeslice), "--skew",
               str(SKEW), "--seed", str(seed), "--timeout", str(LIMIT * cycles),
               *(("--buffer-latency", str(setting.latency)) if setting.latency else ()))
    return Job("synth", words, options, NODES * cycles)


def _share(job: Job, output: str) -> float:
    measured = sections(output).get("synth")
    if not measured:
        raise SetupError(f"{job} did not print what it measured:\n{output}")
    return 100 * (measured[-1]["share_buffered"] or 0)
