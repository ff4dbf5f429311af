"""Which pages have changed: docs/glaze.md, "Pages that have changed"."""

from __future__ import annotations

import pytest
from guest_programs import built

PROGRAM = built("glaze/rights/changes")

# Checks of each case of changes.c on one node.
CASES = {"stores": 12, "calls": 5, "storebacks": 2, "maps": 10, "views": 6, "ranges": 20}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", CASES)
def test_changes(machine, case, atomicity):
    machine(PROGRAM, case, nodes=1, timeout="100M", atomicity=atomicity).passed(CASES[case])


@pytest.mark.parametrize("case", CASES)
def test_changes_beside_another_job(machine, case):
    """The MMU forgets entries of the process that runs alone."""
    result = machine(PROGRAM, case, "+", PROGRAM, case, nodes=1, timeout="1G", timeslice=3_000)
    result.passed(2 * CASES[case])


def test_changes_of_pages_that_are_out(machine, disk):
    """The record goes out and comes in with the page."""
    machine(PROGRAM, "paging", nodes=1, ram="1M", disk=[f"0={disk(4096)}"], timeout="4G").passed(5)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_changes_by_other_tasks(machine, atomicity):
    """MBCF: short commands, commands with a body, and replies."""
    machine(PROGRAM, "tasks", nodes=2, timeout="100M", atomicity=atomicity).passed(7)
