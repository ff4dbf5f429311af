"""The order of chores for which an entry into the kernel has no time (guest-os/kernel/policy/dispatch.c)."""

from __future__ import annotations

import re

# What is noted in turn, and the place in the ring (dispatch.c) of the chore that the next call has to begin with.
NOTED = (("CHORE_PAGER | CHORE_JOBS", 3), ("CHORE_BACKING | CHORE_PAGER | CHORE_JOBS", 3), ("CHORE_BACKING | CHORE_JOBS", 5),
         ("CHORE_BACKING | CHORE_PAGER", 1))


def test_the_first_without_time_is_the_next_to_begin(session):
    """In a ring, so each chore has its turn. (If it was the last without time, that one would come before the others
    again and again.) GDB says that other chores of this entry have taken their time."""
    commands = ["break chores_do"]
    for chores, _ in NOTED:
        commands += ["continue", f"set var chores_wait = {chores}", "set var begun = 1",
                     "set var began = kernel_since - 1000000", "finish", "print chores_wait", "print chores_do::next"]
    ended = session([*commands, "delete", "continue"], "-n", 1, "null", 2_000_000, "+", "hello")
    found = re.findall(r"^\$\d+ = (\d+)\n\$\d+ = (\d+)$", ended.stdout, re.MULTILINE)
    assert found == [("0", str(first)) for _, first in NOTED], ended.stdout
    assert "has ended with status 0." in ended.stdout, ended.stdout
