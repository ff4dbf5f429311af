"""Multicasts of MBCF: docs/mbcf.md, case by case. README.md says which case checks which rule."""

from __future__ import annotations

import re

import pytest
from guest_programs import built
from machine_runs import long_rounds

CASTS = built("mbcf/mbcf-casts")

# Checks of each case, on so many nodes.
CHECKS = {("update", 2): 54, ("update", 4): 54, ("update", 16): 54, ("colour", 7): 3, ("list", 8): 17, ("behind", 3): 5,
          ("order", 8): 1,
          ("wakes", 8): 1, ("invalidate", 7): 69, ("mistakes", 2): 13, ("refusals", 3): 16, ("first", 3): 2,
          ("circles", 2): 12, ("circles", 6): 12, ("ways", 8): 8, ("chain", 6): 2, ("places", 4): 19,
          ("frames", 3): 5, ("chain", 8): 2, ("ended", 7): 7, ("leaves", 3): 4}

SMALL = {"frames": "1M"}        # cases that fill a node's memory


def run(machine, case, nodes, **options):
    machine(CASTS, case, nodes=nodes, **{"timeout": "300M", "atomicity_timeout": 1000000, "ram": SMALL.get(case, "4M")} | options).passed(CHECKS[case, nodes])


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("case", "nodes"), CHECKS)
def test_cast(machine, case, nodes, atomicity):
    run(machine, case, nodes, atomicity=atomicity)


@pytest.mark.parametrize(("case", "nodes"), [("update", 4), ("colour", 7), ("order", 8), ("invalidate", 7)])
def test_beside_another_job(machine, case, nodes):
    """Two jobs of one program: many commands find their target off the processor."""
    result = machine(CASTS, case, "+", CASTS, case, nodes=nodes, timeout="2G", timeslice=10000)
    result.passed(2 * CHECKS[case, nodes])


@pytest.mark.parametrize("ram", ["400K", "388K"])
def test_too_little_memory(machine, disk, ram):
    """The pages of jobs beside each other go out and come back meanwhile."""
    jobs = ["+", CASTS, "order"] * 5
    result = machine(*jobs[1:], nodes=4, timeout="4G", timeslice=20000, ram=ram, disk=[f"0={disk(16384)}"])
    result.passed(5)
    came = [int(pages) for pages in re.findall(r"^node \d: (\d+) pages came back$", result.stdout, re.MULTILINE)]
    assert len(came) == 20 and sum(came) > 100


def test_processes(machine):
    """One run, on one process and on three."""
    one, three = (machine(CASTS, "order", nodes=8, timeout="2G", digest=True, **more)
                  for more in map(long_rounds, (1, 3)))
    one.passed(1)
    assert one.digest == three.digest
