"""SHRIMP: cycles of programs whose mapped pages stay in memory (pin), or go out when it is scarce (shoot-down).

Both are policies of the SHRIMP paper (section 4.4), which has no numbers. Programs
check what they receive and what they store, so a run that loses anything fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean

from ..errors import SetupError
from ..paths import build_dir, cache_dir
from ._command import run_programs
from ._table import Compared
from .runs.extent import FULL, Extent
from .runs.sweep import Job, outputs
from .shrimp import SHRIMP_PAPER

PIN, SHOOT = POLICIES = ("pin", "shoot-down")
NODES = 2
RAM = "2M"
DISK = 32 << 20         # bytes
LIMIT = "4G"            # cycles
WORK = 100_000_000      # cycles of all nodes, about
SAME_WITHIN = 0.1       # of the run time where memory suffices
PAGES = 60              # mapped out, and as many in: with the pages around them a quarter of a node's frames, what a process may pin
ENDED = re.compile(r"^policies ended: (\d+)$", re.MULTILINE)


SLOT = 500_000          # cycles
# Two jobs run one after the other, or take each other's pages in turn: which of it, their phase decides. So their row is a mean.
SLOTS = tuple(range(SLOT - 20_000, SLOT + 20_001, 10_000))


@dataclass(frozen=True)
class Case:
    """A row: jobs of tests/paper/shrimp/policies.c with these arguments: PAGES EVERY PERCENT TURNS."""

    group: str
    name: str
    jobs: tuple[tuple[int, int, int, int], ...]
    timeslices: tuple[int, ...] = (SLOT,)


SUFFICES, UNPINNED, SCARCE = "memory suffices", "memory suffices without pinned pages", "memory does not suffice"
RARELY = 1000
CASES = {
    "suffices": Case(SUFFICES, "a mapped page after each other page", ((PAGES, 1, 65, 3),)),
    "often": Case(UNPINNED, "a mapped page after each other page", ((PAGES, 1, 75, 3),)),
    "eighth": Case(UNPINNED, "after each 8 other pages", ((PAGES, 8, 75, 3),)),
    "rarely": Case(UNPINNED, f"after each {RARELY:,} other pages", ((PAGES, RARELY, 75, 3),)),
    "two": Case(UNPINNED, f"two jobs, after each {RARELY:,} other pages", ((PAGES, RARELY, 40, 3), (PAGES, RARELY, 40, 3)), SLOTS),
    "scarce": Case(SCARCE, "a mapped page after each other page", ((PAGES, 1, 100, 2),)),
}


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("policies", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs, small as they are."""
    del extent
    return [_job(name, policy, slot) for name, case in CASES.items() for policy in POLICIES for slot in case.timeslices]


def measure(extent: Extent = FULL) -> Compared:
    """Runs what has not been run before. SetupError."""
    found = outputs(list(jobs(extent)), extent.fresh)
    trials = {name: {policy: [_cycles(one, found[one]) for one in (_job(name, policy, slot) for slot in case.timeslices)]
                     for policy in POLICIES} for name, case in CASES.items()}
    took = {name: {policy: round(mean(cycles)) for policy, cycles in one.items()} for name, one in trials.items()}
    result = Compared("Mapped pages that stay in memory, and that go out: cycles until all jobs have ended", list(POLICIES),
                      source="SHRIMP paper", publication=SHRIMP_PAPER["source"], paper=SHRIMP_PAPER["name"])
    for name, case in CASES.items():
        ranges = {policy: (min(cycles), max(cycles)) for policy, cycles in trials[name].items()}
        result.row(case.group, case.name, took[name], {}, ranges if len(case.timeslices) > 1 else None)
    _judge(result, took)
    result.notes = [f"{NODES} nodes with {RAM} of memory and a disk. A process has {PAGES} pages mapped out and as many mapped in.",
                    f"Two jobs: means of {len(SLOTS)} runs, with slots of {SLOTS[0]:,} to {SLOTS[-1]:,} cycles.",
                    "Each program checks all words: nothing was lost in any of these runs."]
    return result


def _judge(result: Compared, took: Mapping[str, Mapping[str, int]]) -> None:
    more = took["suffices"][SHOOT] / took["suffices"][PIN]
    result.aim("", f"Where memory suffices, {SHOOT} costs no more than {PIN} (within {SAME_WITHIN:.0%}).", f"{more:.2f} times",
               more <= 1 + SAME_WITHIN)
    why = {"two": "Pinned pages leave enough for one job at a time, and where one's other pages go out while it waits for a message, "
           "the two run one after the other."}
    for name, what in (("rarely", "one job"), ("two", "two jobs")):
        gain = took[name][PIN] / took[name][SHOOT]
        result.aim("", f"Pages that are rarely stored to, of {what}: {SHOOT} takes fewer cycles where pinned pages leave too few "
                   "frames.", f"{gain:.1f} times fewer", gain > 1, why.get(name, ""))
    more = took["scarce"][SHOOT] / took["scarce"][PIN]
    result.aim("", f"Where nothing suffices and all pages are used, {SHOOT} takes no more cycles than {PIN}.", f"{more:.2f} times",
               more <= 1, "Each page that goes out is asked for again at once, and its transfers take the disk from other pages.")


# ---- runs ---------------------------------------------------------------------------------

def _job(name: str, policy: str, slot: int) -> Job:
    first, *others = CASES[name].jobs
    program = str(build_dir() / "tests" / "paper" / "shrimp-policies.elf")
    beside = (word for one in others for word in ("+", program, *map(str, one)))
    return Job(program, (*map(str, first), *beside),
               ("--ni", "shrimp", "--shrimp-paging", policy, "--nodes", str(NODES), "--ram", RAM, "--disk",
                f"0={_disk(f'{name}-{policy}-{slot}')}", "--timeslice", str(slot), "--timeout", LIMIT), WORK)


def _disk(name: str) -> str:
    """An empty disk of the run's own, which stays in the cache: runs of a sweep are under way at the same time."""
    file = cache_dir() / "disks" / f"{name}.img"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as disk:
            disk.truncate(DISK)
    return str(file)


def _cycles(job: Job, output: str) -> int:
    """The cycle at which the last process has ended. SetupError."""
    ended = [int(cycle) for cycle in ENDED.findall(output)]
    if len(ended) != NODES * (1 + job.words.count("+")):
        raise SetupError(f"{job} did not print its cycles:\n{output}")
    return max(ended)
