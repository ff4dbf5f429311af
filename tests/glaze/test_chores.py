"""The order of chores for which an entry into the kernel has no time (guest-os/kernel/policy/dispatch.c)."""

from __future__ import annotations

import re

# What is noted in turn, in the order of the ring, and the chore with which the next call has to begin.
NOTED = (("CHORE_PAGER | CHORE_JOBS", "CHORE_PAGER"), ("CHORE_BACKING | CHORE_PAGER | CHORE_JOBS", "CHORE_PAGER"),
         ("CHORE_BACKING | CHORE_JOBS", "CHORE_JOBS"), ("CHORE_BACKING | CHORE_PAGER", "CHORE_BACKING"))


def test_the_first_without_time_is_the_next_to_begin(session):
    """In a ring, so each chore has its turn. (If it was the last without time, that one would come before the others
    again and again.) GDB says that other chores of this entry have taken their time."""
    commands = ["break chores_do"]
    for chores, _ in NOTED:
        commands += ["continue", f"set var chores_wait = {chores}", "set var begun = 1",
                     "set var began = kernel_since - 1000000", "finish", "print chores_wait", "print steps[chores_do::next].chore"]
    ended = session([*commands, "delete", "continue"], "-n", 1, "null", 2_000_000, "+", "hello")
    found = re.findall(r"^\$\d+ = (\d+)\n\$\d+ = (\w+)$", ended.stdout, re.MULTILINE)
    assert found == [("0", first) for _, first in NOTED], ended.stdout
    assert "has ended with status 0." in ended.stdout, ended.stdout
