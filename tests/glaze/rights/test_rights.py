"""Views of pages, rights upcalls and alarms: docs/glaze.md, "Views"."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM = built("glaze/rights/rights")
BOTH = ("hard", "soft")

# Checks of each case of rights.c.
CASES = {"loads": 19, "windows": 13, "fpu": 4, "sections": 20, "kernel": 20, "lists": 15, "errors": 16, "alarms": 11,
         "storm": 2}


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", CASES)
def test_case(machine, case, atomicity):
    machine(PROGRAM, case, nodes=1, timeout="100M", atomicity=atomicity).passed(CASES[case])


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", ["sections", "alarms", "storm"])
def test_case_beside_another_job(machine, case, atomicity):
    result = machine(PROGRAM, case, "+", PROGRAM, case, nodes=1, timeout="1G", atomicity=atomicity, timeslice=1_000_000)
    result.passed(2 * CASES[case])


def test_rights_upcall_is_cheap(machine):
    """From a load that is not allowed to the upcall and back, without a library's work."""
    output = machine(PROGRAM, "cost", nodes=1, timeout="100M").check(0).stdout
    assert int(re.search(r"^rights: (\d+) cycles$", output, re.MULTILINE)[1]) <= 200


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize(("case", "words"), [
    ("no-entry", "access to memory that is not its own, address 0xa0000000"),
    ("stack", "stack overflow, or bad stack pointer, address 0xa000a"),
])
def test_mistake_ends_the_job(machine, case, words, atomicity):
    result = machine(PROGRAM, case, nodes=1, timeout="100M", atomicity=atomicity).check(101)
    assert words in result.stdout
