"""What a program may rely on: README.md says which case stands for which rule.

The program checks itself, line by line; how many lines there are stands here,
so that none is lost unseen.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

PROGRAM = Path(os.environ["FUGU_BUILD"]) / "tests" / "glaze" / "contract.elf"


def checked(result, checks):
    assert "FAIL" not in result.stdout, result.report()
    result.check(0)
    assert len(re.findall(r"^ok ", result.stdout, re.MULTILINE)) == checks, result.report()


@pytest.mark.parametrize(("case", "checks"), [
    ("start", 8),
    ("record", 25),
    ("enter", 57),
    ("during", 48),
    ("out", 20),
    ("hold", 61),
    ("pages", 53),
])
def test_case(machine, case, checks):
    checked(machine(PROGRAM, case, nodes=1, timeout="100M"), checks)


@pytest.mark.parametrize(("case", "nodes", "checks"), [
    ("jobs-quantum", 1, 20),
    ("jobs-state", 1, 14),
    ("jobs-mismatch", 2, 11),
    ("jobs-dropped", 2, 4),
])
def test_two_jobs(machine, case, nodes, checks):
    checked(machine(PROGRAM, case, "+", PROGRAM, case, nodes=nodes, timeout="100M"), checks)


def test_a_store_that_waits(machine):
    checked(machine(PROGRAM, "nodes-store", nodes=3, timeout="100M", atomicity_timeout=1_000_000), 4)


# What a program does wrong in buffered mode, and what its job's end says.
MISUSES = {
    "no-dispose": "dispose-failure: a handler has ended without",
    "no-dispose-endatom": "dispose-failure: interrupts enabled by a handler",
    "second-no-dispose": "dispose-failure: a handler has ended without",
    "moved-no-dispose": "dispose-failure: a handler has ended without",
    "resume-no-dispose": "dispose-failure: .* leaves the processor",
    "no-message": "bad-dispose: there is no message",
    "no-message-storeback": "bad-dispose: storeback without a message",
    "beyond-storeback": "protection-violation: storeback of what is not there",
    "not-its-turn": "bad-dispose: there is no message",
    "write-record": "store to memory that is not its own, address 0xc0000000",
    "write-behind": "store to memory that is not its own, address 0xc0000050",
    "write-empty": "store to memory that is not its own, address 0xf0000080",
    "write-head": "store to memory that is not its own, address 0xf0000000",
    "storeback-to-record": "storeback to memory that cannot be written, address 0xc0000000",
    "read-body": "access to memory that is not its own, address 0xd0000000",
    "read-process": "access to memory that is not its own, address 0xf0002000",
}


@pytest.mark.parametrize("what", MISUSES)
def test_misuse(machine, what):
    result = machine(PROGRAM, what, nodes=1, timeout="10M").check(101)

    assert re.search(rf"^glaze: contract \(job 1\) on node 0 is ended: {MISUSES[what]}", result.stdout, re.MULTILINE), \
        result.report()
    assert result.stdout.count("\n") == 1, result.report()


def test_no_misuse(machine):
    assert machine(PROGRAM, "none", nodes=1, timeout="10M").check(0).stdout == "nothing has happened\n"


def test_status(machine):
    """A job ends with its last process, the machine with its last job, with the first status that was not 0."""
    result = machine(PROGRAM, "nodes-status", "+", PROGRAM, "nodes-late", nodes=4, timeout="100M").check(7)

    assert result.stdout == "the last process\n"
