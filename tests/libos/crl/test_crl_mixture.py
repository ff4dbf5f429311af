"""Random threads and handlers that use CRL: mixture.c."""

from __future__ import annotations

import pytest
from guest_programs import built
from mixtures import BESIDE, FEW, long_machine, numbers, on_other_machines, with_hard_and_soft_atomicity

PROGRAM = built("libos/crl-mixture")
THREADS = 3
PAGES = 360             # of each node: more than it has room for with LITTLE
LITTLE = "1M"


def run(machine, seed, pages=FEW, *words, nodes=4, operations=150, **options):
    """Returns how many pages came back from backing store."""
    result = machine(PROGRAM, seed, operations, pages, *words, nodes=nodes, **{"timeout": "16G"} | options).check(0)
    done, regions, writes, answers, back = numbers(
        result, r"mixture: (\d+) operations, (\d+) regions, (\d+) writes, (\d+) answers, (\d+) pages came back: right")
    assert done == nodes * THREADS * operations and regions > done / 40, result.report()
    assert writes > done / 6 and answers > done / 20, result.report()
    return back


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_mixture(machine, nodes):
    run(machine, nodes, nodes=nodes)


@on_other_machines
def test_mixture_on_other_machines(machine, options):
    run(machine, 17, **options)


@with_hard_and_soft_atomicity
def test_mixture_beside_another_job(machine, atomicity):
    """Messages are buffered while the other job has its slots."""
    run(machine, 23, FEW, *BESIDE, timeslice=30_000, atomicity=atomicity)


@with_hard_and_soft_atomicity
def test_mixture_under_paging(machine, disk, atomicity):
    """Regions and the nodes' own pages are out."""
    assert run(machine, 5, PAGES, nodes=2, ram=LITTLE, disk=[f"1={disk(16384)}"], atomicity=atomicity) > 50


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_mixture_for_long(machine, disk, seed):
    one = long_machine(seed, PAGES, LITTLE, disk, short={"processes": 2})
    run(machine, seed, one.pages, *one.words, nodes=2 + seed // 4 % 7, operations=600, **one.options)
