"""The apps on MBCF: they check themselves, on any number of nodes and in each way that machines run."""

from __future__ import annotations

import re
import struct

import pytest
from machine_runs import long_rounds

PIECES, SIZE, ITERATIONS, ROUNDS, CALLS = 48, 32, 8, 10, 18


def primes(below: int) -> int:
    return sum(all(number % factor for factor in range(2, int(number ** 0.5) + 1)) for number in range(2, below))


def heat(size: int, iterations: int) -> int:
    """The sum of the bits of all points of a plate with a hot upper border."""
    grid = [[100.0] * (size + 2)] + [[0.0] * (size + 2) for _ in range(size + 1)]
    for _ in range(iterations):
        inside = [[(above[x] + below[x] + here[x - 1] + here[x + 1]) * 0.25 for x in range(1, size + 1)]
                  for above, here, below in zip(grid, grid[1:], grid[2:], strict=False)]
        grid = [grid[0], *([0.0, *row, 0.0] for row in inside), grid[-1]]
    return sum(struct.unpack(">Q", struct.pack(">d", x))[0] for row in grid[1:-1] for x in row[1:-1]) % 2 ** 64


# App with its arguments, and the lines that it prints on so many nodes. Numbers of groups may not be 0.
APPS = {
    "workqueue": (("workqueue", PIECES), lambda nodes: [rf"{PIECES} pieces, (\d+) of them by one node at most",
                                                        f"{primes(64 * PIECES)} primes: right"]),
    "fifos": (("fifos", 30), lambda nodes: [rf"{30 * (nodes - 1)} entries, (\d+) refused for the time being",
                                            "0 wrong, 0 bytes left: right"]),
    "lock": (("lock", ROUNDS), lambda nodes: [r"(\d+) cycles for each time that it was held",
                                              f"counter {ROUNDS * nodes}: right"]),
    "halo": (("halo", SIZE, ITERATIONS), lambda nodes: [r"(\d+) cycles, on one node \d+: speed-up [\d.]+",
                                                        f"checksum {heat(SIZE, ITERATIONS):016x}: right"]),
    "signals": (("signals", CALLS), lambda nodes: [r"(\d+) cycles a call, \d+ sent again",
                                                   f"{CALLS * nodes} calls, 0 wrong: right"]),
    "agent": (("agent", "server", "+", "agent", "client"), lambda nodes: [
        f"{nodes} orders, sum {sum(1000 * k + 100 + k % 8 for k in range(nodes))}; "
        "0 words of the server changed: right",
        f"{nodes} clients, 0 commands had another end: right"]),
}
NULL = ("+", "null", 2_000_000)
WAYS = {"alone": {}, "soft": {"atomicity": "soft"}, "split": long_rounds(2), "slots": {"timeslice": 20_000}}


def run(machine, app, nodes, *others, **options):
    """Runs an app, and checks its lines."""
    words, lines = APPS[app]
    result = machine(*words, *others, nodes=nodes, timeout="1G", **options).check(0)
    for line in lines(nodes):
        found = re.search(rf"^{app}: {line}$", result.stdout, re.MULTILINE)
        assert found and all(int(number) for number in found.groups()), result.report()
    return result


@pytest.mark.parametrize("nodes", [2, 4, 16])
@pytest.mark.parametrize("app", APPS)
def test_app(machine, app, nodes):
    run(machine, app, nodes)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("app", APPS)
def test_app_beside_another_job(machine, app, way):
    run(machine, app, 4, *NULL, **WAYS[way])


@pytest.mark.parametrize("app", ["workqueue", "lock", "halo", "signals"])
def test_app_alone_on_a_node(machine, app):
    """A task is a target of its own commands."""
    run(machine, app, 1)


def test_too_many_calls_are_tried_again(machine):
    """A FIFO has room for two requests. As nodes drift apart, more come at once."""
    result = machine("signals", 100, *NULL, nodes=16, timeslice=20_000, timeout="1G").check(0)
    assert "signals: 1600 calls, 0 wrong: right\n" in result.stdout, result.report()
    assert int(re.search(r"(\d+) sent again", result.stdout)[1]) > 0, result.report()


@pytest.mark.parametrize("words, nodes, line", [
    (("fifos",), 1, "fifos: 2 to 1024 nodes: one produces"),
    (("halo", 3), 4, "halo: SIZE must be the number of nodes or more"),
    (("agent",), 2, "agent: two jobs: agent server + agent client"),
    (("workqueue", 0), 2, "workqueue: PIECES"),
])
def test_wrong_arguments(machine, words, nodes, line):
    result = machine(*words, nodes=nodes, timeout="100M")
    assert result.status == 2 and line in result.stdout + result.stderr, result.report()
