"""lu: the result against the matrix, computed on the host; messages; wrong arguments."""

from __future__ import annotations

import array
import re
import sys
from collections import defaultdict
from functools import cache

import pytest
from machine_runs import long_rounds

from fugu.measured import sections

LIMIT = "1000M"
OPTIONS = {
    "one node": {"nodes": 1},
    "three nodes": {"nodes": 3},
    "more nodes than blocks": {"nodes": 16, "words": (21, 7)},
    "soft": {"atomicity": "soft"},
    "timeouts": {"atomicity_timeout": 200},
    "skew": {"skew": "30", "timeslice": 50_000, "words": (60, 10, "+", "null", 5_000_000)},
    "yield": {"timeslice": 50_000, "words": (60, 10, "--wait", "yield", "+", "null", 5_000_000)},
    "processes": long_rounds(3),
}
FULL = 250, 10

Matrix = list[list[float]]


# ---- the result -----------------------------------------------------------------

def random(x: int) -> int:
    """The hash that README.md names, as a signed number."""
    for shift, factor in ((16, 0x7feb352d), (15, 0x846ca68b)):
        x = (x ^ x >> shift) * factor & 0xffffffff
    x ^= x >> 16
    return x - (1 << 32) if x >> 31 else x


def matrix(size: int, seed: int = 0) -> Matrix:
    """The matrix before the decomposition."""
    return [[random(i * size + j + seed & 0xffffffff) / 2 ** 32 + (size if i == j else 0) for j in range(size)]
            for i in range(size)]


@cache
def decomposed(size: int, seed: int = 0) -> Matrix:
    """L and U of the matrix in one, computed in another way: row by row, and not in blocks."""
    a = matrix(size, seed)
    for i, row in enumerate(a):
        for k in range(i):
            row[k] /= a[k][k]
            factor, upper = row[k], a[k]
            for j in range(k + 1, size):
                row[j] -= factor * upper[j]
    return a


def read(folder, name: str, size: int) -> Matrix:
    """The matrix in the file that the program has written."""
    numbers = array.array("d", (folder / name).read_bytes())
    assert len(numbers) == size * size
    if sys.byteorder == "little":
        numbers.byteswap()
    return [list(numbers[i * size:(i + 1) * size]) for i in range(size)]


def error(found: Matrix, expected: Matrix) -> float:
    """The largest relative difference of an element."""
    return max(abs(a - b) / abs(b) for one, other in zip(found, expected, strict=True)
               for a, b in zip(one, other, strict=True))


def residual(lu: Matrix, a: Matrix) -> float:
    """The largest element of A - LU."""
    worst = 0.0
    for i, row in enumerate(a):
        left = list(row)
        for k in range(i):
            factor = lu[i][k]
            for j, upper in enumerate(lu[k][k:], start=k):
                left[j] -= factor * upper
        for j in range(i, len(a)):
            left[j] -= lu[i][j]
        worst = max(worst, *map(abs, left))
    return worst


@pytest.mark.parametrize("size, block", [(1, 1), (10, 10), (37, 7), (40, 40), (50, 1), (60, 10), (61, 13), (5, 10)])
def test_result(machine, tmp_path, size, block):
    machine("lu", "--result", "lu.bin", "--seed", 5, size, block, nodes=4, output=tmp_path, timeout=LIMIT).check(0)
    found = read(tmp_path, "lu.bin", size)
    assert residual(found, matrix(size, 5)) < 1e-13 * size
    assert error(found, decomposed(size, 5)) < 1e-9


@pytest.fixture(scope="module")
def usual(machine, tmp_path_factory):
    """result(size, block, ...) -> the bytes of the result on eight nodes."""
    @cache
    def make(size, block):
        folder = tmp_path_factory.mktemp("usual")
        machine("lu", "--result", "lu.bin", size, block, output=folder, timeout=LIMIT).check(0)
        return (folder / "lu.bin").read_bytes()
    return make


@pytest.mark.parametrize("name", OPTIONS)
def test_result_does_not_depend_on_the_machine(machine, tmp_path, usual, name):
    options = {**OPTIONS[name]}
    words = options.pop("words", (60, 10))
    machine("lu", "--result", "lu.bin", *words, output=tmp_path, timeout=LIMIT, **options).check(0)
    assert (tmp_path / "lu.bin").read_bytes() == usual(*words[:2])


