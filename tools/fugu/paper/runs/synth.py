"""The app synth beside null, as in the paper's section 5.2: figures 9 and 10 are two views of such runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...errors import SetupError
from ...measured import sections
from .claims import mean
from .sweep import Job, outputs

NODES = 4
SKEW = 1                # percent
GROUPS = (10, 100, 1000)        # N
HAND = 290              # T_hand, cycles
SLOTS = 20              # of synth, for each point
TIMESLICE = 500_000
TRIALS = 3
ATOMICITY = ("soft", "hard")
KINDS = ("compute", "elapsed")  # what an interval is; T_betw below T_hand cannot be kept up in elapsed time
LIMIT = 20              # a run that takes this many times its slots is ended


@dataclass(frozen=True)
class Setting:
    """A point: synth-N, its mean interval, what it is, and cycles that an insertion takes more."""

    atomicity: str
    kind: str
    group: int
    between: int
    latency: int = 0


def shares(settings: Iterable[Setting], *, small: bool = False, fresh: bool = False) -> dict[Setting, float]:
    """The percentage of the messages that took the buffered path: means of the trials. SetupError."""
    jobs = {setting: [_job(setting, seed, small) for seed in range(1, 2 if small else TRIALS + 1)] for setting in settings}
    found = outputs([one for trials in jobs.values() for one in trials], fresh)
    return {setting: round(mean([_share(one, found[one]) for one in trials]), 3) for setting, trials in jobs.items()}


def _job(setting: Setting, seed: int, small: bool) -> Job:
    """A run of so many messages that synth takes about its slots."""
    timeslice = TIMESLICE // 10 if small else TIMESLICE
    cycles = SLOTS * timeslice
    messages = max(cycles // (setting.between + HAND), setting.group)
    words = ("--messages", str(messages), "--hand", str(HAND), "--interval", setting.kind, "--seed", str(seed),
             str(setting.group), str(setting.between), "+", "null", "while-others")
    options = ("--nodes", str(NODES), "--atomicity", setting.atomicity, "--timeslice", str(timeslice), "--skew",
               str(SKEW), "--seed", str(seed), "--timeout", str(LIMIT * cycles),
               *(("--buffer-latency", str(setting.latency)) if setting.latency else ()))
    return Job("synth", words, options, NODES * 2 * cycles)


def _share(job: Job, output: str) -> float:
    measured = sections(output).get("synth")
    if not measured:
        raise SetupError(f"{job} did not print what it measured:\n{output}")
    return 100 * (measured[-1]["share_buffered"] or 0)
