"""`./run.sh paper switch` measures switches step by step, and its rows are all of the cycles."""

from __future__ import annotations

import re

import pytest
from guest_programs import built

from fugu.paper import switch
from fugu.paper._table import Result
from fugu.paper.steps.walk import cycles


@pytest.fixture(scope="module")
def result() -> Result:
    return switch.measure()


@pytest.mark.parametrize("column", ["hard", "soft"])
def test_rows_are_all_of_the_cycles(result, column):
    rows = {row["row"]: row["ours"][column] for row in result.rows}
    total = rows.pop("total")
    assert sum(rows.values()) == total
    assert {"interrupt_registers_saved", "decision", "process_network_interface", "address_space",
            "registers_restored"} <= {name for name, value in rows.items() if value}
    assert 500 < total < 2800           # far below the first switches, which miss the cache


def test_soft_atomicity_costs_more(result):
    [total] = [row["ours"] for row in result.rows if row["row"] == "total"]
    assert total["hard"] < total["soft"]


def test_program_sees_as_many_cycles(machine):
    """A job that reads the clock misses its other job's slots and two switches: those that are measured."""
    one, other = (cycles(walk) for walk in switch.switches([])[:2])
    job = [built("glaze/sched/alone"), 1_000_000, 1_030_000]
    result = machine(*job, "+", "null", 3_000_000, nodes=2, timeslice=switch.TIMESLICE, timeout="20M").check(0)
    longest = max(int(gap) for gap in re.findall(r"^alone: job 1 node \d: (\d+)$", result.stdout, re.MULTILINE))
    assert switch.TIMESLICE < longest < switch.TIMESLICE + 2 * (one + other)
