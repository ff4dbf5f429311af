"""Views of pages, rights upcalls and alarms: docs/glaze.md, "Views"."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

PROGRAM, PLACES = built("glaze/rights/rights"), built("glaze/rights/places")
BOTH = ("hard", "soft")

# Checks of each case of rights.c.
CASES = {"loads": 19, "windows": 13, "fpu": 4, "sections": 20, "kernel": 20, "lists": 15, "moves": 6, "errors": 16,
         "alarms": 11, "lost": 3, "storm": 2, "floats": 8}


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", CASES)
def test_case(machine, case, atomicity):
    machine(PROGRAM, case, nodes=1, timeout="100M", atomicity=atomicity).passed(CASES[case])


# The same of places.c.
MORE_CASES = {"slots": 8, "widths": 19, "nested": 3, "threads": 2, "buffered": 4, "launches": 5, "partial": 6}


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", MORE_CASES)
def test_more_places(machine, case, atomicity):
    """Delay slots, all widths, an upcall's own accesses, threads, buffered messages, launches, lists with an error."""
    machine(PLACES, case, nodes=1, timeout="100M", atomicity=atomicity).passed(MORE_CASES[case])


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", ["slots", "nested", "threads", "buffered", "launches"])
def test_more_places_beside_another_job(machine, case, atomicity):
    result = machine(PLACES, case, "+", PLACES, case, nodes=1, timeout="1G", atomicity=atomicity, timeslice=20_000)
    result.passed(2 * MORE_CASES[case])


def test_operands_of_system_calls(machine, tmp_path):
    """Each call whose operand is in memory is made again after the upcall."""
    (tmp_path / "input").write_text("a file\n")
    result = machine(PLACES, "operands", nodes=1, timeout="100M", stdin="abc\n", input=[str(tmp_path / "input")])
    result.passed(20)


def test_views_and_paging(machine, disk):
    """A page is paged with its view as it is without one."""
    machine(PLACES, "paging", nodes=1, ram="1M", disk=[f"0={disk(4096)}"], timeout="4G").passed(5)


@pytest.mark.parametrize("atomicity", BOTH)
def test_more_views_than_frames(machine, disk, atomicity):
    machine(PLACES, "views-out", nodes=1, ram="1M", disk=[f"0={disk(4096)}"], timeout="4G",
            atomicity=atomicity).passed(12)


def test_fresh_pages(machine):
    """FRESH counts pages that were not touched, and does not touch them."""
    machine(PLACES, "fresh", nodes=1, timeout="100M").passed(17)


@pytest.mark.parametrize("ram", ["768K", "1M"])
def test_no_frame_for_a_table(machine, ram):
    machine(PLACES, "tables", nodes=1, ram=ram, timeout="100M").passed(3)


@pytest.mark.parametrize("atomicity", BOTH)
@pytest.mark.parametrize("case", ["sections", "alarms", "storm", "floats"])
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
