"""Random commands of all kinds, with guests that come and end: host.c."""

from __future__ import annotations

import pytest
from guest_programs import built
from mixtures import BESIDE, FEW, long_machine, numbers, on_other_machines, with_hard_and_soft_atomicity

PROGRAM = built("mbcf/mbcf-mixture")
PAGES = 150             # of each node: more than it has room for with LITTLE
LITTLE = "640K"
JOBS = 70               # eight more than there are GIDs


def run(machine, seed, pages=FEW, jobs=0, *words, nodes=4, operations=300, **options):
    """Returns how many pages came back from backing store."""
    guests = [word for index in range(1, jobs + 1) for word in ("+", PROGRAM, "guest", seed, 12, index)]
    result = machine(PROGRAM, "host", seed, operations, pages, jobs, *guests, *words, nodes=nodes,
                     **{"timeout": "16G"} | options).check(0)
    done, entries, invocations, back = numbers(
        result, r"mixture: (\d+) operations, (\d+) entries, (\d+) invocations, (\d+) pages came back: right")
    assert done == nodes * operations and entries > done / 16 and invocations > done / 10, result.report()
    return back


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_mixture(machine, nodes):
    run(machine, nodes, nodes=nodes)


@on_other_machines
def test_mixture_on_other_machines(machine, options):
    run(machine, 17, **options)


@with_hard_and_soft_atomicity
def test_mixture_beside_another_job(machine, atomicity):
    """Commands come while the other job has its slots."""
    run(machine, 23, FEW, 0, *BESIDE, timeslice=30_000, atomicity=atomicity)


@with_hard_and_soft_atomicity
def test_mixture_with_guests(machine, atomicity):
    """More jobs than there are GIDs: those that end leave theirs to later ones, with commands under way."""
    run(machine, 5, FEW, JOBS, nodes=2, atomicity=atomicity, ram="24M")


@with_hard_and_soft_atomicity
def test_mixture_under_paging(machine, disk, atomicity):
    """Targets of commands are out."""
    assert run(machine, 7, PAGES, nodes=3, operations=500, ram=LITTLE, disk=[f"1={disk(16384)}"],
               atomicity=atomicity) > 100


@pytest.mark.long
@pytest.mark.timeout(660)           # with little memory, a run takes up to 10 minutes of host_timeout
@pytest.mark.parametrize("seed", range(100, 140))
def test_mixture_for_long(machine, disk, seed):
    """Those that would run on a machine as it is have guests."""
    one = long_machine(seed, PAGES, LITTLE, disk, plain={"ram": "24M"})
    run(machine, seed, one.pages, 0 if seed % 4 else JOBS, *one.words, nodes=2 + seed // 4 % 3, operations=1500,
        **one.options)
