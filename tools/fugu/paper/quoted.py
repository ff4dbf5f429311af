"""Quoted: cycles of whole programs that sentences of docs/ quote."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from ..errors import SetupError
from ..host import scratch
from ._command import run
from ._table import Result
from .runs.transcripts import output
from .table5 import COLUMN

# The arguments of ./run.sh, and what it prints: the cycles, after which it may print how many times that was.
BARRIER = r"(?P<cycles>[\d.]+) cycles each"
SHM_BARRIER = r"^shm barrier: (?P<cycles>\d+)$"
LOCKS = r"^(?P<cycles>\d+) cycles$"
ROUNDS, PROCESSES = 100, 8      # of a pattern of shm-locks
SECTIONS = ROUNDS * PROCESSES
SHM = "--timeout 4G"
RUNS: dict[str, tuple[str, str, int]] = {
    "barrier": ("-n 8 barrier", BARRIER, 1),
    "barrier_by_mapped_memory": ("--ni shrimp -n 8 barrier", BARRIER, 1),
    "shm_barrier_64_of_64": (f"-n 64 {SHM} build/tests/shm/shm-costs.elf 64", SHM_BARRIER, 1),
    "shm_barrier_63_of_64": (f"-n 64 {SHM} build/tests/shm/shm-costs.elf 63", SHM_BARRIER, 1),
    "shm_barrier_32_of_64": (f"-n 64 {SHM} build/tests/shm/shm-costs.elf 32", SHM_BARRIER, 1),
    "shm_barrier_last_32_of_64": (f"-n 64 {SHM} build/tests/shm/shm-costs.elf 32 last", SHM_BARRIER, 1),
    "shm_counter": (f"-n {PROCESSES} {SHM} --shm-order drop build/tests/shm/shm-locks.elf counter {ROUNDS}", LOCKS, SECTIONS),
    "shm_counter_without_visits": (f"-n {PROCESSES} {SHM} --shm-visits off --shm-order drop build/tests/shm/shm-locks.elf "
                                   f"counter {ROUNDS}", LOCKS, SECTIONS),
    "shm_counter_plain": (f"-n {PROCESSES} {SHM} --shm-order drop build/tests/shm/shm-locks-plain.elf counter {ROUNDS}", LOCKS, SECTIONS),
    "shm_three_locks": (f"-n {PROCESSES} {SHM} --shm-order drop build/tests/shm/shm-locks.elf turns {ROUNDS}", LOCKS, SECTIONS),
}
LONGEST = ("combined", "read", "update", "signal", "write", "fifo")     # of tests/mbcf/longest


def main(words: list[str]) -> int:
    """Measures and shows the cycles."""
    return run("quoted", measure, words)


def measure() -> Result:
    """Runs all programs."""
    result = Result("Cycles of programs that docs/ quote", [COLUMN])
    for name, cycles in (*_printed(), *_longest()):
        result.row("", name, {COLUMN: cycles}, {COLUMN: None})
    result.notes = ["The programs' runs are in tools/fugu/paper/quoted.py.",
                    "longest: cycles without network and clock beside commands of MBCF, the most of hard and soft atomicity."]
    return result


def _printed() -> Iterator[tuple[str, int]]:
    """Row and cycles of what programs print. SetupError."""
    for name, (arguments, pattern, times) in RUNS.items():
        found = re.search(pattern, output(arguments), re.MULTILINE)
        if not found:
            raise SetupError(f"./run.sh {arguments} prints no line like {pattern}.")
        yield name, round(float(found["cycles"]) / times)


def _longest() -> Iterator[tuple[str, int]]:
    """Row and cycles of the longest time without network and clock, for each kind of command."""
    with scratch.folder() as folder:
        file = Path(folder, "stats.json")
        for kind in LONGEST:
            most = 0
            for atomicity in ("hard", "soft"):
                output(f"--stats-json {shlex.quote(str(file))} --atomicity {atomicity} "
                       f"-n 2 build/tests/mbcf/mbcf-longest.elf {kind}")
                nodes = json.loads(file.read_text())["nodes"]
                most = max(most, *(node["longest_masked"]["cycles"] for node in nodes))
            yield f"longest_{kind}", most
