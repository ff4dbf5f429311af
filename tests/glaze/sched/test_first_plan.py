"""A plan of node 0 that comes before a server has made its first one (guest-os/sched/sched.c)."""

from __future__ import annotations

import re

from gdb_session import environment, session

__all__ = ["environment", "session"]

PLAN = 1 << 2           # job 1 has ended, job 2 goes on


def test_a_plan_that_comes_before_the_first_one_counts(session):
    """Node 1's kernel has it when the server begins: job 1 gets no slot back."""
    ended = session(["fugu program sched", "break first_plan thread 2.1", "continue", "delete",
                     f"set var newest.jobs = {PLAN}", "set var untaken = 1",
                     "break plan_table thread 2.1", "continue", "print plan.jobs"],
                    "-n", 2, "null", "+", "null")
    assert re.findall(r"^\$\d+ = (\w+)$", ended.stdout, re.MULTILINE) == [str(PLAN)], ended.stdout
