"""CRL: what operations on regions cost, beside published figures."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import SetupError
from ..paths import build_dir
from ._command import run_programs
from ._table import PAPER, Compared
from .runs.extent import FULL, Extent
from .runs.sweep import Job, outputs
from .runs.workloads import NODES

SIZES = (16, 256, 1024)                 # bytes of a region
ATOMICITY = {"hard": (), "soft": ("--atomicity", "soft")}
# The rows of the table, by the names that tests/paper/crl.c prints. The
# published figures are for 8 nodes: all but home and requester are 6.
ROWS = {"read_hit": "read_hit", "write_hit": "write_hit", "read_miss": "read_miss",
        "read_miss_other_owner": "read_miss_other_owner", "write_miss": "write_miss",
        "write_miss_other_owner": "write_miss_other_owner", "write_miss_1_invalidation": "write_miss_1_invalidation",
        "write_miss_all_invalidations": f"write_miss_{NODES - 2}_invalidations"}
LINE = re.compile(r"^crl (\w+): ([\d.]+) (\d+) (\d+)$", re.MULTILINE)
WORK = 100_000_000                      # cycles of all nodes, about
LIMIT = "1G"


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("crl", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(extent).values()


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    jobs = _jobs(extent)
    found = outputs(list(jobs.values()), extent.fresh)
    costs = {column: {name: (float(mean), int(least), int(most))
                      for name, mean, least, most in LINE.findall(found[job])} for column, job in jobs.items()}
    result = Compared(f"CRL: cycles of an operation on regions, by their bytes, {NODES} nodes", list(jobs),
                      source="published")
    first = next(iter(jobs))
    for name, row in ROWS.items():
        if any(name not in one for one in costs.values()):
            raise SetupError(f"{_program()} has not measured {name}.")
        published = PAPER["crl"].get(row)
        result.row("", row, {column: round(one[name][0]) for column, one in costs.items()},
                   {} if published is None else {first: published})
        if published is not None:
            ours = round(costs[first][name][0])
            what = row.replace("_", " ").capitalize()
            result.aim(first, f"{what}: no more cycles than the published {published:,}.", f"{ours:,}",
                       ours <= published)
    result.notes = [
        "Means over all pairs of home and requester; a third node is another one. A hit is start and end together, "
        "a miss the start.",
        f"{first}: " + "; ".join(f"{row.replace('_', ' ')} {costs[first][name][1]} to {costs[first][name][2]}"
                                 for name, row in ROWS.items()) + ".",
    ]
    return result


def _program() -> str:
    return str(build_dir() / "tests" / "paper" / "crl.elf")


def _jobs(extent: Extent) -> dict[str, Job]:
    sizes = SIZES[:1] if extent.small else SIZES
    return {f"{kind} {size}": Job(_program(), (str(size),), ("--nodes", str(NODES), "--timeout", LIMIT, *options), WORK)
            for kind, options in ATOMICITY.items() for size in sizes}
