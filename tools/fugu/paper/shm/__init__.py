"""Shared memory: what accesses and calls cost, and the speed-ups of two programs, beside their aims (docs/shm.md).

There is no publication to compare with. The aims are the project's own: aims.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import SetupError
from ...paths import build_dir
from .._command import run_programs
from .._table import Compared
from ..queues.output import found
from ..runs.extent import FULL, Extent
from ..runs.sweep import Job, outputs

AIMS = json.loads(Path(__file__).with_name("aims.json").read_text())
ATOMICITY = {"hard": (), "soft": ("--atomicity", "soft")}
NODES = (1, 8)
COST_NODES = 8
LINE = re.compile(r"^shm (\w+): (\d+)$", re.MULTILINE)
RAM = ("--ram", "32M")
CYCLES = 25                             # of a microsecond


class _Program:
    """A program whose speed-up is measured."""

    def __init__(self, words: tuple[str, ...], small: tuple[str, ...], timed: str, result: str, work: int) -> None:
        self.words, self.small = words, small       # its arguments; those of a small run
        self.timed = timed                          # finds its microseconds in its output
        self.result = result                        # finds what must not depend on the number of nodes
        self.work = work                            # cycles of all nodes, about


PROGRAMS = {
    "relax": _Program(("-n", "1026", "-i", "20"), ("-n", "130", "-i", "4"), r"the others (\d+) us",
                      r"^relax: (sum .*)$", 1_200_000_000),
    "sharedlu": _Program(("-n", "512", "-b", "16"), ("-n", "128", "-b", "16"), r"^sharedlu: (\d+) us$",
                         r"^sharedlu: (sum .*: right)$", 2_000_000_000),
}


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("shm", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return [*(_costs(options) for options in ATOMICITY.values()), *_runs(extent).values()]


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    output = outputs(list(jobs(extent)), extent.fresh)
    result = Compared("Shared memory: cycles on 8 nodes, and speed-ups", list(ATOMICITY),
                      publication=AIMS["source"], source="aim")
    costs = {column: {name: int(cycles) for name, cycles in LINE.findall(output[_costs(options)])}
             for column, options in ATOMICITY.items()}
    if costs["hard"].keys() != costs["soft"].keys() or not set(AIMS["cycles"]) <= costs["hard"].keys():
        raise SetupError(f"{_program()} has not measured all rows.")
    for row in costs["hard"]:
        aim = AIMS["cycles"].get(row)
        result.row("cost", row, {column: one[row] for column, one in costs.items()}, {"hard": aim} if aim else {})
    for row, aim in AIMS["cycles"].items():
        result.aim("hard", f"{row.replace('_', ' ').capitalize()}: at most {aim:,} cycles.", f"{costs['hard'][row]:,}",
                   costs["hard"][row] <= aim, AIMS["why"].get(row, ""))
    _speedups(result, _runs(extent), output)
    return result


def _speedups(result: Compared, runs: dict[tuple[str, int], Job], output: dict[Job, str]) -> None:
    for app, program in PROGRAMS.items():
        texts = {nodes: output[runs[app, nodes]] for nodes in NODES}
        same = {_result(runs[app, nodes], program, text) for nodes, text in texts.items()}
        if len(same) != 1:
            raise SetupError(f"{app} computes something else on {NODES[-1]} nodes: {' and '.join(sorted(same))}")
        cycles = {nodes: CYCLES * int(found(f"(?m){program.timed}", text)) for nodes, text in texts.items()}
        for nodes in NODES:
            result.row(app, f"cycles on {nodes} node{'s' if nodes > 1 else ''}", {"hard": cycles[nodes]}, {})
        gain, aim = round(cycles[NODES[0]] / cycles[NODES[-1]], 2), AIMS["speedup"]
        result.row(app, "speed-up", {"hard": gain}, {"hard": aim})
        result.aim("hard", f"{app}: on {NODES[-1]} nodes at least {aim:g} times as fast as on one.", f"{gain}",
                   gain >= aim)


def _result(job: Job, program: _Program, text: str) -> str:
    match = re.search(program.result, text, re.MULTILINE)
    if not match:
        raise SetupError(f"{job} did not print a right result:\n{text}")
    return match[1]


def _program() -> str:
    return str(build_dir() / "tests" / "shm" / "shm-costs.elf")


def _costs(options: tuple[str, ...]) -> Job:
    return Job(_program(), (), ("--nodes", str(COST_NODES), "--shm-visits", "off", "--timeout", "1G", *options),
               10_000_000)


def _runs(extent: Extent) -> dict[tuple[str, int], Job]:
    return {(app, nodes): Job(app, program.small if extent.small else program.words,
                              ("--nodes", str(nodes), *RAM, "--timeout", "4G"),
                              program.work // (100 if extent.small else 1))
            for app, program in PROGRAMS.items() for nodes in NODES}
