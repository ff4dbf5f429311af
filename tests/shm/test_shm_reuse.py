"""Random programs that pass blocks of shared memory on and free them, and wait in between: reuse.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built
from machine_runs import long_rounds

PROGRAM = built("shm/shm-reuse")
OPERATIONS = 300
PAGES = 360             # of each process: more than a node with LITTLE has room for
LITTLE = "1280K"


def run(machine, seed, *words, nodes=4, operations=OPERATIONS, **options):
    """Returns how many pages came back from backing store."""
    result = machine(PROGRAM, seed, operations, *words, nodes=nodes, **{"timeout": "16G"} | options).check(0)
    found = re.search(r"^reuse: (\d+) operations, (\d+) blocks, (\d+) answers, (\d+) pages came back: right$",
                      result.stdout, re.MULTILINE)
    assert found, result.report()
    done, blocks, answers, pages = map(int, found.groups())
    assert done == nodes * operations and blocks > done / 10 and answers > done / 20, result.report()
    return pages


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8])
def test_reuse(machine, nodes):
    run(machine, nodes, nodes=nodes)


@pytest.mark.parametrize("options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, long_rounds(2),
                                     {"atomicity": "soft", "atomicity_timeout": 300}],
                         ids=["soft", "short", "split", "soft-short"])
def test_reuse_on_other_machines(machine, options):
    run(machine, 17, **options)


@pytest.mark.parametrize("options", [{}, {"atomicity": "soft"}], ids=["hard", "soft"])
def test_reuse_beside_another_job(machine, options):
    """Messages are buffered while the other job has its slots."""
    run(machine, 23, 4, "+", "null", "while-others", timeslice=30_000, **options)


@pytest.mark.parametrize("words", [(), ("switch",)], ids=["whole", "switch"])
@pytest.mark.parametrize("nodes", [2, 4])
def test_reuse_under_paging(machine, disk, nodes, words):
    """Pages of the processes' own are out; shared ones stay in memory."""
    assert run(machine, nodes, PAGES, *words, nodes=nodes, ram=LITTLE, disk=[f"1={disk(16384)}"]) > 100 * nodes


def test_reuse_where_handlers_wait_for_pages(machine, disk):
    """A handler of the library waits for a page, and the first thread must not change the same tables meanwhile."""
    assert run(machine, 115, PAGES, "switch", nodes=2, operations=500, ram=LITTLE, disk=[f"0={disk(32768)}"]) > 500


@pytest.mark.parametrize("pages, ram", [(200, "1280K"), (250, "1408K")])
def test_reuse_before_a_page_had_to_go_out(machine, disk, pages, ram):
    """Few frames are free, and the disk is unused, when the first shared page needs memory: the disk counts."""
    run(machine, 3, pages, ram=ram, disk=[f"0={disk(16384)}"])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_reuse_for_long(machine, disk, seed):
    """In turn: as it is, beside another job, revoked all the time, with little memory; each second one soft."""
    words, options = [((4,), {}), ((4, "+", "null", "while-others"), {"timeslice": 20_000 + 1000 * seed}),
                      ((4,), {"atomicity_timeout": 300, "processes": 2}),
                      ((PAGES, *["switch"] * (seed % 8 < 4)), {"ram": LITTLE, "disk": [f"0={disk(32768)}"]})][seed % 4]
    run(machine, seed, *words, nodes=2 + seed // 4 % 7, operations=500 if seed % 4 > 1 else 2000, timeout="200G",
        host_timeout=600, atomicity="soft" if seed // 4 % 2 else "hard", **options)
