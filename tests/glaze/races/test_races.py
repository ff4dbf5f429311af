"""A message meets each instruction of a wait, a wake-up, a change of mode and a hand-over (kernel.c), and the two parts
of a library's call meet at each (library.c)."""

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
    "alarm": ("before", "during"),              # an alarm's upcall comes at the same time
    "alarm-wait": ("before", "during"),         # the same, and the process waits for either
    "cond": ("before", "during"),               # a thread waits for a condition, which a handler signals
    "join": ("before", "during"),               # a thread that a handler wakes ends, and another one joins it
}

# Both nodes call the library, node 1 a cycle later in each round. A command of MBCF takes some 500 cycles until it is
# there.
COMMANDS = {"word", "signal", "queue-fetch"}
LIBRARIES = {
    "barrier": ("before", "during"), "barrier-block": ("before", "during"),
    "reduce": ("before", "during"), "reduce-block": ("before", "during"),
    "word": ("before", "during"),               # MBCF: a process waits off the processor for a word
    "signal": ("before", "during", "after"),    # MBCF: a signal's program, and an atomic section
    "region": ("before", "during", "after"), "region-block": ("before", "during", "after"),     # CRL: both write it
    "queue-ni": ("before", "during"), "queue-memory": ("before", "during"), "queue-fetch": ("before", "during"),
}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", CASES)
def test_at_every_cycle(machine, case, atomicity):
    swept = sweep(machine, RACES, case, FIRST, LAST, atomicity=atomicity)
    assert swept.holes == 0 and swept.last - swept.first == LAST - FIRST
    assert all(getattr(swept, stage) for stage in CASES[case]), swept
    assert swept.before + swept.during + swept.after == swept.rounds


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("case", LIBRARIES)
def test_both_parts_at_every_cycle(machine, case, atomicity):
    """Each round has an offset of its own. Those are no holes at which node 0's message holds up node 1's beginning."""
    first, last = (FIRST - 500, LAST - 300) if case in COMMANDS else (FIRST, LAST)
    swept = sweep(machine, RACES, case, first, last, atomicity=atomicity, cache=False)
    assert swept.last - swept.first - swept.holes == last - first and swept.holes < 300
    assert all(getattr(swept, stage) for stage in LIBRARIES[case]), swept
    assert swept.before + swept.during + swept.after == swept.rounds


@pytest.mark.parametrize("case", ["wait", "mode", "slot"])
def test_another_job_takes_over(machine, case):
    """The process loses the processor in the middle of a round, by its own will or at the end of its slot."""
    sweep(machine, RACES, case, FIRST, LAST, "+", "null", 100_000, timeslice=9_000)
