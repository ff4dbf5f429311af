"""What a process finds in its private memory, and what its creation costs: create.c, docs/shm.md."""

from __future__ import annotations

import re

import pytest
from guest_programs import built
from machine_runs import long_rounds

from fugu.paths import ROOT

PROGRAM = built("shm/shm-create")
KEEP = {0: "one after the other", 1: "all at once"}


def check(result, processes):
    assert f"{processes} processes, 0 wrong\n" in result.check(0).stdout, result.report()


def random_run(machine, nodes, seed=1, rounds=3, keep=1, **options):
    result = machine(PROGRAM, "random", seed, rounds, keep, nodes=nodes, **{"timeout": "2G", **options})
    check(result, (nodes - 1) * rounds)
    return result


@pytest.mark.parametrize("keep", KEEP)
@pytest.mark.parametrize("nodes", [2, 3, 5, 9, 16])
def test_memory_of_the_moment(machine, nodes, keep):
    """Data, bss, heap and stack, changed by the first process between two CREATEs, and by earlier processes."""
    random_run(machine, nodes, seed=nodes, keep=keep)


@pytest.mark.parametrize("seed", range(4))
def test_with_soft_atomicity(machine, seed):
    random_run(machine, 5, seed=seed, atomicity="soft")


@pytest.mark.parametrize("keep", KEEP)
def test_beside_another_job(machine, keep):
    result = machine(PROGRAM, "random", 3, 2, keep, "+", "null", nodes=4, timeout="4G", timeslice=100_000)
    check(result, 6)


@pytest.mark.parametrize("cache_miss", [6, 9, 14, 20])
@pytest.mark.parametrize("mesh_base", [64, 77, 91])
@pytest.mark.parametrize("dma_word", [1, 3])
def test_at_many_timings(machine, cache_miss, mesh_base, dma_word):
    """Handlers store pages while a thread sends them on and node 0 sends others."""
    random_run(machine, 6, seed=cache_miss, rounds=2, cache_miss=cache_miss, mesh_base=mesh_base, dma_word=dma_word,
               atomicity="soft" if mesh_base == 77 else "hard")


def test_with_short_sections(machine):
    random_run(machine, 5, atomicity_timeout=500)


@pytest.mark.parametrize("ram", ["3M", "4M"])
def test_little_memory(machine, ram):
    """Not all nodes take copies before they need them."""
    random_run(machine, 6, seed=8, ram=ram)


def test_pages_that_are_out(machine, disk):
    """Pages of the first process are in backing store when they are copied, and so is the record of their changes."""
    result = machine(PROGRAM, "random", 5, 3, 1, "+", "null", nodes=3, ram="1M", disk=[f"0={disk(16384)}"], timeout="8G",
                     timeslice=200_000)
    check(result, 6)


def test_split_makes_the_same_run(machine):
    one, two = (random_run(machine, 6, seed=4, digest=True, **long_rounds(p)) for p in (1, 2))
    assert one.digest == two.digest


def test_a_copy_that_a_message_has_changed(machine):
    """A node that waits for a process gets a message of the program. Its handler's stores do not stay."""
    assert "0 wrong\n" in machine(PROGRAM, "message", nodes=8, timeout="1G").check(0).stdout


@pytest.mark.parametrize("ram, copies", [("16M", 7), ("5632K", 1)])
def test_nodes_that_get_copies_for_nothing(machine, ram, copies):
    """The second CREATE gives seven nodes copies, if that leaves a quarter of their memory free. All others stay as they
    are. (With 5.5M, the two nodes that run have the data, which a node without a process does not take.)"""
    result = machine(PROGRAM, "few", 4096, nodes=16, ram=ram, timeout="1G")
    pages = [int(n) for n in re.findall(r"^node \d+ has (\d+) pages$", result.check(0).stdout, re.MULTILINE)]
    assert [n > 1024 for n in pages] == [k < 1 + copies for k in range(15)], pages
    assert all(n < 100 for n in pages if n <= 1024)


@pytest.mark.parametrize("processes", [1, 3])
def test_end_while_copies_come(machine, processes):
    """Nodes without a process end without a word, after they have sent on what came."""
    assert machine(PROGRAM, "leave", nodes=9, processes=processes, timeout="1G").check(0).stdout == ""


def documented():
    """The table of docs/shm.md: cycles by nodes and kilobytes."""
    page = (ROOT / "docs" / "shm.md").read_text()
    rows = re.findall(r"^\| (\d+) KiB \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    return {(nodes, int(row[0])): int(cycles.replace(",", ""))
            for row in rows for nodes, cycles in zip((8, 16, 64), row[1:], strict=True)}


def costs(machine, nodes, *kilobytes):
    """Cycles from the first CREATE until all processes run."""
    result = machine(PROGRAM, "costs", *kilobytes, nodes=nodes, ram="16M", timeout="1G").check(0)
    assert "\n0 wrong\n" in result.stdout
    return int(re.search(r"^run: (\d+) cycles$", result.stdout, re.MULTILINE)[1])


@pytest.mark.parametrize("kilobytes", [0, 200, 4096])
@pytest.mark.parametrize("nodes", [8, 16, 64])
def test_costs(machine, nodes, kilobytes):
    """They are what docs/shm.md says, to a fifth."""
    assert costs(machine, nodes, kilobytes) == pytest.approx(documented()[nodes, kilobytes], rel=0.2)


def test_changes_are_sent_by_a_tree(machine):
    """What has changed after the copies were made goes to all of them at once. When each of the last 13 processes got it
    alone, it took 4.1 million cycles."""
    assert costs(machine, 16, 800, 400) - costs(machine, 16, 800) < 3_200_000
