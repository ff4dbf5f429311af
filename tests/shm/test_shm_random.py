"""Random programs without data races on shared memory, beside a sequential model: random.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM, WITH_SMALL_LOG = built("shm/shm-random"), built("shm/shm-random-log")


def run(machine, seed, *words, nodes=4, phases=2, operations=20, program=PROGRAM, **options):
    result = machine(program, seed, phases, operations, *words, nodes=nodes, timeout="4G", **options).check(0)
    assert re.search(r"^random: 0 wrong, [1-9]\d* locked, 0 lost$", result.stdout, re.MULTILINE), result.report()
    return result


@pytest.mark.parametrize("nodes", [2, 3, 8])
@pytest.mark.parametrize("seed", [1, 2])
def test_random(machine, seed, nodes):
    run(machine, seed, nodes=nodes)


@pytest.mark.parametrize("seed", [4])
def test_random_with_soft_atomicity(machine, seed):
    run(machine, seed, atomicity="soft")


@pytest.mark.parametrize("seed", [6])
def test_random_beside_another_job(machine, seed):
    """Messages are buffered while the other job has its slots."""
    run(machine, seed, "+", "null", timeslice=50_000)


@pytest.mark.parametrize("seed", [3, 5, 6])
def test_random_with_short_slots(machine, seed):
    """A process loses its node between its request for a page and the page's memory, so the answer's handler runs before
    that. (Without page_map() there, each of these seeds ends the job: a store to memory that is not its own.)"""
    run(machine, seed, "+", "null", phases=3, operations=200, timeslice=20_000)


@pytest.mark.parametrize("seed", [8])
def test_random_with_short_sections(machine, seed):
    """Sections and handlers are revoked all the time."""
    run(machine, seed, atomicity_timeout=300)


@pytest.mark.parametrize("nodes", [2, 3, 8])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_with_a_small_log(machine, seed, nodes):
    """It is full every few locks: records are lost that some nodes need. No visit shows what they tell of."""
    result = run(machine, seed, 8, nodes=nodes, phases=2, operations=150, program=WITH_SMALL_LOG, shm_visits="off")
    assert int(re.search(r"^(\d+) collections$", result.stdout, re.MULTILINE)[1]) > 10, result.report()


@pytest.mark.parametrize("options", [{}, {"program": WITH_SMALL_LOG, "operations": 60}, {"atomicity": "soft"},
                                     {"atomicity_timeout": 300}, {"beside": ("+", "null"), "timeslice": 50_000}],
                         ids=["plain", "log", "soft", "short", "beside"])
@pytest.mark.parametrize("visits", ["off", "on"])
@pytest.mark.parametrize("nodes, seed", [(2, 11), (3, 12), (8, 13)])
def test_random_without_the_order(machine, nodes, seed, visits, options):
    """All accesses are ordered by locks, barriers and flags."""
    options = options.copy()
    run(machine, seed, *options.pop("beside", ()), nodes=nodes, shm_order="drop", shm_visits=visits, **options)


@pytest.mark.long
def test_random_split_over_processes(machine):
    run(machine, 10, nodes=2, phases=1, processes=2)


def test_random_with_little_memory(machine):
    """The variables lie on 625 pages; a node has room for some 600 copies."""
    result = machine(PROGRAM, 1, 3, 20, 256, nodes=4, ram="3M", timeout="4G").check(0)
    assert result.stdout.startswith("random: 0 wrong, "), result.report()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_random_for_long(machine, seed):
    run(machine, seed, nodes=2 + seed % 7, phases=12)
