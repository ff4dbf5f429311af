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


def run(machine: Any, folder: Path, operations: int, seed: int, *words: object,
        **options: Any) -> list[list[Operation]]:
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
    """A million operations in all variants together. Where each node pages, they take long."""
    words, options = VARIANTS[name]
    operations = 1_500 if "ram" in options else 14_000
    found = random_history(machine, disk, tmp_path, operations, 2, words, {"host_timeout": 7000} | options)
    assert found.total() > 0.9 * NODES * operations


def random_history(machine: Any, disk: Any, tmp_path: Path, operations: int, seed: int, words: tuple[object, ...],
                   options: dict[str, Any]) -> Counter[str]:
    """Returns the number of reads and writes. With skew, clocks differ: then only the order of versions counts."""
    store = disk(4 * 1024) if "ram" in options else ""
    history = run(machine, tmp_path / "out", operations, seed, *words, **options, timeout="100G",
                  disk=[f"0={store}"] if store else [])
    if store:
        assert Path(store).read_bytes().strip(b"\0"), "no page went out"
    return check(history, one_clock="skew" not in options)


# ---- the check itself ------------------------------------------------------------

def operations(*lines: str) -> list[list[Operation]]:
    """A history from lines such as "0 w5.1 3-4": node, write of region 5's version 1, times."""
    history: list[list[Operation]] = [[], []]
    for node, what, times in map(str.split, lines):
        region, version = map(int, what[1:].split("."))
        opened, closes = map(int, times.split("-"))
        history[int(node)].append(Operation(int(node), region, what[0] == "w", version, opened, closes))
    return history


def test_good_history():
    """Reads beside each other; and times that only matter if there is one clock."""
    history = operations("0 w1.1 1-2", "0 r1.1 3-9", "1 r1.0 0-0", "1 r1.1 4-5", "1 w1.2 10-11")
    assert check(history, one_clock=True) == {"write": 2, "read": 3}
    history = operations("0 w1.1 5-6", "1 r1.1 1-2")
    assert check(history, one_clock=False) == {"write": 1, "read": 1}


@pytest.mark.parametrize("lines, error", [
    (["0 w1.1 1-2", "1 w1.1 3-4"], "a write is lost"),
    (["0 w1.2 1-2"], "a write is lost"),
    (["0 w1.1 1-2", "1 r1.2 3-4"], "no write has made"),
    (["0 w1.1 1-3", "1 r1.1 2-4"], "was open beside"),
    (["0 w1.1 3-4", "1 r1.0 1-5"], "was open beside"),
    (["0 w1.1 1-2", "0 w1.2 5-6", "1 r1.2 7-8", "1 r1.1 3-4"], "no order"),
    (["0 w1.1 1-2", "0 r2.0 3-4", "1 w2.1 1-2", "1 r1.0 3-4"], "no order"),
], ids=["twice", "missing", "not-made", "read-in-write", "write-in-read", "back", "two-regions"])
def test_bad_history(lines, error):
    """The last one: each node writes one region and does not see the other's write (Dekker's example)."""
    with pytest.raises(AssertionError, match=error):
        check(operations(*lines), one_clock=error == "was open beside")
