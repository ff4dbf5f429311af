"""`./run.sh paper switch` measures switches step by step, and its rows are all of the cycles."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from guest_programs import built

from fugu.abi import GLAZE
from fugu.paper import switch
from fugu.paper._table import Result
from fugu.paper.steps.walk import RECEIVER, cycles, measured


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


def test_wait_for_a_message_does_what_it_must():
    """A process waits, alone on its node: the kernel looks at no pages, though the process has waited for one before,
    and decides once what runs when the message has come."""
    program = range(GLAZE["PROGRAM"], GLAZE["PROGRAM_END"])
    with measured("waits") as machine:
        begins = {address: name for name, address in machine.code.symbols.items() if address not in program}
        machine.run_to(RECEIVER, "process_wait", times=6)
        wait = machine.walk_until(RECEIVER, lambda pc: pc in program, "the program")
    called = Counter(begins[step.pc] for step in wait if step.pc in begins)
    assert called["process_wait"] == called["process_wake"] == called["decision_after"] == 1, called
    assert not {"chores_do", "pager_step", "timeslot_begin"} & set(called), called
    woken = next(number for number, step in enumerate(wait) if begins.get(step.pc) == "process_wake")
    assert cycles(wait[woken:]) < 1_300
