"""Random programs on remote queues, beside a model of what each queue must hold: random.c."""

from __future__ import annotations

import pytest
from guest_programs import built
from mixtures import BESIDE, FEW, long_machine, numbers, on_other_machines

PROGRAM = built("rq/rq-random")
BACK_ENDS = ("ni", "memory", "mixed", "fetch")


def run(machine, seed, items, back_end, *words, nodes=4, least=1.5, **options):
    """Checks a run of so many items; returns the operations of all nodes."""
    result = machine(PROGRAM, seed, items, back_end, *words, nodes=nodes, **{"timeout": "4G"} | options).check(0)
    operations, taken = numbers(result, r"rq-random: (\d+) operations, (\d+) taken, \d+ refused: 0 wrong, 0 left")
    assert operations > least * items and taken > items / 2, result.report()
    return operations


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random(machine, back_end, nodes):
    run(machine, nodes, 4000, back_end, nodes=nodes)


def test_random_on_more_nodes_than_a_sender_has_places_for(machine):
    """With RQ_BY_FETCH, a sender keeps the items of 32 nodes."""
    run(machine, 3, 6000, "fetch", nodes=40)


@pytest.mark.parametrize("back_end", BACK_ENDS)
@on_other_machines
def test_random_on_other_machines(machine, options, back_end):
    run(machine, 17, 4000, back_end, **options)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random_beside_another_job(machine, back_end):
    """Messages are buffered while the other job has its slots."""
    run(machine, 23, 4000, back_end, *BESIDE, timeslice=30_000)


def test_random_with_little_memory(machine, disk):
    """Two jobs on nodes with memory for one: slots of queues go to backing store and come back."""
    result = machine(PROGRAM, 17, 2000, "fetch", "+", PROGRAM, 18, 2000, "fetch", nodes=4, ram="320K", timeslice=20_000,
                     disk=[f"0={disk(16384)}"], timeout="4G").check(0)
    assert result.stdout.count(": 0 wrong, 0 left\n") == 2, result.report()
    assert "4 nodes have used backing store" in result.stdout, result.report()


PAGES = 300             # of a node's own: more than it has room for with LITTLE
LITTLE = "1M"


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random_threads(machine, back_end):
    """A second thread takes items of other queues."""
    run(machine, 31, 2000, back_end, FEW, least=1)


@pytest.mark.parametrize("words", [(), ("switch",)], ids=["whole", "switch"])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random_threads_under_paging(machine, disk, back_end, words):
    """Items with their bodies, and the nodes' own pages, are out; with `switch` one thread runs while the other waits."""
    run(machine, 32, 1000, back_end, PAGES, *words, nodes=2, least=1, ram=LITTLE, disk=[f"1={disk(16384)}"],
        timeout="16G")


@pytest.mark.long
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_many_random_operations(machine, back_end):
    """A million with all back ends together, on 2 to 5 nodes."""
    assert sum(run(machine, seed, 30_000, back_end, nodes=2 + seed % 4, host_timeout=200)
               for seed in range(100, 105)) >= 10**6 / len(BACK_ENDS)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 240))
def test_random_threads_for_long(machine, disk, seed):
    one = long_machine(seed, PAGES, LITTLE, disk, switch=True)
    run(machine, seed, 6000, BACK_ENDS[seed // 8 % 4], one.pages, *one.words, nodes=2 + seed // 4 % 5, least=1,
        **one.options)
