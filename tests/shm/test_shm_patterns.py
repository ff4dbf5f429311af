"""What a page with several writers costs: patterns.c. Cycles are exact, so bounds are ratios of two runs."""

from __future__ import annotations

import re
from typing import NamedTuple

from guest_programs import built

PROGRAM = built("shm/shm-patterns")


class Figures(NamedTuple):
    cycles: int
    faults: int
    visits: int


def run(machine, *words, nodes=2, **options):
    result = machine(PROGRAM, *words, nodes=nodes, ram="32M", timeout="1G", **options).check(0)
    found = re.search(r"^(\d+) cycles, (\d+) faults, (\d+) visits, 0 wrong$", result.stdout, re.MULTILINE)
    assert found, result.report()
    return Figures(*map(int, found.groups()))


def test_visits_take_a_twentieth(machine):
    """A process writes 64 pages of another home all the time. Each visit costs it 1.5 million cycles."""
    away, without = run(machine, "scatter", 1), run(machine, "scatter", 1, shm_visits="off")
    assert without.visits == 0
    assert away.cycles < 1.05 * without.cycles, (away, without)


def test_writes_to_another_home_cost_little_more(machine):
    """Once a page has been fetched, its writer goes on as at home. (It took 60 times as long.)"""
    away, at_home = run(machine, "scatter", 1), run(machine, "scatter", 2)
    assert away.cycles < 3 * at_home.cycles, (away, at_home)
