"""Random programs on remote queues, beside a model of what each queue must hold: random.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM = built("rq/rq-random")
BACK_ENDS = ("ni", "memory", "mixed", "fetch")


def run(machine, seed, items, back_end, *words, nodes=4, least=1.5, **options):
    """Checks a run of so many items; returns the operations of all nodes."""
    result = machine(PROGRAM, seed, items, back_end, *words, nodes=nodes, **{"timeout": "4G"} | options).check(0)
    found = re.search(r"^rq-random: (\d+) operations, (\d+) taken, \d+ refused: 0 wrong, 0 left$", result.stdout,
                      re.MULTILINE)
    assert found and int(found[1]) > least * items and int(found[2]) > items / 2, result.report()
    return int(found[1])


@pytest.mark.parametrize("nodes", [1, 2, 5, 16])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random(machine, back_end, nodes):
    run(machine, nodes, 4000, back_end, nodes=nodes)


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, {"processes": 2},
                                     {"atomicity": "soft", "atomicity_timeout": 300}],
                         ids=["soft", "short", "split", "soft-short"])
def test_random_on_other_machines(machine, options, back_end):
    run(machine, 17, 4000, back_end, **options)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_random_beside_another_job(machine, back_end):
    """Messages are buffered while the other job has its slots."""
    run(machine, 23, 4000, back_end, "+", "null", "while-others", timeslice=30_000)


@pytest.mark.long
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_many_random_operations(machine, back_end):
    """A million with all back ends together, on 2 to 5 nodes."""
    assert sum(run(machine, seed, 30_000, back_end, nodes=2 + seed % 4, host_timeout=200)
               for seed in range(100, 105)) >= 10**6 / len(BACK_ENDS)
