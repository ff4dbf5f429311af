"""Checks the records of history.c: whether all operations together could have been done by one node, one by one.

Each write of a region makes its next version. So versions say which operations of a region come before which: write 3,
all reads of version 3, write 4. The operations of a node, in the order in which they ended, say the same for a node. If
both agree, there is an order of all operations that fits (sequential consistency). Where the clocks of all nodes agree,
no write is open at the same time as another operation on the region, and the order is that of the times as well.
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

RECORD = struct.Struct(">IIQQ")


@dataclass(frozen=True)
class Operation:
    node: int
    region: int
    write: bool
    version: int                # that the operation read or made
    opened: int
    closes: int


def read(folder: Path, nodes: int) -> list[list[Operation]]:
    """The records of each node, from the files that ./run.sh --output FOLDER has written."""
    return [[Operation(node, what >> 1, bool(what & 1), *rest) for what, *rest in RECORD.iter_unpack(
        (folder / (f"node{node}" if node else "") / "history").read_bytes())] for node in range(nodes)]


def check(history: list[list[Operation]], *, one_clock: bool) -> Counter[str]:
    """Raises AssertionError for what no memory would do. Returns the number of reads and writes."""
    regions: dict[int, list[Operation]] = defaultdict(list)
    for operations in history:
        for operation in operations:
            regions[operation.region].append(operation)
    for region, operations in regions.items():
        _check_versions(region, operations)
        if one_clock:
            _check_times(operations)
    _check_order(history)
    return Counter("write" if operation.write else "read" for operations in history for operation in operations)


def _check_versions(region: int, operations: list[Operation]) -> None:
    """Writes make the versions 1, 2, 3 and so on, each once; reads find one of them, or 0."""
    made = sorted(operation.version for operation in operations if operation.write)
    assert made == [*range(1, len(made) + 1)], f"region {region}: a write is lost, or done twice"
    for operation in operations:
        assert operation.version <= len(made), f"no write has made what {operation} has found"


def _by_version(operations: list[Operation]) -> dict[int, tuple[list[Operation], list[Operation]]]:
    """{version: (the write that has made it, the reads)}"""
    found: dict[int, tuple[list[Operation], list[Operation]]] = defaultdict(lambda: ([], []))
    for operation in operations:
        found[operation.version][not operation.write].append(operation)
    return found


def _check_times(operations: list[Operation]) -> None:
    versions = _by_version(operations)
    before: Operation | None = None         # of those on older versions, the one that was open the longest
    for version in sorted(versions):
        for group in versions[version]:
            for operation in group:
                assert before is None or operation.opened > before.closes, f"{operation} was open beside {before}"
            before = max([*group, before] if before else group, key=lambda operation: operation.closes, default=None)


def _check_order(history: list[list[Operation]]) -> None:
    """Fails unless the orders of nodes and regions agree.

    Numbers stand for operations, and negative ones for groups.
    """
    sorter: TopologicalSorter[int] = TopologicalSorter()
    flat = [operation for operations in history for operation in operations]
    regions: dict[int, list[int]] = defaultdict(list)
    for number, operation in enumerate(flat):
        regions[operation.region].append(number)
        if number and flat[number - 1].node == operation.node:
            sorter.add(number, number - 1)
    groups = 0
    for numbers in regions.values():
        # For each version its write, then a node that follows the write and all reads, for the next write to follow.
        numbers.sort(key=lambda number: (flat[number].version, not flat[number].write))
        start, end, version = 0, 0, -1
        for number in numbers:
            if flat[number].version != version:
                groups += 1
                start, end, version = end, -groups, flat[number].version
            if start:
                sorter.add(number, start)
            if flat[number].write:
                groups += 1
                start = -groups
                sorter.add(start, number)
            sorter.add(end, number)
    try:
        for _ in sorter.static_order():
            pass
    except CycleError as error:
        found = [flat[number] for number in error.args[1] if number >= 0]
        raise AssertionError(f"no order of all operations fits: {found}") from None