@pytest.mark.long
def test_result_at_the_papers_size(machine, tmp_path):
    machine("lu", "--result", "lu.bin", output=tmp_path, timeout=LIMIT).check(0)
    found = read(tmp_path, "lu.bin", FULL[0])
    assert residual(found, matrix(FULL[0])) < 1e-13 * FULL[0]
    assert error(found, decomposed(FULL[0])) < 1e-9


# ---- messages -------------------------------------------------------------------

def reads(blocks: int, rows: int, columns: int) -> int:
    """How many blocks all nodes read of others, on a grid of nodes."""
    def owner(i: int, j: int) -> int:
        return i % rows * columns + j % columns
    readers = defaultdict(set)
    for k in range(blocks):
        for i in range(k + 1, blocks):
            readers[k, k] |= {owner(i, k), owner(k, i)}
            for j in range(k + 1, blocks):
                readers[i, k].add(owner(i, j))
                readers[k, j].add(owner(i, j))
    return sum(len(found - {owner(*block)}) for block, found in readers.items())


def expected(blocks: int, nodes: int, rows: int) -> dict[str, int]:
    """Calls that miss, by kind, and messages, as apps/lu/README.md counts them."""
    remote, rounds = reads(blocks, rows, nodes // rows), (nodes - 1).bit_length()
    lists = min(blocks, rows) * min(blocks, nodes // rows)
    return {"map": remote, "start_read": remote, "barrier": 3 * blocks * nodes, "bcast": lists * nodes,
            "messages": 4 * remote + 3 * blocks * nodes * rounds + lists * 4 * (nodes - 1)}


def counted(output: str) -> dict[str, int]:
    """The same, as the program has printed it. All other calls must hit."""
    calls = {kind: int(misses) for kind, misses in re.findall(r"^crl lu: (\w+) \d+ hits, (\d+) misses, ", output,
                                                              re.MULTILINE)}
    missed = {kind: misses for kind, misses in calls.items() if misses}
    return {**missed, "messages": sections(output)["lu"][0]["messages"]}


@pytest.mark.parametrize("size, block, nodes, rows", [(60, 10, 8, 2), (20, 10, 8, 2), (60, 10, 16, 4), (45, 7, 6, 2),
                                                      (*FULL, 8, 2)])
def test_messages(machine, size, block, nodes, rows):
    result = machine("lu", size, block, nodes=nodes, timeout=LIMIT).check(0)
    assert counted(result.stdout) == expected(-(-size // block), nodes, rows), result.report()


def test_one_node_sends_nothing(machine):
    assert counted(machine("lu", 60, nodes=1, timeout=LIMIT).check(0).stdout)["messages"] == 0


# ---- arguments ------------------------------------------------------------------

@pytest.mark.parametrize("words, says", [
    ((0,), "SIZE is a number from 1 to 4000, not 0"),
    ((4001,), "SIZE is a number from 1 to 4000, not 4001"),
    (("5x",), "SIZE is a number from 1 to 4000, not 5x"),
    ((500, 201), "BLOCK is a number from 1 to 200, not 201"),
    ((1, 2, 3), "there is no argument for 3"),
    (("--seed", 1 << 32), "--seed is a number from 0 to 4294967295, not 4294967296"),
    (("--seed",), "--seed lacks its value"),
    (("--sead", 1), "--sead is no option"),
    ((60, "--wait", "spin", "--sead", 1), "--sead is no option"),
    (("-s", 1), "-s is no option"),
    (("--wait", "sleep"), "--wait is spin or yield, not sleep"),
])
def test_wrong_arguments(machine, words, says):
    result = machine("lu", *words, nodes=2, timeout=LIMIT).check(2)
    assert result.stderr.count(f"lu: {says} (lu --help)") == 1, result.report()


def test_help(machine):
    assert "usage: lu [OPTIONS] [SIZE [BLOCK]]" in machine("lu", "--help", nodes=2, timeout=LIMIT).check(0).stdout


def test_result_that_cannot_be_written(machine):
    result = machine("lu", "--result", "../b", 20, nodes=2, timeout=LIMIT).check(1)
    assert "lu: ../b cannot be written: " in result.stderr, result.report()
