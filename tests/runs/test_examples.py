"""The apps that are examples: their results, messages and cycles."""

from __future__ import annotations

import re
import struct

import pytest
from launches import launches
from machine_runs import long_rounds

from fugu.abi import REGS
from fugu.paths import ROOT

NODES = [1, 2, 3, 8, 16]
OPTIONS = {
    "alone": {},
    "soft": {"atomicity": "soft"},
    "processes": long_rounds(3),
    "timeouts": {"atomicity_timeout": 200},
    "no-cache": {"cache": False},
}
BESIDE = {"null": ["+", "null", 2_000_000], "others": ["+", "barrier", 20, "+", "stencil", 16, 3]}
APPS = {"barrier": [50], "stencil": [16, 5], "rpc": [16]}
CHECKS = 20                     # barriers that the app barrier checks
MEASURE = REGS["METER_COUNTERS"] + 2    # reductions of udm_measure_end()
RPC_THREADS = (1, 2, 4, 8)


def rounds(nodes: int) -> int:
    """Messages that a node sends in a barrier. When its process ends, it sends twice as many."""
    return (nodes - 1).bit_length()


# Cycles of a barrier without a cache, by nodes: a change of the kernel's or the library's fast path changes them.
BARRIER_CYCLES = {1: "145.0", 2: "385.5", 8: "866.5", 64: "2387.9"}


def right(name: str, nodes: int, output: str) -> bool:
    """Whether the app has printed that its results are right."""
    lines = {"barrier": [rf"barrier: 50 barriers on {nodes} nodes, [\d.]+ cycles each",
                         rf"barrier: nodes were ahead 0 times in {CHECKS} more"],
             "stencil": [rf"stencil: 16 x 16 points, 5 iterations, {nodes} nodes",
                         rf"stencil: checksum {heat(16, 5)}: right"],
             "rpc": [r"rpc: 0 results were wrong"]}
    return all(re.search(rf"^{line}$", output, re.MULTILINE) for line in lines[name])


def heat(size: int, iterations: int) -> str:
    """The checksum of app stencil: the sum of all points' bits."""
    width = range(size + 2)
    old = [[100.0 if y == 0 else 0.0 for _ in width] for y in width]
    for _ in range(iterations):
        new = [row.copy() for row in old]
        for y in width[1:-1]:
            for x in width[1:-1]:
                new[y][x] = (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]) * 0.25
        old = new
    points = [point for row in old[1:-1] for point in row[1:-1]]
    return f"{sum(struct.unpack(f'>{len(points)}Q', struct.pack(f'>{len(points)}d', *points))) % 2 ** 64:016x}"


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("name", APPS)
def test_any_number_of_nodes(machine, name, nodes):
    result = machine(name, *APPS[name], nodes=nodes, timeout="100M").check(0)
    assert right(name, nodes, result.stdout), result.report()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("name", APPS)
def test_beside_other_jobs(machine, name, beside, options):
    result = machine(name, *APPS[name], *BESIDE[beside], nodes=4, timeslice=50_000, timeout="1000M",
                     **OPTIONS[options]).check(0)
    assert right(name, 4, result.stdout), result.report()


@pytest.mark.parametrize("name", APPS)
def test_same_run_split_over_processes(machine, name):
    runs = [machine(name, *APPS[name], nodes=8, digest=True, timeout="100M", **options).check(0)
            for options in (long_rounds(1), long_rounds(3), long_rounds(2) | {"transport": "tcp"})]
    assert len({(run.stdout, run.digest) for run in runs}) == 1


@pytest.mark.parametrize("nodes", BARRIER_CYCLES)
def test_cycles_of_a_barrier(machine, nodes):
    result = machine("barrier", 1000, nodes=nodes, cache=False, timeout="100M").check(0)
    assert f"1000 barriers on {nodes} nodes, {BARRIER_CYCLES[nodes]} cycles each" in result.stdout, result.report()


def test_documented_cycles_of_a_barrier():
    said = " ".join((ROOT / "docs" / "udm.md").read_text().split())
    two, eight, many = (BARRIER_CYCLES[nodes] for nodes in (2, 8, 64))
    assert f"takes {two} cycles on 2 nodes, {eight} on 8 and {many} on 64" in said


def test_speed_up_of_the_stencil(machine):
    """Eight nodes compute 64 x 64 points, with the usual arguments, at least seven times as fast as one."""
    result = machine("stencil", nodes=8, timeout="100M").check(0)
    assert float(re.search(r"speed-up ([\d.]+)", result.stdout)[1]) > 7, result.report()


# ---- messages -------------------------------------------------------------------

@pytest.mark.parametrize("nodes", NODES)
def test_messages_of_barrier(machine, tmp_path, nodes):
    """log2 N messages of each node a barrier: 24 in all on eight nodes, as in the paper."""
    sent = launches(machine, tmp_path, "barrier", 50, nodes=nodes, timeout="100M")
    barriers, reductions = 1 + 50 + CHECKS, MEASURE + CHECKS + 1
    assert sent.total() == (barriers + 2) * nodes * rounds(nodes) + reductions * 2 * (nodes - 1)


@pytest.mark.parametrize("nodes", NODES)
def test_messages_of_stencil(machine, tmp_path, nodes):
    """A row to each neighbour an iteration; two barriers, and a reduction whose way back only node 0 begins."""
    sent = launches(machine, tmp_path, "stencil", 16, 5, nodes=nodes, timeout="100M")
    assert sum(count for (*_, body), count in sent.items() if body == 18 * 8) == 5 * 2 * (nodes - 1)
    assert sum(count for (*_, body), count in sent.items() if body == 0) == (
        (2 + 2) * nodes * rounds(nodes) + (nodes - 1) + rounds(nodes))


@pytest.mark.parametrize("nodes", NODES)
def test_messages_of_rpc(machine, tmp_path, nodes):
    """A request and a reply a call, and one more call for each relay; two barriers a test, and a reduction."""
    sent = launches(machine, tmp_path, "rpc", 16, nodes=nodes, timeout="100M")
    calls = len(RPC_THREADS) * 16 * (1 + 2) * nodes
    barriers = 2 * 2 * len(RPC_THREADS)
    assert sent.total() == 2 * calls + (barriers + 2) * nodes * rounds(nodes) + 2 * (nodes - 1)


# ---- wrong arguments ------------------------------------------------------------

@pytest.mark.parametrize("words, says", [
    (["barrier", 0], "its one argument is a number of barriers"),
    (["barrier", "1x"], "its one argument is a number of barriers"),
    (["rpc", 7], "its one argument is a number of calls, 8 to 1000000"),
    (["stencil", 1], "the arguments are the size, from the number of nodes to 510"),
    (["stencil", 511], "the arguments are the size"),
    (["stencil", 16, 0], "the arguments are the size"),
])
def test_wrong_arguments_are_reported(machine, words, says):
    result = machine(*words, nodes=2, timeout="10M").check(2)
    assert says in result.stderr, result.report()
