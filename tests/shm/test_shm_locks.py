"""Words that locks carry: locks.c. Each process checks what it finds under a lock, and after a barrier."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from guest_programs import built
from machine_runs import long_rounds

PROGRAM, PLAIN = built("shm/shm-locks"), built("shm/shm-locks-plain")
PATTERNS = ("counter", "sizes", "two", "mixed", "passed-on", "blind", "seldom", "queue", "alternate", "turns",
            "nested", "handed-over", "whole", "own", "own-bytes", "kinds")


class Figures(NamedTuple):
    cycles: int
    faults: int
    fetches: int
    carried: int
    differences: int


def run(machine, pattern, rounds=40, *words, nodes=8, program=PROGRAM, order="drop", **options):
    result = machine(program, pattern, rounds, *words, nodes=nodes, timeout="2G", shm_order=order, **options).check(0)
    found = re.search(r"^(\d+) cycles\n(\d+) faults, (\d+) fetches, (\d+) carried, (\d+) differences, 0 wrong$",
                      result.stdout, re.MULTILINE)
    assert found, result.report()
    return Figures(*map(int, found.groups()))


def test_counter(machine):
    """Each of 8 processes adds 1 to a word under a lock, 100 times. No page goes from node to node: each node fetches it
    once, and writes it once at most before others have it. (A round takes 57,000 cycles where locks carry nothing.)"""
    carries, plain = (run(machine, "counter", 100, program=program, shm_visits="off") for program in (PROGRAM, PLAIN))
    assert carries.fetches <= 2 * 8 and carries.differences == 0 and carries.carried >= 799, carries
    assert carries.faults >= carries.fetches + carries.carried, carries         # each carried store is one
    assert plain.carried == 0 and plain.differences > 600, plain
    assert 6 * carries.cycles < plain.cycles, (carries, plain)


def test_counter_with_visits(machine):
    """A visit sends the words to their home, and the lock goes on carrying them."""
    figures = run(machine, "counter", 100)
    assert figures.differences == 0 and figures.fetches < 200, figures


def test_a_store_to_a_page_without_a_copy_is_carried(machine):
    """The lock carries the store when the page has come. No page gets a twin."""
    figures = run(machine, "blind", 100)
    assert figures.carried == 799 and figures.differences == 0, figures


def test_a_section_that_stores_much_now_and_then(machine):
    """Six sections in 100 write too much for the lock. It goes on carrying the others' stores."""
    figures = run(machine, "seldom", 100, shm_visits="off")
    assert figures.carried > 700 and figures.differences <= 6 * 8, figures


def test_locks_in_turn(machine):
    """Each of 8 processes takes three locks 100 times, one after the other: two of them carry words of one page, the
    third one of two more pages. Each node fetches the three pages once, at first and at the end: all else is carried.
    (3,400 fetches where a process has carried words of one lock alone.)"""
    figures = run(machine, "turns", 100, shm_visits="off")
    assert figures.carried >= 4 * 800 - 8 and figures.differences == 0, figures
    assert figures.fetches <= 2 * 3 * 8, figures


def test_two_locks_in_turn(machine):
    figures = run(machine, "alternate", 100, shm_visits="off")
    assert figures.carried >= 2 * 800 - 8 and figures.differences == 0, figures
    assert figures.fetches <= 2 * 2 * 8, figures


def test_a_lock_in_the_section_of_another(machine):
    """The outer one goes on carrying words when the inner one has been given."""
    figures = run(machine, "nested", 100, shm_visits="off")
    assert figures.carried >= 4 * 800 - 8 and figures.differences == 0, figures
    assert figures.fetches <= 2 * 8, figures


def test_visits_keep_what_locks_renew(machine):
    """The copies that processes lose by visits are few. (124 fetches of 800 sections where a visit keeps none.)"""
    assert run(machine, "counter", 100).fetches < 60


@pytest.mark.parametrize("nodes", [2, 8])
def test_a_plain_word_beside_those_of_a_lock_is_seen(machine, nodes):
    """A visit keeps the copy, the next one does not."""
    figures = run(machine, "busy", 20, nodes=nodes)
    assert figures.cycles < 20 * 1_000_000, figures


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_locks(machine, pattern, nodes):
    figures = run(machine, pattern, nodes=nodes)
    assert figures.carried or nodes == 1, figures


@pytest.mark.parametrize("options", [{"atomicity": "soft"}, {"atomicity_timeout": 300}, {"shm_visits": "off"},
                                     long_rounds(2)], ids=["soft", "short", "unvisited", "processes"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_locks_on_other_machines(machine, pattern, options):
    run(machine, pattern, nodes=4, **options)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_locks_beside_another_job(machine, pattern):
    run(machine, pattern, 40, "+", "null", nodes=4, timeslice=30_000)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_order_of_writes_keeps_locks_from_carrying(machine, pattern):
    """The home would show a store before earlier ones."""
    assert run(machine, pattern, nodes=3, order="keep").carried == 0


def test_a_process_alone_writes_its_own_page(machine):
    """No store is carried that costs no fault. (The programs' variables lie at different places of the cache.)"""
    carries, plain = (run(machine, "counter", nodes=1, program=program) for program in (PROGRAM, PLAIN))
    assert carries[1:] == plain[1:] and abs(carries.cycles - plain.cycles) <= 100, (carries, plain)


SLOTS = 131_072         # of the table of locks on a node, which grows up to that


def test_more_locks_than_the_table_of_a_node_has_slots(machine):
    """It has a slot for each lock up to the last one, and no more: further locks share the slots."""
    assert machine(built("shm/shm-many"), SLOTS + 300, nodes=1, ram="64M", timeout="2G").check(0).stdout == f"many: {SLOTS + 300} locks\n"
