"""Commands to a task that pages all the time, and the task itself, get their pages in turn: paging.c."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined

PROGRAM, ASLEEP = built("mbcf/mbcf-paging"), built("mbcf/mbcf-asleep")
COMMANDS = 100
FEW, MANY = 200, 300        # pages that the program touches in turn; there is room for some 130
LONGEST = 2_500_000         # cycles: six pages, of which four are the program's own turn
BEHIND = 7_600_000          # 16 pages: seven commands, two turns of the program, one page that is on its way


def run(machine, disk, pages, nodes, longest, atomicity="hard"):
    """No command takes longer than `longest` cycles, and the program gets half as many pages as commands, or more."""
    result = machine(PROGRAM, pages, COMMANDS, nodes=nodes, ram="640K", disk=[f"0={disk(4096)}"], atomicity=atomicity,
                     timeout="800M").check(0)
    cycles = re.findall(r"^paging: node \d: the longest command took (\d+) cycles$", result.stdout, re.MULTILINE)
    [touched] = re.findall(r"^paging: (\d+) pages touched$", result.stdout, re.MULTILINE)
    assert len(cycles) == nodes - 1 and max(map(int, cycles)) < longest
    assert int(touched) > pages + COMMANDS / 2


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("pages", [FEW, MANY])
def test_turns(machine, disk, pages, atomicity):
    """A command waits for a turn of the program's at most, and the program's turn comes as often."""
    run(machine, disk, pages, 2, LONGEST, atomicity)


@pytest.mark.parametrize("pages", [FEW, MANY])
def test_order(machine, disk, pages):
    """Commands that come later get their pages later, however many there are."""
    run(machine, disk, pages, 3, BEHIND)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_a_refusal_is_known_before_later_commands_are(machine, disk, atomicity):
    """A later command's status does not come before that of a silent one, whose page is out: refusals.c."""
    result = machine(built("mbcf/mbcf-refusals"), FEW, 20, 3333, nodes=4, ram="640K", disk=[f"0={disk(4096)}"],
                     atomicity=atomicity, timeout="6G").check(0)
    assert result.stdout == "refusals: 0 of 20 wrong\n"


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("ram", "sleepers"), [("256K", 5), ("260K", 6), ("288K", 6)])
def test_pages_of_tasks_that_sleep_go_out(machine, disk, ram, sleepers, atomicity):
    """Pages come for commands to tasks that sleep, and fill the memory. They do not stay until the tasks have run: the
    worker, and commands to other tasks, need their frames."""
    until = 300_000_000
    jobs = [[ASLEEP, "worker", 2], *[[ASLEEP, "sleeper", until]] * sleepers]
    result = machine(*joined(jobs), nodes=2, ram=ram, disk=[f"0={disk(16384)}"], timeout="600M", atomicity=atomicity).check(0)
    [done] = re.findall(r"^worker: done at (\d+)$", result.stdout, re.MULTILINE)
    assert int(done) < until and "FAIL" not in result.stdout, result.report()
