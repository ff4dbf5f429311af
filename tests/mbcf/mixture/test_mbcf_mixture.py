"""Random commands of all kinds, with guests that come and end: host.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM = built("mbcf/mbcf-mixture")
PAGES = 150             # of each node: more than it has room for with LITTLE
LITTLE = "640K"
JOBS = 70               # eight more than there are GIDs


def run(machine, seed, pages=4, jobs=0, *words, nodes=4, operations=300, **options):
    """Returns how many pages came back from backing store."""
    guests = [word for index in range(1, jobs + 1) for word in ("+", PROGRAM, "guest", seed, 12, index)]
    result = machine(PROGRAM, "host", seed, operations, pages, jobs, *guests, *words, nodes=nodes,
                     **{"timeout": "16G"} | options).check(0)
    found = re.search(r"^mixture: (\d+) operations, (\d+) entries, (\d+) invocations, (\d+) pages came back: right$",
                      result.stdout, re.MULTILINE)
    assert found, result.report()
    done, entries, invocations, back = map(int, found.groups())
    assert done == nodes * operations and entries > done / 10 and invocations > done / 40, result.report()
    return back


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_mixture(machine, nodes):
    run(machine, nodes, nodes=nodes)


@pytest.mark.parametrize("options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, {"processes": 2},
                                     {"atomicity": "soft", "atomicity_timeout": 300}],
                         ids=["soft", "short", "split", "soft-short"])
def test_mixture_on_other_machines(machine, options):
    run(machine, 17, **options)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_mixture_beside_another_job(machine, atomicity):
    """Commands come while the other job has its slots."""
    run(machine, 23, 4, 0, "+", "null", "while-others", timeslice=30_000, atomicity=atomicity)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_mixture_with_guests(machine, atomicity):
    """More jobs than there are GIDs: those that end leave theirs to later ones, with commands under way."""
    run(machine, 5, 4, JOBS, nodes=2, atomicity=atomicity, ram="24M")


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_mixture_under_paging(machine, disk, atomicity):
    """Targets of commands are out."""
    assert run(machine, 7, PAGES, nodes=3, operations=500, ram=LITTLE, disk=[f"1={disk(16384)}"],
               atomicity=atomicity) > 100


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_mixture_for_long(machine, disk, seed):
    """In turn: with guests, beside another job, revoked all the time, with little memory; each second four soft."""
    pages, jobs, words, options = [
        (4, JOBS, (), {"ram": "24M"}), (4, 0, ("+", "null", "while-others"), {"timeslice": 20_000 + 500 * (seed - 100)}),
        (4, 0, (), {"atomicity_timeout": 300}), (PAGES, 0, (), {"ram": LITTLE, "disk": [f"0={disk(32768)}"]})][seed % 4]
    run(machine, seed, pages, jobs, *words, nodes=2 + seed // 4 % 3, operations=1500, timeout="200G", host_timeout=600,
        atomicity="soft" if seed // 4 % 2 else "hard", **options)
