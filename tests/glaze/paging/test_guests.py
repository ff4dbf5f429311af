"""Processes whose pages come after their slots, and which run at once: docs/scheduler.md, "Tables of slots".

They get back the time that they have lent, and no more than that: test_innocent.py.
"""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

LOOP, GUESTS, LENDS, POLLS, RESTS = (built(name) for name in (
    "glaze/slots/slots", "glaze/paging/guests", "glaze/paging/lends", "glaze/paging/polls", "glaze/paging/rests"))
UNTIL = 40_000_000


def run(machine, disk, *jobs):
    """What the jobs print beside each other, on three nodes with little memory."""
    return machine(*joined(jobs), nodes=3, ram="512K", timeout="80M", disk=[f"2={disk(16384)}"]).check(0).stdout


def guests(machine, disk, *jobs):
    """Of each of the jobs that page: pages, how many in slots of others, and yields that came back at once."""
    return [tuple(map(int, found)) for found in re.findall(
        r"^guests: (\d+) pages, (\d+) in others' slots, (\d+) yields at once$", run(machine, disk, *jobs), re.MULTILINE)]


@pytest.mark.parametrize("pages", [150, 15_000])
def test_a_page_that_comes_after_its_slot_lets_its_process_run(machine, disk, pages):
    """Be it a page from backing store, or one that is touched for the first time, and whose frame others had."""
    [(alone, _, _)] = guests(machine, disk, [GUESTS, pages, UNTIL, 2])
    [(beside, others, _)] = guests(machine, disk, [GUESTS, pages, UNTIL, 2], [LOOP, "share", UNTIL])
    assert 1.25 * beside > alone and others > beside / 4


def test_a_guest_that_has_lent_nothing_is_one_on_account(machine, disk):
    """The other program waits in the slots of the one that pages, so it borrows no time, and computes in its own. Without
    an account, no page would come in these: 207 pages in place of 257."""
    [(alone, _, _)] = guests(machine, disk, [GUESTS, 150, UNTIL, 2])
    [(beside, others, _)] = guests(machine, disk, [GUESTS, 150, UNTIL, 2], [RESTS, UNTIL])
    assert 1.25 * beside > alone and others > beside / 5


def test_guests_come_in_turn(machine, disk):
    """Two processes that page beside one that computes: each is a guest for the time that it has lent. One of them would
    have 118 pages if a page for which a frame has to be made free let no guest run."""
    found = guests(machine, disk, *[[GUESTS, 150, UNTIL, 3]] * 2, [LOOP, "share", UNTIL])
    assert len(found) == 2 and min(pages for pages, _, _ in found) > 150, found


def test_a_guest_that_yields_is_none(machine, disk):
    """Otherwise each of its calls of YIELD would return at once. A few do while the loop waits for a page itself."""
    [(_, others, at_once)] = guests(machine, disk, [GUESTS, 150, UNTIL, 2, "yields"], [LOOP, "share", UNTIL])
    assert others > 15 and at_once < others / 4


@pytest.mark.parametrize("lends_first", [False, True])
def test_there_are_no_guests_in_slots_of_processes_that_talk(machine, disk, lends_first):
    """They would come at other times on each node. Where the processes of a job wait for each other, and poll, they would
    have had time of others, but of no use, and would get a tenth of their rounds."""
    def rounds(other):
        jobs = [[POLLS, UNTIL], other]
        return int(re.search(r"^polls: (\d+) rounds$", run(machine, disk, *(reversed(jobs) if lends_first else jobs)),
                             re.MULTILINE)[1])
    assert rounds([LENDS, 150, UNTIL, 2, 0]) > 0.4 * rounds([LOOP, "share", UNTIL])
