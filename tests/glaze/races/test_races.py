"""A message meets each instruction of a wait, a wake-up, a change of mode and a hand-over (races.c)."""

from __future__ import annotations

import pytest
from guest_programs import built
from swept import sweep

RACES = built("glaze/races/races")
FIRST, LAST = -300, 600

# What must have been seen: a message that was handled before, during or after what happens.
CASES = {
    "wait": ("before", "during"),               # a thread waits, and with it the process: a message ends both waits
    "wake": ("before", "during"),               # a wake that comes before the block counts for it
    "mode": ("before", "during", "after"),      # a page fault, buffered mode, and the way back
    "section": ("before", "during", "after"),   # a section ends while a message waits, or just before it comes
    "mutex": ("before", "during", "after"),     # a thread hands a mutex to a handler that has become one
    "slot": ("before", "during"),               # the process gives its slot away
}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", CASES)
def test_at_every_cycle(machine, case, atomicity):
    swept = sweep(machine, RACES, case, FIRST, LAST, atomicity=atomicity)
    assert swept.holes == 0 and swept.last - swept.first == LAST - FIRST
    assert all(getattr(swept, stage) for stage in CASES[case]), swept
    assert swept.before + swept.during + swept.after == swept.rounds


@pytest.mark.parametrize("case", ["wait", "mode", "slot"])
def test_another_job_takes_over(machine, case):
    """The process loses the processor in the middle of a round, by its own will or at the end of its slot."""
    sweep(machine, RACES, case, FIRST, LAST, "+", "null", 100_000, timeslice=9_000)
