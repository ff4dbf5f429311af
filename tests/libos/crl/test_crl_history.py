"""Random operations on CRL's regions: all nodes' records together make a history that one memory could have."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from guest_programs import built
from region_history import Operation, check, read

NODES = 16
SMALL = "256K"            # RAM in which not all pages of the program have room
BESIDE = ("+", "null", 10_000_000)


def run(machine: Any, folder: Path, operations: int, seed: int, *words: object, **options: Any) -> list[list[Operation]]:
    """`operations` on each node, with further arguments and jobs."""
    folder.mkdir()
    done = machine(built("libos/history"), operations, seed, *words, nodes=NODES, output=str(folder), **options).check(0)
    assert done.stdout.count("wrong words: 0\n") == NODES, done.report()
    return read(folder, NODES)


VARIANTS = {
    "direct": (("spin",), {}),
    "buffered": (("block", "divert"), {}),
    "timeouts": (("mixed", "divert", *BESIDE), {"timeslice": 50_000, "atomicity_timeout": 200}),
    "skewed": (("block", *BESIDE), {"timeslice": 50_000, "skew": 40}),
    "paging": (("spin", "divert"), {"ram": SMALL}),
    "soft": (("mixed", "divert"), {"atomicity": "soft"}),
    "all": (("spin", "divert", *BESIDE), {"timeslice": 50_000, "atomicity_timeout": 200, "skew": 20, "ram": "300K"}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_history(machine, disk, tmp_path, name):
    words, options = VARIANTS[name]
    found = random_history(machine, disk, tmp_path, 90, 1, words, options)
    assert found["write"] > 400 and found["read"] > 600


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", VARIANTS)
def test_long_history(machine, disk, tmp_path, name):
    """A million operations in all variants together."""
    words, options = VARIANTS[name]
    found = random_history(machine, disk, tmp_path, 9_000, 2, words, {"host_timeout": 7000} | options)
    assert found.total() > 1_000_000 / len(VARIANTS)


def random_history(machine: Any, disk: Any, tmp_path: Path, operations: int, seed: int, words: tuple[object, ...],
                   options: dict[str, Any]) -> Counter[str]:
    """Returns the number of reads and writes. With skew, clocks differ: then only the order of versions counts."""
    store = disk(4 * 1024) if "ram" in options else ""
    history = run(machine, tmp_path / "out", operations, seed, *words, **options, timeout="100G",
                  disk=[f"0={store}"] if store else [])
    if store:
        assert Path(store).read_bytes().strip(b"\0"), "no page went out"
    return check(history, one_clock="skew" not in options)
