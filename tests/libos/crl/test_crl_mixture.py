"""Random threads and handlers that use CRL: mixture.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM = built("libos/crl-mixture")
THREADS = 3
PAGES = 360             # of each node: more than it has room for with LITTLE
LITTLE = "1M"


def run(machine, seed, pages=4, *words, nodes=4, operations=150, **options):
    """Returns how many pages came back from backing store."""
    result = machine(PROGRAM, seed, operations, pages, *words, nodes=nodes, **{"timeout": "16G"} | options).check(0)
    found = re.search(r"^mixture: (\d+) operations, (\d+) regions, (\d+) writes, (\d+) answers, (\d+) pages came back: "
                      r"right$", result.stdout, re.MULTILINE)
    assert found, result.report()
    done, regions, writes, answers, back = map(int, found.groups())
    assert done == nodes * THREADS * operations and regions > done / 40, result.report()
    assert writes > done / 6 and answers > done / 20, result.report()
    return back


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_mixture(machine, nodes):
    run(machine, nodes, nodes=nodes)


@pytest.mark.parametrize("options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, {"processes": 2},
                                     {"atomicity": "soft", "atomicity_timeout": 300}],
                         ids=["soft", "short", "split", "soft-short"])
def test_mixture_on_other_machines(machine, options):
    run(machine, 17, **options)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_mixture_beside_another_job(machine, atomicity):
    """Messages are buffered while the other job has its slots."""
    run(machine, 23, 4, "+", "null", "while-others", timeslice=30_000, atomicity=atomicity)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_mixture_under_paging(machine, disk, atomicity):
    """Regions and the nodes' own pages are out."""
    assert run(machine, 5, PAGES, nodes=2, ram=LITTLE, disk=[f"1={disk(16384)}"], atomicity=atomicity) > 50


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_mixture_for_long(machine, disk, seed):
    """In turn: as it is, beside another job, revoked all the time, with little memory; each second four soft."""
    pages, words, options = [(4, (), {}), (4, ("+", "null", "while-others"), {"timeslice": 20_000 + 500 * (seed - 100)}),
                             (4, (), {"atomicity_timeout": 300, "processes": 2}),
                             (PAGES, (), {"ram": LITTLE, "disk": [f"0={disk(32768)}"]})][seed % 4]
    run(machine, seed, pages, *words, nodes=2 + seed // 4 % 7, operations=600, timeout="200G", host_timeout=600,
        atomicity="soft" if seed // 4 % 2 else "hard", **options)
